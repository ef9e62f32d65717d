// The way from a trusted key block to a claimed one, in as many answers as the server needs for it.

import { inPieces } from '../../fairness/index.ts'
import { type BlockIdExt, blockText, isSameBlock } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import type { BlockProofAnswer } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { chainParts, headerParts, type LiteServer } from '../liteServer.ts'
import {
  type KnownValidators,
  ProofError,
  type ProvenBlock,
  verifyHeader,
  verifyingBlockProof,
} from '../verify/index.ts'
import { SyncProgress, type SyncReport } from './syncProgress.ts'
import { TrustError } from './trustError.ts'
import type { ProvenAt } from './trustFile.ts'

/** How servers refuse a starting block that they do not have. */
const UNKNOWN_START = /unknown from the perspective|not known|not in db|no such block|invalid BlockIdExt/

export const isUnknownStart = (error: unknown): error is LiteError =>
  error instanceof LiteError && UNKNOWN_START.test(error.message)

/** A block that a server reports as the newest. */
export interface Claim {
  /** The server that must prove it. */
  readonly server: LiteServer
  readonly id: BlockIdExt
  /** Unproven, for estimates. */
  readonly utime: number
}

/** The block trust starts from does not lead to a claim; another server may have it. */
export function notFromStart(start: BlockIdExt, claimed: number, options?: ErrorOptions): LiteError {
  const [code, words] =
    claimed < start.seqno
      ? (['ahead', `is newer than the newest block of the lite server, ${claimed}`] as const)
      : (['start', 'is not on the chain of the lite server'] as const)
  const cause = new TrustError(code, `block ${start.seqno}, where trust starts, ${words}`, options)
  return new LiteError('notReady', cause.message, { cause })
}

/** Before the first proof of this process: what a lite server claims is older than what an earlier one has proven. */
export function behindProven(claimed: number, proven: number, storeName: string | undefined): LiteError {
  const file = storeName === undefined ? '' : `; if the chain was reverted, delete ${storeName} and start again`
  return new LiteError(
    'notReady',
    `the lite server is at block ${claimed}, behind block ${proven}, which is proven${file}`,
  )
}

/** The newest key block up to a proven block, which is that block, or the last one on the way to it. */
export function keyBlockOf({ id, info }: ProvenBlock, last: BlockIdExt): BlockIdExt | null {
  if (info.keyBlock) return id
  return info.prevKeyBlockSeqno === last.seqno ? last : null
}

/** Names the call whose answer is not proven: several may be in flight. */
export async function namingVerb<T>(verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProofError) error.verb ??= verb
    throw error
  }
}

/** The first answer of a walk, which was queried before it is known whether it is needed. */
interface FirstAnswer {
  readonly from: BlockIdExt
  readonly answer: Promise<BlockProofAnswer>
}

/** A claim with what was queried of it at once. */
export interface QueriedClaim extends Claim {
  readonly header: Promise<ProvenBlock>
  /** Null where nothing is to be proven. */
  readonly first: FirstAnswer | null
}

export interface WalkParts {
  readonly validators: KnownValidators
  /** Milliseconds; only differences count. */
  readonly clock: () => number
  /** Nothing was proven from the key block before: it may be a wrong one. */
  readonly isUntried: boolean
  /** Of the file where trust is stored. */
  readonly storeName: string | null
  readonly options: ReadOptions
  /** Called with each key block on the way, and the block that its proof ended with. */
  readonly onKey: (key: ProvenAt, last: ProvenAt) => void
  /** Called after each answer but the last. */
  readonly onStep: (report: SyncReport) => void
}

interface ClaimQuery extends Pick<WalkParts, 'isUntried' | 'storeName' | 'options'> {
  /** Where its proof starts; null where nothing is to be proven. */
  readonly key: ProvenAt | null
  /** Called when the header is here, before it is checked. */
  readonly answered: () => void
}

/** Queries at once what does not depend on other answers: a slow server takes seconds for each. */
export function queryClaim(claim: Claim, { key, answered, ...walk }: ClaimQuery): QueriedClaim {
  const { server, id } = claim
  const header = namingVerb('header', async () => {
    const answer = await server.header(id, headerParts.stateUpdate, walk.options)
    answered()
    return verifyHeader(id, answer)
  })
  if (key === null || id.seqno <= key.id.seqno) return { ...claim, header, first: null }
  const answer = readProof(claim, key.id, walk)
  // Not used when the block is found to be none that is followed.
  answer.catch(() => undefined)
  return { ...claim, header, first: { from: key.id, answer } }
}

/** Proves the claim from a trusted key block on. Rejects with ProofError when it is not on the chain of that block. */
export const walkProof = (...walk: Parameters<typeof walkFrom>): Promise<void> =>
  namingVerb('blockProof', () => walkFrom(...walk))

async function walkFrom(claim: QueriedClaim, key: ProvenAt, parts: WalkParts): Promise<void> {
  const { id, first } = claim
  const progress = new SyncProgress({ seqno: id.seqno, utime: claim.utime }, key.utime, parts.clock)
  for (let at = key.id; !isSameBlock(at, id); ) {
    if (parts.isUntried && id.seqno <= key.id.seqno) throw notFromStart(key.id, id.seqno)
    if (id.seqno <= at.seqno)
      throw new ProofError('answer', `block ${blockText(id)} is not on the chain of the trusted ${blockText(at)}`)
    const isUntried = parts.isUntried && isSameBlock(at, key.id)
    const begun = first !== null && isSameBlock(first.from, at) ? first.answer : null
    const answer = await (begun ?? readProof(claim, at, { ...parts, isUntried }))
    // Only the first step may lead back, to the key block before: others would be steps to nowhere, with signatures to check.
    if (answer.steps.some(({ kind }, i) => i > 0 && kind === 'back'))
      throw new ProofError('link', 'a proof that goes back and forth')
    const chain = await inPieces(verifyingBlockProof(at, id, answer, parts.validators))
    const { keyBlock, keyUtime, complete } = chain
    // By single blocks, each of them proven, a server could hold us for days.
    const leadsOn = complete || (keyBlock !== null && isSameBlock(keyBlock, chain.block))
    if (!leadsOn || chain.block.seqno <= at.seqno) throw new ProofError('link', 'a proof that does not lead on')
    at = chain.block
    if (keyBlock !== null) parts.onKey({ id: keyBlock, utime: keyUtime }, { id: at, utime: chain.utime })
    if (!complete) parts.onStep(progress.report(at.seqno, chain.utime))
  }
}

async function readProof(
  { server, id }: Claim,
  at: BlockIdExt,
  { options, storeName, isUntried }: Pick<WalkParts, 'isUntried' | 'storeName' | 'options'>,
): Promise<BlockProofAnswer> {
  try {
    return await server.blockProof(at, id, chainParts.nearReference, options)
  } catch (error) {
    if (!isUnknownStart(error)) throw error
    if (isUntried) throw notFromStart(at, id.seqno, { cause: error })
    const words =
      `block ${at.seqno}, which is trusted, is unknown to ${server.name ?? 'the lite server'} (${error.message}): it may ` +
      'have lost its old blocks; where no server knows it the network was forked or reverted: use a newer configuration of it'
    const file = storeName === null ? '' : `, or then delete ${storeName} to prove its chain from the start`
    throw new LiteError(error.code, words + file, { cause: error })
  }
}
