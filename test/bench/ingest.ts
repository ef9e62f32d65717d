// B7: blocks read, parsed and written to the index, compared with the mere writing of the same finished rows by the same
// statements, each batch read while the one before is written, as the indexer does it. Blocks of a chain of our own by the
// whole indexer; a block of the main network by the parser and the writer, because the blocks around it are not here. On a
// PostgreSQL too, when TEST_DATABASE_URL names an empty database.

import { inOnePiece } from '../../server/cell/index.ts'
import { openDevchain } from '../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../server/devchain/lite/index.ts'
import { parseBlock } from '../../server/facts/index.ts'
import { WorkingSet } from '../../server/facts/trace/workingSet.ts'
import { inPieces } from '../../server/fairness/index.ts'
import { makingBatchRows } from '../../server/indexer/batchRows.ts'
import { type Indexer, startIndexer } from '../../server/indexer/index.ts'
import { Writing } from '../../server/indexer/writing.ts'
import { BlockHasher } from '../../server/node/hashing/index.ts'
import type { WholeBlock } from '../../server/node/index.ts'
import { verifyingBlock } from '../../server/node/verify/index.ts'
import { createLog } from '../../server/observe/index.ts'
import {
  type Database,
  type MasterBlockRows,
  openDatabase,
  type SqlText,
  writeMasterBlocks,
} from '../../server/store/index.ts'
import { forgetAllRows } from '../../server/store/write/rollback.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { openFixture } from '../server/facts/parse/namedBlocks.ts'
import { fillChain } from '../setup/load.ts'
import { compare, type Row, table } from './compare.ts'

/** Many batches, or there would be little to do side by side. */
const TRANSACTIONS = Number(process.env.INGEST ?? 10_000)
const ROUNDS = 3
/** Of the main network's block, which alone is too little to measure. */
const TIMES = 10
/** Of them, so many are fetched before one is written. */
const AHEAD = 2

const log = createLog({ format: 'json', level: 'warn' })
const chain = await openDevchain({ idleBlockMs: 3_600_000 })
const pool = await createTvmPool()
const node = createEmbeddedChain(chain)
await fillChain(chain, { transactions: TRANSACTIONS, seed: 1 })

/** Remembers what is written, one list of statements for each SQL transaction. */
function recording(database: Database, written: (readonly SqlText[])[]): Database {
  return {
    kind: database.kind,
    read: database.read,
    lead: (signal) => database.lead(signal),
    close: () => database.close(),
    async transaction(work, options) {
      const statements: SqlText[] = []
      const result = await database.transaction(
        (to) =>
          work({
            query: (statement, requested) => {
              if (/^\s*(insert|update|delete)/.test(statement.text)) statements.push(statement)
              return to.query(statement, requested)
            },
          }),
        options,
      )
      if (statements.length > 0) written.push(statements)
      return result
    },
  }
}

const empty = (database: Database): Promise<void> => database.transaction(forgetAllRows)

async function indexAll(database: Database): Promise<void> {
  const indexer: Indexer = startIndexer({ chain: node, database, pool, network: 'devnet', log })
  if (!(await indexer.waitFor(chain.head().master.id.seqno, { timeoutMs: 120_000 })))
    throw new Error('it does not follow')
  await indexer.close()
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (count * 1000) / (performance.now() - began)
}

async function ofOurChain(name: string, database: Database): Promise<Row> {
  const written: (readonly SqlText[])[] = []
  await empty(database)
  await indexAll(recording(database, written))
  const replay = async () => {
    for (const statements of written)
      await database.transaction(async (to) => {
        for (const statement of statements) await to.query(statement)
      })
  }
  const contest = { name: `B7 ${name}, a chain of our own`, unit: 'tx/s', target: 0.6, here: true }
  const ours = async () => {
    await empty(database)
    return rate(TRANSACTIONS, () => indexAll(database))
  }
  const theirs = async () => {
    await empty(database)
    return rate(TRANSACTIONS, replay)
  }
  return await compare({ ...contest, ours, theirs }, ROUNDS)
}

const { id, bytes } = openFixture('block-1')

const hasher = new BlockHasher()

/** Checks the block as one that was fetched. */
const checked = async (): Promise<WholeBlock> =>
  inPieces(verifyingBlock(id, bytes, await hasher.hashed(bytes, id.fileHash)))

/** The rows of a block by itself; accounts it shows only parts of are left out. */
function mainnetRows({ root }: WholeBlock): MasterBlockRows {
  const facts = parseBlock(id, root, { mcSeqno: 1 })
  const accounts = { accounts: [], accountStates: [], codes: [] }
  const master = { id, previous: [], facts, fromNobody: new Set<string>(), keyRoot: null }
  const step = { master, shards: [], tip: { id, tops: new Set<string>(), globalVersion: undefined } }
  const cursor = { network: 'mainnet', firstMcSeqno: 1 }
  const steps = [{ step, accounts, born: null }]
  return inOnePiece(makingBatchRows({ steps, set: new WorkingSet([], true), cursor, previous: null }))
}

/** The rows of so many blocks, one after the other; the next ones are checked already. */
function readingAhead(): () => Promise<MasterBlockRows> {
  const blocks: Promise<WholeBlock>[] = []
  let begun = 0
  return async () => {
    for (; begun < TIMES && blocks.length <= AHEAD; begun++) blocks.push(checked())
    const block = await blocks.shift()
    if (block === undefined) throw new Error('more blocks than there are')
    return mainnetRows(block)
  }
}

const TAKEN_BACK = new Error('taken back')

/** Writes all of it and takes it back, so that it can be written again. */
async function writeAndTakeBack(database: Database, rows: MasterBlockRows, onSent: () => void): Promise<void> {
  try {
    await database.transaction(async (to) => {
      await writeMasterBlocks(to, rows)
      onSent()
      throw TAKEN_BACK
    })
  } catch (error) {
    if (error !== TAKEN_BACK) throw error
  }
}

async function ofMainnet(name: string, database: Database): Promise<Row> {
  const finished = mainnetRows(await checked())
  const count = finished.transactions.length
  const often = (next: () => Promise<MasterBlockRows>) => async () => {
    const writing = new Writing()
    for (let i = 0; i < TIMES; i++) {
      const rows = await next()
      await writing.begin((onSent) => writeAndTakeBack(database, rows, onSent))
    }
    await writing.done()
  }
  const ours = async () => {
    await empty(database)
    return await rate(TIMES * count, often(readingAhead()))
  }
  const theirs = async () => {
    await empty(database)
    return await rate(
      TIMES * count,
      often(async () => finished),
    )
  }
  const contest = { name: `B7 ${name}, a block of mainnet`, unit: 'tx/s', target: 0.6, here: true }
  return await compare({ ...contest, ours, theirs }, ROUNDS)
}

async function both(name: string, place: string): Promise<Row[]> {
  const database = await openDatabase({ database: place })
  try {
    return [await ofOurChain(name, database), await ofMainnet(name, database)]
  } finally {
    await empty(database)
    await database.close()
  }
}

const server = process.env.TEST_DATABASE_URL
const rows = await both('PGlite', 'pglite')
if (server !== undefined) rows.push(...(await both('PostgreSQL', server)))
console.log(table(rows))
await chain.close()
await pool.close()
