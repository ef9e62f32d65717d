// Ways down from the masterchain through shards that split and merge, over blocks made for the purpose.

import { describe, expect, test } from 'vitest'
import {
  beginCell,
  buildDict,
  type Cell,
  CellUsage,
  emptyDict,
  makeProof,
  openCell,
  writeBoc,
} from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  type BlockQuery,
  type LookupAnswer,
  ProofError,
  prefixOf,
  type ShardBlockLink,
  shardHolds,
  shardsMeet,
  verifyShardBlockProof,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { verifyLookup, verifyShards } from '../../../../server/node/verify/index.ts'
import {
  type BlockInfo,
  blockExtraOf,
  blockInfoOf,
  type ExtBlockRef,
  loadBlock,
  makeShardTree,
  masterExtraOf,
  type PreviousBlocks,
  type ShardDescription,
  shardFeesKind,
  shardHashesKind,
  shardsOf,
  signaturesKind,
  storeBlock,
  storeBlockExtra,
  storeBlockInfo,
  storeMasterBlockExtra,
  toCell,
  ZERO_CURRENCY,
} from '../../../../server/tlb/index.ts'
import { identOf } from '../../../setup/blockParts.ts'

const LEFT = 1n << 62n
const RIGHT = 3n << 62n
const zeros = new Uint8Array(32)

const refTo = ({ seqno, rootHash, fileHash }: BlockIdExt): ExtBlockRef => ({ endLt: 1n, seqno, rootHash, fileHash })

interface MadeBlock {
  readonly id: BlockIdExt
  readonly root: Cell
}

function blockOf(
  where: { readonly workchain: number; readonly shard: bigint; readonly seqno: number },
  previous: PreviousBlocks,
  more: Partial<BlockInfo> = {},
  custom: Cell | null = null,
): MadeBlock {
  const info: BlockInfo = {
    version: 0,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: false,
    seqno: where.seqno,
    vertSeqno: 0,
    shard: identOf(where.workchain, where.shard),
    genUtime: 1000 + where.seqno,
    startLt: BigInt(where.seqno) * 1000n,
    endLt: BigInt(where.seqno) * 1000n + 10n,
    validatorListHashShort: 1,
    catchainSeqno: 1,
    minRefMcSeqno: 0,
    prevKeyBlockSeqno: 0,
    software: null,
    masterRef: where.workchain === -1 ? null : { endLt: 1n, seqno: 1, rootHash: zeros, fileHash: zeros },
    previous,
    previousVertical: null,
    ...more,
  }
  const filler = beginCell().storeRef(beginCell().storeUint(where.seqno, 32).end()).end()
  const extra = { inMsgs: filler, outMsgs: filler, accountBlocks: filler, randSeed: zeros, createdBy: zeros, custom }
  const root = toCell(
    {
      globalId: -3,
      info: toCell(info, storeBlockInfo),
      valueFlow: filler,
      stateUpdate: filler,
      extra: toCell(extra, storeBlockExtra),
    },
    storeBlock,
  )
  return { id: { ...where, rootHash: root.hashBytes(), fileHash: new Uint8Array(32).fill(where.seqno) }, root }
}

const description = (id: BlockIdExt): ShardDescription => ({
  feesInRef: true,
  seqno: id.seqno,
  regMcSeqno: 1,
  startLt: 1n,
  endLt: 2n,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: false,
  wantMerge: false,
  nextCatchainUpdated: false,
  nextCatchainSeqno: 1,
  nextValidatorShard: id.shard,
  minRefMcSeqno: 1,
  genUtime: 1,
  splitMergeAt: null,
  feesCollected: ZERO_CURRENCY,
  fundsCreated: ZERO_CURRENCY,
})

function masterOver(tops: readonly BlockIdExt[]): MadeBlock {
  const tree = makeShardTree(tops.map((id) => [id.shard, description(id)] as const))
  const extra = {
    shardHashes: buildDict(shardHashesKind, [[0, tree]] as const),
    shardFees: emptyDict(shardFeesKind),
    previousSignatures: emptyDict(signaturesKind),
    recoverCreate: null,
    mint: null,
    config: null,
  }
  const where = { workchain: -1, shard: WHOLE_SHARD, seqno: 50 }
  const before = { endLt: 1n, seqno: 49, rootHash: zeros, fileHash: zeros }
  return blockOf(where, [before], {}, toCell(extra, storeMasterBlockExtra))
}

