import { describe, expect, test } from 'vitest'
import { beginCell, buildDict, emptyDict } from '../../../server/cell/index.ts'
import {
  type BlockCreateStats,
  type BlockInfo,
  configKind,
  creatorStatsKind,
  dispatchQueueKind,
  EMPTY_OUT_QUEUE,
  type ExtBlockRef,
  FULL_SHARD,
  findShard,
  gramsOnly,
  librariesKind,
  loadBlockInfo,
  loadMasterBlockExtra,
  loadMasterStateDetails,
  loadMasterStateExtra,
  loadOutQueueInfo,
  loadShardDescription,
  loadShardIdent,
  loadShardState,
  loadShardStateDetails,
  loadSignaturePair,
  loadStates,
  type MasterStateDetails,
  makeShardTree,
  masterDetailsOf,
  oldBlocksKind,
  outQueueKind,
  processedKind,
  publishersKind,
  type ShardDescription,
  shardFeesKind,
  shardHashesKind,
  shardKey,
  shardOf,
  shardsOf,
  signaturesKind,
  storeBlockInfo,
  storeEnvelope,
  storeMasterBlockExtra,
  storeMasterStateDetails,
  storeMasterStateExtra,
  storeMessage,
  storeOutQueueInfo,
  storeShardDescription,
  storeShardIdent,
  storeShardState,
  storeShardStateDetails,
  storeSignaturePair,
  storeValueFlow,
  TlbError,
  toCell,
  waitingKind,
} from '../../../server/tlb/index.ts'
import { identOf, loadValueFlow, storeSplitState } from '../../setup/blockParts.ts'
import { roundTrip, thereAndBack } from './roundTrip.ts'
import { alice, bytes, leaf, mixed } from './samples.ts'

const ref = (seqno: number): ExtBlockRef => ({
  endLt: BigInt(seqno) * 1000n,
  seqno,
  rootHash: bytes(3),
  fileHash: bytes(4),
})

describe('blocks', () => {
  const info: BlockInfo = {
    version: 0,
    beforeSplit: false,
    afterSplit: true,
    wantSplit: false,
    wantMerge: true,
    keyBlock: false,
    seqno: 5,
    vertSeqno: 1,
    shard: identOf(0, FULL_SHARD),
    genUtime: 1_700_000_000,
    startLt: 1_000_000n,
    endLt: 1_000_008n,
    validatorListHashShort: 0xffffffff,
    catchainSeqno: 7,
    minRefMcSeqno: 8,
    prevKeyBlockSeqno: 9,
    software: { version: 12, capabilities: 0x6en },
    masterRef: ref(10),
    previous: [ref(4)],
    previousVertical: null,
  }
  test('default: headers of both chains, after a merge, and with a vertical ancestor', () => {
    thereAndBack(info, loadBlockInfo, storeBlockInfo)
    thereAndBack({ ...info, masterRef: null, software: null }, loadBlockInfo, storeBlockInfo)
    thereAndBack({ ...info, previous: [ref(3), ref(4)], previousVertical: ref(2) }, loadBlockInfo, storeBlockInfo)
  })

  test('default: value flow with and without burning', () => {
    const flow = {
      fromPrevious: mixed,
      toNext: mixed,
      imported: gramsOnly(1n),
      exported: gramsOnly(2n),
      feesCollected: mixed,
      burned: null,
      feesImported: gramsOnly(3n),
      recovered: gramsOnly(4n),
      created: gramsOnly(5n),
      minted: mixed,
    }
    thereAndBack(flow, loadValueFlow, storeValueFlow)
    thereAndBack({ ...flow, burned: mixed }, loadValueFlow, storeValueFlow)
  })

  test('behavior: shards are named with and without the marker bit', () => {
    for (const shard of [FULL_SHARD, 1n << 62n, 3n << 62n, 0x5800000000000000n, (1n << 63n) | 8n]) {
      expect(shardOf(identOf(0, shard))).toBe(shard)
      expect(shardOf(identOf(0, BigInt.asIntN(64, shard)))).toBe(shard)
    }
    expect(identOf(-1, FULL_SHARD)).toEqual({ prefixBits: 0, workchain: -1, prefix: 0n })
    expect(() => identOf(0, 0n)).toThrow(TlbError)
    thereAndBack(identOf(0, 3n << 62n), loadShardIdent, storeShardIdent)
    expect(Buffer.from(shardKey(-1, FULL_SHARD)).toString('hex')).toBe('ffffffff8000000000000000')
  })

  test('default: signatures, plain and certified', () => {
    const pair = { nodeIdShort: bytes(1), signature: { signature: bytes(2, 64), certificate: null } }
    thereAndBack(pair, loadSignaturePair, storeSignaturePair)
    const certificate = { temporaryKey: bytes(5), validSince: 1, validUntil: 2, signature: bytes(6, 64) }
    thereAndBack(
      { ...pair, signature: { signature: bytes(3, 64), certificate } },
      loadSignaturePair,
      storeSignaturePair,
    )
  })
})

