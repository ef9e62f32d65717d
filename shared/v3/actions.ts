import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, RULE, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import { Action } from './action.ts'
import { IncludeBalanceChanges } from './balanceChange.ts'
import { AccountFilter, ActionWords, ExcludeSystem, HashList, pendingFilters, timeBounds } from './filters.ts'
import { sideExample, sideFields, sidePageFields } from './sideObjects.ts'
import { chainExamples } from './transaction.ts'
import { readsV3 } from './values.ts'

const group = 'actions'

const MOST_TYPES = 200
const LONGEST_TYPE = 64

/** Names of types; empty ones are ignored. */
const typeList = (name: string) =>
  z
    .array(z.string().max(LONGEST_TYPE))
    .max(MOST_TYPES)
    .transform((words, context): string[] => {
      const types = words.filter((word) => word !== '')
      if (types.every((type) => /^[A-Za-z0-9_.]+$/.test(type))) return types
      context.addIssue({ code: 'custom', message: `${name} contains invalid characters`, params: RULE })
      return z.NEVER
    })

const IncludeTransactions = z.boolean().default(false).describe('Include `transactions_full`.')

const filters = z.strictObject({
  account: AccountFilter.optional().describe('Only actions that involve this account.'),
  tx_hash: HashList.optional().describe('Only actions with one of these transactions.'),
  msg_hash: HashList.optional().describe('Only actions with one of these messages, by hash or normalized hash.'),
  action_id: HashList.optional().describe('Only these actions; other filters are ignored.'),
  trace_id: HashList.optional().describe('Only actions of these traces; other filters except `account` are ignored.'),
  mc_seqno: Int32.optional().describe('Only traces that ended in this masterchain block.'),
  ...timeBounds,
  action_type: typeList('action_type').optional().describe('Only actions of these types.'),
  exclude_action_type: typeList('exclude_action_type').optional().describe('No actions of these types.'),
  supported_action_types: ActionWords,
  exclude_system: ExcludeSystem,
  include_accounts: z.boolean().default(false).describe('Include the accounts of each action.'),
  include_transactions: IncludeTransactions,
  include_balance_changes: IncludeBalanceChanges,
  initiated_by_account: z.boolean().default(false).describe('With `account`: only traces that the account began.'),
  ...cursorPage(),
  sort: Sort,
})

const { transaction, received } = chainExamples

const action: z.input<typeof Action> = {
  trace_id: transaction.hash,
  action_id: '2w63ODTcF5Jcx0ff5OOJKZ9kMhn5BzeYKr3R+OLEZMU=',
  start_lt: '60056271000001',
  end_lt: '60056271000001',
  start_utime: 1754158183,
  end_utime: 1754158183,
  trace_end_lt: '60056271000001',
  trace_end_utime: 1754158183,
  trace_mc_seqno_end: 50503953,
  transactions: [transaction.hash],
  success: true,
  type: 'ton_transfer',
  details: {
    source: `-1:${'0'.repeat(64)}`,
    destination: `-1:${'3'.repeat(64)}`,
    value: '2630055735',
    value_extra_currencies: {},
    comment: null,
    encrypted: false,
  },
  trace_external_hash: received.hash,
  finality: 'finalized',
}

const { trace_external_hash: _, ...inBlocks } = action

export const actionsV3 = {
  'v3.actions': method({
    summary: 'High-level actions of finished traces: transfers, swaps, sales, stakes.',
    description:
      'The history a wallet shows: a row for each transfer, swap or sale. The actions of a trace appear when it has ended; before that use v3.pendingActions.',
    group,
    params: filters,
    result: z
      .object({
        actions: z.array(Action).describe('Actions of this page.'),
        ...sidePageFields,
        next_cursor: z.string().optional().describe('Same as `cursor`; absent on the last page.'),
      })
      .meta({ id: 'ActionsResponse' }),
    rest: readsV3('actions'),
    freshness: 'index',
    paged: true,
    example: {
      params: { action_id: [action.action_id] },
      result: { actions: [action], ...sideExample, cursor: null },
    },
  }),

  'v3.pendingActions': method({
    summary: 'High-level actions of pending traces, the ones predicted by the TVM included.',
    description:
      'To show right after sending what a message will do. Emulates the rest of the trace and knows only messages sent through this service; empty when none is pending. The result can still change: v3.actions has what happened.',
    group,
    params: z.strictObject({
      ...pendingFilters('actions that involve'),
      include_transactions: IncludeTransactions,
    }),
    result: z
      .object({
        actions: z.array(Action).describe('Actions that happened so far and that the TVM predicts.'),
        ...sideFields,
      })
      .meta({ id: 'PendingActionsResponse' }),
    rest: readsV3('pendingActions'),
    freshness: 'live',
    cost: 2,
    example: {
      params: { ext_msg_hash: [received.hash] },
      result: {
        actions: [{ ...inBlocks, trace_id: null, trace_external_hash: received.hash, finality: 'pending' }],
        ...sideExample,
      },
    },
  }),
}
