// Finds blocks by seqno, lt or time, with proofs from the newest trusted masterchain block.

import { LRUCache } from 'lru-cache'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, shardHolds, WHOLE_SHARD } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, type BlockQuery, type LiteServer } from '../liteServer.ts'
import { ProofError, type ProvenBlock, verifyHeader, verifyLookup } from '../verify/index.ts'
import { SAMPLE } from './openTrust.ts'
import type { TrustedHead } from './trustOptions.ts'

/** Maximum proven masterchain blocks in the cache; each takes some kilobytes with its header. */
const MOST_KEPT = 512

/** The refusal of a server when the block was registered after the known masterchain block. */
const TOO_OLD = /older than block's masterchain ref/

export class BlockFinder {
  readonly #server: LiteServer
  readonly #trust: TrustedHead
  /** By seqno, of one branch of the chain. */
  readonly #kept = new LRUCache<number, ProvenBlock>({ max: MOST_KEPT })
  #branch = 0
  #count = 0

  constructor(server: LiteServer, trust: TrustedHead) {
    this.#server = server
    this.#trust = trust
  }

  /** Rejects with LiteError or ProofError. */
  async find(query: BlockQuery, options: ReadOptions = {}): Promise<ProvenBlock> {
    if (!this.#mustProve()) return await this.#unproven(query, options)
    const known = this.#trust.head ?? (await this.#trust.read(options))
    const seqno = 'seqno' in query && query.workchain === MASTERCHAIN ? query.seqno : null
    const branch = this.#trust.head?.branch ?? 0
    const found = seqno === null ? undefined : this.#keptOn(branch).get(seqno)
    if (found !== undefined) return found
    try {
      const proven = await this.#proven(query, known.id, options)
      if (seqno !== null && branch === this.#trust.head?.branch) this.#keptOn(branch).set(seqno, proven)
      return proven
    } catch (error) {
      const mayBeNewer = error instanceof LiteError && (error.isTransient || TOO_OLD.test(error.message))
      if (!mayBeNewer) throw error
      const { id } = await this.#trust.read(options)
      if (isSameBlock(id, known.id)) throw error
      return await this.#proven(query, id, options)
    }
  }

  #keptOn(branch: number): LRUCache<number, ProvenBlock> {
    if (branch !== this.#branch) this.#kept.clear()
    this.#branch = branch
    return this.#kept
  }

  /** Rejects with ProofError when a masterchain block is not on the trusted chain. */
  async demandOnChain(id: BlockIdExt, options: ReadOptions = {}): Promise<void> {
    const { head } = this.#trust
    if (head !== null && isSameBlock(head.id, id)) return
    const { id: own } = await this.find({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: id.seqno }, options)
    if (!isSameBlock(own, id)) throw new ProofError('link', `block ${id.seqno} is not one of the trusted chain`)
  }

  /** The key block whose configuration is in force after a masterchain block; null before the first one. */
  async keyBlockAt(id: BlockIdExt, options: ReadOptions = {}): Promise<BlockIdExt | null> {
    if (id.seqno === 0) return null
    const work = async (server: LiteServer): Promise<ProvenBlock> =>
      verifyHeader(id, await server.header(id, 0, options))
    const { info } = await attemptOn(this.#server, work, { ...options, about: id })
    if (info.keyBlock) return id
    const seqno = info.prevKeyBlockSeqno
    if (seqno === 0) return null
    return (await this.find({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, options)).id
  }

  #mustProve(): boolean {
    const { policy } = this.#trust
    if (policy !== 'sampled') return policy === 'full'
    return this.#count++ % SAMPLE === 0
  }

  #proven(query: BlockQuery, known: BlockIdExt, options: ReadOptions): Promise<ProvenBlock> {
    const work = async (server: LiteServer): Promise<ProvenBlock> =>
      verifyLookup(query, known, await server.lookupWithProof(query, known, options))
    return attemptOn(this.#server, work, { ...options, about: known })
  }

  #unproven(query: BlockQuery, options: ReadOptions): Promise<ProvenBlock> {
    const work = async (server: LiteServer): Promise<ProvenBlock> => {
      const answer = await server.lookup(query, 0, options)
      const { id } = answer
      const isShard = id.workchain === query.workchain && shardHolds(id.shard, query.shard)
      if (!isShard || ('seqno' in query && id.seqno !== query.seqno))
        throw new ProofError('answer', 'another block than the one looked for')
      return verifyHeader(id, answer)
    }
    return attemptOn(this.#server, work, options)
  }
}
