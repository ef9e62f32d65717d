// What one subscriber receives.

import type { Finality } from '../methods/index.ts'

export interface Subscription {
  readonly types: ReadonlySet<string>
  /** Raw, uppercase. */
  readonly addresses: Set<string>
  /** Normalised hashes of messages from outside, in base64. */
  readonly hashes: Set<string>
  readonly minFinality: Finality
  /** Null for all. */
  readonly actionTypes: ReadonlySet<string> | null
  readonly supportedTypes: ReadonlySet<string>
  readonly addressBook: boolean
  readonly metadata: boolean
  /** Everything after this notification comes first; null for nothing. */
  readonly after: string | null
  /** Whether it is sent cursors of blocks that hold nothing for it. */
  readonly progress: boolean
  /** Whether it is notified of the number of messages that wait for a block of the embedded chain. */
  readonly pendingMessages: boolean
}
