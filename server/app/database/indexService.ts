// The index side of the service: the database, and the indexer that fills it from the chain or only looks how far it is.

import { resolve } from 'node:path'
import { parseIndexFrom } from '../../../shared/indexFrom.ts'
import { type Indexer, type IndexView, startIndexer } from '../../indexer/index.ts'
import { startMetadata } from '../../metadata/index.ts'
import { startTextKeeper } from '../../methods/index.ts'
import { chainForShare, INDEX_SHARE } from '../../node/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import { closeInTurn } from '../../process/index.ts'
import {
  type BlockRowsFeed,
  type Database,
  IndexFeed,
  NewestTransactions,
  READS_AHEAD,
  type Sql,
  StoreError,
  TIMES_ALONE,
} from '../../store/index.ts'
import type { ChainService } from '../chain/chainService.ts'
import { parseKeep } from '../settings/indexSpan.ts'
import type { Config } from '../settings/settings.ts'
import { DatabaseProbe } from './databaseProbe.ts'
import { openIndexPool } from './indexPool.ts'
import { type IndexReadiness, indexReadinessOf } from './indexReadiness.ts'
import { checkStart } from './indexStart.ts'
import type { LateDatabase } from './lateDatabase.ts'
import { EMBEDDED } from './openIndexDatabase.ts'
import { warnOfUnusedStart } from './unusedStart.ts'

export interface IndexService {
  /** Where indexed rows are read. */
  readonly store: Sql
  /** What this process has written last: nothing in one that only reads. */
  readonly newest?: NewestTransactions
  /** Where what outlives an index is written. */
  readonly database: Pick<Database, 'transaction' | 'kind'>
  /** Whether this process is the one of several that writes. */
  leads(): boolean
  /** Masterchain blocks as they can be read from the index. */
  readonly feed: BlockRowsFeed
  readonly view: Pick<IndexView, 'indexed' | 'onIndexed' | 'onMoving' | 'waitFor' | 'lookSoon'>
  /** Resolves when the database is known to be of this chain, or empty. */
  readonly confirmed: Promise<void>
  /** Resolves when the index may be read. Throws StoreError. */
  readable(signal?: AbortSignal): Promise<void>
  /** Resolves when the first block is indexed, or 3 s after the first call. Throws StoreError when the index may not be read. */
  begun(signal?: AbortSignal): Promise<void>
  /**
   * Resolves when a start need not wait for the index any longer. Throws StartRefused when the database holds the index of
   * another chain, or this process has no business without the index of its chain.
   */
  started(): Promise<void>
  /** Whether the index can be read and is near the chain, and a text about its progress. */
  readiness(): IndexReadiness | Promise<IndexReadiness>
  measure(metrics: Metrics): void
  close(): Promise<void>
}

/** Long reads that the embedded database has at once: all others wait for them. */
const LONG_AHEAD = { perCaller: 3, ofAll: 8 }
/** Of the time a call has: a caller learns that the index is being opened instead of having waited too long. */
const OPENING_PART = 0.8
/** Reads wait for the first block of an index until so long after the first read: an index may stay empty. */
const FIRST_BLOCK_MS = 3_000
/** Blocks behind the chain: an index that catches up leaves texts of transactions for later. */
const FAR = 10

/** Location of the index, without secrets. */
export function indexPlace({ database, data }: Config): string {
  if (database === EMBEDDED) return resolve(data, 'index')
  const { protocol, host, pathname } = new URL(database)
  return `${protocol}//${host}${pathname}`
}

function measure(indexer: Indexer, { clockAheadS = () => 0 }: Pick<IndexParts, 'clockAheadS'>, metrics: Metrics): void {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(`tonrpc_index_${name}`, help, read)
  gauge('seqno', 'Newest masterchain block in the index.', () => indexer.indexed()?.seqno ?? 0)
  gauge('lag_blocks', 'Masterchain blocks the index is behind the chain.', () => indexer.status().lag ?? 0)
  gauge('head_age_seconds', "Age of the newest block in the index; below 0 where the chain's clock is ahead.", () => {
    const head = indexer.indexed()
    return head === null ? 0 : Date.now() / 1000 - clockAheadS() - head.utime
  })
  gauge('first_seqno', 'First masterchain block in the index.', () => indexer.status().first?.seqno ?? 0)
  gauge('span_seconds', 'Time of blocks from the first in the index to the newest.', () => {
    const { head, first } = indexer.status()
    return head === null || first === null ? 0 : head.utime - first.utime
  })
  gauge('blocks_per_second', 'Masterchain blocks indexed per second, lately.', () => indexer.status().blocksPerSecond)
  gauge('leads', 'Whether this process writes the index.', () => (indexer.status().leads ? 1 : 0))
}

function measureReads(database: Pick<LateDatabase, 'load'>, metrics: Metrics): void {
  const gauge = (name: string, help: string, read: (load: NonNullable<LateDatabase['load']>) => number) =>
    metrics.gauge(`tonrpc_database_${name}`, help, () => (database.load === undefined ? 0 : read(database.load)))
  gauge('connections_open', 'Connections to the PostgreSQL for reading.', ({ open }) => open)
  gauge('connections_busy', 'Connections for reading that run a statement.', ({ busy }) => busy)
  gauge('reads_waiting', 'Reads that wait for a connection.', ({ waiting }) => waiting)
}

interface ReadLanes {
  readonly reads: number
  readonly timesAlone?: number
  readonly longReads?: typeof LONG_AHEAD
}