const shard = (seqno: number): ShardDescription => ({
  feesInRef: true,
  seqno,
  regMcSeqno: 9,
  startLt: 1n,
  endLt: 2n,
  rootHash: bytes(1),
  fileHash: bytes(2),
  beforeSplit: false,
  beforeMerge: true,
  wantSplit: false,
  wantMerge: true,
  nextCatchainUpdated: true,
  nextCatchainSeqno: 4,
  nextValidatorShard: FULL_SHARD,
  minRefMcSeqno: 5,
  genUtime: 6,
  splitMergeAt: null,
  feesCollected: mixed,
  fundsCreated: gramsOnly(5n),
})

describe('shards', () => {
  test('default: descriptions in both forms, with a split or merge ahead', () => {
    thereAndBack(shard(1), loadShardDescription, storeShardDescription)
    const splitMergeAt = { kind: 'merge', utime: 7, interval: 8 } as const
    const old = { ...shard(1), feesInRef: false, feesCollected: gramsOnly(1n), splitMergeAt }
    thereAndBack(old, loadShardDescription, storeShardDescription)
    thereAndBack(
      { ...shard(2), splitMergeAt: { ...splitMergeAt, kind: 'split' } },
      loadShardDescription,
      storeShardDescription,
    )
  })

  test('behavior: trees of shards are taken apart, searched and put together', () => {
    const names = [1n << 61n, 3n << 61n, 3n << 62n]
    const list = names.map((name, i) => [name, shard(i)] as const)
    const tree = makeShardTree(list)
    expect([...shardsOf(tree)].map(([name, { seqno }]) => [name, seqno])).toEqual(names.map((name, i) => [name, i]))
    expect(findShard(tree, 0n)[0]).toBe(names[0])
    expect(findShard(tree, (1n << 62n) + 5n)[0]).toBe(names[1])
    expect(findShard(tree, 2n ** 64n - 1n)[0]).toBe(names[2])
    expect(makeShardTree([...shardsOf(tree)]).hash()).toBe(tree.hash())
    expect(() => makeShardTree(list.slice(1))).toThrow(TlbError)
    expect(() => makeShardTree([])).toThrow(TlbError)
    let deep = beginCell().storeBit(0).end()
    for (let i = 0; i < 70; i++) deep = beginCell().storeBit(1).storeRef(deep).storeRef(deep).end()
    expect(() => findShard(deep, 0n)).toThrow(TlbError)
  })
})

const config = {
  address: bytes(0x55),
  params: buildDict(configKind, [
    [-999, leaf(1)],
    [0, leaf(2)],
  ] as const),
}
const shardHashes = buildDict(shardHashesKind, [[0, makeShardTree([[FULL_SHARD, shard(1)]])]] as const)

describe('masterchain', () => {
  test('default: what its blocks carry, with and without a configuration', () => {
    const fee = { fees: gramsOnly(8n), created: gramsOnly(9n) }
    const signature = { nodeIdShort: bytes(1), signature: { signature: bytes(2, 64), certificate: null } }
    const extra = {
      shardHashes,
      shardFees: buildDict(shardFeesKind, [[shardKey(0, FULL_SHARD), fee]] as const),
      previousSignatures: buildDict(signaturesKind, [[0, signature]] as const),
      recoverCreate: leaf(1),
      mint: null,
      config: null,
    }
    expect(extra.shardFees.extra?.created.grams).toBe(9n)
    thereAndBack(extra, loadMasterBlockExtra, storeMasterBlockExtra)
    thereAndBack({ ...extra, config }, loadMasterBlockExtra, storeMasterBlockExtra)
  })

  test('default: what its state holds', () => {
    const counters = { lastUpdated: 1, total: 2n, count2048: 3n, count65536: 4n }
    const plain: BlockCreateStats = {
      kind: 'plain',
      counters: buildDict(creatorStatsKind, [[bytes(0), { masterBlocks: counters, shardBlocks: counters }]] as const),
    }
    const previousBlocks = buildDict(oldBlocksKind, [
      [0, { isKey: true, block: ref(0) }],
      [1, { isKey: false, block: ref(1) }],
      [2, { isKey: false, block: ref(2) }],
    ])
    expect(previousBlocks.extra).toEqual({ hasKey: true, maxEndLt: 2000n })
    const details: MasterStateDetails = {
      validatorInfo: { listHashShort: 1, catchainSeqno: 2, nextCatchainUpdated: true },
      previousBlocks,
      afterKeyBlock: true,
      lastKeyBlock: ref(1),
      createStats: plain,
    }
    const cell = thereAndBack(details, loadMasterStateDetails, storeMasterStateDetails)
    const augmented: BlockCreateStats = { kind: 'augmented', root: leaf(1), extra: 5 }
    thereAndBack({ ...details, createStats: augmented }, loadMasterStateDetails, storeMasterStateDetails)
    thereAndBack({ ...details, createStats: null, lastKeyBlock: null }, loadMasterStateDetails, storeMasterStateDetails)
    const extra = { shardHashes, config, details: cell, globalBalance: mixed }
    roundTrip(
      thereAndBack(extra, loadMasterStateExtra, storeMasterStateExtra),
      loadMasterStateExtra,
      storeMasterStateExtra,
    )
    expect(masterDetailsOf(extra).previousBlocks.max()?.[0]).toBe(2)
  })

  test('error: a configuration without parameters', () => {
    const extra = {
      shardHashes,
      config: { ...config, params: emptyDict(configKind) },
      details: leaf(1),
      globalBalance: mixed,
    }
    expect(() => toCell(extra, storeMasterStateExtra)).toThrow(TlbError)
  })
})

