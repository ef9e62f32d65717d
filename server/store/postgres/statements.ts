// Statements and transactions on one connection, each under a limit.

import type pg from 'pg'
import type { Sql, SqlRow, SqlText, StatementOptions, TransactionOptions } from '../database.ts'
import { isLost, isStillRunning, toStoreError } from '../failure.ts'
import { toWire, type WireValue } from '../parameters.ts'
import { SQL_STATES } from '../sqlStates.ts'
import { StatementTimers } from '../statementTimers.ts'
import { StoreError } from '../storeError.ts'
import { afterEnd, notCommitted, PendingStatements } from '../transactionEnd.ts'
import { askOnWire, runOnWire, type WireAnswer, type WireStatement } from '../wire/rowQuery.ts'
import { readOnlyError } from './readOnlyPrimary.ts'

export const IDLE_IN_TRANSACTION_MS = 5_000
/** Added to the server's own limit: its error comes first, unless the server hangs. */
const GRACE_MS = 1_000
/** Limit of `begin`, `commit` and the like. They take no time, unless the server or the network hangs. */
const CONTROL_MS = 10_000

interface Limited {
  readonly limitMs: number
  /** Shared by all statements that are sent on the connection at once. */
  readonly timers?: StatementTimers
  /** Name of the prepared statement; null for none. */
  readonly name?: string | null
  /** A statement that sets something for this one and those behind it. */
  readonly setting?: string | null
}

const asStoreErrors = (answer: Promise<WireAnswer>): Promise<WireAnswer> =>
  answer.catch((error: unknown) => {
    throw toStoreError(error)
  })

/** Sends a statement without a limit of its own. */
const send = (client: pg.ClientBase, statement: WireStatement): Promise<WireAnswer> =>
  asStoreErrors(runOnWire(client, statement))

/** Calls `late` unless the returned function is called before. */
function timed({ limitMs, timers }: Limited, late: (error: StoreError) => void): () => void {
  let isOver = false
  const ended = begin(() => {
    // If this process did not run for a while, the answer may be there unread: it is read first.
    setImmediate(() => {
      if (isOver) return
      answered()
      late(new StoreError('timeout', `The statement took longer than ${limitMs} ms`))
    })
  })
  const answered = (): void => {
    isOver = true
    ended()
  }
  return answered

  function begin(refuse: () => void): () => void {
    const ms = limitMs + GRACE_MS
    if (timers !== undefined) return timers.begin(ms, refuse)
    const timer = Number.isFinite(ms) ? setTimeout(refuse, ms) : undefined
    return () => clearTimeout(timer)
  }
}

/** Of a statement that was sent before. */
function within(answer: Promise<WireAnswer>, limited: Limited): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const answered = timed(limited, reject)
    answer.then(resolve, reject).finally(answered)
  })
}

/**
 * Runs one statement, under the limit that the server was given; fails with `timeout` when the server does not enforce it. `toValue` is
 * called without a promise between.
 */
function run<T>(
  client: pg.ClientBase,
  statement: () => WireStatement,
  limited: Limited,
  toValue: (answer: WireAnswer) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = statement()
    const answered = timed(limited, reject)
    askOnWire(client, sent, (error, answer) => {
      answered()
      if (answer === null) reject(toStoreError(error))
      else resolve(toValue(answer))
    })
  })
}

/** The rows of one: see `run`. */
export function runStatement<R extends SqlRow>(
  client: pg.ClientBase,
  statement: SqlText,
  limited: Limited,
): Promise<readonly R[]> {
  const { name = null, setting = null } = limited
  const { text, values } = statement
  const sent = () => ({ text, values: wireOf(values), name, form: statement, setting })
  // The cast: that the columns of the statement make an R is up to the caller.
  return run(client, sent, limited, ({ rows }) => rows as readonly R[])
}

const plain = (text: string): WireStatement => ({ text, values: [], name: null })

/** Begins or ends a transaction, behind a statement that may take `afterMs`. */
const control = (client: pg.ClientBase, text: string, afterMs = 0): Promise<WireAnswer> =>
  run(
    client,
    () => plain(text),
    { limitMs: afterMs + CONTROL_MS },
    (answer) => answer,
  )

function wireOf(values: SqlText['values']): readonly WireValue[] {
  try {
    return values.map(toWire)
  } catch (error) {
    throw toStoreError(error)
  }
}

