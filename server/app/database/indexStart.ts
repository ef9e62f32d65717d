// What a start waits for to know of its index, and what refuses it: an operator sees a refusal at once, and a log hours
// later.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Indexer } from '../../indexer/index.ts'
import { StoreError } from '../../store/index.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import type { LateDatabase } from './lateDatabase.ts'

/** A server answers within milliseconds or refuses; one that does neither is waited for while the service runs. */
const PATIENCE_MS = 3_000
const LOOK_MS = 20

const OWN_CHAIN =
  'on devnet the embedded chain belongs to one process: --role api answers only from the index of its own chain (start ' +
  'its owner with --lite-port, and this one with --network custom --liteservers and the global.config.json of that)'

type Reading = Pick<Indexer, 'indexed' | 'readable'>

/** Resolves when nothing speaks against a start, as far as that is known in time. Throws StartRefused. */
export async function checkStart(
  config: Config,
  indexer: Reading,
  database: LateDatabase,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const { role, network } = config
  const isLonelyReader = role === 'api' && network === 'devnet'
  // What is in the database is about to be forgotten, if this process leads.
  if (config.reindexFrom !== 0 && role !== 'api') return
  // An embedded database takes a second to open. On devnet it is in the data folder of its chain, whose lock is taken before.
  if (database.kind === 'pglite' && network === 'devnet' && !isLonelyReader) return await lockLeft(database, patienceMs)
  const trouble = await troubleWithin(indexer, patienceMs)
  const isRefusal = trouble !== null && (trouble.code === 'mismatch' || trouble.code === 'locked')
  if (isRefusal) throw new StartRefused(isLonelyReader ? `${OWN_CHAIN}; ${trouble.message}` : trouble.message)
  if (!isLonelyReader) return
  if (trouble !== null) throw new StartRefused(`${OWN_CHAIN}, and that cannot be read: ${trouble.message}`)
  if (indexer.indexed() === null)
    throw new StartRefused(
      `${OWN_CHAIN}, and the database has none: start it without --role, or with a network that lite servers serve`,
    )
}

/** The service before this one was just ending: it has left the chain by now, and what was locked is free. */
async function lockLeft(database: LateDatabase, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (database.failure?.code === 'locked' && performance.now() < until) await sleep(LOOK_MS)
}

async function troubleWithin(indexer: Reading, ms: number): Promise<StoreError | null> {
  const enough = new AbortController()
  const late = sleep(ms, new StoreError('timeout', `the database did not answer within ${ms} ms`), {
    signal: enough.signal,
  }).catch(() => null)
  const readable = indexer.readable(enough.signal).then(
    () => null,
    (error: unknown) => (error instanceof StoreError ? error : new StoreError('failed', String(error))),
  )
  try {
    return await Promise.race([readable, late])
  } finally {
    enough.abort()
  }
}
