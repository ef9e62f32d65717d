// Plans of API keys. They share the version of the keys, so that one look shows a process that either has changed.

import type { Database, Sql } from '../database.ts'
import { readAll } from '../read/read.ts'
import { sql } from '../sql.ts'
import { exact, int4, nullable, text } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { nextKeyVersion } from './keyRows.ts'

const decodePlan = decoderOf({
  name: text,
  perSecond: nullable(int4),
  monthly: nullable(exact),
  connections: nullable(int4),
  streamConnections: nullable(int4),
  streamAddresses: nullable(int4),
  webhooks: int4,
})

/** Null is no limit; of `perSecond`, that each key has its own. */
export type PlanRow = ReturnType<typeof decodePlan>

/** By rate, those without one last. */
export const readPlanRows = (from: Sql): Promise<readonly PlanRow[]> =>
  readAll(from, {
    statement: sql`select name, per_second, monthly, connections, stream_connections, stream_addresses, webhooks
      from api_plans order by per_second, name collate "C"`,
    toValue: decodePlan,
  })

/** Runs `work` with the plans there are, as one change: another one waits for it. */
export function changePlanRows<T>(
  database: Pick<Database, 'transaction'>,
  work: (to: Sql, plans: readonly PlanRow[]) => Promise<T>,
): Promise<T> {
  return database.transaction(async (to) => {
    await nextKeyVersion(to)
    return await work(to, await readPlanRows(to))
  })
}

export async function putPlanRow(to: Sql, row: PlanRow): Promise<void> {
  await to.query(sql`insert into api_plans
      (name, per_second, monthly, connections, stream_connections, stream_addresses, webhooks)
    values (${row.name}, ${row.perSecond}::int4, ${row.monthly}::int8, ${row.connections}::int4,
      ${row.streamConnections}::int4, ${row.streamAddresses}::int4, ${row.webhooks})
    on conflict (name) do update set per_second = excluded.per_second, monthly = excluded.monthly,
      connections = excluded.connections, stream_connections = excluded.stream_connections,
      stream_addresses = excluded.stream_addresses, webhooks = excluded.webhooks`)
}

export async function deletePlanRow(to: Sql, name: string): Promise<void> {
  await to.query(sql`delete from api_plans where name = ${name}`)
}

/** Keys of a plan that hold at a moment, in milliseconds since 1970. */
export async function countKeysOfPlan(from: Sql, name: string, now: number): Promise<number> {
  const [row] = await from.query<{ keys: bigint }>(
    sql`select count(distinct id) as keys from api_keys where coalesce(own_plan, plan) = ${name}
      and revoked_at is null and (expires_at is null or expires_at > ${BigInt(now)})`,
  )
  return Number(row?.keys ?? 0)
}
