// A `LiteServer` out of anything that carries bytes to a lite server and back.

import type { FunctionName } from '../../tl/index.ts'
import { wrapQuery } from '../../tl/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { BlockHeaderAnswer, MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { chainParts, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { LARGE_ANSWER, ProofError, readAhead, verifyHeader } from '../verify/index.ts'
import { LONGEST_WAIT_MS, MOST_SEQNO, tooFar } from '../waitLimits.ts'
import { accountFunctions } from './accountFunctions.ts'
import { blockFunctions } from './blockFunctions.ts'
import { followHeads } from './followHeads.ts'
import { serverFunctions } from './serverFunctions.ts'
import { stateFunctions } from './stateFunctions.ts'
import { transactionFunctions } from './transactionFunctions.ts'
import { trustFunctions } from './trustFunctions.ts'
import type { LiteVerb } from './verb.ts'

export interface TransportOptions {
  /** For waiting and answering together. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends a query and returns the answer. Rejects with LiteError when no answer arrives. */
export type LiteTransport = (query: Uint8Array, options: TransportOptions) => Promise<Uint8Array>

/** Time for the answer itself, after the wait. */
const ANSWER_MS = 5000

async function carried(
  transport: LiteTransport,
  request: Uint8Array,
  { waitSeqno, timeoutMs, signal }: LiteOptions,
): Promise<Uint8Array> {
  if (waitSeqno === undefined) return await transport(wrapQuery(request), { timeoutMs, signal })
  // The wire has 32 bits for it.
  if (waitSeqno > MOST_SEQNO) throw tooFar()
  const wanted = Math.min(Math.max(Math.trunc(timeoutMs ?? LONGEST_WAIT_MS), 0), LONGEST_WAIT_MS)
  const query = wrapQuery(request, { seqno: waitSeqno, timeout_ms: wanted })
  return await transport(query, { timeoutMs: timeoutMs ?? LONGEST_WAIT_MS + ANSWER_MS, signal })
}

/** How servers and proxies refuse a function that they do not have; an unreadable answer is something else. */
export const isUnknownFunction = (error: unknown): boolean =>
  error instanceof LiteError &&
  !error.isUnreadable &&
  (error.kind === 'protocol' || /unknown (query|constructor|function|request)/i.test(error.message))

/** Throws LiteError `protocol` for a header that is not that of the block. */
function utimeOf(id: BlockIdExt, header: BlockHeaderAnswer): number {
  try {
    return verifyHeader(id, header).info.genUtime
  } catch (cause) {
    if (!(cause instanceof ProofError)) throw cause
    throw new LiteError('protocol', `the server's header is not that of its block: ${cause.message}`, { cause })
  }
}

/** Blocks in a thread, and the results of get-methods not at all. */
const READ_OTHERWISE = new Set<unknown>([blockFunctions.getBlock, accountFunctions.runSmcMethod])

type Call = <Name extends FunctionName, Args extends readonly unknown[], Own>(
  verb: LiteVerb<Name, Args, Own>,
  args: Args,
  options?: LiteOptions,
) => Promise<Own>

/** The newest block of a server, also of one that does not have getMasterchainInfoExt: that is found out once. */
function infoReader(call: Call): (options?: LiteOptions) => Promise<MasterchainInfo> {
  const { getMasterchainInfo, getMasterchainInfoExt, getVersion } = serverFunctions
  /** Of several calls: none of them is the answer by itself. */
  async function plainInfo({ waitSeqno, arrived: _, ...options }: LiteOptions): Promise<MasterchainInfo> {
    const waiting = waitSeqno === undefined ? options : { ...options, waitSeqno }
    const { last, ...found } = await call(getMasterchainInfo, [], waiting)
    const [version, header] = await Promise.all([
      call(getVersion, [], options),
      call(blockFunctions.getBlockHeader, [last, 0], options),
    ])
    return { last, lastUtime: utimeOf(last, header), ...found, ...version }
  }
  let isPlain = false
  return async (options = {}) => {
    if (isPlain) return await plainInfo(options)
    try {
      return await call(getMasterchainInfoExt, [], options)
    } catch (error) {
      if (!isUnknownFunction(error)) throw error
      isPlain = true
      return await plainInfo(options)
    }
  }
}

/** A `LiteServer` over a transport. Answers are parsed, not verified. */
export function createLiteServerOver(transport: LiteTransport): LiteServer {
  const call: Call = async (verb, args, options = {}) => {
    const bytes = await carried(transport, verb.request(...args), options)
    options.arrived?.()
    const answer = verb.read(bytes)
    return bytes.length < LARGE_ANSWER || READ_OTHERWISE.has(verb) ? answer : await readAhead(answer, options)
  }
  const { getTime, sendMessage } = serverFunctions
  const masterchainInfo = infoReader(call)
  return {
    kind: 'remote',
    masterchainInfo,
    waitMasterchainSeqno: async (seqno, options) => void (await call(getTime, [], { ...options, waitSeqno: seqno })),
    lookup: (query, mode = 0, options) => call(blockFunctions.lookupBlock, [query, mode], options),
    lookupWithProof: (query, known, options) => call(blockFunctions.lookupBlockWithProof, [query, known], options),
    header: (id, mode = 0, options) => call(blockFunctions.getBlockHeader, [id, mode], options),
    block: (id, options) => call(blockFunctions.getBlock, [id], options),
    state: (id, options) => call(blockFunctions.getState, [id], options),
    accountState: (id, account, options) => call(accountFunctions.getAccountState, [id, account], options),
    accountStatePruned: (id, account, options) => call(accountFunctions.getAccountStatePrunned, [id, account], options),
    runMethod: (id, query, options) => call(accountFunctions.runSmcMethod, [id, query], options),
    transactions: (query, options) => call(transactionFunctions.getTransactions, [query], options),
    oneTransaction: (id, query, options) => call(transactionFunctions.getOneTransaction, [id, query], options),
    listTransactions: (id, query, options) => call(transactionFunctions.listBlockTransactions, [id, query], options),
    listTransactionsExt: (id, query, options) =>
      call(transactionFunctions.listBlockTransactionsExt, [id, query], options),
    config: (id, params, mode = 0, options) =>
      params === 'all'
        ? call(stateFunctions.getConfigAll, [id, mode], options)
        : call(stateFunctions.getConfigParams, [id, mode, params], options),
    validatorStats: (id, query, options) => call(stateFunctions.getValidatorStats, [id, query], options),
    libraries: (hashes, options) => call(stateFunctions.getLibraries, [hashes], options),
    librariesWithProof: (id, hashes, mode = 0, options) =>
      call(stateFunctions.getLibrariesWithProof, [id, hashes, mode], options),
    shards: (id, options) => call(blockFunctions.getAllShardsInfo, [id], options),
    shardInfo: (id, query, options) => call(blockFunctions.getShardInfo, [id, query], options),
    blockProof: (known, target, mode = chainParts.nearReference, options) =>
      call(trustFunctions.getBlockProof, [known, target, mode], options),
    shardBlockProof: (id, options) => call(blockFunctions.getShardBlockProof, [id], options),
    queueSizes: (shard, options) => call(stateFunctions.getOutMsgQueueSizes, [shard], options),
    blockQueueSize: (id, wantProof = false, options) =>
      call(stateFunctions.getBlockOutMsgQueueSize, [id, wantProof], options),
    dispatchQueues: (id, query, options) => call(stateFunctions.getDispatchQueueInfo, [id, query], options),
    dispatchMessages: (id, query, options) => call(stateFunctions.getDispatchQueueMessages, [id, query], options),
    send: (message, options) => call(sendMessage, [message], options),
    onHead: (listener) => followHeads(masterchainInfo, listener),
  }
}
