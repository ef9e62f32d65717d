// API keys of all processes of a service. Every change takes the next version under a lock, so that versions are committed in
// their order and a reader finds what is new by the last one it saw.

import { bareAmong, bareText } from '../bareTable.ts'
import type { Database, Sql } from '../database.ts'
import { readAll } from '../read/read.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import { bool, exact, int4, nullable, text } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'

const decodeKey = decoderOf({
  hash: text,
  id: text,
  hint: text,
  network: text,
  /** One that programs before step 17 know. */
  plan: text,
  /** In its place, for programs since. */
  ownPlan: nullable(text),
  perSecond: nullable(int4),
  monthly: nullable(exact),
  label: text,
  allAccounts: bool,
  createdAt: exact,
  expiresAt: nullable(exact),
  revokedAt: nullable(exact),
  lastUsedAt: nullable(exact),
})

/** One secret of a key. Times are milliseconds since 1970. */
export type KeyRow = ReturnType<typeof decodeKey>

interface LookedRow {
  readonly current: bigint
  readonly file: bigint
  readonly primary: string | null
  readonly bare: string | null
  /** And the other columns of a key; null without one. */
  readonly hash: string | null
  readonly [column: string]: unknown
}

export interface KeyChanges {
  /** Of the newest change there is. */
  readonly version: bigint
  /** Another one after the table was made anew, as by a restore: versions that were used before may be used again. */
  readonly file: bigint
  /** When the primary was started; null from a replica. A replica that was promoted without the last changes uses versions again. */
  readonly primary: string | null
  readonly rows: readonly KeyRow[]
}

const TABLES = ['api_key_version', 'api_keys', 'api_plans']

/** Keys that changed after a version; with 0 all keys. Throws StoreError `conflict` while they are restored from a dump. */
export async function readKeyRows(from: Sql, since: bigint): Promise<KeyChanges> {
  const rows = await from.query<LookedRow>(sql`select coalesce(api_key_version.version, 0) as current,
      coalesce(pg_relation_filenode('api_keys')::int8, 0) as file,
      case when not pg_is_in_recovery() then extract(epoch from pg_postmaster_start_time())::text end as "primary",
      ${bareAmong(TABLES)} as bare, api_keys.*
    from (select) one left join api_key_version on true left join api_keys on api_keys.version > ${since}
    order by created_at, api_keys.hash`)
  const [first] = rows
  if (first === undefined) return { version: 0n, file: 0n, primary: null, rows: [] }
  if (first.bare !== null) throw new StoreError('conflict', bareText(first.bare))
  const { current, file, primary } = first
  return { version: current, file, primary, rows: rows.filter(({ hash }) => hash !== null).map(decodeKey) }
}

/** Other changes of keys and plans wait until the SQL transaction of this one has ended. */
export async function nextKeyVersion(to: Sql): Promise<bigint> {
  const [next] = await to.query<{ version: bigint }>(
    sql`update api_key_version set version = version + 1 returning version`,
  )
  return next?.version ?? 1n
}

export interface KeyRowChange<T> {
  readonly rows: readonly KeyRow[]
  readonly answer: T
}

/** Reads the secrets of a key, or of all with null, and stores what `change` makes of them, as one change. */
export function changeKeyRows<T>(
  database: Pick<Database, 'transaction'>,
  id: string | null,
  change: (rows: readonly KeyRow[], to: Sql) => KeyRowChange<T> | Promise<KeyRowChange<T>>,
): Promise<T> {
  return database.transaction(async (to) => {
    const version = await nextKeyVersion(to)
    const known = await readAll(to, {
      statement: sql`select * from api_keys where ${id}::text is null or id = ${id} order by created_at, hash`,
      toValue: decodeKey,
    })
    const { rows, answer } = await change(known, to)
    for (const row of rows) await put(to, row, version)
    return answer
  })
}

async function put(to: Sql, row: KeyRow, version: bigint): Promise<void> {
  await to.query(sql`insert into api_keys
      (hash, id, hint, network, plan, own_plan, per_second, monthly, label, all_accounts, created_at, expires_at, revoked_at, version)
    values (${row.hash}, ${row.id}, ${row.hint}, ${row.network}, ${row.plan}, ${row.ownPlan}::text,
      ${row.perSecond}::int4,
      ${row.monthly}::int8, ${row.label}, ${row.allAccounts}, ${row.createdAt}, ${row.expiresAt}::int8, ${row.revokedAt}::int8, ${version})
    on conflict (hash) do update set
      all_accounts = excluded.all_accounts, expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, version = excluded.version`)
}

/** When secrets were used last, by hash. No change of the keys. */
export async function writeKeyUses(
  database: Pick<Database, 'transaction'>,
  used: ReadonlyMap<string, number>,
): Promise<void> {
  const hashes = [...used.keys()].sort()
  const times = hashes.map((hash) => BigInt(used.get(hash) ?? 0))
  await database.transaction((to) =>
    to.query(sql`update api_keys set last_used_at = greatest(last_used_at, used.at)
      from unnest(${hashes}::text[], ${times}::int8[]) as used (hash, at) where api_keys.hash = used.hash`),
  )
}
