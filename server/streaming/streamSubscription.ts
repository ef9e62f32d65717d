// What one subscriber receives.

import type { Finality } from '../methods/index.ts'

export interface Subscription {
  readonly types: ReadonlySet<string>
  /** Raw, uppercase; `EVERY_ACCOUNT` alone for all. */
  readonly addresses: Set<string>
  /** First 32 bits of bodies, signed: of messages. */
  readonly opcodes: ReadonlySet<number>
  /** Whether it was made without accounts: one whose accounts were all removed since is sent nothing. */
  readonly namesNoAccount: boolean
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

/** In place of accounts: all of them. */
export const EVERY_ACCOUNT = '*'

/** Whether it is sent messages with its opcodes, or anything at all, of any account: that needs a right. */
export const isOfAnyAccount = ({
  addresses,
  opcodes,
  namesNoAccount,
}: Pick<Subscription, 'addresses' | 'opcodes' | 'namesNoAccount'>): boolean =>
  addresses.has(EVERY_ACCOUNT) || (namesNoAccount && opcodes.size > 0)

/** For a caller without the right to them, or without it any more; as the reason of a close it has 123 bytes at most. */
export const NOT_ALL_ACCOUNTS = `addresses: "${EVERY_ACCOUNT}", or opcodes alone, needs a key that may follow all accounts; an operator issues one with --all-accounts on`
