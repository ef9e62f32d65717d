// Finds blocks by seqno, lt or time, with proofs from the newest trusted masterchain block.

import { LRUCache } from 'lru-cache'
import { aboutBlock, withFound } from '../aboutBlock.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, prefixOf, shardHolds, WHOLE_SHARD } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import {
  type AttemptOptions,
  attemptOn,
  type BlockQuery,
  type LiteServer,
  type TransactionQuery,
} from '../liteServer.ts'
import {
  isBehind,
  ProofError,
  type ProvenBlock,
  previousBlocksOf,
  verifyHeader,
  verifyLookup,
} from '../verify/index.ts'
import { headerBytes } from './headerBytes.ts'
import { KnownBlocks } from './knownBlocks.ts'
import { SAMPLE } from './openTrust.ts'
import { ShardReach } from './shardReach.ts'
import type { TrustedHead } from './trustOptions.ts'
import { cachedBlockKey } from './verifiedCache.ts'

/** Maximum proven masterchain blocks in the cache; each takes some kilobytes with its header. */
const MOST_KEPT = 512
const MOST_BYTES = 8 << 20
/** Of a header: where a server shows the whole block instead, it is not kept. */
const MOST_HEADER_BYTES = 64 << 10

/** Blocks that were found are remembered: what they hold is read next. */
const MOST_FOUND = 1_024

/** The refusal of a server when the block was registered after the known masterchain block. */
const TOO_OLD = /older than block's masterchain ref/

/** `server`: the one that is to answer, where its other answers are checked by what is found. */
export type FindOptions = ReadOptions & { readonly server?: LiteServer }

/** The block that a transaction is in. */
export const blockWith = ({ account: { workchain, hash }, lt }: TransactionQuery): BlockQuery => ({
  workchain,
  shard: prefixOf(hash) | 1n,
  lt,
})

