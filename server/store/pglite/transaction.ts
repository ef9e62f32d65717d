// A transaction of the embedded database, which has the whole of it while it lasts.

import type { Row, Sql, SqlText, TransactionOptions } from '../database.ts'
import { StoreError } from '../errors.ts'
import { sql } from '../sql.ts'
import { Asked, isOver, notCommitted } from '../transactionEnd.ts'
import type { Session } from './session.ts'

/** Nobody else gets a turn while nothing is asked: as on a server, that ends it. */
const IDLE_MS = 5_000

/** Begins, works, commits; rolls back whatever `work` throws. */
export async function runTransaction<T>(
  session: Session,
  work: (to: Sql) => Promise<T>,
  { timeoutMs, onAsked }: { readonly timeoutMs: number } & TransactionOptions,
): Promise<T> {
  // What is asked first goes out with it: where it fails the session is gone, and all the rest fails.
  const begun = session.run(sql`begin read write`, timeoutMs)
  begun.catch(() => undefined)
  const idle = new IdleWatch()
  const asked = new Asked()
  let over = false
  const to: Sql = {
    async query<R extends Row>({ text, values }: SqlText, options: { readonly timeoutMs?: number } = {}) {
      if (over) throw isOver()
      // How it is planned is not changed in here, where a rollback would change it back.
      const { rows } = await idle.during(asked.note(session.run({ text, values }, options.timeoutMs ?? timeoutMs)))
      return rows as readonly R[]
    },
  }
  try {
    const result = await Promise.race([work(to), idle.expired])
    over = true
    // Behind all that was asked: when any of that failed, nothing is committed.
    const ended = session.run(sql`commit`, timeoutMs)
    ended.catch(() => undefined)
    onAsked?.()
    await begun
    const failure = await asked.failure()
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

  constructor() {
    this.expired = new Promise((_, reject) => {
      this.#expire = () => reject(new StoreError('timeout', `Nothing was asked in a transaction for ${IDLE_MS} ms`))
    })
    this.expired.catch(() => undefined)
    this.#wind()
  }

  async during<T>(statement: Promise<T>): Promise<T> {
    this.#running++
    clearTimeout(this.#timer)
    try {
      return await statement
    } finally {
      if (--this.#running === 0) this.#wind()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#expire = () => undefined
    this.#running = Number.POSITIVE_INFINITY
  }

  #wind(): void {
    this.#timer = setTimeout(() => this.#expire(), IDLE_MS)
  }
}
