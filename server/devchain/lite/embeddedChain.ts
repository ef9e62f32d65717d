// The embedded chain as a `Chain`, read from its own cells. Proofs are made only for the few callers that pass them on.

import { hashFromBytes } from '../../cell/index.ts'
import {
  type BlockIdExt,
  type Chain,
  type ChainProofs,
  type ChainTraits,
  LiteError,
  type ReadOptions,
  signaturesOf,
  stepsBack,
  verifyShardBlockProof,
} from '../../node/index.ts'
import { MessageRefused } from '../mempool/index.ts'
import { proveWay, wayBetween } from './blockProof.ts'
import { ChainReads } from './chainReads.ts'
import { ChainSource, type LiteChain } from './chainSource.ts'
import { shardBlockProof } from './shardProof.ts'

/** Blocks may be mined by hand, so that a message may wait for as long as its author likes. */
const MESSAGE_LIFETIME_MS = 600_000

const TRAITS: ChainTraits = {
  canRewind: true,
  firstSeqno: 1,
  messageLifetimeMs: MESSAGE_LIFETIME_MS,
  isPublic: false,
}

function proofsOf(source: ChainSource, reads: ChainReads): ChainProofs {
  const prover = {
    blockProof: async (known: BlockIdExt, target: BlockIdExt | null, mode = 0) =>
      await proveWay(source, wayBetween(source, known, target, mode)),
  }
  return {
    stepsBack: (from, to, options = {}) => stepsBack(prover, from, to, options),
    signatures: async (id, options = {}) => signaturesOf(prover, await reads.block(id), options),
    async shardBlock(id) {
      const answer = await shardBlockProof(source, id)
      verifyShardBlockProof(answer.masterchainId, id, answer)
      return answer
    },
  }
}

async function send(chain: LiteChain, message: Uint8Array, { share }: ReadOptions = {}): Promise<void> {
  try {
    await chain.send(message, share)
  } catch (cause) {
    throw cause instanceof MessageRefused ? new LiteError('failed', cause.message, { cause }) : cause
  }
}

/** A caller that has gone is not answered. */
function present<T>(options: ReadOptions | undefined, read: () => Promise<T>): Promise<T> {
  if (options?.signal?.aborted === true)
    return Promise.reject(new LiteError('cancelled', 'the query was cancelled', { cause: options.signal.reason }))
  return read()
}

/** The chain in this process. */
export function createEmbeddedChain(chain: LiteChain): Chain {
  const source = new ChainSource(chain)
  const reads = new ChainReads(source)
  return {
    traits: TRAITS,
    proofs: proofsOf(source, reads),
    head: (options) => present(options, async () => reads.head()),
    find: (query, options) => present(options, () => reads.find(query)),
    idOf: (query, options) => present(options, async () => (await reads.find(query)).id),
    header: (id, options) => present(options, () => reads.header(id)),
    block: (id, options) => present(options, () => reads.until(options).block(id)),
    state: (id, options) => present(options, () => reads.until(options).state(id)),
    account: (id, account, options) => present(options, () => reads.until(options).account(id, account)),
    transactions: (query, options) => present(options, () => reads.until(options).transactions(query, options)),
    listTransactions: (id, query, options) => present(options, () => reads.until(options).listTransactions(id, query)),
    blockTransactions: (id, query, options) =>
      present(options, () => reads.until(options).blockTransactions(id, query)),
    config: (id, wanted, options) => present(options, () => reads.until(options).config(id, wanted)),
    previousBlocks: (id, options) => present(options, () => reads.until(options).previousBlocks(id)),
    libraries: (hashes, options) => present(options, () => reads.libraries(hashes, options)),
    shards: (id, options) => present(options, () => reads.shards(id)),
    queueSizes: (id, options) => present(options, () => reads.until(options).queueSizes(id)),
    send: (message, options) => present(options, () => send(chain, message, options)),
    waits: (hashNorm) => chain.pending.waiting(hashFromBytes(hashNorm)) !== undefined,
    movedTo: () => chain.movedTo?.() ?? 0,
    onHead: (listener) => chain.onHead(({ master }) => listener({ kind: 'head', id: master.id })),
  }
}
