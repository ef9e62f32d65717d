// What the hub of streams needs.

import type { LiveTrace, LiveTraces, SentMessages } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRowsFeed } from '../store/index.ts'
import type { EmitParts } from './emit.ts'
import type { HubLimits } from './hubLimits.ts'

export interface HubParts extends Omit<EmitParts, 'routes' | 'pace'> {
  readonly feed: BlockRowsFeed
  readonly traces: LiveTraces
  readonly sent: SentMessages
  readonly limits: HubLimits
  readonly log: Pick<Log, 'warn'>
}

/** The recently finished trace of a message, by the hash of the message in base64; null without one. */
export type RecentTrace = (hash: string) => Promise<LiveTrace | null>
