// The block that a webhook goes on behind when its owner wants what was posted of later ones again.

import { z } from 'zod'
import { ApiError } from '../../shared/errors.ts'
import { parseFields } from '../../shared/parseFields.ts'
import { BlockNotIndexed, type BlockRowsFeed, type MasterId } from '../store/index.ts'

const Replay = z.object({ from: z.int().min(2).max(0xffffffff) })

/** Throws ApiError for what is no block, and for one that the index does not have, or whose predecessor it does not have. */
export async function blockBeforeReplay(feed: Pick<BlockRowsFeed, 'head' | 'block'>, body: unknown): Promise<MasterId> {
  const { from } = parseFields(Replay, body)
  const head = feed.head()
  if (head === null) throw new ApiError('notIndexed', undefined, { retryAfter: 1 })
  if (from > head.seqno) throw new ApiError('invalidParams', `from: the newest block is ${head.seqno}`)
  const rows = await feed.block(from - 1).catch((error: unknown) => {
    if (!(error instanceof BlockNotIndexed)) throw error
    throw new ApiError(
      'invalidParams',
      `from: the index begins with block ${error.firstSeqno}, replays with the next one`,
    )
  })
  if (rows === null) throw new ApiError('notIndexed', undefined, { retryAfter: 1 })
  return { seqno: rows.mcSeqno, rootHash: rows.rootHash }
}
