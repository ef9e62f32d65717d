// A `LiteServer` out of anything that carries bytes to a lite server and back.

import type { FunctionName } from '../../tl/index.ts'
import { wrapQuery } from '../../tl/index.ts'
import type { BlockHeaderAnswer, MasterchainInfo } from '../answers.ts'
import type { BlockIdExt } from '../blockId.ts'
import { LiteError } from '../errors.ts'
import { chainParts, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { ProofError, verifyHeader } from '../verify/index.ts'
import { accountFunctions } from './accountFunctions.ts'
import { blockFunctions } from './blockFunctions.ts'
import { followHeads } from './followHeads.ts'
import { serverFunctions } from './serverFunctions.ts'
import { stateFunctions } from './stateFunctions.ts'
import { transactionFunctions } from './transactionFunctions.ts'
import { trustFunctions } from './trustFunctions.ts'
import type { Verb } from './verb.ts'

export interface TransportOptions {
  /** Of waiting and answering together. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Carries a query to a server and brings the answer. Rejects with LiteError when there is none. */
export type LiteTransport = (query: Uint8Array, options: TransportOptions) => Promise<Uint8Array>

/** Servers wait no longer. */
const LONGEST_WAIT_MS = 10_000
/** What an answer may take beyond the wait before it. */
const ANSWER_MS = 5000

function carried(
  transport: LiteTransport,
  request: Uint8Array,
  { waitSeqno, timeoutMs, signal }: LiteOptions,
): Promise<Uint8Array> {
  const withSignal = signal === undefined ? {} : { signal }
  if (waitSeqno === undefined)
    return transport(wrapQuery(request), timeoutMs === undefined ? withSignal : { timeoutMs, ...withSignal })
  const wanted = Math.min(Math.max(Math.trunc(timeoutMs ?? LONGEST_WAIT_MS), 0), LONGEST_WAIT_MS)
  const query = wrapQuery(request, { seqno: waitSeqno, timeout_ms: wanted })
  return transport(query, { timeoutMs: timeoutMs ?? LONGEST_WAIT_MS + ANSWER_MS, ...withSignal })
}

/** What servers, and proxies before them, say of a function that they do not have; not an answer that cannot be read. */
const isUnknownFunction = (error: unknown): boolean =>
  error instanceof LiteError &&
  error.cause === undefined &&
  (error.kind === 'protocol' || /unknown (query|constructor|function)/i.test(error.message))

/** Throws LiteError `protocol` for a header that is not that of the block. */
function utimeOf(id: BlockIdExt, header: BlockHeaderAnswer): number {
  try {
    return verifyHeader(id, header).info.genUtime
  } catch (cause) {
    if (!(cause instanceof ProofError)) throw cause
    throw new LiteError('protocol', `the server's header is not that of its block: ${cause.message}`, { cause })
  }
}

/** Every verb of lite servers, asked of one over a transport. Answers are read and not yet believed. */
export function createLiteServerOver(transport: LiteTransport): LiteServer {
  async function ask<Name extends FunctionName, Args extends readonly unknown[], Own>(
    verb: Verb<Name, Args, Own>,
    args: Args,
    options: LiteOptions = {},
  ): Promise<Own> {
    return verb.read(await carried(transport, verb.request(...args), options))
  }

  const { getMasterchainInfo, getMasterchainInfoExt, getTime, getVersion, sendMessage } = serverFunctions
  /** Of servers that do not know the newer form of this answer. */
  async function plainInfo({ waitSeqno, ...options }: LiteOptions): Promise<MasterchainInfo> {
    const waiting = waitSeqno === undefined ? options : { ...options, waitSeqno }
    const { last, ...found } = await ask(getMasterchainInfo, [], waiting)
    const [version, header] = await Promise.all([
      ask(getVersion, [], options),
      ask(blockFunctions.getBlockHeader, [last, 0], options),
    ])
    return { last, lastUtime: utimeOf(last, header), ...found, ...version }
  }
  let isPlain = false
  async function masterchainInfo(options: LiteOptions = {}): Promise<MasterchainInfo> {
    if (isPlain) return await plainInfo(options)
    try {
      return await ask(getMasterchainInfoExt, [], options)
    } catch (error) {
      if (!isUnknownFunction(error)) throw error
      isPlain = true
      return await plainInfo(options)
    }
  }
  return {
    kind: 'remote',
    masterchainInfo,
    waitMasterchainSeqno: async (seqno, options) => void (await ask(getTime, [], { ...options, waitSeqno: seqno })),
    lookup: (query, mode = 0, options) => ask(blockFunctions.lookupBlock, [query, mode], options),
    lookupWithProof: (query, known, options) => ask(blockFunctions.lookupBlockWithProof, [query, known], options),
    header: (id, mode = 0, options) => ask(blockFunctions.getBlockHeader, [id, mode], options),
    block: (id, options) => ask(blockFunctions.getBlock, [id], options),
    state: (id, options) => ask(blockFunctions.getState, [id], options),
    accountState: (id, account, options) => ask(accountFunctions.getAccountState, [id, account], options),
    accountStatePruned: (id, account, options) => ask(accountFunctions.getAccountStatePrunned, [id, account], options),
    runMethod: (id, query, options) => ask(accountFunctions.runSmcMethod, [id, query], options),
    transactions: (query, options) => ask(transactionFunctions.getTransactions, [query], options),
    oneTransaction: (id, query, options) => ask(transactionFunctions.getOneTransaction, [id, query], options),
    listTransactions: (id, query, options) => ask(transactionFunctions.listBlockTransactions, [id, query], options),
    listTransactionsExt: (id, query, options) =>
      ask(transactionFunctions.listBlockTransactionsExt, [id, query], options),
    config: (id, params, mode = 0, options) =>
      params === 'all'
        ? ask(stateFunctions.getConfigAll, [id, mode], options)
        : ask(stateFunctions.getConfigParams, [id, mode, params], options),
    validatorStats: (id, query, options) => ask(stateFunctions.getValidatorStats, [id, query], options),
    libraries: (hashes, options) => ask(stateFunctions.getLibraries, [hashes], options),
    librariesWithProof: (id, hashes, mode = 0, options) =>
      ask(stateFunctions.getLibrariesWithProof, [id, hashes, mode], options),
    shards: (id, options) => ask(blockFunctions.getAllShardsInfo, [id], options),
    shardInfo: (id, query, options) => ask(blockFunctions.getShardInfo, [id, query], options),
    blockProof: (known, target, mode = chainParts.nearReference, options) =>
      ask(trustFunctions.getBlockProof, [known, target, mode], options),
    shardBlockProof: (id, options) => ask(blockFunctions.getShardBlockProof, [id], options),
    queueSizes: (shard, options) => ask(stateFunctions.getOutMsgQueueSizes, [shard], options),
    blockQueueSize: (id, wantProof = false, options) =>
      ask(stateFunctions.getBlockOutMsgQueueSize, [id, wantProof], options),
    dispatchQueues: (id, query, options) => ask(stateFunctions.getDispatchQueueInfo, [id, query], options),
    dispatchMessages: (id, query, options) => ask(stateFunctions.getDispatchQueueMessages, [id, query], options),
    send: (message, options) => ask(sendMessage, [message], options),
    onHead: (listener) => followHeads(masterchainInfo, listener),
  }
}
