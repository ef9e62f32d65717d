// The reads of the embedded chain as a `Chain`, directly from its cells.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes, hashToBytes, hashToHex, openCell } from '../../cell/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  type BlockQuery,
  type ChainHead,
  type HistoryQuery,
  INDEX_SHARE,
  inListOrder,
  type ListedName,
  type ListedTransaction,
  type ListQuery,
  MASTERCHAIN,
  MOST_LISTED,
  type ProvenBlock,
  type ProvenPreviousBlocks,
  previousBlocksIn,
  type QueueSizes,
  type ReadOptions,
  shardTopsOf,
  type VerifiedAccount,
  type VerifiedConfig,
  type VerifiedLibraries,
  type VerifiedList,
  type VerifiedTransaction,
  verifyBlockRoot,
  verifyHeader,
  type WholeBlock,
} from '../../node/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  loadAccount,
  loadBlock,
  loadTransaction,
  type ShardAccount,
  type ShardTop,
  type Transaction,
} from '../../tlb/index.ts'
import type { ArchivedTransaction } from '../archive/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { queueSizeOf } from '../state/index.ts'
import { readShardAccount } from './accounts.ts'
import { find } from './blocks.ts'
import type { ChainSource } from './chainSource.ts'
import { checkHash, checkWanted, type WantedParams } from './checkQuery.ts'
import { distinctLibraries, EXTERNAL_LIMIT } from './stateParts.ts'
import { findHistory, listedName } from './transactions.ts'

const readTransaction = ({ cell }: { readonly cell: Cell }): VerifiedTransaction => ({
  cell,
  transaction: loadTransaction(openCell(cell)),
})

/** Parsed only where more than its text is needed. */
class ReadFromArchive implements VerifiedTransaction {
  readonly #archived: ArchivedTransaction
  #transaction: Transaction | null = null

  constructor(archived: ArchivedTransaction) {
    this.#archived = archived
  }

  get cell(): Cell {
    return this.#archived.cell
  }

  get transaction(): Transaction {
    this.#transaction ??= loadTransaction(openCell(this.cell))
    return this.#transaction
  }

  get bag(): string {
    return this.#archived.bag
  }

  get text(): string | readonly Buffer[] | null {
    return this.#archived.text
  }
}

const withMost = (query: ListQuery): ListQuery => ({ ...query, count: Math.min(query.count, MOST_LISTED) })

/** A header is some 10 cells, 4 kB in memory. */
const KEPT_HEADERS = 512

export class ChainReads {
  readonly #source: ChainSource
  /** Of blocks that were read lately, by root hash: searches for messages come back to the same ones. */
  readonly #headers: LRUCache<BinaryHash, ProvenBlock>

  constructor(source: ChainSource, headers = new LRUCache<BinaryHash, ProvenBlock>({ max: KEPT_HEADERS })) {
    this.#source = source
    this.#headers = headers
  }