interface OwnLimits {
  readonly limitMs: number
  /** Statements that set something until the end of the transaction. */
  readonly settings: readonly string[]
}

/** Runs a read under limits of its own, and leaves nothing in the session. All is sent at once. */
export async function runStatementWithin<R extends SqlRow>(
  client: pg.ClientBase,
  statement: SqlText,
  { limitMs, settings }: OwnLimits,
): Promise<readonly R[]> {
  const begun = control(
    client,
    [`begin ${ISOLATION} read only`, ...UNLIMITED, BYTES_IN_HEX, setTimeoutText(limitMs), ...settings].join('; '),
  )
  const answer = runStatement<R>(client, statement, { limitMs })
  // Of a statement that failed it is a rollback.
  const ended = control(client, 'commit', limitMs)
  const [, rows] = await Promise.all([begun, answer, ended])
  return rows
}

/**
 * Whatever a role or a database begins transactions with: what waits for a lock reads what was written meanwhile. It waits as long as
 * its statement may take.
 */
const ISOLATION = 'isolation level read committed'
const NO_LOCK_LIMIT = 'set local lock_timeout = 0'
/** Each statement has a limit, and a step of the tables takes hours. A PostgreSQL before 17 has no such setting. */
const withoutTransactionLimit = (isLocal: boolean): string =>
  `select set_config('transaction_timeout', '0', ${isLocal}) where current_setting('transaction_timeout', true) <> '0'`
const UNLIMITED = [NO_LOCK_LIMIT, withoutTransactionLimit(true)]
/** In the text of a whole row, which is compared with that of another server. */
const BYTES_IN_HEX = 'set local bytea_output = hex'

/** The same for a session that reads. */
export const USUAL_READS = [
  "set default_transaction_isolation = 'read committed'",
  'set lock_timeout = 0',
  'set bytea_output = hex',
  withoutTransactionLimit(false),
]

const setTimeoutText = (ms: number): string => `set local statement_timeout = ${Math.ceil(ms)}`

/** Begins, works, commits; rolls back when `work` throws, and throws that. */
export async function runPostgresTransaction<T>(
  client: pg.ClientBase,
  work: (to: Sql) => Promise<T>,
  {
    limitMs,
    idleMs = IDLE_IN_TRANSACTION_MS,
    onSent,
  }: { readonly limitMs: number; readonly idleMs?: number | undefined } & TransactionOptions,
): Promise<T> {
  const idle = `set local idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`
  const settings = [`begin ${ISOLATION} read write`, ...UNLIMITED, setTimeoutText(limitMs), idle]
  await control(client, settings.join('; ')).catch(async (error: unknown) => {
    // What is set behind `begin` may have failed, as by a cancel: the transaction has begun then.
    await rollBack(client, error)
    throw error instanceof StoreError && error.sqlState === SQL_STATES.unsupported ? readOnlyError(error) : error
  })
  const timers = new StatementTimers()
  const pending = new PendingStatements()
  let over = false
  // Sent with the statements around it, which fail when it does.
  const limit = (ms: number): void => void send(client, plain(setTimeoutText(ms))).catch(() => undefined)
  const to: Sql = {
    async query<R extends SqlRow>(statement: SqlText, { timeoutMs = limitMs }: StatementOptions = {}) {
      if (over) throw afterEnd()
      const isDefault = timeoutMs === limitMs
      if (!isDefault) limit(timeoutMs)
      const rows = pending.add(runStatement<R>(client, statement, { limitMs: timeoutMs, timers }))
      if (!isDefault) limit(limitMs)
      return rows
    },
  }
  try {
    const result = await work(to)
    over = true
    pending.throwIfFailed()
    // Sent behind all statements: when one of them failed, nothing is committed.
    const ended = send(client, plain('commit'))
    ended.catch(() => undefined)
    onSent?.()
    const failure = await pending.failure()
    if (failure !== null && isStillRunning(failure.error)) throw failure.error
    // It may wait for replicas.
    const { command } = await within(ended, { limitMs })
    if (command !== 'COMMIT') throw failure === null ? notCommitted() : failure.error
    return result
  } catch (error) {
    over = true
    await rollBack(client, error)
    throw error
  }
}

/** A connection that is lost, or still runs a statement, is not used again, which rolls back as well. */
async function rollBack(client: pg.ClientBase, why: unknown): Promise<void> {
  if (!isStillRunning(why) && !isLost(why)) await control(client, 'rollback')
}
