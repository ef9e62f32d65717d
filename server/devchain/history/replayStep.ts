// States from blocks: every block contains the change of its state, so that nothing has to be executed again.

import { applyUpdate, type Cell, openCell, sameBytes } from '../../cell/index.ts'
import { loadBlock } from '../../tlb/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { type ChainState, type MasterState, type Moment, readMasterState, readState } from '../state/index.ts'
import { type MasterStep, parseStored, type StoredStep } from './storedSteps.ts'

/** A record contradicts its blocks. */
export class ReplayError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ReplayError'
  }
}

function newRoot(before: ChainState, block: Cell, { id }: JournalBlock): Cell {
  const name = `block ${id.workchain}:${id.seqno}`
  if (id.seqno !== before.id.seqno + 1) throw new ReplayError(`${name} does not follow ${before.id.seqno}`)
  if (!sameBytes(block.hashBytes(), id.rootHash)) throw new ReplayError(`${name} has another root hash`)
  try {
    return applyUpdate(before.root, loadBlock(openCell(block)).stateUpdate)
  } catch (cause) {
    throw new ReplayError(`${name} does not lead on from the state before it`, { cause })
  }
}

/** The masterchain after a step, given how it was before it. Throws ReplayError when the step does not fit. */
export const replayMaster = (before: MasterState, { facts, boc }: MasterStep): MasterState =>
  masterAfter(before, parseStored(boc), facts)

const masterAfter = (before: MasterState, block: Cell, facts: JournalBlock): MasterState =>
  readMasterState(newRoot(before, block, facts), facts.id)

/** Both chains. Throws ReplayError likewise. */
export function replayStep(before: Moment, step: StoredStep): Moment {
  const { master, shard } = step.record
  const { masterRoot, shardRoot } = step
  return {
    master: masterAfter(before.master, masterRoot, master),
    shard:
      shard === null || shardRoot === null
        ? before.shard
        : readState(newRoot(before.shard, shardRoot, shard), shard.id),
  }
}