  /** The same for one caller: see `ChainSource.until`. */
  until(caller: ReadOptions | undefined): ChainReads {
    return caller === undefined ? this : new ChainReads(this.#source.until(caller), this.#headers)
  }

  head(): ChainHead {
    const { reader } = this.#source
    const { master } = reader.moment()
    return {
      id: master.id,
      utime: master.utime,
      stateHash: master.root.hashBytes(),
      zerostate: reader.zerostates.master.id,
      now: Math.floor(Date.now() / 1000),
    }
  }

  async find(query: BlockQuery): Promise<ProvenBlock> {
    return await this.header(find(this.#source, query).id)
  }

  /** The header alone, out of its proof. */
  async header(id: BlockIdExt): Promise<ProvenBlock> {
    const located = this.#source.locate(id)
    const key = hashFromBytes(id.rootHash)
    const known = located.facts === null ? undefined : this.#headers.get(key)
    if (known !== undefined) return known
    const headerProof = await this.#source.headerProof(located)
    const found = verifyHeader(id, { id, mode: 0, headerProof })
    this.#headers.set(key, found)
    return found
  }

  async block(id: BlockIdExt): Promise<WholeBlock> {
    const root = await this.#source.blockRoot(this.#source.locate(id))
    return verifyBlockRoot(id, root)
  }

  async state(id: BlockIdExt): Promise<Cell> {
    const located = this.#source.locate(id)
    return located.facts === null ? this.#source.root(located) : (await this.#source.state(located)).root
  }

  async account(id: BlockIdExt, wanted: AccountId): Promise<VerifiedAccount> {
    const { located, account: shardAccount } = await readShardAccount(this.#source, id, wanted)
    // Where no shard is responsible, that there is no account is true as of the masterchain block.
    const { utime, lt } = await this.#source.state(located ?? this.#source.locate(id))
    const entry = shardAccount ?? (await this.#elsewhere(id, wanted))
    const account = entry === null ? null : loadAccount(openCell(entry.account))
    return { block: located?.id ?? null, utime, lt, shardAccount: entry, account }
  }

  /** An account of the network that the chain was forked off, where it was not put into the chain by then. */
  async #elsewhere({ workchain, seqno }: BlockIdExt, account: AccountId): Promise<ShardAccount | null> {
    const { fork } = this.#source.chain
    if (fork === null) return null
    const { reader } = this.#source
    const step = workchain === MASTERCHAIN ? seqno : (reader.registeredBy(seqno)?.id.seqno ?? 0)
    const mayBe = fork.mayHaveAt({ workchain: account.workchain, id: account.hash }, step)
    return mayBe ? await fork.network.account(account, this.#source.slicing.subject) : null
  }

  async transactions(query: HistoryQuery, options?: ReadOptions): Promise<readonly VerifiedTransaction[]> {
    const { fork } = this.#source.chain
    if (fork !== null && query.lt > 0n && query.lt <= fork.network.point.lt)
      return await fork.network.transactions(query, options)
    const found = await findHistory(this.#source, query)
    return found.map((one) =>
      one.archived === null ? readTransaction({ cell: one.transaction }) : new ReadFromArchive(one.archived),
    )
  }

  async listTransactions(id: BlockIdExt, query: ListQuery): Promise<VerifiedList<ListedName>> {
    const facts = this.#factsFor(id, query)
    const archived = facts === null ? null : await this.#source.reader.listArchived(facts, withMost(query))
    return archived ?? (await this.#list(id, query, listedName))
  }

  async blockTransactions(id: BlockIdExt, query: ListQuery): Promise<VerifiedList<VerifiedTransaction>> {
    const facts = this.#factsFor(id, query)
    const archived = facts === null ? null : await this.#source.reader.readArchived(facts, withMost(query))
    if (archived === null) return await this.#list(id, query, readTransaction)
    return {
      transactions: archived.transactions.map((one) => new ReadFromArchive(one)),
      incomplete: archived.incomplete,
    }
  }

  #factsFor(id: BlockIdExt, { after }: ListQuery): JournalBlock | null {
    if (after !== undefined) checkHash(after.account, 'an account id')
    return this.#source.locate(id).facts
  }

  async #list<T>(id: BlockIdExt, query: ListQuery, show: (one: ListedTransaction) => T): Promise<VerifiedList<T>> {
    const root = await this.#source.blockRoot(this.#source.locate(id))
    const walk = inListOrder(accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))), query)
    const { count: most } = withMost(query)
    const transactions: T[] = []
    for (;;) {
      const next = walk.next()
      if (next.done === true) return { transactions, incomplete: false }
      if (transactions.length >= most) return { transactions, incomplete: true }
      transactions.push(show(next.value))
    }
  }

  async config(id: BlockIdExt, wanted: WantedParams): Promise<VerifiedConfig> {
    checkWanted(wanted)
    const { extra } = await this.#source.masterState(this.#source.locateMaster(id))
    const { config } = extra
    const globalBalance = extra.globalBalance.grams
    if (wanted === 'all') return { config, params: new Map(config.params), globalBalance }
    const params = new Map<number, Cell>()
    for (const number of wanted) {
      const cell = config.params.get(number)
      if (cell !== undefined) params.set(number, cell)
    }
    return { config, params, globalBalance }
  }

  async previousBlocks(id: BlockIdExt): Promise<ProvenPreviousBlocks> {
    return previousBlocksIn(id, await this.#source.masterState(this.#source.locateMaster(id)))
  }

  async libraries(hashes: readonly Uint8Array[], options?: ReadOptions): Promise<VerifiedLibraries> {
    const { libraries: all } = this.#source.reader.moment().master.details
    const found = new Map<string, Cell>()
    const missing: BinaryHash[] = []
    for (const hash of distinctLibraries(hashes).map(hashFromBytes)) {
      const library = all.get(hashToBytes(hash))?.library
      if (library === undefined) missing.push(hash)
      else found.set(hashToHex(hash), library)
    }
    const { fork } = this.#source.chain
    // The index has the libraries of the accounts that are in the chain, and must not wait for a network.
    if (fork === null || options?.share === INDEX_SHARE) return found
    return new Map([...found, ...(missing.length === 0 ? [] : await fork.network.libraries(missing, options))])
  }

  async shards(id: BlockIdExt): Promise<readonly ShardTop[]> {
    const root = await this.#source.blockRoot(this.#source.locateMaster(id))
    return shardTopsOf(loadBlock(openCell(root)))
  }

  async queueSizes(id: BlockIdExt): Promise<QueueSizes> {
    const tops = await this.shards(id)
    const ids = [id, ...tops.map((top) => top.id)]
    const states = await Promise.all(ids.map((one) => this.#source.state(this.#source.locate(one))))
    return { sizes: states.map((state) => ({ id: state.id, size: queueSizeOf(state) })), externalLimit: EXTERNAL_LIMIT }
  }
}
