import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import { Action } from './action.ts'
import { BalanceChanges, IncludeBalanceChanges } from './balanceChange.ts'
import { AccountFilter, ActionWords, HashList, timeBounds } from './filters.ts'
import { sideExample, sidePageFields } from './sideObjects.ts'
import { chainExamples, Transaction } from './transaction.ts'
import { Base64Hash, Digits, readsV3 } from './values.ts'

const group = 'traces'

export interface TraceNode {
  tx_hash: string
  in_msg_hash?: string | undefined
  children: TraceNode[]
}

export const TraceNode: z.ZodType<TraceNode, TraceNode> = z
  .object({
    tx_hash: Base64Hash.describe('Hash of the transaction.'),
    in_msg_hash: Base64Hash.optional().describe('Hash of the message it received; absent without one.'),
    children: z
      .array(z.lazy((): z.ZodType<TraceNode, TraceNode> => TraceNode))
      .describe('Transactions that received its messages.'),
  })
  .meta({ id: 'TraceNode', description: 'A transaction and the transactions that received its messages.' })

const TraceMeta = z
  .object({
    trace_state: z.enum(['complete', 'pending', 'broken']).describe('`complete` when no message is in flight.'),
    messages: z.int().describe('Messages between its transactions.'),
    transactions: z.int().describe('Number of transactions.'),
    pending_messages: z.int().describe('Messages not received yet.'),
    classification_state: z
      .enum(['unclassified', 'ok', 'failed', 'broken'])
      .describe('`ok` when its actions are known.'),
  })
  .meta({ id: 'TraceMeta' })

export const Trace = z
  .object({
    trace_id: Base64Hash.nullable().describe('Hash of its first transaction; null until that is in a block.'),
    external_hash: Base64Hash.nullable().describe(
      'Hash of the message from outside that began it; null for system traces.',
    ),
    mc_seqno_start: Digits.describe('Masterchain block of its first transaction.'),
    mc_seqno_end: Digits.describe('Masterchain block of its last transaction.'),
    start_lt: Digits.describe('Lowest logical time.'),
    start_utime: z.int().describe('Unix seconds of the first transaction.'),
    end_lt: Digits.nullable().describe('Highest logical time.'),
    end_utime: z.int().nullable().describe('Unix seconds of the last transaction.'),
    trace_info: TraceMeta.describe('Size and progress of the trace.'),
    is_incomplete: z.boolean().describe('True when the trace is over the size limit and transactions are left out.'),
    warning: z.string().optional().describe('Why something is left out.'),
    actions: z.array(Action).optional().describe('High-level actions; only when requested.'),
    balance_changes: BalanceChanges.optional(),
    trace: TraceNode.optional().describe('Tree of the transactions.'),
    transactions_order: z.array(Base64Hash).optional().describe('Hashes of the transactions by logical time.'),
    transactions: z.record(z.string(), Transaction).optional().describe('Transactions by hash.'),
  })
  .meta({ id: 'Trace' })
export type Trace = z.output<typeof Trace>

const filters = z.strictObject({
  account: AccountFilter.optional().describe('Only traces with a transaction of this account.'),
  trace_id: HashList.optional().describe('Only these traces, by hash of the first transaction.'),
  tx_hash: HashList.optional().describe('Only traces with one of these transactions.'),
  msg_hash: HashList.optional().describe('Only traces with one of these messages, by hash or normalized hash.'),
  mc_seqno: Int32.optional().describe('Only traces that ended in this masterchain block.'),
  ...timeBounds,
  include_actions: z.boolean().default(false).describe('Include the actions of each trace.'),
  include_balance_changes: IncludeBalanceChanges,
  max_transactions: z
    .int()
    .min(1)
    .max(4000)
    .optional()
    .describe(
      'A trace with more comes without its tree: of its transactions and actions only those of `account`, at most 20 of each.',
    ),
  supported_action_types: ActionWords,
  ...cursorPage(),
  sort: Sort,
})

const side = { ...sidePageFields }

const { transaction, received } = chainExamples

/** For examples. */
export const traceExample: z.input<typeof Trace> = {
  trace_id: transaction.hash,
  external_hash: received.hash,
  mc_seqno_start: '50503953',
  mc_seqno_end: '50503953',
  start_lt: '60056271000001',
  start_utime: 1754158183,
  end_lt: '60056271000001',
  end_utime: 1754158183,
  trace_info: {
    trace_state: 'complete',
    messages: 1,
    transactions: 1,
    pending_messages: 0,
    classification_state: 'unclassified',
  },
  is_incomplete: false,
  trace: { tx_hash: transaction.hash, in_msg_hash: received.hash, children: [] },
  transactions_order: [transaction.hash],
  transactions: { [transaction.hash]: transaction },
}

export const tracesV3 = {
  'v3.traces': method({
    summary:
      'Finished traces with all their transactions. At most one of `account`, `trace_id`, `tx_hash`, `msg_hash`.',
    description:
      'Each trace comes with its whole tree: keep `limit` small, one page holds at most 20,000 transactions. For the history a user reads use v3.actions, for traces that are still running v3.pendingTraces.',
    group,
    params: filters,
    result: z
      .object({ traces: z.array(Trace).describe('Traces of this page.'), ...side })
      .meta({ id: 'TracesResponse' }),
    rest: readsV3('traces'),
    freshness: 'index',
    paged: true,
    example: {
      params: { msg_hash: [received.hash] },
      result: { traces: [traceExample], ...sideExample, cursor: null },
    },
  }),

  'v3.events': method({
    summary: 'Like v3.traces, always with actions.',
    description: 'Older name; the list is called `events`. v3.traces with `include_actions` returns the same.',
    group,
    params: filters,
    result: z
      .object({ events: z.array(Trace).describe('Traces of this page.'), ...side })
      .meta({ id: 'EventsResponse' }),
    rest: readsV3('events'),
    freshness: 'index',
    paged: true,
    example: {
      params: { msg_hash: [received.hash] },
      result: { events: [{ ...traceExample, actions: [] }], ...sideExample, cursor: null },
    },
  }),
}
