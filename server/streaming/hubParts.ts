// What the hub of streams needs, and what it emits with.

import type { LiveTraces, SentMessages } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRowsFeed } from '../store/index.ts'
import type { EmitParts } from './emit.ts'
import type { BlockEmission } from './emitBlock.ts'
import type { HubLimits } from './hubLimits.ts'
import { ReportPace } from './reportPace.ts'
import { SharedTexts } from './sharedTexts.ts'
import type { Cursor } from './streamCursor.ts'
import type { Routes } from './streamRoutes.ts'
import type { Subscriber } from './subscriber.ts'

export interface HubParts extends Omit<EmitParts, 'routes' | 'texts' | 'pace'> {
  readonly feed: BlockRowsFeed
  readonly traces: LiveTraces
  readonly sent: SentMessages
  /** Whether a message still waits for a block after a revert, by its normalised hash in base64. */
  readonly waits: (hash: string) => boolean
  readonly limits: HubLimits
  /** Sends what follows a cursor, until the subscriber follows the blocks; `reverts` were known before. */
  readonly resume: (subscriber: Subscriber, cursor: Cursor, reverts: number) => Promise<void>
  readonly log: Pick<Log, 'warn'>
}

export interface Replay {
  /** Only notifications after this position. */
  readonly after: number
  /** Other subscribers wait until it is done. */
  readonly isHurried: boolean
}

/** For one block, or for traces that come together. */
export function emissionOf({ traces, books, counts, log }: HubParts, routes: Routes): BlockEmission {
  const own = { texts: new SharedTexts(), pace: new ReportPace(), onTrace: () => undefined }
  return { routes, traces, books, counts, log, ...own }
}