export class BlockFinder {
  readonly #server: LiteServer
  readonly #trust: TrustedHead
  /** By seqno, of one branch of the chain. */
  readonly #kept = new LRUCache<number, ProvenBlock>({
    max: MOST_KEPT,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_HEADER_BYTES,
    sizeCalculation: headerBytes,
  })
  readonly #known = new KnownBlocks()
  /** How old each is: the seqno of a masterchain block of about the same time. */
  readonly #ages = new LRUCache<string, number>({ max: MOST_FOUND })
  readonly #shards: ShardReach
  #branch = 0
  #count = 0

  constructor(server: LiteServer, trust: TrustedHead) {
    this.#server = server
    this.#trust = trust
    this.#shards = new ShardReach(server, trust)
  }

  /** The id alone: that of a masterchain block that was proven before takes no call. Rejects with LiteError or ProofError. */
  async idOf(query: BlockQuery, options: FindOptions = {}): Promise<BlockIdExt> {
    return this.#knownId(query) ?? (await this.find(query, options)).id
  }

  /** Rejects with LiteError or ProofError. */
  async find(query: BlockQuery, options: FindOptions = {}): Promise<ProvenBlock> {
    const found = await this.#find(query, options)
    const { id, info } = found
    this.#ages.set(cachedBlockKey(id), id.workchain === MASTERCHAIN ? id.seqno : (info.masterRef?.seqno ?? 0))
    return found
  }

  /** The seqno of a masterchain block of about the same time; null for a block that was not found here. */
  ageOf(id: BlockIdExt): number | null {
    return this.#ages.get(cachedBlockKey(id)) ?? null
  }

  async #find(query: BlockQuery, options: FindOptions): Promise<ProvenBlock> {
    if (!this.#mustProve(options)) return await this.#unproven(query, options)
    const known = this.#trust.head ?? (await this.#trust.read(options))
    const seqno = 'seqno' in query && query.workchain === MASTERCHAIN ? query.seqno : null
    const branch = this.#trust.head?.branch ?? 0
    const found = seqno === null ? undefined : this.#keptOn(branch).get(seqno)
    if (found !== undefined) return found
    try {
      const id = this.#knownId(query)
      const proven = await (id === null ? this.#proven(query, known.id, options) : this.#header(id, options))
      if (seqno !== null && branch === this.#trust.head?.branch) this.#keep(proven, branch)
      return proven
    } catch (error) {
      const mayBeNewer = error instanceof LiteError && (error.isTransient || TOO_OLD.test(error.message))
      if (!mayBeNewer) throw error
      const { id } = await this.#trust.readNewest(options)
      if (isSameBlock(id, known.id)) throw error
      return await this.#proven(query, id, options)
    }
  }

  #keptOn(branch: number): LRUCache<number, ProvenBlock> {
    if (branch !== this.#branch) {
      this.#kept.clear()
      this.#known.clear()
    }
    this.#branch = branch
    return this.#kept
  }

  /** A proven masterchain block; its header names the one before it. */
  #keep(proven: ProvenBlock, branch: number): void {
    const { id } = proven
    this.#keptOn(branch).set(id.seqno, proven)
    for (const one of [id, ...previousBlocksOf(proven)]) this.#known.add(one)
  }

  #knownId(query: BlockQuery): BlockIdExt | null {
    const { head, policy } = this.#trust
    // Else a head may be the word of one server, which must not stay, nor take the place of a proof.
    if (policy !== 'full' || head === null) return null
    if (query.workchain !== MASTERCHAIN || !('seqno' in query)) return null
    this.#keptOn(head.branch)
    // Every head that is read becomes an older block.
    this.#known.add(head.id)
    return this.#known.get(query.seqno)
  }

  /** Rejects with ProofError when a masterchain block is not on the trusted chain. */
  async demandOnChain(id: BlockIdExt, options: FindOptions = {}): Promise<void> {
    const { head } = this.#trust
    if (head !== null && isSameBlock(head.id, id)) return
    const own = await this.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: id.seqno }, options)
    if (!isSameBlock(own, id)) throw new ProofError('link', `block ${id.seqno} is not one of the trusted chain`)
  }

  /** The key block whose configuration is in force after a masterchain block; null before the first one. */
  async keyBlockAt(id: BlockIdExt, options: ReadOptions = {}): Promise<BlockIdExt | null> {
    if (id.seqno === 0) return null
    const last = this.#trust.head?.keyBlock ?? null
    if (last !== null && last.seqno <= id.seqno && this.#isKnown(id)) return last.seqno === 0 ? null : last
    const { info } = await this.headerOf(id, options)
    if (info.keyBlock) return id
    const seqno = info.prevKeyBlockSeqno
    if (seqno === 0) return null
    return await this.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, options)
  }

  /** Whether it is a masterchain block that was proven. */
  #isKnown(id: BlockIdExt): boolean {
    const known = this.#knownId(id)
    return known !== null && isSameBlock(known, id)
  }

  /** The header of a masterchain block. Rejects with LiteError or ProofError. */
  async headerOf(id: BlockIdExt, options: FindOptions = {}): Promise<ProvenBlock> {
    const kept = this.#kept.get(id.seqno)
    return kept !== undefined && isSameBlock(kept.id, id) ? kept : await this.#header(id, options)
  }

  #mustProve({ server }: FindOptions): boolean {
    const { policy } = this.#trust
    if (policy !== 'sampled') return policy === 'full'
    // A server whose answer is checked would confirm its own lie.
    return server !== undefined || this.#count++ % SAMPLE === 0
  }

  #header(id: BlockIdExt, options: FindOptions): Promise<ProvenBlock> {
    const { server: own = this.#server } = options
    const work = async (server: LiteServer): Promise<ProvenBlock> =>
      verifyHeader(id, await server.header(id, 0, options))
    const read = this.#isKnown(id) ? withFound(options, { exists: true, mcSeqno: id.seqno }) : options
    return attemptOn(own, work, aboutBlock(read, id))
  }

  #proven(query: BlockQuery, known: BlockIdExt, options: FindOptions): Promise<ProvenBlock> {
    const { server: own = this.#server } = options
    const work = async (server: LiteServer): Promise<ProvenBlock> =>
      verifyLookup(query, known, await server.lookupWithProof(query, known, options))
    return this.#search(query, options, (read) => attemptOn(own, work, aboutBlock(read, known)))
  }

  /** Reads what belongs to a block, at as many servers as the block itself is looked for. */
  search<T>(query: BlockQuery, options: ReadOptions, work: (read: AttemptOptions) => Promise<T>): Promise<T> {
    const wide = (read: AttemptOptions) => withFound(read, { exists: false, isWide: read.exists === true })
    return this.#search(query, options, (read) => work(wide(read)))
  }

  #search<T>(query: BlockQuery, options: FindOptions, work: (read: AttemptOptions) => Promise<T>): Promise<T> {
    // The shards' newest logical time also tells which masterchain blocks exist.
    const isByShards = query.workchain !== MASTERCHAIN || 'lt' in query
    return isByShards && options.server === undefined
      ? this.#shards.search(query, options, work)
      : work(this.#needing(query, options))
  }

  /** For numbers and times up to the head the block exists, so it is looked for at more servers: few keep the old ones. */
  #needing(query: BlockQuery, options: ReadOptions): ReadOptions {
    const { head } = this.#trust
    if (head === null || query.workchain !== MASTERCHAIN) return options
    if ('seqno' in query) {
      const isBlock = query.seqno > 0 && query.seqno <= head.id.seqno
      return isBlock ? withFound(options, { exists: true, mcSeqno: query.seqno }) : options
    }
    return 'utime' in query && query.utime <= head.utime ? withFound(options, { exists: true }) : options
  }

  #unproven(query: BlockQuery, asked: FindOptions): Promise<ProvenBlock> {
    const { server: own = this.#server, ...options } = asked
    const work = async (server: LiteServer): Promise<ProvenBlock> => {
      const answer = await server.lookup(query, 0, options)
      const { id } = answer
      const isShard = id.workchain === query.workchain && shardHolds(id.shard, query.shard)
      if (!isShard || ('seqno' in query && id.seqno !== query.seqno))
        throw new ProofError('answer', 'another block than the one looked for')
      const found = verifyHeader(id, answer)
      if (isBehind(query, found.info))
        throw new ProofError('answer', 'the block found comes before what was looked for')
      return found
    }
    return this.#search(query, asked, (read) => attemptOn(own, work, read))
  }
}