function proof(root: Cell, read: (root: Cell) => void): Uint8Array {
  const usage = new CellUsage()
  usage.run(() => read(root))
  return writeBoc(makeProof(root, usage), 0)
}

const header = (root: Cell) => proof(root, (cell) => blockInfoOf(loadBlock(openCell(cell))))
const shardTree = (root: Cell) =>
  proof(root, (cell) => {
    const hashes = masterExtraOf(blockExtraOf(loadBlock(openCell(cell))))?.shardHashes
    for (const tree of hashes?.values() ?? []) for (const _ of shardsOf(tree));
  })

const first = { endLt: 1n, seqno: 6, rootHash: zeros, fileHash: zeros }
const parent = blockOf({ workchain: 0, shard: WHOLE_SHARD, seqno: 7 }, [first])
const left = blockOf({ workchain: 0, shard: LEFT, seqno: 8 }, [refTo(parent.id)], { afterSplit: true })
const right = blockOf({ workchain: 0, shard: RIGHT, seqno: 8 }, [refTo(parent.id)], { afterSplit: true })
const rightNext = blockOf({ workchain: 0, shard: RIGHT, seqno: 9 }, [refTo(right.id)])
const merged = blockOf({ workchain: 0, shard: WHOLE_SHARD, seqno: 10 }, [refTo(left.id), refTo(rightNext.id)])

const link = ({ id }: MadeBlock, over: Uint8Array): ShardBlockLink => ({ id, proof: over })
const verdict = (master: MadeBlock, target: MadeBlock, links: readonly ShardBlockLink[]): string => {
  try {
    verifyShardBlockProof(master.id, target.id, { masterchainId: master.id, links })
    return 'believed'
  } catch (error) {
    return error instanceof ProofError ? error.code : String(error)
  }
}

describe('shards that split and merge', () => {
  const split = masterOver([left.id, rightNext.id])
  const whole = masterOver([merged.id])

  test('behavior: down one half, and over the split to the whole', () => {
    expect(verdict(split, left, [link(left, shardTree(split.root))])).toBe('believed')
    const toRight = [link(rightNext, shardTree(split.root)), link(right, header(rightNext.root))]
    expect(verdict(split, right, toRight)).toBe('believed')
    expect(verdict(split, parent, [...toRight, link(parent, header(right.root))])).toBe('believed')
    const overLeft = [link(left, shardTree(split.root)), link(parent, header(left.root))]
    expect(verdict(split, parent, overLeft)).toBe('believed')
  })

  test('behavior: over a merge into either half', () => {
    const top = link(merged, shardTree(whole.root))
    expect(verdict(whole, left, [top, link(left, header(merged.root))])).toBe('believed')
    const deep = [top, link(rightNext, header(merged.root)), link(right, header(rightNext.root))]
    expect(verdict(whole, right, deep)).toBe('believed')
  })

  test('error: a way through the other half', () => {
    const wrong = [link(left, shardTree(split.root)), link(right, header(left.root))]
    expect(verdict(split, right, wrong)).toBe('link')
    expect(verdict(split, rightNext, [link(left, shardTree(split.root))])).toBe('link')
  })

  test('error: links left out, doubled, or too many', () => {
    expect(verdict(split, right, [link(right, shardTree(split.root))])).toBe('link')
    expect(verdict(split, left, [])).toBe('link')
    const once = link(left, shardTree(split.root))
    expect(verdict(split, left, [once, once])).toBe('hash')
    expect(verdict(split, left, Array<ShardBlockLink>(9).fill(once))).toBe('link')
    expect(verdict(whole, left, [link(left, header(merged.root))])).not.toBe('believed')
  })

  test('error: another masterchain block than the one that is trusted', () => {
    const links = [link(left, shardTree(split.root))]
    const answer = { masterchainId: whole.id, links }
    expect(() => verifyShardBlockProof(split.id, left.id, answer)).toThrow(ProofError)
  })

  test('behavior: the list of shards names both halves', () => {
    const hashes = masterExtraOf(blockExtraOf(loadBlock(openCell(split.root))))?.shardHashes.root ?? null
    const bare = proof(split.root, (cell) => masterExtraOf(blockExtraOf(loadBlock(openCell(cell)))))
    const data = writeBoc(beginCell().storeMaybeRef(hashes).end())
    const shards = verifyShards(split.id, { id: split.id, proof: bare, data })
    expect(shards.map(({ id }) => [id.shard, id.seqno])).toEqual([
      [LEFT, 8],
      [RIGHT, 9],
    ])
    const none = writeBoc(beginCell().storeBit(0).end())
    expect(() => verifyShards(split.id, { id: split.id, proof: bare, data: none })).toThrow(ProofError)
  })
})

