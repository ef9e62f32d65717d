import { describe, expect, test } from 'vitest'
import { beginCell, hashToBytes, openCell, readBoc, sha256 } from '../../../../server/cell/index.ts'
import { toShardBlockProof, toSignatures } from '../../../../server/methods/view/blockProof.ts'
import { toHeader } from '../../../../server/methods/view/header.ts'
import type { BlockIdExt, ProvenBlock, SignatureSet } from '../../../../server/node/index.ts'
import { blockInfoOf, loadBlock, shardOf } from '../../../../server/tlb/index.ts'
import { blocksV2 } from '../../../../shared/v2/blocks.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { blockBytes, blockNames } from '../../cell/fixtures.ts'

const filled = (byte: number, length = 32) => new Uint8Array(length).fill(byte)
const base64 = (byte: number, length = 32) => Buffer.alloc(length, byte).toString('base64')

function realBlock(name: string): ProvenBlock {
  const boc = blockBytes(name)
  const root = readBoc(boc)
  const { shard, seqno } = blockInfoOf(loadBlock(openCell(root)))
  const hashes = { rootHash: root.hashBytes(), fileHash: hashToBytes(sha256(boc)) }
  return verifyBlock({ workchain: shard.workchain, shard: shardOf(shard), seqno, ...hashes }, boc)
}

describe.each(blockNames)('the header of a real block: %s', (name) => {
  const real = realBlock(name)
  test('says what the block says', () => {
    const header = blocksV2.getBlockHeader.result.parse(toHeader(real))
    expect(header).toMatchObject({
      global_id: real.block.globalId,
      gen_utime: real.info.genUtime,
      start_lt: `${real.info.startLt}`,
      end_lt: `${real.info.endLt}`,
      is_key_block: real.info.keyBlock,
      id: { seqno: real.id.seqno, shard: `${BigInt.asIntN(64, real.id.shard)}` },
    })
    expect(header.prev_blocks.map(({ seqno }) => seqno)).toEqual(real.info.previous.map(({ seqno }) => seqno))
    expect(header.validator_list_hash_short >>> 0).toBe(real.info.validatorListHashShort)
  })
})

describe('headers of chains that split and merge', () => {
  const previous = (seqno: number) => ({ endLt: 1n, seqno, rootHash: filled(seqno), fileHash: filled(seqno) })
  const id: BlockIdExt = { workchain: 0, shard: 1n << 62n, seqno: 9, rootHash: filled(1), fileHash: filled(2) }
  const info = {
    version: 0,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: true,
    keyBlock: false,
    seqno: 9,
    vertSeqno: 1,
    shard: { prefixBits: 1, workchain: 0, prefix: 0n },
    genUtime: 1_755_516_049,
    startLt: 5n,
    endLt: (1n << 64n) - 1n,
    validatorListHashShort: 0xffff_ffff,
    catchainSeqno: 3,
    minRefMcSeqno: 4,
    prevKeyBlockSeqno: 77,
    software: null,
    masterRef: { endLt: 1n, seqno: 5, rootHash: filled(5), fileHash: filled(5) },
    previous: [previous(8)] as const,
    previousVertical: null,
  }
  const none = beginCell().end()
  const block = { globalId: -3, info: none, valueFlow: none, stateUpdate: none, extra: none }
  const header = (change: object) =>
    blocksV2.getBlockHeader.result.parse(toHeader({ id, block, info: { ...info, ...change } }))

  test('one block before', () => {
    expect(header({})).toMatchObject({
      after_merge: false,
      after_split: false,
      want_merge: true,
      flags: 0,
      vert_seqno: 1,
      prev_key_block_seqno: 0,
      validator_list_hash_short: -1,
      end_lt: '18446744073709551615',
      prev_blocks: [{ seqno: 8, shard: `${1n << 62n}`, root_hash: base64(8) }],
    })
  })

  test('after a merge both halves are named, after a split the whole', () => {
    const shards = (change: object) => header(change).prev_blocks.map(({ seqno, shard }) => [seqno, shard])
    expect(shards({ previous: [previous(7), previous(8)] })).toEqual([
      [7, `${1n << 61n}`],
      [8, `${3n << 61n}`],
    ])
    expect(header({ previous: [previous(7), previous(8)] }).after_merge).toBe(true)
    expect(shards({ afterSplit: true })).toEqual([[8, '-9223372036854775808']])
  })

  test('a masterchain block names the key block before it', () => {
    expect(header({ masterRef: null, software: { version: 1, capabilities: 0n } })).toMatchObject({
      prev_key_block_seqno: 77,
      flags: 1,
    })
  })

  test('signatures of either consensus', () => {
    const signatures = [{ nodeIdShort: filled(3), signature: filled(4, 64) }]
    const head = { validatorSetHash: 1, catchainSeqno: 2, signatures }
    const result = (set: SignatureSet) => blocksV2.getMasterchainBlockSignatures.result.parse(toSignatures(id, set))
    const signed = [{ '@type': 'blocks.signature', node_id_short: base64(3), signature: base64(4, 64) }]
    const ordinary = result({ kind: 'ordinary', ...head })
    expect(ordinary).toEqual({ '@type': 'blocks.blockSignatures', id: expect.anything(), signatures: signed })
    const simplex = { kind: 'simplex', ...head, sessionId: filled(5), slot: 6, candidate: filled(7, 40) } as const
    expect(result(simplex)).toEqual({
      '@type': 'blocks.blockSignatures.simplex',
      id: ordinary.id,
      signatures: signed,
      session_id: base64(5),
      slot: 6,
      candidate: base64(7, 40),
    })
  })

  test('a link to the zero state has no header to show', () => {
    const link = { kind: 'back', toKeyBlock: true, from: id, to: id, destProof: filled(0, 0) } as const
    const way = [{ ...link, proof: filled(1, 3), stateProof: filled(2, 3) }]
    const view = blocksV2.getShardBlockProof.result.parse(toShardBlockProof(id, { masterchainId: id, links: [] }, way))
    expect(view.mc_proof).toMatchObject([{ dest_proof: '', proof: base64(1, 3), state_proof: base64(2, 3) }])
  })
})
