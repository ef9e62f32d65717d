// What a read of the index would meet now, for readiness: one small read, shared by all probes within a moment, so that
// probes do not load the database.

import { afterRunning, failureText } from '../../process/index.ts'
import { type Sql, StoreError, sql } from '../../store/index.ts'

const LIMIT_MS = 2_000
const FRESH_MS = 250

export class DatabaseProbe {
  readonly #read: Sql
  #last: Promise<string | null> | null = null
  #endedAt = 0

  constructor(read: Sql) {
    this.#read = read
  }

  /** Why reads fail; null when they do not. Never rejects. */
  trouble(): Promise<string | null> {
    const isFresh = this.#endedAt === 0 || performance.now() - this.#endedAt < FRESH_MS
    if (this.#last !== null && isFresh) return this.#last
    this.#endedAt = 0
    this.#last = this.#look().finally(() => {
      this.#endedAt = performance.now()
    })
    return this.#last
  }

  /** A process that had no turn for a while, or stood still, must not blame its database. */
  async #look(): Promise<string | null> {
    const late = new AbortController()
    const answered = afterRunning(LIMIT_MS, () => late.abort())
    try {
      await this.#read.query(sql`select last_mc_seqno from indexer_cursor`, {
        signal: late.signal,
        retries: false,
      })
      return null
    } catch (error) {
      return troubleOf(error)
    } finally {
      answered()
    }
  }
}

/** Why the index cannot be read or written: our text, then that of the database. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof StoreError)) return failureText(error)
  if (error.code === 'full') return `no room on the disk: ${error.message}`
  if (error.code === 'aborted') return `the database did not answer within ${LIMIT_MS} ms`
  if (error.code === 'timeout') return `the database does not answer in time: ${error.message}`
  if (error.code === 'busy') return `the database is busy: ${error.message}`
  return error.message
}
