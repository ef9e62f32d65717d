// The embedded chain as a lite server.

import { ownerOfSignal } from '../../fairness/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  chainParts,
  type ListQuery,
  type LiteOptions,
  type LiteServer,
  type MethodQuery,
} from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { PreviousBlocksText } from '../collate/index.ts'
import { accountAtOnce, proveAccountState } from './accounts.ts'
import { proveWay, wayBetween } from './blockProof.ts'
import { blockBytes, blockRoot, find, header, stateBytes } from './blocks.ts'
import { ChainSource, type LiteChain } from './chainSource.ts'
import { config } from './config.ts'
import { dispatchMessages, dispatchQueues } from './dispatchQueue.ts'
import { Heads } from './heads.ts'
import { DEFAULT_KEPT_BYTES, type KeyPart, LiteAnswerCache } from './liteAnswerCache.ts'
import { masterchainInfo } from './masterchainInfo.ts'
import { runLiteMethod } from './runMethod.ts'
import { sendMessage } from './sendMessage.ts'
import { findFor, lookupWithProof, shardBlockProof } from './shardProof.ts'
import { shardInfo, shards } from './shards.ts'
import { blockQueueSize, libraries, librariesWithProof, queueSizes, validatorStats } from './stateParts.ts'
import { listTransactions, listTransactionsExt, oneTransaction, proveTransactions } from './transactions.ts'

export interface DevchainLiteServerOptions {
  /** Runs get-methods; shared, and closed by its creator. */
  readonly pool: TvmPool
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Bytes of cached answers; 0: no cache. */
  readonly keptBytes?: number
}

export interface DevchainLiteServer extends LiteServer {
  readonly kind: 'devchain'
  /** Stops following the chain; the chain continues. */
  close(): void
}

const idKey = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): KeyPart[] => [
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
]
const accountKey = ({ workchain, hash }: AccountId): KeyPart[] => [workchain, hash]
const methodKey = ({ account, methodId, params, mode }: MethodQuery): KeyPart[] => [
  ...accountKey(account),
  methodId,
  params,
  mode,
]
const listKey = ({ count, after, reverse, wantProof }: ListQuery): KeyPart[] => [
  count,
  after?.account,
  after?.lt,
  reverse === true,
  wantProof === true,
]

/** Of the options, who the caller is. */
const callerOf = ({ signal, share }: LiteOptions = {}): Pick<LiteOptions, 'signal' | 'share'> => ({
  ...(signal === undefined ? {} : { signal }),
  ...(share === undefined ? {} : { share }),
})

/** What all verbs answer from. */
interface Answering {
  readonly source: ChainSource
  readonly pool: TvmPool
  /** Waits for the block the options name, then answers, from the chain as it is read for this caller. */
  readonly fresh: <T>(options: LiteOptions | undefined, answer: (source: ChainSource) => T) => Promise<Awaited<T>>
  /** The same from the cache, where it has the answer. */
  readonly cached: <T extends object>(
    options: LiteOptions | undefined,
    key: readonly KeyPart[],
    answer: (source: ChainSource) => Promise<T>,
  ) => Promise<Awaited<T>>
  /** The same where a lookup in the chain has to find first what the answer is about. */
  readonly found: <Found, T extends object>(
    options: LiteOptions | undefined,
    query: FoundQuery<Found, T>,
  ) => Promise<Awaited<T>>
}

interface FoundQuery<Found, T> {
  /** Throws LiteError. */
  readonly find: (source: ChainSource) => Found
  readonly key: (found: Found) => readonly KeyPart[]
  readonly answer: (source: ChainSource, found: Found) => Promise<T>
}

const blockVerbs = ({ fresh, cached, found }: Answering) =>
  ({
    lookup: (query, mode = 0, options) =>
      found(options, {
        find: (source) => find(source, query).id,
        key: (id) => ['header', ...idKey(id), mode],
        answer: (source, id) => header(source, id, mode),
      }),
    lookupWithProof: (query, known, options) =>
      found(options, {
        find: (source) => findFor(source, query, known),
        // Many times and logical times are of one block.
        key: ({ mode, target }) => ['lookup', mode, ...idKey(target.id), ...idKey(known)],
        answer: lookupWithProof,
      }),
    header: (id, mode = 0, options) =>
      cached(options, ['header', ...idKey(id), mode], (source) => header(source, id, mode)),
    block: (id, options) => fresh(options, (source) => blockBytes(source, id)),
    blockRoot: (id, options) => fresh(options, (source) => blockRoot(source, id)),
    shards: (id, options) => cached(options, ['shards', ...idKey(id)], (source) => shards(source, id)),
    shardInfo: (id, query, options) =>
      cached(options, ['shard', ...idKey(id), query.workchain, query.shard, query.exact], (source) =>
        shardInfo(source, id, query),
      ),
    blockProof: (known, target, mode = chainParts.nearReference, options) =>
      found(options, {
        find: (source) => wayBetween(source, known, target, mode),
        // Some clients ask for the way to the newest block before each call of theirs.
        key: ({ from, target: to, reference }) => ['way', ...[from, to, reference].flatMap(({ id }) => idKey(id))],
        answer: proveWay,
      }),
    shardBlockProof: (id, options) =>
      cached(options, ['shardProof', ...idKey(id)], (source) => shardBlockProof(source, id)),
  }) satisfies Partial<LiteServer>