/** How many reads run at once: an embedded database runs one after the other, and some more are sent ahead. */
export const readLanes = ({ database, databaseConnections }: Config): ReadLanes =>
  database === EMBEDDED
    ? { reads: READS_AHEAD, timesAlone: TIMES_ALONE, longReads: LONG_AHEAD }
    : { reads: databaseConnections }

/**
 * The same for a worker, which passes reads of an embedded database on: to and fro they wait for turns of two processes. It does
 * not know whether a caller is alone.
 */
export function passedReadLanes(config: Config): ReadLanes {
  const lanes = readLanes(config)
  return config.database === EMBEDDED ? { ...lanes, timesAlone: 1, reads: 2 * lanes.reads } : lanes
}

/** What an index is made of. */
export interface IndexParts extends Pick<ChainService, 'chain' | 'clockAheadS'> {
  /** Opened before, so that it need not wait for the chain; closed with the index. */
  readonly database: LateDatabase
  readonly firstBlockMs?: number | undefined
}

/** A new chain replaces its embedded index; a database server may have the index of another chain. */
function firstToReindex({ reindexFrom, reset, network, database }: Config): number | null {
  if (reindexFrom !== 0) return reindexFrom
  return reset && network === 'devnet' && database === EMBEDDED ? 1 : null
}

function beginningOf(
  indexer: Pick<Indexer, 'indexed' | 'readable' | 'waitFor'>,
  firstBlockMs = FIRST_BLOCK_MS,
): IndexService['begun'] {
  let until: number | null = null
  return async (signal) => {
    await indexer.readable(signal)
    if (indexer.indexed() !== null) return
    until ??= performance.now() + firstBlockMs
    const timeoutMs = until - performance.now()
    if (timeoutMs > 0) await indexer.waitFor(0, { timeoutMs, ...(signal && { signal }) })
  }
}

/** Opens the index of a chain; calls are accepted at once and answered when it is open. */
export function openIndex(config: Config, parts: IndexParts, log: Log): IndexService {
  const { network, role, indexFrom, keep, callMs } = config
  const { chain, database } = parts
  const pool = openIndexPool(log)
  const newest = new NewestTransactions()
  const probe = new DatabaseProbe(database.read)
  const store: Sql = {
    async query(statement, how) {
      await begun(how?.signal)
      return await database.read.query(statement, how)
    },
  }
  const indexer = startIndexer({
    chain: chainForShare(INDEX_SHARE, chain),
    pool,
    database,
    network,
    log,
    onPrepared: (...batch) => feed.prepared(...batch),
    onWritten(...batch) {
      newest.wrote(batch[0])
      feed.wrote(...batch)
    },
    writes: role !== 'api',
    openingMs: OPENING_PART * callMs,
    indexFrom: parseIndexFrom(indexFrom) ?? null,
    keepSeconds: parseKeep(keep) ?? null,
    reindexFrom: firstToReindex(config),
  })
  if (role !== 'api' && config.reindexFrom === 0) warnOfUnusedStart(indexer, parseIndexFrom(indexFrom) ?? null, log)
  const begun = beginningOf(indexer, parts.firstBlockMs)
  // Before anyone else learns of the block.
  indexer.onIndexed((head) => database.keepUp(head))
  const feed = new IndexFeed({ store, heads: indexer, canRewind: chain.traits.canRewind })
  // Only the elected writer of several processes fetches metadata.
  const isOurs = (): boolean => indexer.status().leads
  const fetches = config.metadata === 'on' && role !== 'api'
  const metadata = fetches ? startMetadata({ database, log, ipfsGateway: config.ipfsGateway, isOurs }) : null
  const isNear = (): boolean => indexer.status().state === 'following' && (indexer.status().lag ?? FAR) < FAR
  const texts = role === 'api' ? null : startTextKeeper({ database, log, mayWrite: isNear })
  return {
    store,
    newest,
    database,
    leads: isOurs,
    feed,
    view: indexer,
    confirmed: indexer.confirmed,
    readable: (signal) => indexer.readable(signal),
    begun,
    started: () => checkStart(config, indexer, database),
    readiness: () => indexReadinessOf(indexer, database, probe),
    measure(metrics) {
      measure(indexer, parts, metrics)
      measureReads(database, metrics)
    },
    async close() {
      // The indexer stops first: for one that runs, a database that closes is trouble to report.
      const closed = indexer.close()
      closed.catch(() => undefined)
      database.giveUp()
      const fillers = [() => metadata?.close(), () => texts?.close()]
      const used = [() => closed, () => pool.close(), () => database.close()]
      await closeInTurn(...fillers, ...used)
    },
  }
}

const noStore: Sql = { query: () => Promise.reject(new StoreError('unavailable', 'no database is open')) }
const noView: IndexService['view'] = {
  indexed: () => null,
  onIndexed: () => () => undefined,
  onMoving: () => () => undefined,
  waitFor: () => Promise.resolve(false),
  lookSoon: () => undefined,
}

/** No index at all: for tests of what needs none. */
export const noIndex: IndexService = {
  store: noStore,
  database: { kind: 'pglite', transaction: () => Promise.reject(new StoreError('unavailable', 'no database is open')) },
  leads: () => false,
  view: noView,
  feed: new IndexFeed({ store: noStore, heads: noView, canRewind: false }),
  confirmed: Promise.resolve(),
  readable: () => Promise.reject(new StoreError('unavailable', 'no database is open')),
  begun: () => Promise.resolve(),
  started: () => Promise.resolve(),
  readiness: () => ({ ready: true, words: 'none' }),
  measure: () => undefined,
  close: () => Promise.resolve(),
}
