// Leadership by a row, for engines without advisory locks: the leader renews it, and a process that sees no renewal for a while
// takes over. Both measure that by monotonic clocks of their own.

import { randomUUID } from 'node:crypto'
import { pause } from '../../process/index.ts'
import type { Database, Leadership } from '../database.ts'
import { makeTable } from '../makeTable.ts'
import { aborted } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import { LOCK } from './lock.ts'
import { LEASE_MS, type LeaseRow, OtherLease } from './otherLease.ts'

type Writes = Pick<Database, 'transaction'>

export interface LeaseOptions {
  /** How long others wait for a leader that died. */
  readonly leaseMs?: number
  /** Called at each look that finds another leader. */
  readonly onOther?: () => void
}

/** Waits to lead. */
export async function leadByLease(
  database: Writes,
  signal: AbortSignal,
  { leaseMs = LEASE_MS, onOther }: LeaseOptions = {},
): Promise<Leadership> {
  const holder = randomUUID()
  await makeTable(
    database,
    sql`create table if not exists tonrpc_leader (id int4 primary key, holder text not null, until int8 not null)`,
  )
  const other = new OtherLease(leaseMs)
  for (;;) {
    if (signal.aborted) throw aborted(signal)
    const renewedAt = performance.now()
    if (await takeAlone(database, { holder, leaseMs, silent: other.silent }))
      return hold(database, { holder, leaseMs, renewedAt })
    onOther?.()
    const [row] = await database.transaction((to) =>
      to.query<LeaseRow>(sql`select holder, until from tonrpc_leader where id = 1`),
    )
    other.see(row)
    await pause(leaseMs / 5, signal)
  }
}

interface Wanted {
  readonly holder: string
  readonly leaseMs: number
  /** The lease of a holder that is gone, which may be taken. */
  readonly silent: LeaseRow | null
}

/** Takes the lease unless another process leads, by a lease or by the lock. */
async function takeAlone(database: Writes, wanted: Wanted): Promise<boolean> {
  if ((await isLocked(database)) || !(await take(database, wanted))) return false
  // Again: the other one looks for a lease when it has the lock, so that one of two that begin at once sees the other.
  if (!(await isLocked(database))) return true
  await giveUp(database, wanted.holder)
  return false
}

/** Whether a process with sessions of its own leads, by the lock: that one is not behind the pooler. */
async function isLocked(database: Writes): Promise<boolean> {
  try {
    const [row] = await database.transaction((to) => to.query<{ held: boolean }>(sql`select ${IS_LOCKED} as held`))
    return row?.held === true
  } catch (error) {
    // An engine without locks has no such table.
    if (error instanceof StoreError && error.code === 'mismatch') return false
    throw error
  }
}

const IS_LOCKED = sql`exists (select from pg_locks where locktype = 'advisory' and granted
  and classid = ${LOCK[0]}::int8::oid and objid = ${LOCK[1]}::int8::oid and objsubid = 2
  and database = (select oid from pg_database where datname = current_database()))`

const giveUp = (database: Writes, holder: string): Promise<unknown> =>
  database.transaction((to) => to.query(sql`update tonrpc_leader set until = 0 where id = 1 and holder = ${holder}`))

const now = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`

/** Whether the row is ours, for another `leaseMs`. Each renewal changes it, whatever the database's clock does. */
async function take(database: Writes, { holder, leaseMs, silent }: Wanted): Promise<boolean> {
  const rows = await database.transaction((to) =>
    to.query(sql`insert into tonrpc_leader as own values (1, ${holder}, ${now} + ${leaseMs}::int8)
      on conflict (id) do update set holder = excluded.holder, until = greatest(excluded.until, own.until + 1)
      where own.holder = excluded.holder or own.until = 0
        or own.holder = ${silent?.holder ?? null}::text and own.until = ${silent?.until ?? null}::int8
      returning id`),
  )
  return rows.length === 1
}

/** Whether the lease is still ours, now for another `leaseMs`. One that was given up stays so: a renewal may reach the database late. */
async function extend(database: Writes, { holder, leaseMs }: Pick<Lease, 'holder' | 'leaseMs'>): Promise<boolean> {
  const rows = await database.transaction((to) =>
    to.query(sql`update tonrpc_leader set until = greatest(${now} + ${leaseMs}::int8, until + 1)
      where id = 1 and holder = ${holder} and until <> 0 returning id`),
  )
  return rows.length === 1
}

interface Lease {
  readonly holder: string
  readonly leaseMs: number
  /** When, by the monotonic clock, the last renewal was sent that succeeded. */
  renewedAt: number
}

function hold(database: Writes, lease: Lease): Leadership {
  const lost = new AbortController()
  const lose = (cause?: unknown) => {
    clearInterval(timer)
    lost.abort(new StoreError('unavailable', 'This process does not lead any more: its lease has expired', { cause }))
  }
  const renew = async () => {
    const startedAt = performance.now()
    // Before another process may take it: at the fourth of its five renewals, though that comes a little early.
    if (startedAt - lease.renewedAt > lease.leaseMs * 0.75) return lose()
    if (!(await extend(database, lease))) return lose()
    lease.renewedAt = startedAt
  }
  let renewing: Promise<void> = Promise.resolve()
  // A renewal that fails is retried until the lease is too old.
  const timer = setInterval(() => {
    // Without the results: each would hold the one before it.
    renewing = Promise.all([renewing, renew().catch(() => undefined)]).then(() => undefined)
  }, lease.leaseMs / 5).unref()
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      // One that reached the database after the release would take the lease again.
      await renewing
      if (lost.signal.aborted) return
      await giveUp(database, lease.holder)
    },
  }
}
