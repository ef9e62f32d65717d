// Which accounts count as pools: by the public code, and by behaviour; and what contracts that only look like one can bring
// about. Storage and transactions are made up here, with the hash of the public code and none of it.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell, writeBoc } from '../../../../server/cell/index.ts'
import { accountKey, type TransactionFacts } from '../../../../server/facts/index.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { StakingCollector } from '../../../../server/indexer/staking/collector.ts'
import { PoolBook } from '../../../../server/indexer/staking/poolBook.ts'
import { Recognition } from '../../../../server/indexer/staking/recognition.ts'
import type { BlockIdExt, Chain } from '../../../../server/node/index.ts'
import { type AccountRow, readIndexedPool, type StakingRows } from '../../../../server/store/index.ts'
import { writeStaking } from '../../../../server/store/write/staking.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { freshPool, type PoolStorage, poolStorage } from '../../demo/contracts/poolStorage.ts'
import { own } from '../../devchain/actor.ts'
import { incoming, OF_ELECTOR, OF_POOL, transactionOf } from '../../facts/staking/madeTransactions.ts'
import { openStore, type SharedDatabase } from '../indexScene.ts'

const PUBLIC = Buffer.from('9A3EC14BC098F6B44064C305222CAEA2800F17DDA85EE6A8198A7095EDE10DCF', 'hex')
const OTHER = new Uint8Array(32).fill(0x77)
const coin = 1_000_000_000n
const endless = new AbortController().signal

/** A chain that shows its blocks and no states. */
const silent: Pick<Chain, 'account' | 'config'> = {
  account: () => Promise.reject(new Error('nothing is read here')),
  config: () => Promise.reject(new Error('nothing is read here')),
}

const blockOf = (seqno: number): BlockIdExt => ({
  workchain: -1,
  shard: 1n << 63n,
  seqno,
  rootHash: new Uint8Array(32).fill(seqno),
  fileHash: new Uint8Array(32).fill(seqno),
})

const stateOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)

class Book {
  readonly #database: SharedDatabase
  readonly #book: PoolBook
  #seqno = 0
  /** Which others had while the last step was looked at. */
  turns = 0

  private constructor(database: SharedDatabase, isPool: boolean | null) {
    const parts = { chain: silent, database, lanes: new Slots(1), timeoutMs: 1000, signal: endless, assets: null }
    this.#database = database
    this.#book = new PoolBook(parts, isPool === null ? new Recognition(null) : { isPool: async () => isPool })
  }

  /** Null for recognition by code alone. */
  static async open(isPool: boolean | null = null): Promise<Book> {
    const book = new Book(await openStore(), isPool)
    await book.#book.begin()
    return book
  }

  /** The rows of a step that leaves the account with this data. */
  async see(data: Cell, codeHash: Uint8Array, transactions: readonly TransactionFacts[] = []): Promise<StakingRows> {
    const to = new StakingCollector()
    await this.#look(to, data, codeHash, transactions)
    return await this.#write(to)
  }

  /** The same for several steps of one batch. */
  async seeTogether(all: readonly Cell[], codeHash: Uint8Array): Promise<void> {
    const to = new StakingCollector()
    for (const data of all) await this.#look(to, data, codeHash, [])
    await this.#write(to)
  }

  async #look(
    to: StakingCollector,
    data: Cell,
    codeHash: Uint8Array,
    transactions: readonly TransactionFacts[],
  ): Promise<void> {
    const seqno = ++this.#seqno
    const row: AccountRow = {
      account: OF_POOL,
      hash: stateOf(seqno),
      balance: coin,
      extra: {},
      status: 'active',
      frozenHash: null,
      dataHash: data.hashBytes(),
      codeHash,
      lastTxHash: stateOf(seqno),
      lastTxLt: BigInt(seqno),
      data: writeBoc(data),
      mcSeqno: seqno,
    }
    const step = { id: blockOf(seqno), utime: seqno, codes: [], previous: [], elector: OF_ELECTOR, to }
    const placed = transactions.map((one) => ({ ...one, stateBefore: stateOf(seqno - 1), stateAfter: stateOf(seqno) }))
    this.turns = (await turnsOf(() => this.#book.see(row, placed, step))).turns
  }

  async #write(to: StakingCollector): Promise<StakingRows> {
    const rows = to.rows()
    await this.#database.transaction((sql) => writeStaking(sql, rows))
    return rows
  }

  indexed = () => this.#database.transaction((sql) => readIndexedPool(sql, OF_POOL))
}

