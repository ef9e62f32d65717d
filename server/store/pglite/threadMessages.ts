// Messages between the process and the thread of the embedded database.

import type { PgliteCode } from './pgliteCode.ts'
import type { SharedSyncState } from './syncTogether.ts'

export interface ThreadSetup {
  /** Where the data is; null for memory. */
  readonly folder: string | null
  /** A database to begin with in memory. Without folder and image the thread makes one, which takes seconds. */
  readonly image: Uint8Array | null
  /** Megabytes of pages of its files that are kept in memory. */
  readonly pagesMb: number
  /** Files that are brought to the disk at the same time. */
  readonly syncs: number
}

/** The first message to a thread: the code of the database, compiled once for all threads of the process. */
export type FirstToThread = PgliteCode

/** Bytes are PostgreSQL's protocol: the messages of one request; the response is in one or more pieces, in order. */
export type ToThread = Uint8Array | 'close'
export type FromThread = Uint8Array | 'ready' | 'closed' | ThreadFailure | SyncOrder

/** The last message of a thread whose database failed. */
export interface ThreadFailure {
  readonly failure: string
}

/** Open files that the process brings to the disk on Node's threads, together with the thread of the database. */
export interface SyncOrder {
  readonly files: readonly number[]
  readonly progress: SharedSyncState
}

/** In a buffer of their own, which can be transferred. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
