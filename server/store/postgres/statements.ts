// Statements and transactions on one connection, each under a limit.

import type pg from 'pg'
import type { QueryOptions, Row, Sql, SqlText, TransactionOptions } from '../database.ts'
import { StoreError } from '../errors.ts'
import { isStillRunning, toStoreError } from '../failure.ts'
import { Limits } from '../limits.ts'
import { toWire } from '../parameters.ts'
import { Asked, isOver, notCommitted } from '../transactionEnd.ts'

export const IDLE_IN_TRANSACTION_MS = 5_000
/** Beyond the server's own limit: it is to say so itself. */
const GRACE_MS = 1_000

interface Limited {
  readonly limitMs: number
  /** Those of all that is asked on the connection at once. */
  readonly limits?: Limits
}

interface Answer {
  readonly rows: readonly unknown[]
  readonly command: string
}

async function run(client: pg.ClientBase, text: string, values?: readonly unknown[]): Promise<Answer> {
  try {
    const result = await client.query(text, values === undefined ? undefined : [...values])
    // Several statements in one text have several results.
    return Array.isArray(result) ? result.at(-1) : result
  } catch (error) {
    throw toStoreError(error)
  }
}

/** One statement, of a limit that the server knows; fails with `timeout` when the server does not keep to it. */
export async function ask<R extends Row>(
  client: pg.ClientBase,
  { text, values }: SqlText,
  { limitMs, limits = new Limits() }: Limited,
): Promise<readonly R[]> {
  let answered: () => void = () => undefined
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new StoreError('timeout', `The statement took longer than ${limitMs} ms`))
    answered = limits.begin(limitMs + GRACE_MS, refuse)
  })
  try {
    const { rows } = await Promise.race([run(client, text, wireOf(values)), late])
    // Rows have the names and types of the statement's columns; that they are R is what the caller says.
    return rows as readonly R[]
  } finally {
    answered()
  }
}

function wireOf(values: SqlText['values']): readonly unknown[] {
  try {
    return values.map(toWire)
  } catch (error) {
    throw toStoreError(error)
  }
}

/** A read under another limit than the connection's. */
export async function askWithin<R extends Row>(client: pg.ClientBase, statement: SqlText, limitMs: number) {
  await run(client, `begin read only; ${limitIs(limitMs)}`)
  try {
    const rows = await ask<R>(client, statement, { limitMs })
    await run(client, 'commit')
    return rows
  } catch (error) {
    await rollBack(client, error)
    throw error
  }
}

const limitIs = (ms: number): string => `set local statement_timeout = ${Math.ceil(ms)}`

/** Begins, works, commits; rolls back whatever `work` throws, and throws it on. */
export async function runTransaction<T>(
  client: pg.ClientBase,
  work: (to: Sql) => Promise<T>,
  { limitMs, onAsked }: { readonly limitMs: number } & TransactionOptions,
): Promise<T> {
  const idle = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
  await run(client, `begin read write; ${limitIs(limitMs)}; ${idle}`)
  const limits = new Limits()
  const asked = new Asked()
  let over = false
  // Goes out with the statements around it: where it fails they do.
  const limit = (ms: number): void => void run(client, limitIs(ms)).catch(() => undefined)
  const to: Sql = {
    async query<R extends Row>(statement: SqlText, { timeoutMs = limitMs }: QueryOptions = {}) {
      if (over) throw isOver()
      const isUsual = timeoutMs === limitMs
      if (!isUsual) limit(timeoutMs)
      const rows = asked.note(ask<R>(client, statement, { limitMs: timeoutMs, limits }))
      if (!isUsual) limit(limitMs)
      return rows
    },
  }
  try {
    const result = await work(to)
    over = true
    // Behind all that was asked: when any of that failed, nothing is committed.
    const ended = run(client, 'commit')
    ended.catch(() => undefined)
    onAsked?.()
    const failure = await asked.failure()
    if (failure !== null && isStillRunning(failure.error)) throw failure.error
    const { command } = await ended
    if (command !== 'COMMIT') throw failure === null ? notCommitted() : failure.error
    return result
  } catch (error) {
    over = true
    await rollBack(client, error)
    throw error
  }
}

/** On a connection that is still at a statement nothing is asked: it is not used again, which rolls back as well. */
async function rollBack(client: pg.ClientBase, why: unknown): Promise<void> {
  if (!isStillRunning(why)) await run(client, 'rollback')
}
