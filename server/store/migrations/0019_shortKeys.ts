// Indexes that begin with an account or a hash hold its last 7 bytes instead of 32 or 33, which makes their entries half as long.
// What is read compares the whole value too. A step for each table: what was made stays made after a kill.

/** The columns of an index behind the account or hash it begins with, and its condition. */
type Definition = readonly [name: string, lead: string, rest: string, where?: string | undefined]

/** Of 33 bytes, and of 32: expressions that indexes and statements have in common. */
const account = (column: string): string => `substring(${column} from 27)`
const hash = (column: string): string => `substring(${column} from 26)`

const OF_MASTER = 'workchain = -1 and not is_system'
const MASTER_ACCOUNTS = "account < '\\x80'::bytea and not is_system"

const TRANSACTIONS: readonly Definition[] = [
  ['transactions_by_account', account('account'), 'lt'],
  ['transactions_by_account_time', account('account'), 'now'],
  ['transactions_of_master_by_account', account('account'), 'lt', OF_MASTER],
  ['transactions_of_master_by_account_time', account('account'), 'now', OF_MASTER],
  ['transactions_by_in_body', hash('in_body_hash'), 'lt', 'in_body_hash is not null'],
]

const MESSAGES: readonly Definition[] = [
  ['messages_by_source', account('source'), 'created_lt'],
  ['messages_by_source_time', account('source'), 'created_at'],
  ['messages_by_destination', account('destination'), 'created_lt'],
  ['messages_by_destination_time', account('destination'), 'created_at'],
  ['messages_by_body', hash('body_hash'), 'created_lt'],
  ['messages_by_sent_body', hash('body_hash'), 'out_lt', 'out_lt is not null'],
]

const TRACE_ACCOUNTS: readonly Definition[] = [
  ['trace_accounts_by_lt', account('account'), 'end_lt'],
  ['trace_accounts_by_time', account('account'), 'end_utime'],
]

const ACTION_ACCOUNTS: readonly Definition[] = [
  ['action_accounts_by_lt', account('account'), 'trace_end_lt'],
  ['action_accounts_by_time', account('account'), 'trace_end_utime'],
  ['action_accounts_of_master', account('account'), 'trace_end_lt', MASTER_ACCOUNTS],
  ['action_accounts_of_master_by_time', account('account'), 'trace_end_utime', MASTER_ACCOUNTS],
]

const eventIndexes = (table: string, columns: readonly string[], where?: string): readonly Definition[] =>
  columns.flatMap((column): Definition[] => [
    [`${table}_${column}_by_lt`, account(column), 'tx_lt', where],
    [`${table}_${column}_by_time`, account(column), 'tx_now, tx_lt', where],
  ])

/**
 * An index is there until the new one is: readers wait for the moment in which it goes, at the end of the step. The new one is
 * analyzed, because the planner knows nothing of an expression before.
 */
const shorten = (table: string, definitions: readonly Definition[]): readonly string[] => [
  ...definitions.map(([name, lead, rest, where]) => {
    const condition = where === undefined ? '' : ` where ${where}`
    return `create index ${name}_short on ${table} (${lead}, ${rest})${condition};`
  }),
  definitions.map(([name]) => `drop index ${name};\nalter index ${name}_short rename to ${name};`).join('\n'),
  `analyze ${table};`,
]

export const shortTransactions = shorten('transactions', TRANSACTIONS)
export const shortMessages = shorten('messages', MESSAGES)
export const shortTraceAccounts = shorten('trace_accounts', TRACE_ACCOUNTS)
export const shortActionAccounts = shorten('action_accounts', ACTION_ACCOUNTS)
export const shortEvents = [
  ...shorten(
    'jetton_transfers',
    eventIndexes('jetton_transfers', ['source', 'destination', 'source_wallet', 'jetton'], 'not aborted'),
  ),
  ...shorten('jetton_burns', eventIndexes('jetton_burns', ['owner', 'jetton_wallet', 'jetton'])),
  ...shorten('nft_transfers', eventIndexes('nft_transfers', ['nft', 'collection', 'old_owner', 'new_owner'])),
]
