// Indexes that begin with an account or a hash hold a key of it that only this database can compute. They held its last 7 bytes,
// and a message can go to any address: rows with the end of another account cost their sender the fees.

/** An index: what it begins with, the columns behind that, and its condition. */
type Definition = readonly [name: string, lead: string, rest: string, where?: string | undefined]

/**
 * Makes the function, with a salt of 122 random bits in its text. The planner puts the text in its place, and the salt with it, in
 * indexes and statements alike. A number of 8 bytes, since numbers are compared faster than bytes.
 */
const MAKE_KEY = `execute format('create or replace function short_key(bytea) returns int8 language sql immutable parallel safe
  return hashtextextended(encode(sha256(%L::bytea || $1), ''hex'') collate "C", 0)',
  '\\x' || replace(gen_random_uuid()::text, '-', ''));`

/** Only while no index has a row: their keys are of the salt before. */
export const changeKey = `do $$ begin ${MAKE_KEY} end $$`

const makeKey = `do $$ begin if to_regprocedure('short_key(bytea)') is null then ${MAKE_KEY} end if; end $$`

const key = (column: string): string => `short_key(${column})`

/**
 * These hold whole accounts, since they have few rows: nothing but their own condition then leads to them, and the planner does not
 * take the index of all rows, most of which are the system's, for them.
 */
const OF_MASTER = 'workchain = -1 and not is_system'
const MASTER_ACCOUNTS = "account < '\\x80'::bytea and not is_system"

const TRANSACTIONS: readonly Definition[] = [
  ['transactions_by_account', key('account'), 'lt'],
  ['transactions_by_account_time', key('account'), 'now'],
  ['transactions_of_master_by_account', 'account', 'lt', OF_MASTER],
  ['transactions_of_master_by_account_time', 'account', 'now', OF_MASTER],
  ['transactions_by_in_body', key('in_body_hash'), 'lt', 'in_body_hash is not null'],
]

const MESSAGES: readonly Definition[] = [
  ['messages_by_source', key('source'), 'created_lt'],
  ['messages_by_source_time', key('source'), 'created_at'],
  ['messages_by_destination', key('destination'), 'created_lt'],
  ['messages_by_destination_time', key('destination'), 'created_at'],
  ['messages_by_body', key('body_hash'), 'created_lt'],
  ['messages_by_sent_body', key('body_hash'), 'out_lt', 'out_lt is not null'],
]

const TRACE_ACCOUNTS: readonly Definition[] = [
  ['trace_accounts_by_lt', key('account'), 'end_lt'],
  ['trace_accounts_by_time', key('account'), 'end_utime'],
]

const ACTION_ACCOUNTS: readonly Definition[] = [
  ['action_accounts_by_lt', key('account'), 'trace_end_lt'],
  ['action_accounts_by_time', key('account'), 'trace_end_utime'],
  ['action_accounts_of_master', 'account', 'trace_end_lt', MASTER_ACCOUNTS],
  ['action_accounts_of_master_by_time', 'account', 'trace_end_utime', MASTER_ACCOUNTS],
]

const eventIndexes = (table: string, columns: readonly string[], where?: string): readonly Definition[] =>
  columns.flatMap((column): Definition[] => [
    [`${table}_${column}_by_lt`, key(column), 'tx_lt', where],
    [`${table}_${column}_by_time`, key(column), 'tx_now, tx_lt', where],
  ])

/**
 * One index after the other: the disk has room for one more at a time. The tables are analyzed, because the planner knows nothing of
 * an expression before.
 */
const rekey = (table: string, definitions: readonly Definition[]): readonly string[] => [
  ...definitions.map(
    ([name, lead, rest, where]) =>
      `create index ${name}_keyed on ${table} (${lead}, ${rest})${where === undefined ? '' : ` where ${where}`};
      drop index ${name};
      alter index ${name}_keyed rename to ${name};`,
  ),
  `analyze ${table};`,
]

export const keyedIndexes: readonly string[] = [
  makeKey,
  ...rekey('transactions', TRANSACTIONS),
  ...rekey('messages', MESSAGES),
  ...rekey('trace_accounts', TRACE_ACCOUNTS),
  ...rekey('action_accounts', ACTION_ACCOUNTS),
  ...rekey(
    'jetton_transfers',
    eventIndexes('jetton_transfers', ['source', 'destination', 'source_wallet', 'jetton'], 'not aborted'),
  ),
  ...rekey('jetton_burns', eventIndexes('jetton_burns', ['owner', 'jetton_wallet', 'jetton'])),
  ...rekey('nft_transfers', eventIndexes('nft_transfers', ['nft', 'collection', 'old_owner', 'new_owner'])),
]
