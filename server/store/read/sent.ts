// What became of messages that were sent in.

import type { TraceState } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Read } from './read.ts'

export interface SentFound {
  readonly hash: Uint8Array
  /** Null where it is the same as `hash`. */
  readonly hashNorm: Uint8Array | null
  readonly traceId: Uint8Array
  readonly state: TraceState
}

/** The traces that began with messages of these hashes, plain or normalised. */
export const sentRead = (hashes: readonly Uint8Array[]): Read<SentFound> => ({
  statement: sql`with named as (
      select m.hash, m.hash_norm from messages m where m.hash = any(${hashes}::bytea[])
      union
      select m.hash, m.hash_norm from messages m where m.hash_norm = any(${hashes}::bytea[])
    )
    select n.hash, n.hash_norm, k.trace_id, k.state from named n
    join transactions x on x.in_msg_hash = n.hash join traces k on k.trace_id = x.trace_id`,
  // The casts: the statement names columns of these types.
  toValue: (row) => ({
    hash: row.hash as Uint8Array,
    hashNorm: row.hash_norm as Uint8Array | null,
    traceId: row.trace_id as Uint8Array,
    state: row.state as TraceState,
  }),
})
