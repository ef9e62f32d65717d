// After a revert the index is for a while at blocks that were undone. The call that reverts waits for it, so that calls after its
// reply do not read them.

import { ApiError } from '../../../shared/errors.ts'
import type { Chain } from '../../node/index.ts'
import type { Call } from '../call.ts'
import { leaveUndone, type ReachedIndex, standsIn } from '../indexReach.ts'

const FOLLOW_MS = 8_000

export interface RevertedParts {
  readonly chain: Pick<Chain, 'idOf' | 'traits'>
  readonly index: Pick<ReachedIndex, 'indexed'>
  /** Milliseconds for an index that follows a revert. */
  readonly followMs?: number | undefined
}

/** Waits for the index after a revert. Rejects with ApiError `conflict` when it does not follow in time. */
export function followedRevert({ chain, index, followMs = FOLLOW_MS }: RevertedParts) {
  const stands = standsIn(chain)
  return async (mcSeqno: number, { signal }: Pick<Call, 'signal'>): Promise<void> => {
    if (await leaveUndone({ index, stands }, mcSeqno, { signal, timeoutMs: followMs })) return
    const text =
      'the chain was reverted, and the index has not followed yet: v3 shows blocks that were undone until it has'
    throw new ApiError('conflict', text, {
      advice: 'Do not call again: wait until v3.masterchainInfo shows the block.',
    })
  }
}