function accountVerbs({ source: own, pool, cached }: Answering) {
  const tools = { pool, previousBlocks: new PreviousBlocksText() }
  /** An account of a forked network is in one of the next blocks: what is proven is what the given block has. */
  const bring = ({ workchain, hash }: AccountId, { share, signal }: LiteOptions = {}): void =>
    void own.chain.fork?.bring([{ workchain, id: hash }], [], share ?? ownerOfSignal(signal)).catch(() => undefined)
  const provenState: LiteServer['accountState'] = (id, account, options) => {
    bring(account, options)
    return cached(options, ['account', ...idKey(id), ...accountKey(account)], (source) =>
      proveAccountState(source, id, account, false),
    )
  }
  const accountState = Object.assign(provenState, {
    atOnce: (id: BlockIdExt, account: AccountId) => (own.chain.fork === null ? accountAtOnce(own, id, account) : null),
  })
  return {
    accountState,
    accountStatePruned: (id, account, options) =>
      cached(options, ['pruned', ...idKey(id), ...accountKey(account)], (source) =>
        proveAccountState(source, id, account, true),
      ),
    runMethod: (id, query, options) => {
      bring(query.account, options)
      return cached(options, ['run', ...idKey(id), ...methodKey(query)], (source) =>
        runLiteMethod(source, tools, { id, ...query }, callerOf(options)),
      )
    },
  } satisfies Partial<LiteServer>
}

const transactionVerbs = ({ cached }: Answering) =>
  ({
    transactions: (query, options) =>
      cached(options, ['transactions', ...accountKey(query.account), query.lt, query.hash, query.count], (source) =>
        proveTransactions(source, query),
      ),
    oneTransaction: (id, { account, lt }, options) =>
      cached(options, ['transaction', ...idKey(id), ...accountKey(account), lt], (source) =>
        oneTransaction(source, id, account, lt),
      ),
    listTransactions: (id, query, options) =>
      cached(options, ['list', ...idKey(id), ...listKey(query)], (source) => listTransactions(source, id, query)),
    listTransactionsExt: (id, query, options) =>
      cached(options, ['listExt', ...idKey(id), ...listKey(query)], (source) => listTransactionsExt(source, id, query)),
  }) satisfies Partial<LiteServer>

const stateVerbs = ({ fresh, cached }: Answering) =>
  ({
    state: (id, options) => fresh(options, (source) => stateBytes(source, id)),
    config: (id, params, mode = 0, options) =>
      cached(options, ['config', ...idKey(id), String(params), mode], (source) => config(source, id, params, mode)),
    validatorStats: (id, query, options) => fresh(options, (source) => validatorStats(source, id, query)),
    libraries: (hashes, options) => fresh(options, (source) => libraries(source, hashes)),
    librariesWithProof: (id, hashes, mode = 0, options) =>
      fresh(options, (source) => librariesWithProof(source, id, hashes, mode)),
    queueSizes: (shard, options) => fresh(options, (source) => queueSizes(source, shard)),
    blockQueueSize: (id, wantProof = false, options) =>
      fresh(options, (source) => blockQueueSize(source, id, wantProof)),
    dispatchQueues: (id, query, options) => fresh(options, (source) => dispatchQueues(source, id, query)),
    dispatchMessages: (id, query, options) => fresh(options, (source) => dispatchMessages(source, id, query)),
  }) satisfies Partial<LiteServer>

/** The embedded chain in the verbs of lite servers, with all proofs. */
export function createDevchainLiteServer(
  chain: LiteChain,
  { pool, now = Date.now, keptBytes = DEFAULT_KEPT_BYTES }: DevchainLiteServerOptions,
): DevchainLiteServer {
  const source = new ChainSource(chain)
  const heads = new Heads(chain)
  const cache = new LiteAnswerCache(keptBytes)
  const stopClearing = chain.onHead(({ reorg }) => {
    if (reorg !== null) cache.clear()
  })
  const fresh = async <T>(
    options: LiteOptions | undefined,
    answer: (source: ChainSource) => T,
  ): Promise<Awaited<T>> => {
    if (options === undefined) return await answer(source)
    const waiting = heads.wait(options)
    if (waiting !== null) await waiting
    return await answer(source.until(options))
  }
  const cached: Answering['cached'] = (options, key, answer) =>
    fresh(options, (own) => cache.getOrMake(key, () => answer(own), options))
  const found: Answering['found'] = (options, query) =>
    fresh(options, (own) => {
      const what = query.find(own)
      return cache.getOrMake(query.key(what), () => query.answer(own, what), options)
    })
  const answering: Answering = { source, pool, fresh, cached, found }
  return {
    kind: 'devchain',
    masterchainInfo: (options) => fresh(options, () => masterchainInfo(source, now)),
    async waitMasterchainSeqno(seqno, options = {}) {
      await heads.wait({ ...options, waitSeqno: seqno })
    },
    ...blockVerbs(answering),
    ...accountVerbs(answering),
    ...transactionVerbs(answering),
    ...stateVerbs(answering),
    send: (message, options) => fresh(options, () => sendMessage(chain, message, options)),
    onHead: (listener) => chain.onHead(({ master }) => listener(master.id)),
    close() {
      stopClearing()
      heads.close()
    },
  }
}
