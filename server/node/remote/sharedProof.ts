// A proof of the newest block that many callers wait for. The first of them began it, on the server that its call was given.

import { isSameBlock } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import type { Claim } from './proofWalk.ts'

export interface SharedProof {
  readonly claim: Claim
  readonly done: Promise<void>
}

interface Waiting {
  /** Up to the timeout and the signal of the caller that joins. */
  readonly wait: (work: Promise<void>) => Promise<void>
  readonly isRunning: () => boolean
}

const isSameServer = (one: LiteServer, other: LiteServer): boolean =>
  one === other || (one.name !== undefined && one.name === other.name)

/** Waits for what another caller began. Its failure is this caller's only when the same server would fail again. */
export async function joinProof({ claim, done }: SharedProof, own: Claim, { wait, isRunning }: Waiting): Promise<void> {
  // That proof is for another claim, which may be a lie; this claim is proven separately.
  if (!isSameBlock(claim.id, own.id)) return await wait(done.catch(() => undefined))
  try {
    await wait(done)
  } catch (error) {
    // Cancelled: the caller that began may have gone.
    const isCancelled = error instanceof LiteError && error.kind === 'cancelled'
    if (isRunning() || (isSameServer(claim.server, own.server) && !isCancelled)) throw error
  }
}
