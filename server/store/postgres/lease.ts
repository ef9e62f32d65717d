// Leading by a row with a date, for engines without advisory locks: whoever leads puts the date off again and again, and
// who finds it past takes over. Dates are the database's own; for how long it has certainly led, a leader asks its own
// clock, which nobody sets back.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Leadership } from '../database.ts'
import { StoreError } from '../errors.ts'
import { sql } from '../sql.ts'
import { aborted } from '../waiting.ts'

const LEASE_MS = 15_000

/** Waits to lead. `leaseMs` is how long others wait for a leader that is gone. */
export async function leadByLease(database: Database, signal: AbortSignal, leaseMs = LEASE_MS): Promise<Leadership> {
  const holder = randomUUID()
  await database.transaction((to) =>
    to.query(
      sql`create table if not exists tonrpc_leader (id int4 primary key, holder text not null, until int8 not null)`,
    ),
  )
  for (;;) {
    if (signal.aborted) throw aborted(signal)
    const asked = performance.now()
    if (await take(database, holder, leaseMs)) return hold(database, { holder, leaseMs, asked })
    await sleep(leaseMs / 5, undefined, { signal }).catch(() => undefined)
  }
}

const now = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`

/** Whether the row is ours, for another `leaseMs`. */
async function take(database: Database, holder: string, leaseMs: number): Promise<boolean> {
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
  /** When, by our clock, it was last asked for with success. */
  asked: number
}

function hold(database: Database, lease: Lease): Leadership {
  const lost = new AbortController()
  const lose = (cause?: unknown) => {
    clearInterval(timer)
    lost.abort(new StoreError('unavailable', 'The lease by which this process led is over', { cause }))
  }
  const renew = async () => {
    const asked = performance.now()
    // Well before anybody else may take it.
    if (asked - lease.asked > lease.leaseMs * 0.8) return lose()
    if (!(await take(database, lease.holder, lease.leaseMs))) return lose()
    lease.asked = asked
  }
  // A renewal that fails is tried again until it is too late.
  const timer = setInterval(() => void renew().catch(() => undefined), lease.leaseMs / 5).unref()
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      if (lost.signal.aborted) return
      await database.transaction((to) =>
        to.query(sql`update tonrpc_leader set until = 0 where id = 1 and holder = ${lease.holder}`),
      )
    },
  }
}
