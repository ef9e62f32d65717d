// Ways of trust between masterchain blocks, as far as methods ask for them.

import { ApiError } from '../../shared/errors.ts'
import {
  type BackLink,
  type BlockIdExt,
  type BlockLink,
  type BlockSource,
  chainParts,
  isSameBlock,
  type LiteServer,
  MASTERCHAIN,
  previousBlocksOf,
  provenBlock,
  type SignatureSet,
  verifyBlockProof,
  WHOLE_SHARD,
} from '../node/index.ts'

/** A server leads 16 steps at once, and three of them reach any older block. */
const MOST_ANSWERS = 16

type Prover = Pick<LiteServer, 'blockProof'>

/** Checked steps from one masterchain block to another. */
async function stepsBetween(
  node: Prover,
  from: BlockIdExt,
  to: BlockIdExt,
  signal: AbortSignal,
): Promise<readonly BlockLink[]> {
  const steps: BlockLink[] = []
  let at = from
  for (let answers = 0; !isSameBlock(at, to); answers++) {
    if (answers === MOST_ANSWERS) throw new ApiError('upstream', 'LITE_SERVER_UNKNOWN: proof chain is too long')
    const answer = await node.blockProof(at, to, chainParts.nearReference, { signal })
    at = verifyBlockProof(at, to, answer).block
    steps.push(...answer.steps)
  }
  return steps
}

/** The steps back to a masterchain block that is not newer. */
export async function stepsBack(
  node: Prover,
  from: BlockIdExt,
  to: BlockIdExt,
  signal: AbortSignal,
): Promise<readonly BackLink[]> {
  if (to.seqno > from.seqno) throw new ApiError('upstream', 'LITE_SERVER_UNKNOWN: from mc block is too old')
  const steps = await stepsBetween(node, from, to, signal)
  const back = steps.filter((step) => step.kind === 'back')
  if (back.length !== steps.length) throw new ApiError('upstream', 'LITE_SERVER_UNKNOWN: forward link where none leads')
  return back
}

/** What validators have signed a masterchain block with: the last step to it from the block before. */
export async function signaturesOf(
  node: Prover & BlockSource,
  seqno: number,
  signal: AbortSignal,
): Promise<{ readonly id: BlockIdExt; readonly signatures: SignatureSet }> {
  const found = await provenBlock(node, { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, { signal })
  const { id } = found
  const [before] = previousBlocksOf(found)
  const last = before && (await stepsBetween(node, before, id, signal)).at(-1)
  if (last?.kind !== 'forward') throw new ApiError('upstream', 'LITE_SERVER_UNKNOWN: no signatures of the block')
  return { id, signatures: last.signatures }
}
