// The recorded chain with its two shards merged: the last block of the right one that has a transaction is made again as the first
// of the whole shard, with the same transaction, behind blocks of both halves.

import { buildDict, type Cell, makeUpdate, openCell, storeDict } from '../../server/cell/index.ts'
import {
  type BlockIdExt,
  isSameBlock,
  MASTERCHAIN,
  previousBlocksOf,
  shardTopsOf,
  WHOLE_SHARD,
} from '../../server/node/index.ts'
import {
  accountBlocksOf,
  accountsOf,
  type BlockInfo,
  blockExtraOf,
  loadShardState,
  makeShardTree,
  masterExtraOf,
  masterStateOf,
  type ShardDescription,
  shardAccountsKind,
  shardHashesKind,
  shardsOf,
  storeBlock,
  storeBlockExtra,
  storeBlockInfo,
  storeMasterBlockExtra,
  storeMasterStateExtra,
  storeShardState,
  toCell,
} from '../../server/tlb/index.ts'
import { identOf, storeSplitState } from './blockParts.ts'
import { type RecordedBlock, type RecordedChain, stateName } from './recordedBlocks.ts'
import { refTo, remade } from './remadeBlocks.ts'

export interface MergedChain extends RecordedChain {
  readonly merged: BlockIdExt
  /** Its last masterchain block. */
  readonly newest: number
}

const LEFT = 1n << 62n
const RIGHT = 3n << 62n

const transactionsOf = ({ block }: RecordedBlock): number =>
  [...accountBlocksOf(blockExtraOf(block))].reduce((sum, [, { transactions }]) => sum + [...transactions].length, 0)

export function withMergedShards({ blocks, zerostate, states }: RecordedChain): MergedChain {
  const named = (id: BlockIdExt): RecordedBlock => {
    const found = blocks.find((one) => isSameBlock(one.id, id))
    if (found === undefined) throw new Error('A block is not recorded')
    return found
  }
  const stateOf = ({ id }: RecordedBlock): Cell => {
    const found = states.get(stateName(id))
    if (found === undefined) throw new Error('A state is not recorded')
    return found
  }
  const right = blocks.findLast((one) => one.id.workchain === 0 && one.id.shard === RIGHT && transactionsOf(one) > 0)
  const master = blocks.find(({ id }) => id.workchain === MASTERCHAIN && id.seqno === right?.mcSeqno)
  const left = master && shardTopsOf(master.block).find(({ id }) => id.shard === LEFT)
  const [beforeRight] = right === undefined ? [] : previousBlocksOf(right)
  if (master === undefined || left === undefined || right === undefined || beforeRight === undefined)
    throw new Error('No transaction in the right shard is recorded')

  const older = named(beforeRight)
  const leftTop = named(left.id)
  const seqno = Math.max(leftTop.id.seqno, older.id.seqno) + 1
  const [ofLeft, ofRight] = [leftTop, right].map((one) => loadShardState(openCell(stateOf(one))))
  if (ofLeft === undefined || ofRight === undefined) throw new Error('No two states')
  const accounts = buildDict(shardAccountsKind, [...accountsOf(ofLeft), ...accountsOf(ofRight)])
  const shard = identOf(0, WHOLE_SHARD)
  const after = toCell({ ...ofRight, shard, seqno, accounts: toCell(accounts, storeDict) }, storeShardState)
  const before = toCell({ left: stateOf(leftTop), right: stateOf(older) }, storeSplitState)
  const info: BlockInfo = { ...right.info, shard, seqno, previous: [refTo(leftTop), refTo(older)] }
  const merged = remade(
    right,
    { workchain: 0, shard: WHOLE_SHARD, seqno },
    toCell({ ...right.block, info: toCell(info, storeBlockInfo), stateUpdate: makeUpdate(before, after) }, storeBlock),
  )

  const extra = blockExtraOf(master.block)
  const ofMaster = masterExtraOf(extra)
  const [tree] = [...(ofMaster?.shardHashes.values() ?? [])]
  const described = tree && [...shardsOf(tree)].find(([prefix]) => prefix === RIGHT)?.[1]
  if (ofMaster === null || described === undefined) throw new Error('The masterchain block names no shard')
  const description: ShardDescription = { ...described, ...merged.id, nextValidatorShard: WHOLE_SHARD }
  const shardHashes = buildDict(shardHashesKind, [[0, makeShardTree([[WHOLE_SHARD, description]])]])
  const custom = toCell({ ...ofMaster, shardHashes }, storeMasterBlockExtra)
  const [beforeMaster] = previousBlocksOf(master)
  const state = loadShardState(openCell(stateOf(master)))
  const ofState = masterStateOf(state)
  if (beforeMaster === undefined || ofState === null) throw new Error('No state of the masterchain')
  const masterState = toCell(
    { ...state, custom: toCell({ ...ofState, shardHashes }, storeMasterStateExtra) },
    storeShardState,
  )
  const stateUpdate = makeUpdate(stateOf(named(beforeMaster)), masterState)
  const root = toCell(
    { ...master.block, stateUpdate, extra: toCell({ ...extra, custom }, storeBlockExtra) },
    storeBlock,
  )
  const newMaster = remade(master, { ...master.id, seqno: master.id.seqno }, root)

  const isReplaced = ({ id }: RecordedBlock): boolean =>
    id.seqno >= right.id.seqno && id.workchain === 0 && id.shard === RIGHT
  const kept = blocks.filter((one) => one.mcSeqno <= master.id.seqno && one !== master && !isReplaced(one))
  const first = kept.findIndex((one) => one.mcSeqno === master.id.seqno)
  return {
    blocks: [...kept.slice(0, first), newMaster, ...kept.slice(first), merged],
    zerostate,
    states: new Map([...states, [stateName(merged.id), after], [stateName(newMaster.id), masterState]]),
    merged: merged.id,
    newest: master.id.seqno,
  }
}
