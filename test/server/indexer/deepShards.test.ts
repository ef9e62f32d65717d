// Shards that split down to sixteen and merge back to one: the index follows every way, however often it is started again.

import { expect, test } from 'vitest'
import { buildDict, makeUpdate, openCell } from '../../../server/cell/index.ts'
import { createRemoteChain, MASTERCHAIN, previousBlocksOf, shardTopsOf, Trust } from '../../../server/node/index.ts'
import { sql } from '../../../server/store/index.ts'
import {
  accountBlocksOf,
  type BlockInfo,
  blockExtraOf,
  loadShardState,
  makeShardTree,
  masterExtraOf,
  masterStateOf,
  type ShardDescription,
  shardHashesKind,
  shardsOf,
  storeBlock,
  storeBlockExtra,
  storeBlockInfo,
  storeMasterBlockExtra,
  storeMasterStateExtra,
  storeShardState,
  toCell,
} from '../../../server/tlb/index.ts'
import { identOf } from '../../setup/blockParts.ts'
import {
  chainServer,
  type RecordedBlock,
  type RecordedChain,
  recordedChain,
  stateName,
} from '../../setup/recordedBlocks.ts'
import { refTo, remade } from '../../setup/remadeBlocks.ts'
import { index, openStore } from './indexScene.ts'

/** Levels of the tree, one after the other: sixteen shards, one, and again. */
const DEPTHS = [2, 3, 4, 3, 2, 1, 0, 1, 2, 3, 4, 3, 2, 1, 0]
/** Blocks of each shard between two of the masterchain. */
const EACH = 3

const lowest = (shard: bigint): bigint => shard & -shard
const parentOf = (shard: bigint): bigint => (shard - lowest(shard)) | (lowest(shard) << 1n)
const halvesOf = (shard: bigint): readonly bigint[] => [shard - (lowest(shard) >> 1n), shard + (lowest(shard) >> 1n)]

const isEmpty = ({ id, block }: RecordedBlock): boolean =>
  id.workchain === 0 && [...accountBlocksOf(blockExtraOf(block))].length === 0

