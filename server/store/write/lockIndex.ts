// Those that change the index come one after the other: each locks the row of the cursor until its transaction ends. A process may
// lead no more and not know it yet.

import type { MasterId, Sql } from '../database.ts'
import { readMaster } from '../indexing/reads.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import { int4 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'

export const writtenByAnother = (): StoreError => new StoreError('conflict', 'another process has written to the index')

const decodeLast = decoderOf({ lastMcSeqno: int4 })

/** Resolves with the last masterchain block that is indexed; null for an empty index. */
export async function lockIndex(on: Sql): Promise<number | null> {
  const [row] = await on.query(sql`select last_mc_seqno from indexer_cursor for update`)
  return row === undefined ? null : decodeLast(row).lastMcSeqno
}

/** Throws StoreError `conflict` unless this is still the last block: what was found out about the index may not hold any more. */
export async function lockIndexAt(on: Sql, { seqno, rootHash }: MasterId): Promise<void> {
  const last = await lockIndex(on)
  // A statement of its own: it sees what was written while the lock was waited for.
  const master = last === seqno ? await readMaster(on, seqno) : null
  if (master === null || Buffer.compare(master.rootHash, rootHash) !== 0) throw writtenByAnother()
}
