// How worker processes read a chain of lite servers by themselves: over connections of their own, with the heads that the
// owner proves. Otherwise one process would make and check the calls of all.

import type { Devchain } from '../../devchain/index.ts'
import {
  type Chain,
  type Connect,
  createRemoteChain,
  createServerPool,
  GivenHeads,
  type ProvenHead,
  rememberAnswers,
  type ServerPool,
} from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import type { ChainSources } from '../../workers/index.ts'

/** The owner's side. */
export interface ChainForWorkers {
  sources(): ChainSources
  head(): ProvenHead | null
  /** Calls back when the sources are others, until the returned function is called. */
  onSources(listener: () => void): () => void
  /** A worker got a false answer of a server. */
  drop(server: string, reason: string): void
}

/** The same for the history of an embedded chain, which workers read in the folder of the chain. */
export interface HistoryForWorkers {
  readonly folder: string
  readonly feed: NonNullable<Devchain['feed']>
  /** The last transactions of the accounts of a question. */
  lastTransactions(question: Uint8Array): Uint8Array
}

type OwnPool = Pick<ServerPool, 'servers' | 'drop'>

/** Heads and servers of the owner for its workers; `policy` is that of its trust. */
export class SharedSources implements ChainForWorkers {
  readonly #fixed: Pick<ChainSources, 'zerostate' | 'policy'>
  readonly #listeners = new Set<() => void>()
  readonly #dropped = new Map<string, string>()
  #servers: ChainSources['servers']
  #parts: { readonly pool: OwnPool; readonly head: () => ProvenHead | null } | null = null

  constructor({ servers, ...fixed }: Pick<ChainSources, 'servers' | 'zerostate' | 'policy'>) {
    this.#servers = servers
    this.#fixed = fixed
  }

  /** Before the first worker is started. */
  begin(pool: OwnPool, head: () => ProvenHead | null): void {
    this.#parts = { pool, head }
  }

  sources(): ChainSources {
    return { ...this.#fixed, servers: this.#servers, dropped: [...this.#dropped] }
  }

  head(): ProvenHead | null {
    return this.#parts?.head() ?? null
  }

  onSources(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** After the owner's pool has them: one with another key or slice is not the one that lied, though it has its name. */
  replace(servers: ChainSources['servers']): void {
    this.#servers = servers
    const left = new Set(this.#parts?.pool.servers.filter(({ state }) => state === 'dropped').map(({ name }) => name))
    for (const name of this.#dropped.keys()) if (!left.has(name)) this.#dropped.delete(name)
    this.#changed()
  }

  drop(server: string, reason: string): void {
    // What other processes know already may be news to the owner's pool.
    this.#parts?.pool.drop(server, reason)
    if (this.#dropped.has(server)) return
    this.#dropped.set(server, reason)
    this.#changed()
  }

  /** What the owner's own pool finds. A server that is used again: workers count its time by themselves. */
  readonly verdicts: Pick<Parameters<typeof createServerPool>[0], 'onLiar' | 'onForgiven'> = {
    onLiar: (server, reason) => this.drop(server, reason),
    onForgiven: (server) => this.#dropped.delete(server),
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** A worker's side. */
export interface ChainOfWorker {
  readonly chain: Chain
  readonly servers: ServerPool['servers']
  readonly stretch: number
  /** Whether a call can be answered now. */
  readonly isReadable: boolean
  giveHead(head: ProvenHead): void
  giveSources(sources: ChainSources): void
  close(): Promise<void>
}

interface WorkerParts {
  readonly canRewind: boolean
  readonly log: Log
  readonly connect: Connect
  readonly onLiar: (server: string, reason: string) => void
  /**
   * No server can be called any more: what was read is not the newest, for all that is known. The owner says so of its own
   * connections, which may end earlier than these.
   */
  readonly onAway: () => void
}

export function openChainOfWorker(
  first: ChainSources,
  { canRewind, log, connect, onLiar, onAway }: WorkerParts,
): ChainOfWorker {
  const { servers, zerostate, policy } = first
  const pool = createServerPool({ servers, zerostate, log, connect, onLiar, isLiarRetried: policy === 'full' })
  pool.onAway?.(onAway)
  const heads = new GivenHeads(pool, policy)
  const dropAll = ({ dropped }: ChainSources): void => {
    for (const [server, reason] of dropped) pool.drop(server, reason)
  }
  dropAll(first)
  return {
    chain: rememberAnswers(createRemoteChain(pool, { trust: heads, canRewind })),
    get servers() {
      return pool.servers
    },
    get stretch() {
      return pool.stretch
    },
    get isReadable() {
      return heads.head !== null && pool.isUsable
    },
    giveHead: (head) => heads.give(head),
    giveSources(sources) {
      pool.replace(sources.servers)
      dropAll(sources)
    },
    close: () => pool.close(),
  }
}
