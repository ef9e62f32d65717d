// Blocks with the names they were requested by.

import { type Cell, hashToBytes, openCell, readBoc, sha256 } from '../../../../server/cell/index.ts'
import type { BlockIdExt } from '../../../../server/node/index.ts'
import { blockInfoOf, loadBlock, shardOf } from '../../../../server/tlb/index.ts'
import { blockBytes } from '../../cell/fixtures.ts'

/** What a block says it is. */
function nameOf(root: Cell, bytes: Uint8Array): BlockIdExt {
  const { shard, seqno } = blockInfoOf(loadBlock(openCell(root)))
  const hashes = { rootHash: root.hashBytes(), fileHash: hashToBytes(sha256(bytes)) }
  return { workchain: shard.workchain, shard: shardOf(shard), seqno, ...hashes }
}

export function openFixture(name: string): {
  readonly id: BlockIdExt
  readonly bytes: Uint8Array
  readonly root: Cell
} {
  const bytes = blockBytes(name)
  const root = readBoc(bytes)
  return { id: nameOf(root, bytes), bytes, root }
}

export const hex = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString('hex')
