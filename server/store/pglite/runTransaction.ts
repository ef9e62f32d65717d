// A transaction of the embedded database, which has the session for itself.

import type { Sql, SqlRow, SqlText, TransactionOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import { afterEnd, notCommitted, PendingStatements } from '../transactionEnd.ts'
import type { Session } from './session.ts'

/** Without a statement for so long, a transaction is rolled back, as on a server: all others wait for it. */
const IDLE_MS = 5_000

interface TransactionLimits {
  readonly timeoutMs: number
  readonly idleMs?: number | undefined
}

/** Begins, works, commits; rolls back when `work` throws, and throws that. */
export async function runTransaction<T>(
  session: Session,
  work: (to: Sql) => Promise<T>,
  { timeoutMs, idleMs = IDLE_MS, onSent }: TransactionLimits & TransactionOptions,
): Promise<T> {
  // Sent with the first statement. When it fails, the session is gone and all statements fail.
  const begun = session.run(sql`begin read write`, timeoutMs)
  begun.catch(() => undefined)
  const idle = new IdleWatch(idleMs)
  const pending = new PendingStatements()
  let over = false
  const to: Sql = {
    async query<R extends SqlRow>(
      { text, values, besideWhole }: SqlText,
      options: { readonly timeoutMs?: number } = {},
    ) {
      if (over) throw afterEnd()
      // Without `isSteady`: a change of the plan mode in here would be rolled back with the transaction.
      const planned = { text, values, besideWhole }
      const { rows } = await idle.during(pending.add(session.run(planned, options.timeoutMs ?? timeoutMs)))
      // The cast: that the columns of the statement make an R is up to the caller.
      return rows as readonly R[]
    },
  }
  try {
    const result = await Promise.race([work(to), idle.expired])
    over = true
    pending.throwIfFailed()
    // Sent behind all statements: when one of them failed, nothing is committed.
    const ended = session.run(sql`commit`, timeoutMs)
    ended.catch(() => undefined)
    onSent?.()
    await begun
    const failure = await pending.failure()
    const { command } = await ended
    if (command !== 'COMMIT') throw failure === null ? notCommitted() : failure.error
    return result
  } catch (error) {
    over = true
    if (!session.isGone) await session.run(sql`rollback`, timeoutMs).catch((cause: StoreError) => session.end(cause))
    throw error
  } finally {
    idle.stop()
  }
}

class IdleWatch {
  readonly expired: Promise<never>
  #expire: () => void = () => undefined
  #timer: NodeJS.Timeout | undefined
  #running = 0
  readonly #ms: number

  constructor(ms: number) {
    this.#ms = ms
    this.expired = new Promise((_, reject) => {
      this.#expire = () => reject(new StoreError('timeout', `A transaction was idle for ${ms} ms`))
    })
    this.expired.catch(() => undefined)
    this.#start()
  }

  async during<T>(statement: Promise<T>): Promise<T> {
    this.#running++
    clearTimeout(this.#timer)
    try {
      return await statement
    } finally {
      if (--this.#running === 0) this.#start()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#expire = () => undefined
    this.#running = Number.POSITIVE_INFINITY
  }

  #start(): void {
    this.#timer = setTimeout(() => this.#expire(), this.#ms)
  }
}
