// The state of one of the two chains after a block: its tree of cells, and the parts that every block needs, parsed once. It
// is immutable; the next block makes another one that shares nearly all cells with it.

import { type Cell, type Dict, openCell } from '../../cell/index.ts'
import {
  accountsOf,
  type DepthBalance,
  loadShardState,
  type MasterStateDetails,
  type MasterStateExtra,
  masterDetailsOf,
  masterStateOf,
  type OutQueueInfo,
  outQueueOf,
  type ShardAccount,
  type ShardStateDetails,
  stateDetailsOf,
} from '../../tlb/index.ts'
import type { BlockIdExt } from './blockRef.ts'

export type Accounts = Dict<Uint8Array, ShardAccount, DepthBalance>

export interface ChainState {
  readonly id: BlockIdExt
  readonly root: Cell
  readonly globalId: number
  readonly utime: number
  /** Where the block ended; the next one starts above. */
  readonly lt: bigint
  readonly minRefMcSeqno: number
  readonly accounts: Accounts
  readonly queue: OutQueueInfo
  readonly details: ShardStateDetails
}

export interface MasterState extends ChainState {
  readonly extra: MasterStateExtra
  readonly master: MasterStateDetails
}

/** Reads a state of either chain. Throws CellError for cells that are no state. */
export function readState(root: Cell, id: BlockIdExt): ChainState {
  const state = loadShardState(openCell(root))
  return {
    id,
    root,
    globalId: state.globalId,
    utime: state.genUtime,
    lt: state.genLt,
    minRefMcSeqno: state.minRefMcSeqno,
    accounts: accountsOf(state),
    queue: outQueueOf(state),
    details: stateDetailsOf(state),
  }
}

/** Reads a state of the masterchain. Throws CellError for other cells. */
export function readMasterState(root: Cell, id: BlockIdExt): MasterState {
  const extra = masterStateOf(loadShardState(openCell(root)))
  if (extra === null) throw new Error('A masterchain state without its extra part')
  return { ...readState(root, id), extra, master: masterDetailsOf(extra) }
}

/** How many messages wait in the queue, delivered ones that are not yet removed included. */
export const queueSizeOf = (state: ChainState): number => state.queue.extra?.queueSize ?? 0
