// All reading verbs of a `LiteServer`, each passed to one function that decides how it is run.

import type { BlockIdExt } from '../blockId.ts'
import type { LiteOptions, LiteServer } from '../liteServer.ts'

/** Classes of calls with similar latency. */
export type VerbKind = 'head' | 'small' | 'account' | 'large' | 'run'

export interface VerbCall {
  readonly verb: string
  readonly kind: VerbKind
  readonly options: LiteOptions
  /** The block the call is about. */
  readonly about?: BlockIdExt
}

export type RunVerb = <T>(call: VerbCall, run: (server: LiteServer, options: LiteOptions) => Promise<T>) => Promise<T>

type Verbs = Omit<LiteServer, 'kind' | 'attempt' | 'each' | 'onHead' | 'blockRoot' | 'send'>

const NONE: LiteOptions = {}

/** The verbs that only read, each run by `run`. */
export function readingVerbs(run: RunVerb): Verbs {
  const call = (kind: VerbKind, verb: string, options: LiteOptions = NONE, about?: BlockIdExt): VerbCall =>
    about === undefined ? { kind, verb, options } : { kind, verb, options, about }
  return {
    masterchainInfo: (o) => run(call('head', 'masterchainInfo', o), (s, own) => s.masterchainInfo(own)),
    waitMasterchainSeqno: (seqno, o) =>
      run(call('head', 'waitMasterchainSeqno', { ...o, waitSeqno: seqno }), (s, own) =>
        s.waitMasterchainSeqno(seqno, own),
      ),
    lookup: (query, mode, o) => run(call('small', 'lookup', o), (s, own) => s.lookup(query, mode, own)),
    lookupWithProof: (query, known, o) =>
      run(call('small', 'lookupWithProof', o, known), (s, own) => s.lookupWithProof(query, known, own)),
    header: (id, mode, o) => run(call('small', 'header', o, id), (s, own) => s.header(id, mode, own)),
    block: (id, o) => run(call('large', 'block', o, id), (s, own) => s.block(id, own)),
    state: (id, o) => run(call('large', 'state', o, id), (s, own) => s.state(id, own)),
    accountState: (id, account, o) =>
      run(call('account', 'accountState', o, id), (s, own) => s.accountState(id, account, own)),
    accountStatePruned: (id, account, o) =>
      run(call('account', 'accountStatePruned', o, id), (s, own) => s.accountStatePruned(id, account, own)),
    runMethod: (id, query, o) => run(call('run', 'runMethod', o, id), (s, own) => s.runMethod(id, query, own)),
    transactions: (query, o) => run(call('account', 'transactions', o), (s, own) => s.transactions(query, own)),
    oneTransaction: (id, query, o) =>
      run(call('account', 'oneTransaction', o, id), (s, own) => s.oneTransaction(id, query, own)),
    listTransactions: (id, query, o) =>
      run(call('small', 'listTransactions', o, id), (s, own) => s.listTransactions(id, query, own)),
    listTransactionsExt: (id, query, o) =>
      run(call('large', 'listTransactionsExt', o, id), (s, own) => s.listTransactionsExt(id, query, own)),
    config: (id, params, mode, o) => run(call('large', 'config', o, id), (s, own) => s.config(id, params, mode, own)),
    validatorStats: (id, query, o) =>
      run(call('large', 'validatorStats', o, id), (s, own) => s.validatorStats(id, query, own)),
    libraries: (hashes, o) => run(call('large', 'libraries', o), (s, own) => s.libraries(hashes, own)),
    librariesWithProof: (id, hashes, mode, o) =>
      run(call('large', 'librariesWithProof', o, id), (s, own) => s.librariesWithProof(id, hashes, mode, own)),
    shards: (id, o) => run(call('small', 'shards', o, id), (s, own) => s.shards(id, own)),
    shardInfo: (id, query, o) => run(call('small', 'shardInfo', o, id), (s, own) => s.shardInfo(id, query, own)),
    blockProof: (known, target, mode, o) =>
      run(call('large', 'blockProof', o, newer(known, target)), (s, own) => s.blockProof(known, target, mode, own)),
    shardBlockProof: (id, o) => run(call('small', 'shardBlockProof', o, id), (s, own) => s.shardBlockProof(id, own)),
    queueSizes: (shard, o) => run(call('small', 'queueSizes', o), (s, own) => s.queueSizes(shard, own)),
    blockQueueSize: (id, wantProof, o) =>
      run(call('small', 'blockQueueSize', o, id), (s, own) => s.blockQueueSize(id, wantProof, own)),
    dispatchQueues: (id, query, o) =>
      run(call('small', 'dispatchQueues', o, id), (s, own) => s.dispatchQueues(id, query, own)),
    dispatchMessages: (id, query, o) =>
      run(call('large', 'dispatchMessages', o, id), (s, own) => s.dispatchMessages(id, query, own)),
  }
}

const newer = (a: BlockIdExt, b: BlockIdExt | null): BlockIdExt => (b !== null && b.seqno > a.seqno ? b : a)