describe('shard states', () => {
  const message = (createdLt: bigint) =>
    toCell(
      {
        info: {
          kind: 'internal',
          ihrDisabled: true,
          bounce: false,
          bounced: false,
          src: alice,
          dest: alice,
          value: mixed,
          extraFlags: 0n,
          fwdFee: 0n,
          createdLt,
          createdAt: 1,
        },
        init: null,
        initInRef: false,
        body: leaf(1),
        bodyInRef: false,
      },
      storeMessage,
    )
  const enqueued = (createdLt: bigint, emittedLt: bigint | null) => ({
    enqueuedLt: 50n,
    envelope: toCell(
      {
        version: emittedLt === null ? 1 : 2,
        current: { kind: 'regular', destBits: 96 },
        next: { kind: 'regular', destBits: 96 },
        fwdFeeRemaining: 1n,
        message: message(createdLt),
        emittedLt,
        metadata: null,
      },
      storeEnvelope,
    ),
  })

  test('default: queues know their smallest logical time', () => {
    const queue = buildDict(outQueueKind, [
      [bytes(1, 44), enqueued(30n, null)],
      [bytes(2, 44), enqueued(10n, 40n)],
      [bytes(3, 44), enqueued(60n, 20n)],
    ])
    expect(queue.extra).toBe(20n)
    const waiting = buildDict(waitingKind, [
      [33n, enqueued(33n, null)],
      [31n, enqueued(31n, null)],
    ] as const)
    const dispatchQueue = buildDict(dispatchQueueKind, [[bytes(1), { messages: waiting, count: 2 }]] as const)
    expect(dispatchQueue.extra).toBe(31n)
    const processed = buildDict(processedKind, [[bytes(1, 12), { lastLt: 4n, lastHash: bytes(2) }]] as const)
    thereAndBack({ queue, processed, extra: { dispatchQueue, queueSize: 3 } }, loadOutQueueInfo, storeOutQueueInfo)
    thereAndBack({ queue, processed, extra: { dispatchQueue, queueSize: null } }, loadOutQueueInfo, storeOutQueueInfo)
    // 67 zero bits, as the zerostate has it.
    expect(thereAndBack(EMPTY_OUT_QUEUE, loadOutQueueInfo, storeOutQueueInfo).bits).toBe(67)
  })

  const publishers = buildDict(publishersKind, [
    [bytes(7), true],
    [bytes(8), true],
  ] as const)
  const details = {
    overloadHistory: 1n,
    underloadHistory: 2n ** 64n - 1n,
    totalBalance: mixed,
    totalValidatorFees: gramsOnly(1n),
    libraries: buildDict(librariesKind, [[bytes(1), { library: leaf(9), publishers }]] as const),
    masterRef: ref(5),
  }
  const state = {
    globalId: -777,
    shard: identOf(0, FULL_SHARD),
    seqno: 1,
    vertSeqno: 0,
    genUtime: 2,
    genLt: 3n,
    minRefMcSeqno: 0xffffffff,
    outQueueInfo: toCell(EMPTY_OUT_QUEUE, storeOutQueueInfo),
    beforeSplit: false,
    accounts: leaf(1),
    details: toCell(details, storeShardStateDetails),
    custom: leaf(2),
  }
  test('default: a state, its details, and one that is split', () => {
    thereAndBack(details, loadShardStateDetails, storeShardStateDetails)
    thereAndBack(
      { ...details, masterRef: null, libraries: emptyDict(librariesKind) },
      loadShardStateDetails,
      storeShardStateDetails,
    )
    const cell = thereAndBack(state, loadShardState, storeShardState)
    thereAndBack({ ...state, custom: null }, loadShardState, storeShardState)
    const both = toCell({ left: cell, right: cell }, storeSplitState)
    const seqnos = (c: typeof cell): number[] => roundTripStates(c).map(({ seqno }) => seqno)
    expect([seqnos(cell), seqnos(both)]).toEqual([[1], [1, 1]])
  })
})

const roundTripStates = (cell: Parameters<typeof roundTrip>[0]) =>
  roundTrip(cell, loadStates, (b, states) => storeStates(b, states))

function storeStates(builder: ReturnType<typeof beginCell>, states: ReturnType<typeof loadStates>): void {
  const [left, right] = states
  if (left === undefined) return
  if (right === undefined) storeShardState(builder, left)
  else storeSplitState(builder, { left: toCell(left, storeShardState), right: toCell(right, storeShardState) })
}
