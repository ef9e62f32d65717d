// Leadership by a row with a deadline, for engines without advisory locks: the leader moves the deadline forward, and a process
// that finds it past takes over. Deadlines are in the database's time; a leader checks its own age by a monotonic clock.

import { randomUUID } from 'node:crypto'
import { pause } from '../../process/index.ts'
import type { Database, Leadership } from '../database.ts'
import { makeTable } from '../makeTable.ts'
import { aborted } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'

/** When a leader is killed another one leads within five seconds. */
const LEASE_MS = 4_000

type Writes = Pick<Database, 'transaction'>

/** Waits to lead. `leaseMs` is how long others wait for a leader that died. */
export async function leadByLease(database: Writes, signal: AbortSignal, leaseMs = LEASE_MS): Promise<Leadership> {
  const holder = randomUUID()
  await makeTable(
    database,
    sql`create table if not exists tonrpc_leader (id int4 primary key, holder text not null, until int8 not null)`,
  )
  for (;;) {
    if (signal.aborted) throw aborted(signal)
    const renewedAt = performance.now()
    if (await take(database, holder, leaseMs)) return hold(database, { holder, leaseMs, renewedAt })
    await pause(leaseMs / 5, signal)
  }
}

const now = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`

/** Whether the row is ours, for another `leaseMs`. */
async function take(database: Writes, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await database.transaction((to) =>
    to.query(sql`insert into tonrpc_leader as own values (1, ${holder}, ${now} + ${leaseMs}::int8)
      on conflict (id) do update set holder = excluded.holder, until = excluded.until
      where own.holder = excluded.holder or own.until < ${now}
      returning id`),
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
    // Well before another process may take it.
    if (startedAt - lease.renewedAt > lease.leaseMs * 0.8) return lose()
    if (!(await take(database, lease.holder, lease.leaseMs))) return lose()
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
      await database.transaction((to) =>
        to.query(sql`update tonrpc_leader set until = 0 where id = 1 and holder = ${lease.holder}`),
      )
    },
  }
}
