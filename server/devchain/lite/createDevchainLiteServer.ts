// The embedded chain as a lite server.

import {
  type AccountId,
  type BlockIdExt,
  type BlockQuery,
  chainParts,
  type ListQuery,
  type LiteOptions,
  type LiteServer,
  type MethodQuery,
} from '../../node/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { accountState } from './accounts.ts'
import { AnswerCache, DEFAULT_KEPT_BYTES, type Word } from './answerCache.ts'
import { blockProof } from './blockProof.ts'
import { blockBytes, blockRoot, find, header, stateBytes } from './blocks.ts'
import { ChainSource, type LiteChain } from './chainSource.ts'
import { config } from './config.ts'
import { dispatchMessages, dispatchQueues } from './dispatchQueue.ts'
import { Heads } from './heads.ts'
import { masterchainInfo } from './masterchainInfo.ts'
import { RunSetting, runMethod } from './runMethod.ts'
import { sendMessage } from './sendMessage.ts'
import { lookupWithProof, shardBlockProof } from './shardProof.ts'
import { shardInfo, shards } from './shards.ts'
import { blockQueueSize, libraries, librariesWithProof, queueSizes, validatorStats } from './stateParts.ts'
import { listTransactions, listTransactionsExt, oneTransaction, transactions } from './transactions.ts'

export interface DevchainLiteServerOptions {
  /** Runs get-methods; shared with whoever else needs it, and closed by whoever made it. */
  readonly pool: TvmPool
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Bytes of answers that are remembered; 0 answers everything anew. */
  readonly keptBytes?: number
}

export interface DevchainLiteServer extends LiteServer {
  readonly kind: 'devchain'
  /** Stops following the chain, which goes on. */
  close(): void
}

const idWords = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): Word[] => [
  ...[workchain, shard, seqno],
  ...[rootHash, fileHash],
]
const accountWords = ({ workchain, hash }: AccountId): Word[] => [workchain, hash]
const methodWords = ({ account, methodId, params, mode }: MethodQuery): Word[] => [
  ...accountWords(account),
  ...[methodId, params, mode],
]
const listWords = ({ count, after, reverse, wantProof }: ListQuery): Word[] => [
  ...[count, after?.account, after?.lt],
  ...[reverse === true, wantProof === true],
]
const queryWords = (query: BlockQuery): Word[] => [
  ...[query.workchain, query.shard],
  ...('seqno' in query ? ['seqno', query.seqno] : 'lt' in query ? ['lt', query.lt] : ['utime', query.utime]),
]

/** What of the options concerns the TVM. */
const runOptionsOf = ({ signal, share }: LiteOptions = {}): Pick<LiteOptions, 'signal' | 'share'> => ({
  ...(signal === undefined ? {} : { signal }),
  ...(share === undefined ? {} : { share }),
})

/** The embedded chain in the verbs of lite servers, with all proofs. */
export function createDevchainLiteServer(
  chain: LiteChain,
  { pool, now = Date.now, keptBytes = DEFAULT_KEPT_BYTES }: DevchainLiteServerOptions,
): DevchainLiteServer {
  const source = new ChainSource(chain)
  const heads = new Heads(chain)
  const cache = new AnswerCache(keptBytes)
  const tools = { pool, setting: new RunSetting() }
  const stopClearing = chain.onHead(({ reorg }) => {
    if (reorg !== null) cache.clear()
  })
  const fresh = async <T>(options: LiteOptions | undefined, answer: () => T): Promise<Awaited<T>> => {
    if (options !== undefined) await heads.ready(options)
    return await answer()
  }
  const kept = <T extends object>(options: LiteOptions | undefined, words: readonly Word[], answer: () => Promise<T>) =>
    fresh(options, () => cache.remember(words, answer))

  return {
    kind: 'devchain',
    masterchainInfo: (options) => fresh(options, () => masterchainInfo(source, now)),
    waitMasterchainSeqno: (seqno, options = {}) => heads.ready({ ...options, waitSeqno: seqno }),
    lookup: (query, mode = 0, options) =>
      fresh(options, async () => {
        const { id } = find(source, query)
        return await cache.remember(['header', ...idWords(id), mode], () => header(source, id, mode))
      }),
    lookupWithProof: (query, known, options) =>
      kept(options, ['lookup', ...queryWords(query), ...idWords(known)], () => lookupWithProof(source, query, known)),
    header: (id, mode = 0, options) => kept(options, ['header', ...idWords(id), mode], () => header(source, id, mode)),
    block: (id, options) => fresh(options, () => blockBytes(source, id)),
    blockRoot: (id, options) => fresh(options, () => blockRoot(source, id)),
    state: (id, options) => fresh(options, () => stateBytes(source, id)),
    accountState: (id, account, options) =>
      kept(options, ['account', ...idWords(id), ...accountWords(account)], () =>
        accountState(source, id, account, false),
      ),
    accountStatePruned: (id, account, options) =>
      kept(options, ['pruned', ...idWords(id), ...accountWords(account)], () =>
        accountState(source, id, account, true),
      ),
    runMethod: (id, query, options) =>
      kept(options, ['run', ...idWords(id), ...methodWords(query)], () =>
        runMethod(source, tools, { id, ...query }, runOptionsOf(options)),
      ),
    transactions: (query, options) =>
      kept(options, ['transactions', ...accountWords(query.account), query.lt, query.hash, query.count], () =>
        transactions(source, query),
      ),
    oneTransaction: (id, { account, lt }, options) =>
      kept(options, ['transaction', ...idWords(id), ...accountWords(account), lt], () =>
        oneTransaction(source, id, account, lt),
      ),
    listTransactions: (id, query, options) =>
      kept(options, ['list', ...idWords(id), ...listWords(query)], () => listTransactions(source, id, query)),
    listTransactionsExt: (id, query, options) =>
      kept(options, ['listExt', ...idWords(id), ...listWords(query)], () => listTransactionsExt(source, id, query)),
    config: (id, params, mode = 0, options) =>
      kept(options, ['config', ...idWords(id), String(params), mode], () => config(source, id, params, mode)),
    validatorStats: (id, query, options) => fresh(options, () => validatorStats(source, id, query)),
    libraries: (hashes, options) => fresh(options, () => libraries(source, hashes)),
    librariesWithProof: (id, hashes, mode = 0, options) =>
      fresh(options, () => librariesWithProof(source, id, hashes, mode)),
    shards: (id, options) => kept(options, ['shards', ...idWords(id)], () => shards(source, id)),
    shardInfo: (id, query, options) =>
      kept(options, ['shard', ...idWords(id), query.workchain, query.shard, query.exact], () =>
        shardInfo(source, id, query),
      ),
    blockProof: (known, target, mode = chainParts.nearReference, options) =>
      fresh(options, () => blockProof(source, known, target, mode)),
    shardBlockProof: (id, options) => kept(options, ['shardProof', ...idWords(id)], () => shardBlockProof(source, id)),
    queueSizes: (shard, options) => fresh(options, () => queueSizes(source, shard)),
    blockQueueSize: (id, wantProof = false, options) => fresh(options, () => blockQueueSize(source, id, wantProof)),
    dispatchQueues: (id, query, options) => fresh(options, () => dispatchQueues(source, id, query)),
    dispatchMessages: (id, query, options) => fresh(options, () => dispatchMessages(source, id, query)),
    send: (message, options) => fresh(options, () => sendMessage(chain, message)),
    onHead: (listener) => chain.onHead(({ master }) => listener(master.id)),
    close() {
      stopClearing()
      heads.close()
    },
  }
}
