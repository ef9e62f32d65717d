// What a service is started with, and what a running one is.

import type { Registry } from '../../../shared/registry.ts'
import type { KeyStore } from '../../access/index.ts'
import type { AccountDescription, DevchainOptions, StoryProgress } from '../../devchain/index.ts'
import type { Docs, Examples } from '../../docs/index.ts'
import type { drawInThread } from '../../docs/thread/index.ts'
import type { HttpLimits } from '../../http/index.ts'
import type { WritingHandlers } from '../../methods/index.ts'
import type { Connect } from '../../node/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import type { HubLimits, Streaming } from '../../streaming/index.ts'
import type { ChainService } from '../chain/chainService.ts'
import type { LiteListening } from '../chain/liteListener.ts'
import type { IndexService } from '../database/indexService.ts'
import type { LateDatabase } from '../database/lateDatabase.ts'
import type { Sharing } from '../openSharing.ts'
import type { ServiceReadiness, StartTrouble } from '../reports/readiness.ts'
import type { Tracing } from '../reports/tracing.ts'
import type { Config } from '../settings/settings.ts'
import type { TeamParts } from '../workers/workerTeam.ts'
import type { Webhooks } from './webhooks.ts'

/** Methods that are served over HTTP. */
export interface ServedMethods {
  readonly url: string
  /** Where clients of lite servers are served; null when they are not. */
  readonly lite: Omit<LiteListening, 'close'> | null
  /** Whether calls are answered now, with a text; for each side why it is not ready. */
  readiness(): Promise<ServiceReadiness>
  startTrouble(): Promise<StartTrouble>
  /** Before a close: not ready from now on, and still answering until proxies have seen that. */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface Service extends ServedMethods {
  /** Well-known accounts of the embedded chain. */
  readonly accounts: readonly AccountDescription[]
  /** Whether the chain has begun to play its demo. */
  readonly playsDemo: boolean
  /** Block of the network that the chain was forked off; null for a chain of its own. */
  readonly forkedAt: number | null
  /** Seconds that the clock of the embedded chain is ahead of this computer's, below 0 behind; 0 while the demo moves it. */
  readonly clockLead: number
}

/** Methods to serve, and the parts of the service that they need. */
export interface MethodSet<R extends Registry> {
  readonly registry: R
  readonly handlers: (docs: Docs) => WritingHandlers<R>
  /** Where documents that take long are drawn; in a thread, which has the project's methods alone, when it is left out. */
  readonly drawing?: typeof drawInThread
  /** Examples for the reference pages in place of those of the definitions. */
  readonly examples?: (handlers: WritingHandlers<R>) => () => Promise<Examples>
  /** The chain of the service; left out for methods that need no chain. */
  readonly chain?: ChainService
  readonly index?: IndexService
  /** Worker processes, which can answer the methods of the service alone: by default there are none. */
  readonly workers?: Pick<TeamParts, 'count' | 'isControlled'>
  /** Leaves traces out when it is left out. */
  readonly tracing?: Tracing | null
  /** Leaves out what other processes share when it is left out. */
  readonly sharing?: Sharing | null
  /** Leaves streams out when it is left out. */
  readonly streams?: (metrics: Metrics) => Streaming
  /** Leaves webhooks out when it is left out. */
  readonly webhooks?: (keys: KeyStore, jsonDepth: number) => Webhooks
}

export interface ServiceParts {
  readonly config: Config
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
  /** How long predictions hold; tests shorten it. */
  readonly streamTimes?: Partial<HubLimits>
  /** Milliseconds that calls and streams wait for an index that follows a revert; tests lengthen it. */
  readonly followMs?: number | undefined
  /** Milliseconds that the first reads wait for the first block of an index; tests lengthen it. */
  readonly firstBlockMs?: number | undefined
  /** Milliseconds for the emulation of all pending messages; tests lengthen it. */
  readonly emulationMs?: number | undefined
  /** Milliseconds that an endpoint of webhooks has for its answer; tests lengthen it. */
  readonly webhookMs?: number | undefined
  /** How much a block of the embedded chain takes in; tests give it more time. */
  readonly blockLimits?: DevchainOptions['limits']
  /** Leave the index closed; its methods then refuse. */
  readonly withoutIndex?: boolean
  /** Hold every result against its schema. */
  readonly checkResults?: boolean
  /** Called with the progress of a new chain's demo, and at its end. */
  readonly onDemo?: (progress: StoryProgress) => void
  /** That of the index when it is being opened already; closed with the service. */
  readonly database?: LateDatabase
  /** How lite servers are reached; by default over the network. */
  readonly connect?: Connect
  /** Milliseconds by which budgets fill and keys end; tests hold it still. */
  readonly now?: () => number
}
