// What the process that owns the chain and its workers have to say to each other.

import type { BudgetState, Caller, MeteredUsage } from '../access/index.ts'
import type { KeysAnswer, KeysRequest } from '../http/index.ts'
import type { IndexHead } from '../indexer/index.ts'
import type { Modifiers } from '../methods/index.ts'
import type { HistoryNews, ProofPolicy, ProvenHead, ServerAddress, ZeroStateId } from '../node/index.ts'
import type { MetricCounts, RequestRecord } from '../observe/index.ts'
import type { WebhooksAnswer, WebhooksRequest } from '../webhooks/index.ts'
import type { PassedRead, PassedRows } from './passedRead.ts'
import type { Exchange } from './workerChannel.ts'

/** A call that its worker has charged. Params as the transport read them. */
export interface PassedCall {
  readonly name: string
  readonly params: Record<string, unknown>
  readonly caller: Caller
  readonly requestId: string
  readonly modifiers: Modifiers
  /** Span of the call at the worker; absent when it is not traced. */
  readonly traceparent?: string | undefined
}

/** Requests of a worker to the owner. */
export interface OwnerAnswers {
  readonly call: Exchange<PassedCall, string>
  readonly identify: Exchange<{ readonly key: string; readonly address: string }, Caller>
  readonly spend: Exchange<{ readonly caller: Caller; readonly cost: number }, BudgetState | null>
  readonly keys: Exchange<KeysRequest, KeysAnswer>
  readonly webhooks: Exchange<WebhooksRequest, WebhooksAnswer>
  /** Adds what the worker has counted. */
  readonly used: Exchange<readonly MeteredUsage[], null>
  /** Why a connection gets no place; null when it has one. */
  readonly claim: Exchange<{ readonly seatId: number; readonly caller: Caller }, string | null>
  readonly claimSocket: Exchange<number, boolean>
  /** Null where workers do not read the chain. */
  readonly sources: Exchange<null, ChainSources | null>
  /** Rows of the embedded index, which only the owner can read. Waits until it may be read. */
  readonly read: Exchange<PassedRead, PassedRows>
  /** The last transactions of accounts of the embedded chain, in the form of `LastTransactions`. */
  readonly lastTransactions: Exchange<Uint8Array, Uint8Array>
  /** Whether a block that is indexed is one of the embedded chain: it may have been reverted. */
  readonly stands: Exchange<Pick<IndexHead, 'seqno' | 'rootHash'>, boolean>
  /** Resolves when the index may be read. */
  readonly readable: Exchange<null, null>
  /** Of the whole service, as JSON. */
  readonly readiness: Exchange<null, string>
  readonly examples: Exchange<null, string>
  readonly metrics: Exchange<null, string>
}

export interface OwnerTakes {
  /** The worker has the connection of this seat; the owner need not keep it. */
  readonly taken: number
  /** A request of this seat has come, the first or one after a rest; or it has been idle for a moment. */
  readonly idle: { readonly seatId: number; readonly isIdle: boolean }
  readonly released: number
  readonly called: null
  readonly barred: Barring
  /** A lite server gave an answer that is not proven. */
  readonly liar: { readonly server: string; readonly reason: string }
  /** For the request log. */
  readonly requested: RequestRecord
  /** The worker has dropped what was cached before this moment. */
  readonly seen: number
  /** The worker requests the steps after this seqno. */
  readonly history: number
}

export interface WorkerAnswers {
  readonly counts: Exchange<null, WorkerCounts>
}

export interface WorkerTakes {
  readonly event: ChainEvent
  /** All workers have seen the event of this moment: what is newer may be shown. */
  readonly settled: number
  readonly refuse: { readonly seatId: number; readonly why: string }
  readonly barred: Barring
  readonly sources: ChainSources
  /** Changes of the chain, each before the event of its block. */
  readonly history: HistoryNews
  /** The steps that the worker has requested. */
  readonly historyPart: HistoryNews
  readonly drain: null
}

export interface Barring {
  readonly subject: string
  readonly ms: number
}

/** What a worker reads a chain of lite servers with. */
export interface ChainSources {
  readonly servers: readonly ServerAddress[]
  readonly zerostate: ZeroStateId
  readonly policy: ProofPolicy
  /** Servers that are not used any more, with why. */
  readonly dropped: readonly (readonly [server: string, reason: string])[]
}

/** A new block, or how far the index is; `moving` comes before anyone can read what is indexed next. */
export interface ChainEvent {
  /** Of the owner's count of events; null when no caller has to wait for it. */
  readonly moment: number | null
  readonly what: 'block' | 'moving' | 'indexed' | 'unindexed'
  readonly heads: WorkerHeads
}

/** Null for what is not known yet. */
export interface WorkerHeads {
  /** The newest masterchain block. */
  readonly chain: number | null
  /** The same for a worker that reads the chain by itself; null for others. */
  readonly proven: ProvenHead | null
  readonly index: IndexHead | null
}

export interface WorkerCounts extends MetricCounts {
  readonly rssBytes: number
  readonly cpuSeconds: number
}