const pool = (parts: Partial<PoolStorage> = {}): Cell => own(poolStorage({ ...freshPool, ...parts }))
const deposit = (id: number, value: bigint): TransactionFacts => {
  const body = beginCell().storeUint(0, 32).storeUint(100, 8).end()
  const source = accountKey(0, new Uint8Array(32).fill(id))
  const message = incoming({ op: 0, queryId: 0n, value, source })
  return transactionOf({ ...message, body: writeBoc(body), opcode: 0, bodyHash: body.hashBytes() })
}
const idOf = (byte: number): bigint => BigInt(`0x${byte.toString(16).padStart(2, '0').repeat(32)}`)

test('a pool of the public code is one, whatever cannot be run', async () => {
  const book = await Book.open()
  const { nominatorPools, poolNominators } = await book.see(
    pool({ nominators: new Map([[idOf(1), [5n, 0n]]]) }),
    PUBLIC,
  )
  expect(nominatorPools).toMatchObject([
    { account: OF_POOL, brokenMcSeqno: null, validatorShare: 4000, nominatorsCount: 1 },
  ])
  expect(poolNominators).toMatchObject([{ balance: 5n, pending: 0n, withdrawRequested: false }])
  const after = pool({
    nominators: new Map([
      [idOf(1), [5n, 0n]],
      [idOf(2), [100n * coin, 0n]],
    ]),
  })
  const next = await book.see(after, PUBLIC, [deposit(2, 101n * coin)])
  expect(next.nominatorEvents).toMatchObject([{ type: 'deposit', amount: 100n * coin, balanceBefore: 0n }])
  // Only who changed is written.
  expect(next.poolNominators).toHaveLength(1)
})

test('the same storage with other code is none as long as its get-methods say nothing', async () => {
  for (const book of [await Book.open(), await Book.open(false)]) {
    expect((await book.see(pool(), OTHER)).nominatorPools).toEqual([])
    expect(await book.indexed()).toBeNull()
  }
})

test('the public code with other storage is no pool, and one that leaves the layout is none any more', async () => {
  const book = await Book.open()
  for (const data of [beginCell().end(), beginCell().storeBuilder(open(pool())).storeBit(1).end(), pool({ state: 3 })])
    expect((await book.see(data, PUBLIC)).nominatorPools).toEqual([])
  await book.see(pool({ nominators: new Map([[idOf(1), [5n, 0n]]]) }), PUBLIC)
  expect(await book.indexed()).not.toBeNull()
  await book.see(beginCell().end(), PUBLIC)
  expect(await book.indexed()).toBeNull()
})

const open = (cell: Cell) => beginCell().storeSlice(openCell(cell))

test('a contract that breaks the rules is no pool from then on, and what it makes up is no event', async () => {
  const book = await Book.open(true)
  const with1 = new Map([[idOf(1), [5n * coin, 0n] as const]])
  expect((await book.see(pool({ nominators: with1 }), OTHER)).nominatorPools).toMatchObject([{ brokenMcSeqno: null }])
  const kept = await book.see(pool({ nominators: new Map([[idOf(1), [105n * coin, 0n]]]) }), OTHER, [
    deposit(1, 101n * coin),
  ])
  expect(kept.nominatorEvents).toHaveLength(1)
  // A thousand nominators at once, by one message.
  const many = new Map(Array.from({ length: 1000 }, (_, i) => [BigInt(i + 1) << 200n, [7n, 7n] as const]))
  const broken = await book.see(pool({ nominators: many }), OTHER, [deposit(2, 101n * coin)])
  expect([broken.nominatorEvents, broken.poolNominators, broken.goneNominators]).toEqual([[], [], []])
  expect(broken.nominatorPools).toMatchObject([{ brokenMcSeqno: 3 }])
  for (const nominators of [with1, many]) {
    const later = await book.see(pool({ nominators }), OTHER, [deposit(1, 101n * coin)])
    expect([later.nominatorPools, later.poolNominators, later.nominatorEvents]).toEqual([[], [], []])
  }
})