describe('look-ups in shards', () => {
  const split = masterOver([left.id, rightNext.id])
  const found = (target: MadeBlock, links: readonly ShardBlockLink[], previous: MadeBlock): LookupAnswer => ({
    id: target.id,
    mode: 2,
    masterchainId: split.id,
    shardLinks: links,
    header: header(target.root),
    clientMasterStateProof: new Uint8Array(),
    masterBlockProof: new Uint8Array(),
    previousHeader: header(previous.root),
  })
  const inLeft = found(left, [link(left, shardTree(split.root))], parent)
  const where = { workchain: 0, shard: 0x1234n << 48n }
  const codeOf = (query: BlockQuery, answer: LookupAnswer): string => {
    try {
      verifyLookup(query, split.id, answer)
      return 'believed'
    } catch (error) {
      return error instanceof ProofError ? error.code : String(error)
    }
  }

  test('behavior: by any mark, with the block before it across the split', () => {
    for (const mark of [{ seqno: 8 }, { lt: 8010n }, { lt: 7011n }, { utime: 1008 }])
      expect(codeOf({ ...where, ...mark }, inLeft)).toBe('believed')
  })

  test('error: a block too early, too late, or in the other half', () => {
    const marks = [{ seqno: 9 }, { lt: 8011n }, { lt: 7009n }, { utime: 1009 }, { utime: 1006 }]
    for (const mark of marks) expect(codeOf({ ...where, ...mark }, inLeft)).toBe('answer')
    expect(codeOf({ ...where, shard: RIGHT, seqno: 8 }, inLeft)).toBe('answer')
    expect(codeOf({ ...where, workchain: -1, seqno: 8 }, inLeft)).toBe('answer')
  })

  test('error: a block before it that is another one, or none', () => {
    const query = { ...where, lt: 8010n }
    expect(codeOf(query, { ...inLeft, previousHeader: header(right.root) })).toBe('hash')
    expect(codeOf(query, { ...inLeft, previousHeader: new Uint8Array() })).toBe('missing')
  })
})

describe('names of shards', () => {
  test('behavior: a shard holds the ids that begin with its prefix', () => {
    const low = new Uint8Array(32)
    const high = new Uint8Array(32).fill(255)
    expect([prefixOf(low), prefixOf(high)]).toEqual([0n, (1n << 64n) - 1n])
    expect([LEFT, RIGHT, WHOLE_SHARD].map((shard) => shardHolds(shard, prefixOf(low)))).toEqual([true, false, true])
    expect([LEFT, RIGHT, WHOLE_SHARD].map((shard) => shardHolds(shard, prefixOf(high)))).toEqual([false, true, true])
    expect(shardHolds(0x5800_0000_0000_0000n, 0x5abc_0000_0000_0000n)).toBe(true)
    expect(shardHolds(0x5800_0000_0000_0000n, 0x4abc_0000_0000_0000n)).toBe(false)
  })

  test('behavior: shards meet when one lies in the other', () => {
    const inBase = (shard: bigint) => ({ workchain: 0, shard })
    expect(shardsMeet(inBase(WHOLE_SHARD), inBase(LEFT))).toBe(true)
    expect(shardsMeet(inBase(LEFT), inBase(WHOLE_SHARD))).toBe(true)
    expect(shardsMeet(inBase(LEFT), inBase(RIGHT))).toBe(false)
    expect(shardsMeet(inBase(LEFT), { workchain: -1, shard: LEFT })).toBe(false)
  })
})
