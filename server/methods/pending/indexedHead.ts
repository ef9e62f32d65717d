// The newest masterchain block of the index.

import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../../node/index.ts'
import { indexedRead, readAll, type Sql } from '../../store/index.ts'

/** Null when the index is empty. */
export async function indexedHead(store: Sql): Promise<BlockIdExt | null> {
  const last = (await readAll(store, indexedRead())).at(-1)
  if (last === undefined) return null
  const { seqno, rootHash, fileHash } = last
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash }
}