/** The recorded chain, which has two shards, with blocks behind it that split and merge them. */
function withDeepShards(recorded: RecordedChain): { chain: RecordedChain; first: number; newest: number } {
  const masters = recorded.blocks.filter(({ id }) => id.workchain === MASTERCHAIN)
  const end = masters.findLast(({ block }) => shardTopsOf(block).length === 2)
  const pattern = recorded.blocks.find(isEmpty)
  if (end === undefined || pattern === undefined) throw new Error('no blocks to make others of')
  const extra = blockExtraOf(end.block)
  const ofMaster = masterExtraOf(extra)
  const { inMsgs, outMsgs, accountBlocks } = blockExtraOf(pattern.block)
  const none = { inMsgs, outMsgs, accountBlocks }
  const [tree] = [...(ofMaster?.shardHashes.values() ?? [])]
  const described = tree && [...shardsOf(tree)][0]?.[1]
  const endState = recorded.states.get(stateName(end.id))
  if (ofMaster === null || described === undefined || endState === undefined || tree === undefined)
    throw new Error('no shards')
  const blocks = recorded.blocks.filter(({ mcSeqno }) => mcSeqno <= end.id.seqno)
  const states = new Map(recorded.states)
  let tops = [...shardsOf(tree)].map(([shard, { seqno }]) => {
    const found = blocks.findLast(({ id }) => id.workchain === 0 && id.shard === shard && id.seqno === seqno)
    if (found === undefined) throw new Error('a top is not recorded')
    return found
  })
  let last = end
  let lastState = endState
  let made = 0
  const add = (from: RecordedBlock, info: BlockInfo, shard: bigint, more: object = {}): RecordedBlock => {
    const root = toCell({ ...from.block, info: toCell(info, storeBlockInfo), ...more }, storeBlock)
    const where = { workchain: from.id.workchain, shard, seqno: info.seqno }
    return remade({ mcSeqno: last.id.seqno + (from === pattern ? 1 : 0) }, where, root)
  }
  const next = (shard: bigint, previous: readonly RecordedBlock[], isLast: boolean, how: Partial<BlockInfo>) => {
    const [a, b] = previous
    if (a === undefined) throw new Error('nothing before')
    const seqno = Math.max(...previous.map(({ id }) => id.seqno)) + 1
    const endLt = 1n + [...previous, last].reduce((most, { info }) => (info.endLt > most ? info.endLt : most), 0n)
    const times = { startLt: endLt + BigInt(++made), endLt: endLt + BigInt(made) + 10n, genUtime: last.info.genUtime }
    const info: BlockInfo = {
      ...pattern.info,
      ...times,
      ...how,
      seqno,
      shard: identOf(0, shard),
      masterRef: refTo(last),
      beforeSplit: isLast && how.beforeSplit === true,
      previous: b === undefined ? [refTo(a)] : [refTo(a), refTo(b)],
    }
    const block = add(pattern, info, shard)
    blocks.push(block)
    return block
  }
  const grow = (first: RecordedBlock, willSplit: boolean): RecordedBlock => {
    let top = first
    for (let i = 1; i < EACH; i++) top = next(first.id.shard, [top], i === EACH - 1, { beforeSplit: willSplit })
    return top
  }
  let depth = 1
  DEPTHS.forEach((wanted, i) => {
    const willSplit = (DEPTHS[i + 1] ?? 0) > wanted
    const at = blocks.length
    const firsts =
      wanted > depth
        ? tops.flatMap((top) => halvesOf(top.id.shard).map((half) => next(half, [top], false, { afterSplit: true })))
        : [...new Set(tops.map(({ id }) => parentOf(id.shard)))].map((shard) =>
            next(
              shard,
              tops.filter(({ id }) => parentOf(id.shard) === shard),
              false,
              {},
            ),
          )
    tops = firsts.map((first) => grow(first, willSplit))
    depth = wanted
    const shards = tops.map(({ id, info }): readonly [bigint, ShardDescription] => [
      id.shard,
      { ...described, ...id, nextValidatorShard: id.shard, beforeSplit: info.beforeSplit, endLt: info.endLt },
    ])
    const shardHashes = buildDict(shardHashesKind, [[0, makeShardTree(shards)]])
    const state = loadShardState(openCell(lastState))
    const ofState = masterStateOf(state)
    if (ofState === null) throw new Error('no state of the masterchain')
    const seqno = last.id.seqno + 1
    const custom = toCell({ ...ofState, shardHashes }, storeMasterStateExtra)
    const after = toCell({ ...state, seqno, custom }, storeShardState)
    const lt = tops.reduce((most, { info }) => (info.endLt > most ? info.endLt : most), 0n)
    const info: BlockInfo = {
      ...end.info,
      keyBlock: false,
      seqno,
      genUtime: last.info.genUtime + 1,
      startLt: lt,
      endLt: lt + 10n,
      previous: [refTo(last)],
    }
    const more = {
      stateUpdate: makeUpdate(lastState, after),
      extra: toCell(
        { ...extra, ...none, custom: toCell({ ...ofMaster, shardHashes }, storeMasterBlockExtra) },
        storeBlockExtra,
      ),
    }
    const master = add(end, info, end.id.shard, more)
    const own = { ...master, mcSeqno: seqno }
    blocks.splice(at, 0, own)
    states.set(stateName(own.id), after)
    ;[last, lastState] = [own, after]
  })
  return { chain: { blocks, states, zerostate: recorded.zerostate }, first: end.id.seqno, newest: last.id.seqno }
}

test('behavior: each block of a tree of sixteen shards and back is indexed once, over many starts', async () => {
  const { chain, first, newest } = withDeepShards(await recordedChain())
  const { server, reveal } = chainServer(chain)
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const database = await openStore()
  const of = { node, database, indexFrom: { seqno: first }, network: 'custom' } as const
  for (let seqno = first + 1; seqno <= newest; seqno++) {
    reveal(seqno)
    const indexer = index(of)
    // Every third is ended at once, wherever it is.
    if (seqno % 3 !== 0) await indexer.waitFor(seqno, { timeoutMs: 300_000 })
    await indexer.close()
  }
  const indexer = index(of)
  await indexer.waitFor(newest, { timeoutMs: 300_000 })
  expect(indexer.status()).toMatchObject({ trouble: null, lacking: 0 })
  const found = await database.read.query(sql`select workchain, shard, seqno, encode(root_hash, 'hex') as hash,
    after_split, after_merge, json_array_length(prev_blocks) as ways from blocks where mc_seqno > ${first}`)
  const wanted = chain.blocks.filter(({ mcSeqno }) => mcSeqno > first)
  const named = (workchain: unknown, shard: unknown, seqno: unknown, hash: unknown) =>
    `${workchain} ${BigInt.asUintN(64, BigInt(String(shard)))} ${seqno} ${hash}`
  expect(found.map((one) => named(one.workchain, one.shard, one.seqno, one.hash)).sort()).toEqual(
    wanted.map(({ id }) => named(id.workchain, id.shard, id.seqno, Buffer.from(id.rootHash).toString('hex'))).sort(),
  )
  const merges = wanted.filter((one) => previousBlocksOf(one).length === 2)
  expect(merges).toHaveLength(2 * (8 + 4 + 2 + 1))
  expect(found.filter(({ after_merge, ways }) => after_merge === true && ways === 2)).toHaveLength(merges.length)
  expect(found.filter(({ after_split }) => after_split === true)).toHaveLength(4 + 8 + 16 + 2 + 4 + 8 + 16)
})
