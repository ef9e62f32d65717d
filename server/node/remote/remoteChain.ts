// A chain read from lite servers. Every answer is checked against a masterchain block that is trusted, and trust is led
// from block to block by the signatures of validators.

import type { BlockIdExt } from '../blockId.ts'
import type { Chain, ChainProofs, ChainTraits, HeadReport, QueueSizes, ReadOptions } from '../chain.ts'
import { LiteError } from '../errors.ts'
import { type BlockQuery, configParts, headerParts, type LiteServer } from '../liteServer.ts'
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

class Reads {
  readonly server: LiteServer
  readonly trust: TrustedHead

  constructor(server: LiteServer, trust: TrustedHead) {
    this.server = server
    this.trust = trust
  }

  async find(query: BlockQuery, options: ReadOptions = {}): Promise<ProvenBlock> {
    const lookup = async (): Promise<ProvenBlock> => {
      const { id } = await this.trust.read(options)
      return verifyLookup(query, id, await this.server.lookupWithProof(query, id, options))
    }
    try {
      return await lookup()
    } catch (error) {
      if (error instanceof LiteError && TOO_OLD.test(error.message)) return await lookup()
      throw error
    }
  }

  async header(id: BlockIdExt, options: ReadOptions = {}): Promise<ProvenBlock> {
    return verifyHeader(id, await this.server.header(id, 0, options))
  }

  async account(id: BlockIdExt, account: Parameters<Chain['account']>[1], options: ReadOptions = {}) {
    const found: VerifiedAccount = verifyAccount(id, account, await this.server.accountState(id, account, options))
    if (found.block !== null) return found
    // No shard is responsible; that is true as of the masterchain block.
    const { info } = await this.header(id, options)
    return { ...found, utime: info.genUtime, lt: info.endLt }
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
}

function proofsOf({ server, header }: { server: LiteServer; header: Reads['header'] }): ChainProofs {
  return {
    stepsBack: (from, to, options = {}) => stepsBack(server, from, to, options),
    signatures: async (id, options = {}) => signaturesOf(server, await header(id, options), options),
    async shardBlock(id, options) {
      const answer = await server.shardBlockProof(id, options)
      verifyShardBlockProof(answer.masterchainId, id, answer)
      return answer
    },
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
export function createRemoteChain(server: LiteServer, options: RemoteChainOptions = {}): Chain {
  const { trusted = null, messageLifetimeMs = MESSAGE_LIFETIME_MS } = options
  const traits: ChainTraits = { canRewind: false, firstSeqno: null, messageLifetimeMs, isPublic: true }
  const trust = new TrustedHead(server, trusted)
  const reads = new Reads(server, trust)
  return {
    traits,
    proofs: proofsOf({ server, header: (id, read) => reads.header(id, read) }),
    head: (read) => trust.read(read),
    find: (query, read) => reads.find(query, read),
    header: (id, read) => reads.header(id, read),
    block: async (id, read) => verifyBlock(id, await server.block(id, read)),
    state: async (id, read = {}) =>
      verifyState(id, await reads.stateHash(id, read), (await server.state(id, read)).data),
    account: (id, account, read) => reads.account(id, account, read),
    async transactions({ account, lt, hash, count }, read) {
      return verifyTransactions(account, { lt, hash, count }, await server.transactions(account, lt, hash, count, read))
    },
    async listTransactions(id, query, read) {
      const proven = { ...query, wantProof: true }
      return verifyBlockTransactions(id, proven, await server.listTransactions(id, proven, read))
    },
    async blockTransactions(id, query, read) {
      const proven = { ...query, wantProof: true }
      return verifyBlockTransactionsExt(id, proven, await server.listTransactionsExt(id, proven, read))
    },
    config: async (id, wanted, read) => verifyConfig(id, wanted, await server.config(id, wanted, 0, read)),
    previousBlocks: async (id, read) =>
      verifyPreviousBlocks(id, await server.config(id, [], configParts.previousBlocks, read)),
    async libraries(hashes, read) {
      const { id } = await trust.read(read)
      return verifyLibrariesWithProof(id, hashes, await server.librariesWithProof(id, hashes, 0, read))
    },
    shards: async (id, read) => verifyShards(id, await server.shards(id, read)),
    queueSizes: (id, read) => reads.queueSizes(id, read),
    send: (message, read) => server.send(message, read),
    onHead: (listener) => follow(server, trust, listener),
  }
}
