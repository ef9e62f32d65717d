// Accounts of a remote chain. The first read at a masterchain block proves which block it registers for the account's
// shard; later reads name that block, which halves the proof a server has to make and we have to check.

import { LRUCache } from 'lru-cache'
import { aboutBlock } from '../aboutBlock.ts'
import { type AccountId, type BlockIdExt, isInShard, isSameBlock, MASTERCHAIN } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { type AttemptOptions, attemptOn, type LiteServer } from '../liteServer.ts'
import type { VerifiedAccount } from '../verify/index.ts'
import { ServerReads } from './serverReads.ts'
import { cachedBlockKey } from './verifiedCache.ts'

/** Masterchain blocks whose shards are known; each has up to 64. */
const MOST_KEPT = 256

export class RemoteAccounts {
  readonly #server: LiteServer
  readonly #tops = new LRUCache<string, BlockIdExt[]>({ max: MOST_KEPT })

  constructor(server: LiteServer) {
    this.#server = server
  }

  /** Rejects with LiteError or ProofError. */
  async read(id: BlockIdExt, account: AccountId, options: ReadOptions = {}): Promise<VerifiedAccount> {
    const isDirect = id.workchain !== MASTERCHAIN || account.workchain === MASTERCHAIN
    if (isDirect) return await this.#at(id, account, aboutBlock(options, id))
    const key = cachedBlockKey(id)
    const top = this.#tops
      .get(key)
      ?.find(({ workchain, shard }) => workchain === account.workchain && isInShard(shard, account.hash))
    if (top !== undefined) {
      try {
        return await this.#at(top, account, aboutBlock(options, id))
      } catch (error) {
        // Its shards lag, or it has masterchain blocks only.
        const mayKnowMaster = error instanceof LiteError && (error.isMissing || error.kind === 'badQuery')
        if (!mayKnowMaster) throw error
      }
    }
    const found = await this.#at(id, account, aboutBlock(options, id))
    if (found.block !== null) this.#keep(key, found.block)
    return found
  }

  #at(block: BlockIdExt, account: AccountId, options: AttemptOptions): Promise<VerifiedAccount> {
    return attemptOn(this.#server, (server) => new ServerReads(server).account(block, account, options), options)
  }

  #keep(key: string, top: BlockIdExt): void {
    const tops = this.#tops.get(key) ?? []
    if (!tops.some((one) => isSameBlock(one, top))) this.#tops.set(key, [...tops, top])
  }
}
