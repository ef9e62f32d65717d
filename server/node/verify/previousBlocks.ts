// The earlier masterchain blocks that get-methods can see, from the proof of a configuration that shows them.

import type { BinaryHash } from '../../cell/index.ts'
import { type MasterStateDetails, masterDetailsOf } from '../../tlb/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { ConfigAnswer } from '../liteAnswers.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, refusing } from './readProof.ts'
import { masterchainOfState, type ProvenMaster, provenState } from './state.ts'

export type MasterBlock = Pick<BlockIdExt, 'seqno' | 'rootHash' | 'fileHash'>

export interface ProvenPreviousBlocks {
  /** The block itself and the 15 before it, newest first. */
  readonly recent: readonly MasterBlock[]
  /** The newest 16 whose seqno is divisible by 100, newest first; the zerostate counts. */
  readonly sparse: readonly MasterBlock[]
  /** The newest key block, the block itself included. */
  readonly key: MasterBlock
  /** Of the configuration after the block. */
  readonly configHash: BinaryHash
}

const COUNT = 16
const SPARSE = 100

function going(id: BlockIdExt, { previousBlocks }: MasterStateDetails, [from, step]: readonly [number, number]) {
  const blocks: MasterBlock[] = []
  for (let seqno = from; seqno >= 0 && blocks.length < COUNT; seqno -= step) {
    const block = seqno === id.seqno ? id : previousBlocks.get(seqno)?.block
    demand(block !== undefined && block.seqno === seqno, 'missing', `block ${seqno} is not among the earlier ones`)
    blocks.push(block)
  }
  return blocks
}

/** The blocks before a masterchain block, from the state after it. Throws ProofError where the state is pruned too far. */
export function previousBlocksIn(id: BlockIdExt, { extra }: Pick<ProvenMaster, 'extra'>): ProvenPreviousBlocks {
  const details = masterDetailsOf(extra)
  const { root } = extra.config.params
  demand(root !== null, 'config', 'a state without a configuration')
  const { afterKeyBlock, lastKeyBlock } = details
  return {
    recent: going(id, details, [id.seqno, 1]),
    sparse: going(id, details, [id.seqno - (id.seqno % SPARSE), SPARSE]),
    key: afterKeyBlock || lastKeyBlock === null ? id : lastKeyBlock,
    configHash: root.hash(),
  }
}

/** Checks the answer to a configuration with `previousBlocks`. */
export const verifyPreviousBlocks = (id: BlockIdExt, answer: ConfigAnswer): ProvenPreviousBlocks =>
  refusing('earlier blocks', () => {
    demandSameBlock(answer.id, id)
    return previousBlocksIn(id, masterchainOfState(id, provenState(id, answer.stateProof, answer.configProof)))
  })
