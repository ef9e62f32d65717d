// The way from a trusted key block to a claimed one, in as many answers as the server needs for it.

import { type BlockIdExt, blockText, isSameBlock } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../errors.ts'
import { chainParts, type LiteServer } from '../liteServer.ts'
import { type KnownValidators, ProofError, verifyBlockProof } from '../verify/index.ts'
import { SyncProgress, type SyncReport } from './syncProgress.ts'
import type { ProvenAt } from './trustFile.ts'

/** How servers refuse a starting block that they do not have. */
const UNKNOWN_START = /unknown from the perspective|not known|not in db|no such block|invalid BlockIdExt/

/** A block that a server reports as the newest. */
export interface Claim {
  /** The server that must prove it. */
  readonly server: LiteServer
  readonly id: BlockIdExt
  /** Unproven, for estimates. */
  readonly utime: number
}

export interface WalkParts {
  readonly validators: KnownValidators
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Of the file where trust is stored. */
  readonly storeName: string | null
  readonly options: ReadOptions
  /** Called with each key block on the way, and the block that its proof ended with. */
  readonly onKey: (key: ProvenAt, last: ProvenAt) => void
  /** Called after each answer but the last. */
  readonly onStep: (report: SyncReport) => void
}

/** Proves the claim from a trusted key block on. Rejects with ProofError when it is not on the chain of that block. */
export async function walkProof(claim: Claim, key: ProvenAt, parts: WalkParts): Promise<void> {
  const { id } = claim
  const progress = new SyncProgress({ seqno: id.seqno, utime: claim.utime }, key.utime, parts.clock)
  for (let at = key.id; !isSameBlock(at, id); ) {
    if (id.seqno <= at.seqno)
      throw new ProofError('answer', `block ${blockText(id)} is not on the chain of the trusted ${blockText(at)}`)
    const chain = verifyBlockProof(at, id, await readProof(claim, at, parts), parts.validators)
    // Each answer must make progress, or a server could hold us forever.
    if (chain.block.seqno <= at.seqno) throw new ProofError('link', 'a proof that does not lead on')
    at = chain.block
    const { keyBlock, keyUtime } = chain
    if (keyBlock !== null) parts.onKey({ id: keyBlock, utime: keyUtime }, { id: at, utime: chain.utime })
    if (!chain.complete) parts.onStep(progress.report(at.seqno, chain.utime))
  }
}

async function readProof({ server, id }: Claim, at: BlockIdExt, { options, storeName }: WalkParts) {
  try {
    return await server.blockProof(at, id, chainParts.nearReference, options)
  } catch (error) {
    if (!(error instanceof LiteError) || !UNKNOWN_START.test(error.message)) throw error
    const words =
      `block ${at.seqno}, which is trusted, is unknown to the lite server (${error.message}): the network may have ` +
      'been forked or reverted; use a newer configuration of it'
    const file = storeName === null ? '' : `, or delete ${storeName} to prove its chain from the start`
    throw new LiteError(error.code, words + file, { cause: error })
  }
}
