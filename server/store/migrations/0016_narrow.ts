// Smaller indexes. Most ended in a hash or an account of 33 bytes, only to order rows that are equal in the columns before: those
// few are sorted when they are read instead. Rows that are found by a whole hash alone have hash indexes, a third of the size.

/** The columns of an index, and its condition. */
type Definition = readonly [name: string, columns: string, where?: string | undefined]

const USERS = 'not is_system'
const SYSTEM = 'is_system'
const OF_MASTER = 'workchain = -1 and not is_system'
const COMPLETE = "state = 'complete'"
const MASTER_ACCOUNTS = "account < '\\x80'::bytea and not is_system"

/** Indexes that are made again with fewer columns. */
const NARROWED: Readonly<Record<string, readonly Definition[]>> = {
  transactions: [
    ['transactions_by_account_time', '(account, now)'],
    ['transactions_by_lt', '(lt)', USERS],
    ['transactions_by_time', '(now)', USERS],
    ['system_transactions_by_lt', '(lt)', SYSTEM],
    ['system_transactions_by_time', '(now)', SYSTEM],
    ['transactions_by_master', '(mc_seqno)'],
    ['transactions_by_shard', '(workchain, shard, lt)'],
    ['transactions_by_seqno', '(seqno)'],
    ['transactions_by_in_msg', 'using hash (in_msg_hash)', 'in_msg_hash is not null'],
    ['transactions_by_trace', 'using hash (trace_id)'],
    ['transactions_of_master', '(lt)', OF_MASTER],
    ['transactions_of_master_by_time', '(now)', OF_MASTER],
    ['transactions_of_master_by_account_time', '(account, now)', OF_MASTER],
  ],
  messages: [
    ['messages_by_producer', 'using hash (out_tx_hash)', 'out_tx_hash is not null'],
    ['messages_by_lt', '(created_lt)'],
    ['messages_by_time', '(created_at)'],
    ['messages_by_source', '(source, created_lt)'],
    ['messages_by_source_time', '(source, created_at)'],
    ['messages_by_destination', '(destination, created_lt)'],
    ['messages_by_destination_time', '(destination, created_at)'],
    ['messages_by_opcode', '(opcode, created_lt)'],
    ['messages_by_opcode_time', '(opcode, created_at)'],
    ['messages_by_body', '(body_hash, created_lt)'],
  ],
  actions: [
    ['actions_by_id', 'using hash (action_id)'],
    ['actions_by_lt', '(trace_end_lt)', USERS],
    ['actions_by_time', '(trace_end_utime)', USERS],
    ['system_actions_by_lt', '(trace_end_lt)', SYSTEM],
    ['system_actions_by_time', '(trace_end_utime)', SYSTEM],
    ['actions_by_type', '(type, is_system, trace_end_lt)'],
    ['actions_by_type_time', '(type, is_system, trace_end_utime)'],
  ],
  action_accounts: [
    ['action_accounts_by_time', '(account, trace_end_utime)'],
    ['action_accounts_of_master', '(account, trace_end_lt)', MASTER_ACCOUNTS],
    ['action_accounts_of_master_by_time', '(account, trace_end_utime)', MASTER_ACCOUNTS],
  ],
  trace_accounts: [
    ['trace_accounts_by_lt', '(account, end_lt)'],
    ['trace_accounts_by_time', '(account, end_utime)'],
  ],
  traces: [
    ['traces_by_lt', '(end_lt)', COMPLETE],
    ['traces_by_time', '(end_utime)', COMPLETE],
    ['traces_by_master', '(mc_seqno_end)', COMPLETE],
    ['traces_by_external', 'using hash (external_hash)', 'external_hash is not null'],
  ],
}

/** Of primary keys that only served look-ups. No row can be written twice: the cursor moves in the same SQL transaction. */
const REPLACED_KEYS: Readonly<Record<string, Definition>> = {
  transactions: ['transactions_by_hash', 'using hash (hash)'],
  actions: ['actions_by_trace', 'using hash (trace_id)'],
  action_accounts: ['action_accounts_by_lt', '(account, trace_end_lt)'],
}

/** Lists of events, by all and by each of the columns. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  jetton_transfers: ['source', 'destination', 'source_wallet', 'jetton'],
  jetton_burns: ['owner', 'jetton_wallet', 'jetton'],
  nft_transfers: ['nft', 'collection', 'old_owner', 'new_owner'],
}

const create = (table: string, [name, columns, where]: Definition): string =>
  `create index ${name} on ${table} ${columns}${where === undefined ? '' : ` where ${where}`};`

const eventIndexes = (table: string, columns: readonly string[]): Definition[] =>
  ['all', ...columns].flatMap((column): Definition[] => {
    const lead = column === 'all' ? '' : `${column}, `
    const where = table === 'jetton_transfers' ? 'not aborted' : undefined
    return [
      [`${table}_${column}_by_lt`, `(${lead}tx_lt)`, where],
      [`${table}_${column}_by_time`, `(${lead}tx_now, tx_lt)`, where],
    ]
  })

/** Messages from outside have no logical time, and are listed by hash. */
const FROM_OUTSIDE: readonly Definition[] = [
  ['messages_from_outside', '(hash)', 'created_lt is null'],
  ['messages_from_outside_by_destination', '(destination, hash)', 'created_lt is null'],
  ['messages_from_outside_by_opcode', '(opcode, hash)', 'created_lt is null'],
]

const drop = (indexes: readonly Definition[]): string => `drop index ${indexes.map(([name]) => name).join(', ')};`

const createAll = (table: string, indexes: readonly Definition[]): string =>
  indexes.map((one) => create(table, one)).join('\n')

// Descriptions are packed from here on, by the program: those that are there stay as they are.
const PACKED = 'alter table transactions alter column description type text;'

// A text is found by the hash of its transaction. Texts of this version leave out what its row has.
const TEXTS = `
truncate transaction_texts, text_progress;
alter table transaction_texts drop constraint transaction_texts_pkey;
create index transaction_texts_by_hash on transaction_texts using hash (hash);
`

const narrowed = [
  ...Object.entries(NARROWED),
  ...Object.entries(EVENTS).map(([table, columns]) => [table, eventIndexes(table, columns)] as const),
]

export const narrow: readonly string[] = [
  // All at first: a column whose type changes makes the indexes that are left again.
  narrowed.map(([, indexes]) => drop(indexes)).join('\n'),
  // Its accounts are looked up along the index in the order of traces.
  'alter table trace_accounts drop constraint trace_accounts_pkey;',
  ...Object.keys(REPLACED_KEYS).map((table) => `alter table ${table} drop constraint ${table}_pkey;`),
  PACKED,
  ...narrowed.map(([table, indexes]) => createAll(table, indexes)),
  createAll('messages', FROM_OUTSIDE),
  ...Object.entries(REPLACED_KEYS).map(([table, index]) => create(table, index)),
  TEXTS,
]
