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
  readonly about?: BlockIdExt | undefined
}

/** The call itself, of the server that was chosen. */
export type VerbWork<T> = (server: LiteServer, options: LiteOptions) => Promise<T>

export type RunVerb = <T>(call: VerbCall, work: VerbWork<T>) => Promise<T>

type NoVerb = 'kind' | 'name' | 'lastVerb' | 'attempt' | 'each' | 'heard' | 'onHead' | 'onAway'
type Verbs = Omit<LiteServer, NoVerb | 'blockRoot' | 'send'>

const NONE: LiteOptions = {}

const call = (kind: VerbKind, verb: string, options: LiteOptions = NONE, about?: BlockIdExt): VerbCall => ({
  kind,
  verb,
  options,
  about,
})

type Of<Verb extends keyof Verbs> = Parameters<Verbs[Verb]>

/** The verbs that only read, each run by `run`. Methods of a class: one is made for each call of a pool. */
export abstract class ReadingVerbs implements Verbs {
  /** What was called last. */
  lastVerb: string | null = null

  protected abstract run<T>(call: VerbCall, work: VerbWork<T>): Promise<T>

  #run<T>(one: VerbCall, work: VerbWork<T>): Promise<T> {
    this.lastVerb = one.verb
    return this.run(one, work)
  }

  masterchainInfo(...[o]: Of<'masterchainInfo'>) {
    return this.#run(call('head', 'masterchainInfo', o), (s, own) => s.masterchainInfo(own))
  }

  waitMasterchainSeqno(...[seqno, o]: Of<'waitMasterchainSeqno'>) {
    return this.#run(call('head', 'waitMasterchainSeqno', { ...o, waitSeqno: seqno }), (s, own) =>
      s.waitMasterchainSeqno(seqno, own),
    )
  }

  lookup(...[query, mode, o]: Of<'lookup'>) {
    return this.#run(call('small', 'lookup', o), (s, own) => s.lookup(query, mode, own))
  }

  lookupWithProof(...[query, known, o]: Of<'lookupWithProof'>) {
    return this.#run(call('small', 'lookupWithProof', o, known), (s, own) => s.lookupWithProof(query, known, own))
  }

  header(...[id, mode, o]: Of<'header'>) {
    return this.#run(call('small', 'header', o, id), (s, own) => s.header(id, mode, own))
  }

  block(...[id, o]: Of<'block'>) {
    return this.#run(call('large', 'block', o, id), (s, own) => s.block(id, own))
  }

  state(...[id, o]: Of<'state'>) {
    return this.#run(call('large', 'state', o, id), (s, own) => s.state(id, own))
  }

  accountState(...[id, account, o]: Of<'accountState'>) {
    return this.#run(call('account', 'accountState', o, id), (s, own) => s.accountState(id, account, own))
  }

  accountStatePruned(...[id, account, o]: Of<'accountStatePruned'>) {
    return this.#run(call('account', 'accountStatePruned', o, id), (s, own) => s.accountStatePruned(id, account, own))
  }

  runMethod(...[id, query, o]: Of<'runMethod'>) {
    return this.#run(call('run', 'runMethod', o, id), (s, own) => s.runMethod(id, query, own))
  }

  transactions(...[query, o]: Of<'transactions'>) {
    return this.#run(call('account', 'transactions', o), (s, own) => s.transactions(query, own))
  }

  oneTransaction(...[id, query, o]: Of<'oneTransaction'>) {
    return this.#run(call('account', 'oneTransaction', o, id), (s, own) => s.oneTransaction(id, query, own))
  }

  listTransactions(...[id, query, o]: Of<'listTransactions'>) {
    return this.#run(call('small', 'listTransactions', o, id), (s, own) => s.listTransactions(id, query, own))
  }

  listTransactionsExt(...[id, query, o]: Of<'listTransactionsExt'>) {
    return this.#run(call('large', 'listTransactionsExt', o, id), (s, own) => s.listTransactionsExt(id, query, own))
  }

  config(...[id, params, mode, o]: Of<'config'>) {
    return this.#run(call('large', 'config', o, id), (s, own) => s.config(id, params, mode, own))
  }

  validatorStats(...[id, query, o]: Of<'validatorStats'>) {
    return this.#run(call('large', 'validatorStats', o, id), (s, own) => s.validatorStats(id, query, own))
  }

  libraries(...[hashes, o]: Of<'libraries'>) {
    return this.#run(call('large', 'libraries', o), (s, own) => s.libraries(hashes, own))
  }

  librariesWithProof(...[id, hashes, mode, o]: Of<'librariesWithProof'>) {
    return this.#run(call('large', 'librariesWithProof', o, id), (s, own) =>
      s.librariesWithProof(id, hashes, mode, own),
    )
  }

  shards(...[id, o]: Of<'shards'>) {
    return this.#run(call('small', 'shards', o, id), (s, own) => s.shards(id, own))
  }

  shardInfo(...[id, query, o]: Of<'shardInfo'>) {
    return this.#run(call('small', 'shardInfo', o, id), (s, own) => s.shardInfo(id, query, own))
  }

  blockProof(...[known, target, mode, o]: Of<'blockProof'>) {
    return this.#run(call('large', 'blockProof', o, newer(known, target)), (s, own) =>
      s.blockProof(known, target, mode, own),
    )
  }

  shardBlockProof(...[id, o]: Of<'shardBlockProof'>) {
    return this.#run(call('small', 'shardBlockProof', o, id), (s, own) => s.shardBlockProof(id, own))
  }

  queueSizes(...[shard, o]: Of<'queueSizes'>) {
    return this.#run(call('small', 'queueSizes', o), (s, own) => s.queueSizes(shard, own))
  }

  blockQueueSize(...[id, wantProof, o]: Of<'blockQueueSize'>) {
    return this.#run(call('small', 'blockQueueSize', o, id), (s, own) => s.blockQueueSize(id, wantProof, own))
  }

  dispatchQueues(...[id, query, o]: Of<'dispatchQueues'>) {
    return this.#run(call('small', 'dispatchQueues', o, id), (s, own) => s.dispatchQueues(id, query, own))
  }

  dispatchMessages(...[id, query, o]: Of<'dispatchMessages'>) {
    return this.#run(call('large', 'dispatchMessages', o, id), (s, own) => s.dispatchMessages(id, query, own))
  }
}

class GivenVerbs extends ReadingVerbs {
  protected readonly run: RunVerb

  constructor(run: RunVerb) {
    super()
    this.run = run
  }
}

/** The same as properties of an object, which can be spread. */
export function readingVerbs(run: RunVerb): Verbs {
  const verbs: Verbs = new GivenVerbs(run)
  const names = Object.getOwnPropertyNames(ReadingVerbs.prototype).filter((name) => name !== 'constructor')
  // The cast: a prototype has the names of its methods, which are those of the verbs.
  const bound = (names as (keyof Verbs)[]).map((name) => [name, verbs[name].bind(verbs)])
  // The cast: they are all methods of the class, which has every verb.
  return Object.fromEntries(bound) as Verbs
}

const newer = (a: BlockIdExt, b: BlockIdExt | null): BlockIdExt => (b !== null && b.seqno > a.seqno ? b : a)
