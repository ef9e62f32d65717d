// Blocks that tests make out of recorded ones.

import { createHash } from 'node:crypto'
import { type Cell, writeBoc } from '../../server/cell/index.ts'
import type { BlockIdExt } from '../../server/node/index.ts'
import type { ExtBlockRef } from '../../server/tlb/index.ts'
import type { RecordedBlock } from './recordedBlocks.ts'
import { verifyBlock } from './verifyAtOnce.ts'

type Place = Omit<BlockIdExt, 'rootHash' | 'fileHash'>

/** `mcSeqno`: the masterchain block that registers it. */
export function remade({ mcSeqno }: Pick<RecordedBlock, 'mcSeqno'>, where: Place, root: Cell): RecordedBlock {
  const boc = writeBoc(root)
  const id = { ...where, rootHash: root.hashBytes(), fileHash: createHash('sha256').update(boc).digest() }
  return { ...verifyBlock(id, boc), boc, mcSeqno }
}

export const refTo = ({ id, info }: RecordedBlock): ExtBlockRef => ({ ...id, endLt: info.endLt })
