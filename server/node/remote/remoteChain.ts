// A chain read from lite servers. Every answer is checked against a masterchain block that is trusted, and trust is led
// from block to block by the signatures of validators.

import type { Cell } from '../../cell/index.ts'
import type { AccountId, BlockIdExt } from '../blockId.ts'
import type { Chain, ChainTraits, HeadReport, QueueSizes, ReadOptions, ShardBlockPath } from '../chain.ts'
import { LiteError } from '../errors.ts'
import { attemptOn, type BlockQuery, configParts, headerParts, type LiteServer } from '../liteServer.ts'
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
  verifyLookup,
  verifyPreviousBlocks,
  verifyQueueSize,
  verifyShardBlockProof,
  verifyShards,
  verifyState,
  verifyTransactions,
} from '../verify/index.ts'
import { TrustedHead } from './trustedHead.ts'

export interface RemoteChainOptions {
  /** The block trust begins with; when left out, the zerostate the server names, which is then the server's word. */
  readonly trusted?: BlockIdExt
  readonly messageLifetimeMs?: number
}

const MESSAGE_LIFETIME_MS = 30_000

/** A block was made between the two requests; the next head knows it. */
const TOO_OLD = /older than block's masterchain ref/

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

/** Proves the newest of the heads a server reports; those that come meanwhile are one more. */
function follow(server: LiteServer, trust: TrustedHead, listener: (report: HeadReport) => void): () => void {
  let reported = 0
  let running = false
  let again = false
  let isOver = false
  const prove = async (): Promise<void> => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      try {
        const { id } = await trust.read()
        if (!isOver && id.seqno > reported) listener({ kind: 'head', id })
        reported = Math.max(reported, id.seqno)
      } catch (error) {
        if (!isOver) listener({ kind: 'lost', reason: error instanceof Error ? error.message : String(error) })
      }
    } while (again && !isOver)
    running = false
  }
  const stop = server.onHead(() => void prove())
  return () => {
    isOver = true
    stop()
  }
}

/** The chain behind a lite server, believed only as far as it is proven. */
export function createRemoteChain(source: LiteServer, options: RemoteChainOptions = {}): Chain {
  const { trusted = null, messageLifetimeMs = MESSAGE_LIFETIME_MS } = options
  const traits: ChainTraits = { canRewind: false, firstSeqno: null, messageLifetimeMs, isPublic: true }
  const trust = new TrustedHead(source, trusted)
  /** One verb: calls and their proofs belong together, so that a proof that fails is asked for elsewhere. */
  const on = <T>(
    about: BlockIdExt | undefined,
    read: ReadOptions | undefined,
    work: (reads: ServerReads) => Promise<T>,
  ): Promise<T> => attemptOn(source, (server) => work(new ServerReads(server)), { ...read, about })
  const lookup = async (query: BlockQuery, read?: ReadOptions): Promise<ProvenBlock> => {
    const { id } = await trust.read(read)
    return await on(id, read, async ({ server }) =>
      verifyLookup(query, id, await server.lookupWithProof(query, id, read)),
    )
  }
  return {
    traits,
    proofs: {
      stepsBack: (from, to, read = {}) => on(from, read, ({ server }) => stepsBack(server, from, to, read)),
      signatures: (id, read = {}) =>
        on(id, read, async (one) => signaturesOf(one.server, await one.header(id, read), read)),
      shardBlock: (id, read) => on(id, read, (one) => one.shardBlock(id, read)),
    },
    head: (read) => trust.read(read),
    async find(query, read) {
      try {
        return await lookup(query, read)
      } catch (error) {
        if (error instanceof LiteError && TOO_OLD.test(error.message)) return await lookup(query, read)
        throw error
      }
    },
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
    onHead: (listener) => follow(source, trust, listener),
  }
}
