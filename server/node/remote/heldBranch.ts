// The branch of the newest proven block. Validators that sign two blocks of one height make two histories, and each of them is
// proven. The branch that was seen first is held while a server may have it: readers must not be sent back and forth.

import { LRUCache } from 'lru-cache'
import { type BlockIdExt, blockText, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { eachOf, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { OLD_BLOCKS } from '../pool/index.ts'
import { verifyLookup } from '../verify/index.ts'
import { namingVerb, type QueriedClaim } from './proofWalk.ts'
import { cachedBlockKey } from './verifiedCache.ts'

/** Another branch that a server is on. */
export interface Fork {
  /** Which blocks differ, and who has them. */
  readonly text: string
  /** Whether a server that answers has the held block. */
  readonly isServed: boolean
}

interface SeenFork extends Fork {
  readonly at: number
}

interface HeldBranchParts {
  readonly server: LiteServer
  /** Milliseconds; only differences count. */
  readonly clock: () => number
  /** Called for each fork now and then. */
  readonly onFork: (text: string) => void
  readonly onRevert: () => void
}

const MOST_REFUSED = 256
/** A block of another branch is checked again after this time: the held one may be gone by then. */
const REFUSED_MS = 5_000
const FORGET_MS = 60_000
const ASK_MS = 3_000

const hashOf = ({ rootHash }: BlockIdExt): string => Buffer.from(rootHash).toString('base64')

export class HeldBranch {
  readonly #parts: HeldBranchParts
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED, ttl: REFUSED_MS })
  #fork: SeenFork | null = null
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(parts: HeldBranchParts) {
    this.#parts = parts
  }

  /** The other branch that was seen last; null when none was seen for a minute. */
  get fork(): Fork | null {
    const isRecent = this.#fork !== null && this.#parts.clock() - this.#fork.at < FORGET_MS
    return isRecent ? this.#fork : null
  }

  /** Whether a block was found to be on another branch a moment ago. */
  refuses(id: BlockIdExt): boolean {
    return this.#refused.has(cachedBlockKey(id))
  }

  /**
   * The block that a claim has in place of the held one; null when it continues it. `mayAsk`: whether blocks between them
   * may be requested from the server. Rejects with LiteError or ProofError.
   */
  async rival(claim: QueriedClaim, held: BlockIdExt, mayAsk: boolean, options: ReadOptions) {
    const own = await this.#blockAt(claim, held.seqno, mayAsk, options)
    return own === null || isSameBlock(own, held) ? null : own
  }

  async #blockAt(
    { server, id, header }: QueriedClaim,
    seqno: number,
    mayAsk: boolean,
    options: ReadOptions,
  ): Promise<BlockIdExt | null> {
    const place = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
    if (id.seqno === seqno) return id
    // A block further back is looked up beside the header: where servers are slow, one call after the other takes twice as long.
    if (!mayAsk || id.seqno === seqno + 1) {
      const [before] = (await header).info.previous
      if (before.seqno === seqno) return { ...place, seqno, rootHash: before.rootHash, fileHash: before.fileHash }
      if (!mayAsk) return null
    }
    const query = { ...place, seqno }
    try {
      const look = async () => verifyLookup(query, id, await server.lookupWithProof(query, id, options))
      return (await namingVerb('lookupWithProof', look)).id
    } catch (error) {
      const isGone = error instanceof LiteError && error.isMissing && id.seqno - seqno > OLD_BLOCKS
      if (isGone) return null
      throw error
    }
  }

  /**
   * Whether a held block is gone: all servers answer, and none has it or is as far. `id` is then followed, when it is proven.
   * To be called for a block that servers have had time to get.
   */
  async isGone(held: BlockIdExt, id: BlockIdExt, signal: AbortSignal): Promise<boolean> {
    const { isGone } = await this.#holders(async (server, options) => {
      // A call about a block that is next would wait for it.
      const { last } = await server.masterchainInfo(options)
      if (last.seqno < held.seqno) throw new LiteError('notReady', `block ${held.seqno} is not there yet`)
      return await server.header(held, 0, options)
    }, signal)
    if (isGone)
      this.#revert(
        `block ${blockText(held)} is ${hashOf(held)} no more at any lite server; block ${blockText(id)} is followed from now on`,
      )
    return isGone
  }

  #revert(text: string): void {
    this.#parts.onFork(`the chain was reverted: ${text}`)
    this.#parts.onRevert()
  }

  async #holders(read: (server: LiteServer, options: LiteOptions) => Promise<unknown>, signal: AbortSignal) {
    const options = { timeoutMs: ASK_MS, signal }
    const answers = await eachOf(this.#parts.server, async (server) => read(server, options))
    const isMissing = (error: unknown): boolean => error instanceof LiteError && error.isMissing
    const having = answers.flatMap(({ name, error }) => (error === null ? [name] : []))
    const lacking = answers.flatMap(({ name, error }) => (isMissing(error) ? [name] : []))
    return { having, lacking, isGone: answers.length > 0 && lacking.length === answers.length }
  }

  /** Whether the held block has to give way: all servers answer, and none has it any more. Else the claim is refused. */
  async yields(id: BlockIdExt, held: BlockIdExt, rival: BlockIdExt, signal: AbortSignal): Promise<boolean> {
    const { having, lacking, isGone } = await this.#holders(
      (server, options) => server.header(held, 0, options),
      signal,
    )
    const heldText = `block ${blockText(held)} is ${hashOf(held)}`
    if (isGone) {
      this.#revert(`${heldText} no more at any lite server but ${hashOf(rival)}, which is followed from now on`)
      return true
    }
    this.#refused.set(cachedBlockKey(id), true)
    const where = having.length > 0 ? `at ${having.join(', ')}` : 'at none that answers'
    const text =
      `the lite servers are on different forks, each signed by the validators: ${heldText} ${where}, which is held, and ` +
      `${hashOf(rival)} at ${lacking.join(', ')}: find out which of them is the network's, and use only servers that have it`
    this.#fork = { text, isServed: having.length > 0, at: this.#parts.clock() }
    if (this.#parts.clock() - this.#loggedAt >= FORGET_MS) {
      this.#loggedAt = this.#parts.clock()
      this.#parts.onFork(text)
    }
    return false
  }
}
