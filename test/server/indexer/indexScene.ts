// An embedded chain and an index of it, in memory; and what an index says, so that two can be compared.

import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type Devchain, type DevchainOptions, openDevchain } from '../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../server/devchain/lite/index.ts'
import { type Indexer, type IndexerOptions, startIndexer } from '../../../server/indexer/index.ts'
import { type Chain, createRemoteChain } from '../../../server/node/index.ts'
import { createLog } from '../../../server/observe/index.ts'
import { type Database, type Sql, sql } from '../../../server/store/index.ts'
import type { Driver } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { liteOf } from '../devchain/devchains.ts'
import { play, type Scene } from '../devchain/traffic.ts'
import { account } from '../devchain/wallets.ts'

const silent = createLog({ format: 'json', level: 'silent' })

/** A busy machine must not meet it. */
const PATIENCE_MS = 300_000

/** A chain that makes no block by itself, as what indexes it sees it. */
export async function openNode(options: DevchainOptions = {}): Promise<{ chain: Devchain; node: Chain }> {
  const chain = await openDevchain({ idleBlockMs: 3_600_000, ...options })
  onTestFinished(() => chain.close())
  return { chain, node: createEmbeddedChain(chain) }
}

/** The same chain from afar: over its lite server, every answer verified. */
export const openRemote = async (chain: Devchain): Promise<Chain> => createRemoteChain(await liteOf(chain))

/** An empty database whose leader can be deposed, as when its connection breaks. */
export interface SharedDatabase extends Database {
  /** How often a process began to lead. */
  readonly leaders: number
  depose(): void
}

export async function openStore(driver: Driver = 'pglite'): Promise<SharedDatabase> {
  const database = await emptyStore(driver)
  onTestFinished(() => database[Symbol.asyncDispose]())
  let leading = new AbortController()
  let leaders = 0
  return {
    kind: database.kind,
    read: database.read,
    transaction: (work, options) => database.transaction(work, options),
    async lead(...how) {
      const { lost, release } = await database.lead(...how)
      leaders++
      leading = new AbortController()
      return { lost: AbortSignal.any([lost, leading.signal]), release }
    },
    close: () => database.close(),
    get leaders() {
      return leaders
    },
    depose: () => leading.abort(),
  }
}

export type IndexOptions = { readonly node: Chain } & Pick<IndexerOptions, 'database'> & Partial<IndexerOptions>

/** An indexer without pauses that a test would have to wait for. */
export function startIndex({ node, ...options }: IndexOptions): Indexer {
  const defaults = { network: 'devnet', log: silent, openingMs: PATIENCE_MS, longestPauseMs: 20, watchMs: 20 }
  return startIndexer({ ...defaults, chain: node, ...options })
}

/** The same, closed when the test is over. */
export function index(options: IndexOptions): Indexer {
  const indexer = startIndex(options)
  onTestFinished(() => indexer.close())
  return indexer
}

export const headSeqno = (chain: Devchain): number => chain.head().master.id.seqno

/** Random traffic, until nothing of it is on its way any more. */
export async function playOut(chain: Devchain, scene: Scene, seed: number, count = 20): Promise<void> {
  await play(chain, scene, { count, seed })
  await chain.control.setAccount({ ...account(0x7e), balance: BigInt(seed) })
}

/** Waits until the index has the newest block, and that one. */
export async function upToDate(indexer: Indexer, chain: Devchain): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const { id } = chain.head().master
    await indexer.waitFor(id.seqno)
    const head = indexer.indexed()
    if (head !== null && Buffer.compare(head.rootHash, id.rootHash) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(
    `The index does not follow: ${JSON.stringify(indexer.status(), (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
  )
}

const TABLES = [
  ['blocks', 'workchain, shard, seqno'],
  ['shard_tops', 'mc_seqno, workchain, shard'],
  ['transactions', 'hash'],
  ['messages', 'hash'],
  ['accounts', 'account'],
  ['traces', 'trace_id'],
  ['trace_accounts', 'account, trace_id'],
  ['pending_edges', 'msg_hash'],
  ['elections', 'election_id'],
  ['election_participants', 'election_id, public_key'],
  ['past_elections', 'election_id'],
  ['frozen_stakes', 'election_id, public_key'],
  ['cycles', 'cycle_start'],
  ['cycle_validators', 'cycle_start, index'],
  ['complaints', 'election_id, hash'],
  ['stake_events', 'tx_hash'],
  ['nominator_pools', 'account'],
  ['pool_nominators', 'pool, nominator'],
  ['nominator_events', 'tx_hash, event_index'],
  ['pool_validator_events', 'tx_hash'],
  ['staking_start', 'only_row'],
  ['indexer_cursor', 'only_row'],
  ['chain_identity', 'only_row'],
] as const

/** States and code are named by their content; some that no one names any more may be left of blocks that were undone. */
const NAMED = {
  account_states: sql`select * from account_states where hash in (
    select state_before from transactions union select state_after from transactions union select hash from accounts)
    order by hash`,
  codes: sql`select * from codes where hash in (
    select code_hash from accounts union select code_hash from account_states) order by hash`,
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

/** Every row of each table, as one hash and how many they are. Of an index that was rewound some marks differ. */
export async function digests(read: Sql, { rewound = false } = {}): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const statements = [
    ...TABLES.map(([name, order]) => [name, sql`select * from ${sql.raw(name)} order by ${sql.raw(order)}`] as const),
    ...Object.entries(NAMED),
  ]
  for (const [name, statement] of statements) {
    const rows = await read.query(statement)
    const isMark = (column: string): boolean => rewound && name === 'accounts' && column === 'mc_seqno'
    const text = rows
      .map((row) =>
        JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !isMark(column))), plain),
      )
      .join('\n')
    found[name] = `${rows.length} rows, ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  }
  return found
}

/** What an index of the whole chain says that was made in one go. */
export async function cleanDigests(chain: Devchain, node: Chain, options = {}): Promise<Record<string, string>> {
  const database = await openStore()
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  await indexer.close()
  return await digests(database.read, options)
}
