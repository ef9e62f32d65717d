// The header of the block a chain went on from after it was stopped by hand: its vertical seqno grew, and it names the block
// whose place it took.

import { expect, test } from 'vitest'
import { hashToBytes, openCell, readBoc, sha256, writeBoc } from '../../../../server/cell/index.ts'
import { headerProof } from '../../../../server/devchain/lite/blocks.ts'
import { type BlockIdExt, verifyHeader } from '../../../../server/node/index.ts'
import { blockInfoOf, loadBlock, shardOf, storeBlock, storeBlockInfo, toCell } from '../../../../server/tlb/index.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { blockBytes, blockNames } from '../../cell/fixtures.ts'

const replaced = {
  endLt: 41n,
  seqno: 5_176_527,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}

test.each(blockNames)('behavior: it is read, of %s', (name) => {
  const block = loadBlock(openCell(readBoc(blockBytes(name))))
  const info = blockInfoOf(block)
  const grown = { ...info, vertSeqno: info.vertSeqno + 1, previousVertical: replaced }
  const root = toCell({ ...block, info: toCell(grown, storeBlockInfo) }, storeBlock)
  const boc = writeBoc(root)
  const id: BlockIdExt = {
    workchain: info.shard.workchain,
    shard: shardOf(info.shard),
    seqno: info.seqno,
    rootHash: root.hashBytes(),
    fileHash: hashToBytes(sha256(boc)),
  }
  const answer = { id, mode: 1, headerProof: headerProof(root, 1) }
  for (const { info: found } of [verifyHeader(id, answer), verifyBlock(id, boc)])
    expect(found).toMatchObject({ vertSeqno: grown.vertSeqno, previousVertical: replaced, endLt: info.endLt })
})
