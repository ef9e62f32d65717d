// An external message that is tried for a block, and the result.

import type { Cell } from '../../../cell/index.ts'

export interface External {
  readonly message: Cell
  /** The same as bytes, for the TVM. */
  readonly boc: Uint8Array
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly account: Uint8Array
}

/** Why the TVM made no transaction of it. */
export interface Rejection {
  /** Null when no code was run. */
  readonly exitCode: number | null
  readonly reason: string
  readonly vmLog: string
}

export type ExternalOutcome =
  | { readonly kind: 'included' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** Nothing came of it, through no fault of its own. */
  | { readonly kind: 'dropped'; readonly why: string; readonly cause?: unknown }
  /** The block was full. */
  | { readonly kind: 'left' }