test('a pool whose code and nominators are replaced has the new nominators alone', async () => {
  const book = await Book.open(true)
  const withOne = (id: number) => pool({ nominators: new Map([[idOf(id), [5n * coin, 0n]]]) })
  await book.see(withOne(1), PUBLIC)
  await book.see(withOne(2), OTHER)
  expect(await book.indexed()).toMatchObject({
    pool: { codeHash: OTHER },
    nominators: [{ nominator: accountKey(0, new Uint8Array(32).fill(2)), balance: 5n * coin }],
  })
})

test('of a pool that ends in the batch that changed it nothing stays, and one that begins again has its new nominators', async () => {
  const book = await Book.open()
  const withSome = (...ids: number[]) => pool({ nominators: new Map(ids.map((id) => [idOf(id), [5n * coin, 0n]])) })
  const end = beginCell().end()
  await book.see(withSome(1), PUBLIC)
  await book.seeTogether([withSome(1, 2), end], PUBLIC)
  expect(await book.indexed()).toBeNull()
  await book.seeTogether([withSome(3), end, withSome(4)], PUBLIC)
  const ids = async () => (await book.indexed())?.nominators.map(({ nominator }) => nominator[1])
  expect(await ids()).toEqual([4])
  await book.seeTogether([withSome(4, 5), end, withSome(6)], PUBLIC)
  expect(await ids()).toEqual([6])
})

test('a transaction writes what it changed, also in a pool of thousands', async () => {
  const book = await Book.open()
  const many: Map<bigint, readonly [bigint, bigint]> = new Map(
    Array.from({ length: 5000 }, (_, i) => [BigInt(i + 1) << 200n, [7n, 0n]]),
  )
  expect((await book.see(pool({ nominators: many }), PUBLIC)).poolNominators).toHaveLength(5000)
  many.set(idOf(1), [100n * coin, 0n])
  const { poolNominators, nominatorEvents } = await book.see(pool({ nominators: many }), PUBLIC, [
    deposit(1, 101n * coin),
  ])
  expect([poolNominators.length, nominatorEvents.length]).toEqual([1, 1])
  expect((await book.indexed())?.nominators).toHaveLength(5001)
})

/** A dictionary of 2^64 entries in 65 cells: both halves of each node are the same cell. */
function sharedTree(): Cell {
  const key = beginCell().storeUint(0b10, 2).storeUint(192, 8).storeRepeat(0, 192)
  let node = key.storeCoins(1n).storeCoins(0n).end()
  for (let depth = 0; depth < 64; depth++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
  return node
}

test('a dictionary of more entries than can be counted is no pool', async () => {
  const book = await Book.open(true)
  const terms = openCell(pool()).loadRef()
  const head = beginCell().storeUint(0, 8).storeUint(1, 16).storeCoins(0n).storeCoins(0n).storeRef(terms)
  const nominators = head.storeBit(1).storeRef(sharedTree()).storeBit(0)
  const data = nominators.storeUint(0, 32).storeUint(0n, 256).storeUint(0, 8).storeUint(0n, 64).storeBit(0).end()
  for (const codeHash of [PUBLIC, OTHER]) expect((await book.see(data, codeHash)).nominatorPools).toEqual([])
})

test('contracts with much data, of which a block may change many, are read in pieces', async () => {
  const book = await Book.open(false)
  for (const [leaves, turns] of [
    [1000, 0],
    [6000, 20],
  ] as const) {
    const { nominatorPools } = await book.see(open(pool()).storeRef(treeOf(leaves)).end(), OTHER)
    expect(nominatorPools).toEqual([])
    expect(book.turns).toBeGreaterThan(turns)
  }
})
