// What the hub of streams needs.

import type { LiveTraces, SentMessages } from '../methods/index.ts'
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
