import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, NextCursor, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import { Action } from './action.ts'
import { AccountFilter, ActionWords, HashList, timeBounds } from './filters.ts'
import { AddressBook, Metadata, sideExample } from './sideObjects.ts'
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
    tx_hash: Base64Hash,
    in_msg_hash: Base64Hash.optional(),
    children: z.array(z.lazy((): z.ZodType<TraceNode, TraceNode> => TraceNode)),
  })
  .meta({ id: 'TraceNode', description: 'A transaction and those that took in what it sent.' })

const TraceMeta = z
  .object({
    trace_state: z.enum(['complete', 'pending', 'broken']),
    messages: z.int(),
    transactions: z.int(),
    pending_messages: z.int(),
    classification_state: z.enum(['unclassified', 'ok', 'failed', 'broken']),
  })
  .meta({ id: 'TraceMeta' })

export const Trace = z
  .object({
    trace_id: Base64Hash.nullable().meta({ description: 'Hash of its first transaction.' }),
    external_hash: Base64Hash.nullable().meta({ description: 'Hash of the message it began with.' }),
    mc_seqno_start: Digits,
    mc_seqno_end: Digits,
    start_lt: Digits,
    start_utime: z.int(),
    end_lt: Digits.nullable(),
    end_utime: z.int().nullable(),
    trace_info: TraceMeta,
    is_incomplete: z.boolean().meta({ description: 'It is too large to be shown.' }),
    warning: z.string().optional(),
    actions: z.array(Action).optional(),
    trace: TraceNode.optional(),
    transactions_order: z.array(Base64Hash).optional(),
    transactions: z.record(z.string(), Transaction).optional().meta({ description: 'By hash.' }),
  })
  .meta({ id: 'Trace' })

const filters = z.strictObject({
  account: AccountFilter.optional().meta({ description: 'With a transaction of this account.' }),
  trace_id: HashList.optional(),
  tx_hash: HashList.optional().meta({ description: 'With one of these transactions.' }),
  msg_hash: HashList.optional().meta({ description: 'With one of these messages, by either of their hashes.' }),
  mc_seqno: Int32.optional().meta({ description: 'Ended in this masterchain block.' }),
  ...timeBounds,
  include_actions: z.boolean().default(false),
  supported_action_types: ActionWords,
  ...cursorPage(),
  sort: Sort,
})

const side = { address_book: AddressBook, metadata: Metadata, cursor: NextCursor }

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

export const traces = {
  'v3.traces': method({
    summary: 'Traces that are complete, each with all its transactions. At most one way to name them.',
    group,
    params: filters,
    result: z.object({ traces: z.array(Trace), ...side }).meta({ id: 'TracesResponse' }),
    rest: readsV3('traces'),
    freshness: 'index',
    paged: true,
    example: {
      params: { msg_hash: [received.hash] },
      result: { traces: [traceExample], ...sideExample, cursor: null },
    },
  }),

  'v3.events': method({
    summary: 'The same, always with their actions.',
    group,
    params: filters,
    result: z.object({ events: z.array(Trace), ...side }).meta({ id: 'EventsResponse' }),
    rest: readsV3('events'),
    freshness: 'index',
    paged: true,
    example: {
      params: { msg_hash: [received.hash] },
      result: { events: [{ ...traceExample, actions: [] }], ...sideExample, cursor: null },
    },
  }),
}
