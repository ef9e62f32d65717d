// Leadership by an advisory lock: it lasts exactly as long as the connection that took it, so that the next process leads at
// once when a leader dies. Of a machine or network that is gone without a sign the server ends the session by itself.
//
// A leader whose connection was cut may notice that some seconds after the server did, when another leads already. So the lock
// only saves work; that nothing is written twice is up to the transactions, which lock the row of the cursor.

import pg from 'pg'
import { pause } from '../../process/index.ts'
import type { Leadership } from '../database.ts'
import type { DatabaseAddress } from '../databaseAddress.ts'
import { isLost, toStoreError } from '../failure.ts'
import { aborted } from '../rejections.ts'
import { SQL_STATES } from '../sqlStates.ts'
import { StoreError } from '../storeError.ts'
import { connectionConfig } from './connectionConfig.ts'
import { LEASE_MS, type LeaseRow, OtherLease } from './otherLease.ts'
import { isPooled } from './pooled.ts'
import { isReplica, readOnlyError } from './readOnlyPrimary.ts'

/** Any two numbers, the same in all processes. */
export const LOCK = [1_953_460_835, 1] as const
const POLL_MS = 1_000
const BEAT_MS = 1_000
const TIMEOUT_MS = 5_000
/** Without a beat for so long the session ends: another process leads within five seconds, with its poll. */
const SILENT_MS = 4_000

export interface LockOptions {
  /** Called where the server has no connection left. */
  readonly makeRoom: () => void
  /** Called at each look that finds another leader. */
  readonly onOther?: () => void
}

/** Waits to lead; null where there are no advisory locks, or a pooler would take them. Rejects with `aborted`, and when the database refuses the login or is a replica. */
export async function leadByLock(
  address: DatabaseAddress,
  signal: AbortSignal,
  { makeRoom, onOther = () => undefined }: LockOptions,
): Promise<Leadership | null> {
  for (;;) {
    if (signal.aborted) throw aborted(signal)
    const client = new pg.Client({ ...connectionConfig(address), query_timeout: TIMEOUT_MS })
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (await isPooled(client)) {
        await client.end()
        return null
      }
      // A replica has advisory locks, too.
      if (await isReplica(client)) throw readOnlyError()
      await takeLock(client, signal, onOther)
      return holdLock(client)
    } catch (error) {
      const failure = toStoreError(error)
      await client.end().catch(() => undefined)
      const state = failure.sqlState
      if (state === SQL_STATES.noSuchFunction || state === SQL_STATES.unsupported) return null
      // A server that restarts comes back, and of connections one may become free.
      if (state === SQL_STATES.tooManyConnections) makeRoom()
      else if (!isLost(failure)) throw failure
    }
    await pause(POLL_MS, signal)
  }
}

async function takeLock(client: pg.Client, signal: AbortSignal, onOther: () => void): Promise<void> {
  for (;;) {
    if (signal.aborted) throw aborted(signal)
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [...LOCK])
    if (rows[0]?.taken === true) break
    onOther()
    await pause(POLL_MS, signal)
  }
  // Without it TCP finds out after two hours.
  await client.query(`set idle_session_timeout = ${SILENT_MS}`).catch((error: unknown) => {
    if (toStoreError(error).sqlState !== SQL_STATES.noSuchSetting) throw error
  })
  await outlastLease(client, signal, onOther)
}

/** Waits while a process behind a pooler leads, by a lease: it looks for the lock before it takes one. */
async function outlastLease(client: pg.Client, signal: AbortSignal, onOther: () => void): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('tonrpc_leader') is not null as found`)
  if (rows[0]?.found !== true) return
  for (const other = new OtherLease(LEASE_MS); ; ) {
    if (signal.aborted) throw aborted(signal)
    const { rows: leases } = await client.query<LeaseRow>('select holder, until from tonrpc_leader where id = 1')
    other.see(leases[0])
    if (!other.isHeld) {
      const { holder, until } = other.silent ?? {}
      if (holder === undefined) return
      // The next one need not wait for it.
      await client.query('update tonrpc_leader set until = 0 where holder = $1 and until = $2', [holder, until])
      return
    }
    onOther()
    await pause(POLL_MS, signal)
  }
}

function holdLock(client: pg.Client): Leadership {
  const lost = new AbortController()
  let isReleased = false
  let isAsked = false
  const lose = (cause: unknown) => {
    clearInterval(timer)
    if (isReleased) return
    lost.abort(new StoreError('unavailable', 'This process does not lead any more: its lock is lost', { cause }))
    client.end().catch(() => undefined)
  }
  // Checks the lock itself: a pooler may have given the session to another client. One at a time: a server may be slow.
  const beat = async () => {
    if (isAsked) return
    isAsked = true
    const { rows } = await client.query(
      `select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
        and classid = $1 and objid = $2`,
      [...LOCK],
    )
    isAsked = false
    if (rows.length === 0) lose(new StoreError('unavailable', 'The session does not hold the lock'))
  }
  const timer = setInterval(() => void beat().catch(lose), BEAT_MS).unref()
  client.on('error', lose)
  client.on('end', () => lose(new StoreError('unavailable', 'The connection ended')))
  return {
    lost: lost.signal,
    async release() {
      isReleased = true
      clearInterval(timer)
      await client.end().catch(() => undefined)
    },
  }
}
