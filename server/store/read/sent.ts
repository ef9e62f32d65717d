// Messages that were sent from outside, and their traces.

import { sql } from '../sql.ts'
import { messages } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { traces } from '../tables/traces.ts'
import { messagesByHash } from './messagesByHash.ts'
import type { StoreRead } from './read.ts'

const { hash, hashNorm } = messages.fields
const { traceId, state, nodes, mcSeqnoEnd, endUtime } = traces.fields
const decodeSent = decoderOf({ hash, hashNorm, traceId, state, nodes, mcSeqnoEnd, endUtime })

/** A message that was sent in, and the trace it began. */
export type SentFound = ReturnType<typeof decodeSent>

/** The traces that began with messages of these hashes, plain or normalised. `offset 0` has them looked up one by one, also without statistics. */
export const sentRead = (hashes: readonly Uint8Array[]): StoreRead<SentFound> => ({
  statement: sql`with named as (
      ${messagesByHash(hashes, sql`m.hash, m.hash_norm`)}
    )
    select n.hash, n.hash_norm, k.trace_id, k.state, k.nodes, k.mc_seqno_end, k.end_utime from named n
    cross join lateral (select t.trace_id from transactions t where t.in_msg_hash = n.hash offset 0) x
    cross join lateral (select t.trace_id, t.state, t.nodes, t.mc_seqno_end, t.end_utime from traces t
      where t.trace_id = x.trace_id offset 0) k`,
  toValue: decodeSent,
})
