// What goes between the process and the thread of the embedded database.

import type { PgliteCode } from './code.ts'

export interface ThreadSetup {
  /** Where the data is; null for memory. */
  readonly folder: string | null
  /** What to begin with in memory; where there is neither, the thread makes a database, slowly. */
  readonly image: Uint8Array | null
  /** Compiled once for all threads of the process. */
  readonly code: PgliteCode
}

/** Bytes are messages of PostgreSQL's protocol, as many as make one question; they are answered by bytes, in order. */
export type ToThread = Uint8Array | 'close'
export type FromThread = Uint8Array | 'ready' | 'closed'
