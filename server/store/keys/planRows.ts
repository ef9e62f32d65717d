// Plans of API keys. They share the version of the keys, so that one look shows a process that either has changed.

import type { Database, Sql } from '../database.ts'
import { sql } from '../sql.ts'
import { nextKeyVersion } from './keyRows.ts'

/** Null is no limit; of `per_second`, that each key has its own. */
export interface PlanRow {
  readonly name: string
  readonly per_second: number | null
  readonly monthly: bigint | null
  readonly connections: number | null
  readonly stream_connections: number | null
  readonly stream_addresses: number | null
  readonly webhooks: number
}

/** By rate, those without one last. */
export const readPlanRows = async (from: Sql): Promise<readonly PlanRow[]> =>
  await from.query<PlanRow & Readonly<Record<string, unknown>>>(
    sql`select name, per_second, monthly, connections, stream_connections, stream_addresses, webhooks
      from api_plans order by per_second, name collate "C"`,
  )

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
    values (${row.name}, ${row.per_second}::int4, ${row.monthly}::int8, ${row.connections}::int4,
      ${row.stream_connections}::int4, ${row.stream_addresses}::int4, ${row.webhooks})
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
