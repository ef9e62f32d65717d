// Verified reads that take several calls of one lite server.

import type { Cell } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import type { AccountId, BlockIdExt } from '../blockId.ts'
import type { QueueSizes, ReadOptions } from '../chain.ts'
import type { BlockHasher } from '../hashing/index.ts'
import type { ShardBlockProofAnswer } from '../liteAnswers.ts'
import { headerParts, type LiteServer } from '../liteServer.ts'
import {
  type ProvenBlock,
  readAhead,
  stateHashOf,
  type VerifiedAccount,
  verifyAccount,
  verifyHeader,
  verifyingBlock,
  verifyQueueSize,
  verifyShardBlockProof,
  verifyShards,
  verifyState,
} from '../verify/index.ts'
import type { BlockFinder } from './blockFinder.ts'

export class ServerReads {
  readonly server: LiteServer

  constructor(server: LiteServer) {
    this.server = server
  }

  async header(id: BlockIdExt, options: ReadOptions = {}): Promise<ProvenBlock> {
    return verifyHeader(id, await this.server.header(id, 0, options))
  }

  async account(id: BlockIdExt, account: AccountId, options: ReadOptions = {}): Promise<VerifiedAccount> {
    const answer = readAhead(await this.server.accountState(id, account, options), options)
    // Nearly every answer is small, and takes no turn of its own.
    const found = verifyAccount(id, account, answer instanceof Promise ? await answer : answer)
    if (found.block !== null) return found
    // No shard is responsible; that is true as of the masterchain block.
    const { info } = await this.header(id, options)
    return { ...found, utime: info.genUtime, lt: info.endLt }
  }

  /** Its bytes too; a large one is checked in pieces. */
  async block(id: BlockIdExt, hasher: BlockHasher, options: ReadOptions = {}) {
    const boc = await this.server.block(id, options)
    return { boc, whole: await inPieces(verifyingBlock(id, boc, await hasher.hashed(boc, id.fileHash))) }
  }

  async state(id: BlockIdExt, options: ReadOptions = {}): Promise<Cell> {
    const hash = await this.stateHash(id, options)
    const { data } = await readAhead(await this.server.state(id, options), options)
    return verifyState(id, hash, data)
  }

  async stateHash(id: BlockIdExt, options: ReadOptions): Promise<Uint8Array> {
    if (id.seqno === 0) return id.rootHash
    const header = await this.server.header(id, headerParts.stateUpdate, options)
    return Buffer.from(stateHashOf(verifyHeader(id, header)), 'latin1')
  }

  async queueSizes(id: BlockIdExt, options: ReadOptions = {}): Promise<QueueSizes> {
    const tops = verifyShards(id, await this.server.shards(id, options))
    const sizeOf = async (one: BlockIdExt) => ({
      id: one,
      size: verifyQueueSize(one, await this.server.blockQueueSize(one, true, options)),
    })
    // The limit is a setting of the server, not part of the chain.
    const [{ externalLimit }, ...sizes] = await Promise.all([
      this.server.queueSizes(id, options),
      ...[id, ...tops.map((top) => top.id)].map(sizeOf),
    ])
    return { sizes, externalLimit }
  }

  async shardBlock(id: BlockIdExt, finder: BlockFinder, options: ReadOptions = {}): Promise<ShardBlockProofAnswer> {
    const { server } = this
    const answer = await server.shardBlockProof(id, options)
    verifyShardBlockProof(answer.masterchainId, id, answer)
    await finder.demandOnChain(answer.masterchainId, { ...options, server })
    return answer
  }
}
