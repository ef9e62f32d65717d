// Chains of trust between masterchain blocks. A step back is proven by the state, which names all blocks before it. A step
// forward starts from a key block (or the zerostate), whose configuration names the validators that must have signed.

import { hashFromBytes, openCell, sameBytes } from '../../cell/index.ts'
import { type ConfigParams, type ExtBlockRef, loadShardState } from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { BackLink, BlockLink, BlockProofAnswer, ForwardLink } from '../liteAnswers.ts'
import { configOfKeyBlock } from './config.ts'
import { type ProvenBlock, provenBlock } from './header.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, proofOf, provenTree, refusing } from './readProof.ts'
import { checkingSignatures } from './signatures.ts'
import { detailsOf, masterchainOfState, provenState } from './state.ts'
import { currentValidators, type Validator } from './validatorSet.ts'

/** The result of a verified chain of steps. */
export interface VerifiedChain {
  readonly block: BlockIdExt
  /** The newest key block of the steps, without the start; null without one. */
  readonly keyBlock: BlockIdExt | null
  /** When that was made. */
  readonly keyUtime: number | null
  /** When the last block was made; null when that is the zerostate, or the chain has no steps. */
  readonly utime: number | null
  /** False when the steps end before the target. */
  readonly complete: boolean
}

/** Servers return 16 steps at once. */
const MOST_STEPS = 64
/** With few validators each, these take two milliseconds. */
const FEW_STEPS = 4
/** The list of more takes a millisecond to read. */
const FEW_VALIDATORS = 32

/** Validator sets by proven key block, so that a configuration is read once and not for every head. */
export class KnownValidators {
  readonly #sets = new Map<string, readonly Validator[]>()

  get(from: BlockIdExt, catchainSeqno: number, read: () => readonly Validator[]): readonly Validator[] {
    const key = `${hashFromBytes(from.rootHash)}:${catchainSeqno}`
    const known = this.#sets.get(key)
    if (known !== undefined) return known
    const found = read()
    this.#sets.set(key, found)
    const [oldest] = this.#sets.keys()
    if (this.#sets.size > MOST_SETS && oldest !== undefined) this.#sets.delete(oldest)
    return found
  }
}

const MOST_SETS = 8

const isMasterchain = ({ workchain, shard }: BlockIdExt): boolean => workchain === MASTERCHAIN && shard === WHOLE_SHARD

const isBlock = ({ seqno, rootHash, fileHash }: ExtBlockRef, id: BlockIdExt): boolean =>
  seqno === id.seqno && sameBytes(rootHash, id.rootHash) && sameBytes(fileHash, id.fileHash)

/** The header a link leads to; null for the zerostate. */
function destination({ to, toKeyBlock, destProof }: BlockLink): ProvenBlock | null {
  if (to.seqno === 0) {
    demand(destProof.length === 0, 'link', 'a header of the zerostate, which has none')
    return null
  }
  const proven = provenBlock(to, destProof)
  demand(proven.info.keyBlock === toKeyBlock, 'link', 'the link is wrong on whether it leads to a key block')
  return proven
}

function checkBack(link: BackLink): ProvenBlock | null {
  const { from, to } = link
  demand(to.seqno < from.seqno, 'link', 'a step back leads forward')
  const found = destination(link)
  const details = detailsOf(masterchainOfState(from, provenState(from, link.proof, link.stateProof)))
  // A proof may show either the list of all blocks or only the last key block, which is stored next to it.
  const last = details.lastKeyBlock
  if (last !== null && last.seqno === to.seqno) {
    demand(isBlock(last, to), 'link', 'the state names another key block')
    demand(link.toKeyBlock, 'link', 'the link is wrong on whether it leads to a key block')
    return found
  }
  const old = details.previousBlocks.get(to.seqno)
  demand(old !== undefined && isBlock(old.block, to), 'link', 'the state names another block before it')
  demand(old.isKey === link.toKeyBlock, 'link', 'the link is wrong on whether it leads to a key block')
  return found
}

/** The configuration a step forward starts from. */
function configAt(from: BlockIdExt, proof: Uint8Array): ConfigParams {
  if (from.seqno > 0) return configOfKeyBlock(provenBlock(from, proof))
  const root = provenTree(proofOf(proof), from.rootHash, 'the zerostate')
  return masterchainOfState(from, loadShardState(openCell(root))).extra.config
}

function* checkingForward(link: ForwardLink, known: KnownValidators | null): Generator<void, ProvenBlock> {
  const { from, to, signatures } = link
  demand(to.seqno > from.seqno, 'link', 'a step forward leads back')
  const found = destination(link)
  demand(found !== null, 'link', 'a step forward leads to the zerostate')
  const { info } = found
  demand(info.prevKeyBlockSeqno <= from.seqno, 'link', 'the step leaves out a key block')
  demand(signatures.catchainSeqno === info.catchainSeqno, 'validators', 'the signatures are those of another catchain')
  demand(
    signatures.validatorSetHash === info.validatorListHashShort,
    'validators',
    'signed by another set of validators',
  )
  const read = (): readonly Validator[] => currentValidators(configAt(from, link.configProof), to, info.catchainSeqno)
  const validators = known?.get(from, info.catchainSeqno, read) ?? read()
  if (validators.length > FEW_VALIDATORS) yield
  yield* checkingSignatures(to, validators, signatures)
  return found
}

type ChainCheck = readonly [
  known: BlockIdExt,
  target: BlockIdExt | null,
  answer: BlockProofAnswer,
  validators?: KnownValidators | null,
]

/**
 * Checks a chain of steps from a trusted block to the target, or to the newest, in pieces: sixteen steps of a large network have
 * thousands of signatures. When it is not complete, query again from its last block. With `validators`, configurations that were
 * read before are not read again, so their proofs in this answer go unchecked. Throws ProofError.
 */
export function* verifyingBlockProof(...check: ChainCheck): Generator<void, VerifiedChain> {
  try {
    return yield* followingSteps(...check)
  } catch (error) {
    return refusing('chain of blocks', () => {
      throw error
    })
  }
}

function* followingSteps(...[known, target, answer, validators = null]: ChainCheck): Generator<void, VerifiedChain> {
  demand(isMasterchain(known), 'answer', 'chains of trust are those of the masterchain')
  demandSameBlock(answer.from, known)
  demand(answer.steps.length <= MOST_STEPS, 'link', `${answer.steps.length} steps at once`)
  demand(answer.complete || answer.steps.length > 0, 'link', 'the chain leads nowhere')
  let block = known
  let keyBlock: BlockIdExt | null = null
  let keyUtime: number | null = null
  let utime: number | null = null
  for (const [i, link] of answer.steps.entries()) {
    if (i > 0 && i % FEW_STEPS === 0) yield
    demand(isMasterchain(link.to), 'link', 'a step out of the masterchain')
    demandSameBlock(link.from, block, 'link')
    const found = link.kind === 'back' ? checkBack(link) : yield* checkingForward(link, validators)
    block = link.to
    utime = found?.info.genUtime ?? null
    if (found?.info.keyBlock === true && (keyBlock === null || keyBlock.seqno < block.seqno)) {
      keyBlock = block
      keyUtime = found.info.genUtime
    }
  }
  demandSameBlock(answer.to, block, 'link')
  if (target !== null)
    demand(isSameBlock(block, target) === answer.complete, 'answer', 'the chain is wrong on whether it has arrived')
  return { block, keyBlock, keyUtime, utime, complete: answer.complete }
}
