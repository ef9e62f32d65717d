// What a server of the pool needs, and what it reports.

import type { MasterchainInfo } from '../liteAnswers.ts'
import type { Clock } from '../systemClock.ts'
import type { Connect } from './serverAddress.ts'

export interface MemberOptions {
  readonly clock: Clock
  /** At least 0, below 1. */
  random(): number
  readonly connect: Connect
  /** Calls per second; 0 is no limit. */
  readonly perSecond: number
  /** Whether a server that lied is connected again after some time: only where each answer is proven. */
  readonly isLiarRetried: boolean
  /** Why a server with this info does not belong to the network; null when it does. */
  refuse(info: MasterchainInfo): string | null
  /** Whether no other server can be called: then this one is reconnected sooner. */
  isMissed(): boolean
  onChange(): void
  /** It is left out because its info was refused. Not called again until it is back. */
  onStranger(): void
  /** `wentBack`: earlier the server named a different block that was not older. */
  onHead(info: MasterchainInfo, wentBack: boolean): void
  /** The connection was lost. Not called again until it is back. */
  onLost(reason: string): void
  onBack(): void
}
