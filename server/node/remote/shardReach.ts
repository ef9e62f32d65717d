// Which blocks of shards exist for certain: those up to the newest ones that the trusted head registers. They are looked for at
// more servers, since few keep old blocks.

import { aboutBlock, withFound } from '../aboutBlock.ts'
import { MASTERCHAIN, shardHolds } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { type AttemptOptions, attemptOn, type BlockQuery, type LiteServer } from '../liteServer.ts'
import { ProofError, verifyShards } from '../verify/index.ts'
import type { ProvenHead, TrustedHead } from './trustOptions.ts'

type Tops = ReturnType<typeof verifyShards>

interface Reach {
  readonly head: ProvenHead
  readonly tops: Promise<Tops>
}

export class ShardReach {
  readonly #server: LiteServer
  readonly #trust: Pick<TrustedHead, 'head'>
  /** Read once for each head, however many callers look for blocks that do not exist. */
  #newest: Reach | null = null
  #known: { readonly branch: number; readonly tops: Tops } | null = null

  constructor(server: LiteServer, trust: Pick<TrustedHead, 'head'>) {
    this.#server = server
    this.#trust = trust
  }

  /** Does the work of a look-up. Where the servers that were called lack a block that exists, it is done again at more of them. */
  async search<T>(query: BlockQuery, read: ReadOptions, work: (read: AttemptOptions) => Promise<T>): Promise<T> {
    const sure = withFound(read, { exists: true, lt: 'lt' in query ? query.lt : undefined })
    if (this.#covers(query)) return await work(sure)
    try {
      return await work(read)
    } catch (error) {
      const isMissing = error instanceof LiteError && error.isMissing
      if (!isMissing || !(await this.#read(read)) || !this.#covers(query)) throw error
      return await work(sure)
    }
  }

  #covers(query: BlockQuery): boolean {
    if (this.#known === null || this.#known.branch !== this.#trust.head?.branch) return false
    return this.#known.tops.some(({ id, description }) => {
      if ('lt' in query && query.workchain === MASTERCHAIN) return query.lt <= description.endLt
      // As answers are checked: the shard of a query is a prefix of accounts, such as 0 or a shard that was split.
      if (id.workchain !== query.workchain || !shardHolds(id.shard, query.shard)) return false
      if ('seqno' in query) return query.seqno > 0 && query.seqno <= id.seqno
      return 'lt' in query ? query.lt <= description.endLt : query.utime <= description.genUtime
    })
  }

  /** Reads the newest blocks of the shards; false when they cannot be read. */
  async #read({ timeoutMs, signal, share }: ReadOptions): Promise<boolean> {
    const { head } = this.#trust
    if (head === null) return false
    if (this.#newest?.head !== head) {
      const work = async (server: LiteServer): Promise<Tops> => verifyShards(head.id, await server.shards(head.id))
      this.#newest = { head, tops: attemptOn(this.#server, work, aboutBlock({ timeoutMs, share }, head.id)) }
    }
    const { tops } = this.#newest
    try {
      this.#known = { branch: head.branch, tops: await tops }
    } catch (error) {
      if (error instanceof LiteError || error instanceof ProofError) return false
      throw error
    }
    return signal?.aborted !== true
  }
}
