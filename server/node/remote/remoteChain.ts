// A chain read from lite servers. Every answer is checked against a masterchain block that is trusted, and trust is led
// from block to block by the signatures of validators.

import type { Cell } from '../../cell/index.ts'
import type { AccountId, BlockIdExt } from '../blockId.ts'
import type { Chain, ChainTraits, QueueSizes, ReadOptions, ShardBlockPath } from '../chain.ts'
import { attemptOn, configParts, headerParts, type LiteServer } from '../liteServer.ts'
import { signaturesOf, stepsBack } from '../proofSteps.ts'
import {
  type ProvenBlock,
  stateHashOf,
  type VerifiedAccount,
  verifyAccount,
  verifyBlock,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyConfig,
  verifyHeader,
  verifyLibrariesWithProof,
  verifyPreviousBlocks,
  verifyQueueSize,
  verifyShardBlockProof,
  verifyShards,
  verifyState,
  verifyTransactions,
} from '../verify/index.ts'
import { BlockFinder } from './blockFinder.ts'
import { HeadFollower } from './headFollower.ts'
import { Trust } from './trust.ts'

export interface RemoteChainOptions {
  /** What is believed of the chain; by default the zerostate the server names first. */
  readonly trust?: Trust
  readonly messageLifetimeMs?: number
}

const MESSAGE_LIFETIME_MS = 30_000

/** What takes several calls of one server. */
class ServerReads {
  readonly server: LiteServer

  constructor(server: LiteServer) {
    this.server = server
  }

  async header(id: BlockIdExt, options: ReadOptions = {}): Promise<ProvenBlock> {
    return verifyHeader(id, await this.server.header(id, 0, options))
  }

  async account(id: BlockIdExt, account: AccountId, options: ReadOptions = {}): Promise<VerifiedAccount> {
    const found = verifyAccount(id, account, await this.server.accountState(id, account, options))
    if (found.block !== null) return found
    // No shard is responsible; that is true as of the masterchain block.
    const { info } = await this.header(id, options)
    return { ...found, utime: info.genUtime, lt: info.endLt }
  }

  async state(id: BlockIdExt, options: ReadOptions = {}): Promise<Cell> {
    return verifyState(id, await this.#stateHash(id, options), (await this.server.state(id, options)).data)
  }

  async #stateHash(id: BlockIdExt, options: ReadOptions): Promise<Uint8Array> {
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

  async shardBlock(id: BlockIdExt, options: ReadOptions = {}): Promise<ShardBlockPath> {
    const answer = await this.server.shardBlockProof(id, options)
    verifyShardBlockProof(answer.masterchainId, id, answer)
    return answer
  }
}

/** The chain behind a lite server, believed only as far as it is proven. */
export function createRemoteChain(source: LiteServer, options: RemoteChainOptions = {}): Chain {
  const { trust = new Trust(source), messageLifetimeMs = MESSAGE_LIFETIME_MS } = options
  const traits: ChainTraits = { canRewind: false, firstSeqno: null, messageLifetimeMs, isPublic: true }
  const finder = new BlockFinder(source, trust)
  const follower = new HeadFollower(source, trust)
  /** One verb: calls and their proofs belong together, so that a proof that fails is asked for elsewhere. */
  const on = <T>(
    about: BlockIdExt | undefined,
    read: ReadOptions | undefined,
    work: (reads: ServerReads) => Promise<T>,
  ): Promise<T> => attemptOn(source, (server) => work(new ServerReads(server)), { ...read, about })
  return {
    traits,
    proofs: {
      stepsBack: (from, to, read = {}) => on(from, read, ({ server }) => stepsBack(server, from, to, read)),
      signatures: (id, read = {}) =>
        on(id, read, async (one) => signaturesOf(one.server, await one.header(id, read), read)),
      async shardBlock(id, read) {
        const path = await on(id, read, (one) => one.shardBlock(id, read))
        await finder.demandOnChain(path.masterchainId, read)
        return path
      },
    },
    head: (read) => trust.read(read),
    find: (query, read) => finder.find(query, read),
    header: (id, read) => on(id, read, (one) => one.header(id, read)),
    block: (id, read) => on(id, read, async ({ server }) => verifyBlock(id, await server.block(id, read))),
    state: (id, read) => on(id, read, (one) => one.state(id, read)),
    account: (id, account, read) => on(id, read, (one) => one.account(id, account, read)),
    transactions: ({ account, lt, hash, count }, read) =>
      on(undefined, read, async ({ server }) =>
        verifyTransactions(account, { lt, hash, count }, await server.transactions(account, lt, hash, count, read)),
      ),
    listTransactions(id, query, read) {
      const proven = { ...query, wantProof: true }
      return on(id, read, async ({ server }) =>
        verifyBlockTransactions(id, proven, await server.listTransactions(id, proven, read)),
      )
    },
    blockTransactions(id, query, read) {
      const proven = { ...query, wantProof: true }
      return on(id, read, async ({ server }) =>
        verifyBlockTransactionsExt(id, proven, await server.listTransactionsExt(id, proven, read)),
      )
    },
    config: (id, wanted, read) =>
      on(id, read, async ({ server }) => verifyConfig(id, wanted, await server.config(id, wanted, 0, read))),
    previousBlocks: (id, read) =>
      on(id, read, async ({ server }) =>
        verifyPreviousBlocks(id, await server.config(id, [], configParts.previousBlocks, read)),
      ),
    async libraries(hashes, read) {
      const { id } = await trust.read(read)
      return await on(id, read, async ({ server }) =>
        verifyLibrariesWithProof(id, hashes, await server.librariesWithProof(id, hashes, 0, read)),
      )
    },
    shards: (id, read) => on(id, read, async ({ server }) => verifyShards(id, await server.shards(id, read))),
    queueSizes: (id, read) => on(id, read, (one) => one.queueSizes(id, read)),
    send: (message, read) => source.send(message, read),
    onHead: (listener) => follower.follow(listener),
  }
}
