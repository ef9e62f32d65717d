// Tables as they were before a step, made out of those of today.

import { type Sql, sql } from '../../server/store/index.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { unpackText } from '../../server/store/packed/unpackedText.ts'

const KEYS = {
  transactions: ['hash', 'transactions_by_hash'],
  actions: ['trace_id, action_id', 'actions_by_trace'],
  action_accounts: ['account, trace_end_lt, trace_id, end_lt, action_id', 'action_accounts_by_lt'],
  trace_accounts: ['account, trace_id', null],
  transaction_texts: ['hash', 'transaction_texts_by_hash'],
} as const

interface Described {
  readonly hash: Uint8Array
  readonly description: string
  readonly [column: string]: unknown
}

/**
 * With whole words, descriptions as JSON and primary keys, without the indexes that came with the narrow ones; of those only the names are as
 * before.
 */
export async function forgetNarrow(to: Sql): Promise<void> {
  await forgetKinds(to)
  await to.query(sql`update messages set kind = 'internal' where kind = 'i'`)
  const rows = await to.query<Described>(sql`select hash, description from transactions`)
  const hashes = rows.map(({ hash }) => hash)
  const descriptions = rows.map((row) => unpackText(row.description, []))
  await to.query(sql`update transactions t set description = o.description
    from unnest(${hashes}::bytea[], ${descriptions}::text[]) as o (hash, description) where t.hash = o.hash`)
  await to.query(sql`alter table transactions alter column description type json using description::json`)
  for (const [table, [key, index]] of Object.entries(KEYS)) {
    await to.query(sql`alter table ${sql.identifier(table)} add primary key (${sql.raw(key)})`)
    if (index !== null) await to.query(sql`drop index ${sql.identifier(index)}`)
  }
  for (const index of ['', '_by_destination', '_by_opcode'])
    await to.query(sql`drop index ${sql.identifier(`messages_from_outside${index}`)}`)
}

/** All steps from the one that narrows indexes on, but for that of plans, which outlive an index. */
export async function makeNarrow(to: Sql): Promise<void> {
  await to.query(sql`alter table indexer_cursor drop column pruned_before`)
  await to.query(sql`alter table transaction_texts drop column bags, drop column shared`)
  for (const name of ['body', 'init'])
    await to.query(sql`update messages m set ${sql.identifier(name)} = b.bag from shared_bags b
      where m.${sql.identifier(name)} is null and b.hash = m.${sql.identifier(`${name}_hash`)}`)
  await to.query(sql`drop index messages_by_init`)
  await to.query(sql`drop table shared_bags`)
  await to.query(sql`drop table nft_owners`)
  for (const { sql: parts } of migrations.filter((step) => step.number >= 16 && step.name !== '0017_plans'))
    for (const part of [parts].flat()) await to.query(sql.raw(part), { timeoutMs: 300_000 })
}

const HASHED = {
  account_states: 'hash',
  shared_bags: 'hash',
  jetton_transfers: 'tx_hash',
  jetton_burns: 'tx_hash',
  nft_transfers: 'tx_hash',
} as const

const STARTED = {
  transactions_by_trace: 'transactions using hash (trace_id)',
  actions_by_trace: 'actions using hash (trace_id)',
} as const

/** Before indexes of traces had a part of the hash. */
export async function forgetHashStarts(to: Sql): Promise<void> {
  for (const [name, on] of Object.entries(STARTED)) {
    await to.query(sql`drop index ${sql.identifier(name)}`)
    await to.query(sql`create index ${sql.identifier(name)} on ${sql.raw(on)}`)
  }
}

/** Before some keys were in hash indexes. */
export async function forgetHashedKeys(to: Sql): Promise<void> {
  await forgetHashStarts(to)
  for (const [table, key] of Object.entries(HASHED)) {
    const name = sql.identifier(table)
    const index = sql.identifier(`${table}_by_${key}`)
    await to.query(sql`alter table ${name} drop constraint ${index}, add primary key (${sql.identifier(key)})`)
  }
}

/** Before events had indexes of pairs; all of them come with one step. */
export async function forgetPairs(to: Sql): Promise<readonly string[]> {
  await forgetHashedKeys(to)
  const indexes = await to.query<{ name: string }>(sql`select indexname::text as name from pg_indexes
    where schemaname = current_schema() and indexname like '%\\_and\\_%' order by 1`)
  for (const { name } of indexes) await to.query(sql`drop index ${sql.identifier(name)}`)
  return indexes.map(({ name }) => name)
}

/** Before accounts of actions had kinds. */
export async function forgetKinds(to: Sql): Promise<void> {
  await forgetPairs(to)
  await to.query(sql`drop table action_kinds, action_accounts`)
  await to.query(sql`create table action_accounts (
    account bytea not null,
    trace_id bytea not null,
    action_id bytea not null,
    end_lt int8 not null,
    end_utime int8 not null,
    trace_end_lt int8 not null,
    trace_end_utime int8 not null,
    is_system bool not null default false
  )`)
  await to.query(sql`insert into action_accounts select o.account, a.trace_id, a.action_id, a.end_lt, a.end_utime,
    a.trace_end_lt, a.trace_end_utime, a.is_system from actions a cross join lateral unnest(a.accounts) o (account)`)
  const ofMaster = sql`where account < '\\x80'::bytea and not is_system`
  await to.query(sql`create index action_accounts_by_lt on action_accounts (short_key(account), trace_end_lt)`)
  await to.query(sql`create index action_accounts_by_time on action_accounts (short_key(account), trace_end_utime)`)
  await to.query(sql`create index action_accounts_of_master on action_accounts (account, trace_end_lt) ${ofMaster}`)
  await to.query(
    sql`create index action_accounts_of_master_by_time on action_accounts (account, trace_end_utime) ${ofMaster}`,
  )
}

const REPLACED = {
  transactions: ['transactions_by_lt', 'transactions_by_time'],
  actions: ['actions_by_lt', 'actions_by_time', 'actions_by_type', 'actions_by_type_time'],
  action_accounts: [],
}

/** Before housekeeping was marked; of the indexes that were replaced only the names. */
export async function forgetSystem(to: Sql): Promise<void> {
  for (const [table, indexes] of Object.entries(REPLACED)) {
    await to.query(sql`alter table ${sql.identifier(table)} drop column is_system`)
    for (const index of indexes)
      await to.query(sql`create index ${sql.identifier(index)} on ${sql.identifier(table)} (trace_id)`)
  }
}
