// How a worker process reads the index of a database server: over connections of its own, while the owner says that it may.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../observe/index.ts'
import { openDatabase, type Sql } from '../../store/index.ts'
import type { OwnerLink } from '../../workers/index.ts'
import { createLateDatabase, type LateDatabase } from '../database/lateDatabase.ts'
import { addressNow } from '../settings/secretFiles.ts'
import type { Config } from '../settings/settings.ts'

/** Between two requests whether it may be read. */
const READABLE_EVERY_MS = 250

type OwnerChannel = OwnerLink['channel']

const isReadable = (channel: OwnerChannel, signal: AbortSignal): Promise<boolean> =>
  channel.ask('readable', null, signal).then(
    () => true,
    () => false,
  )

/** Opens once the owner has checked and migrated the index. */
export function openIndexToRead(config: Config, channel: OwnerChannel, log: Log): LateDatabase {
  const { databaseRead, databaseConnections, statementMs } = config
  return createLateDatabase({
    kind: 'postgres',
    log,
    async open(signal) {
      while (!(await isReadable(channel, signal))) await sleep(READABLE_EVERY_MS, undefined, { signal })
      return await openDatabase({
        signal,
        database: addressNow(config, 'database'),
        databaseRead: databaseRead === '' ? undefined : addressNow(config, 'databaseRead'),
        readTimeoutMs: statementMs,
        readConnections: databaseConnections,
        migrate: false,
        notice: (text, facts) => log.warn(facts, text),
      })
    },
  })
}

/** Reads of an index that the owner has taken back wait for its word. */
export class IndexOfWorker implements Sql {
  readonly #index: Sql
  /** Resolves when the owner says that it may be read. */
  readonly #readable: (signal: AbortSignal | undefined) => Promise<unknown>
  #isReadable = true
  #timesLeft = 0

  constructor(index: Sql, readable: (signal: AbortSignal | undefined) => Promise<unknown>) {
    this.#index = index
    this.#readable = readable
  }

  /** The owner has taken it back. */
  leave(): void {
    this.#isReadable = false
    this.#timesLeft++
  }

  query: Sql['query'] = async (statement, how) => {
    while (!this.#isReadable) {
      const before = this.#timesLeft
      await this.#readable(how?.signal)
      // Unless it was taken back again right after that word.
      if (before === this.#timesLeft) this.#isReadable = true
    }
    return await this.#index.query(statement, how)
  }
}
