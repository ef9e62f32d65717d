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
  /** Whether a message still waits for a block after a revert, by its normalised hash in base64. */
  readonly waits: (hash: string) => boolean
  readonly limits: HubLimits
  readonly log: Pick<Log, 'warn'>
}

/** Traces that have ended in the index, by the hash of their message in base64. */
export interface EndedTraces {
  /** The masterchain block with the end; null for a trace that has not ended. */
  of(hash: string): number | null
  /** Null for a trace that is not sent any more. */
  read(hash: string): Promise<LiveTrace | null>
}
