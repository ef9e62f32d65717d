// Steps of trust between masterchain blocks, checked one after the other.

import { inPieces } from '../fairness/index.ts'
import { type BlockIdExt, isSameBlock } from './blockId.ts'
import type { BackLink, BlockLink, SignatureSet } from './liteAnswers.ts'
import { LiteError } from './liteErrors.ts'
import { chainParts, type LiteOptions, type LiteServer } from './liteServer.ts'
import { ProofError, type ProvenBlock, previousBlocksOf, verifyingBlockProof } from './verify/index.ts'

/** A server returns 16 steps at once, and three of them reach any older block. */
const MOST_ANSWERS = 16

type Prover = Pick<LiteServer, 'blockProof'>

/** Checked steps from one masterchain block to another. Rejects with LiteError or ProofError. */
async function stepsBetween(
  server: Prover,
  from: BlockIdExt,
  to: BlockIdExt,
  options: LiteOptions,
): Promise<readonly BlockLink[]> {
  const steps: BlockLink[] = []
  let at = from
  for (let answers = 0; !isSameBlock(at, to); answers++) {
    if (answers === MOST_ANSWERS) throw new ProofError('link', 'the chain of proofs is too long')
    const answer = await server.blockProof(at, to, chainParts.nearReference, options)
    at = (await inPieces(verifyingBlockProof(at, to, answer))).block
    steps.push(...answer.steps)
  }
  return steps
}

/** The steps back to a masterchain block that is not newer. */
export async function stepsBack(
  server: Prover,
  from: BlockIdExt,
  to: BlockIdExt,
  options: LiteOptions,
): Promise<readonly BackLink[]> {
  if (to.seqno > from.seqno) throw new LiteError('failed', 'from mc block is too old')
  const steps = await stepsBetween(server, from, to, options)
  const back = steps.filter((step) => step.kind === 'back')
  if (back.length !== steps.length) throw new ProofError('link', 'a step forward on the way back')
  return back
}

/** Signatures of a masterchain block: those of the last step to it from the block before. */
export async function signaturesOf(server: Prover, found: ProvenBlock, options: LiteOptions): Promise<SignatureSet> {
  const [before] = previousBlocksOf(found)
  const last = before && (await stepsBetween(server, before, found.id, options)).at(-1)
  if (last?.kind !== 'forward') throw new ProofError('link', 'no signatures of the block')
  return last.signatures
}
