// What a control method has done is in the blocks of the chain when it is done, and in v3 a moment later. The call waits for that
// moment, so that a test which reads next need not ask again and again.

import type { Chain } from '../../node/index.ts'
import type { Call } from '../call.ts'
import { type ReachedIndex, reachIndex, standsIn } from '../indexReach.ts'

/** An index that stands still holds no call for longer. */
const SOON_MS = 3_000
/** Left of a call's time for its answer. */
const ANSWER_MS = 500

export interface IndexedParts {
  readonly chain: Pick<Chain, 'idOf' | 'traits'>
  readonly index: ReachedIndex
}

/** Resolves once a block is indexed, or soon. */
export type Indexed = (mcSeqno: number, call: Pick<Call, 'signal' | 'endsAt' | 'outsideLane'>) => Promise<unknown>

export function indexedSoon({ chain, index }: IndexedParts): Indexed {
  const stands = standsIn(chain)
  return (mcSeqno, { signal, endsAt = Number.POSITIVE_INFINITY, outsideLane = (wait) => wait() }) => {
    const timeoutMs = Math.min(SOON_MS, endsAt - performance.now() - ANSWER_MS)
    return outsideLane(() => reachIndex({ index, stands }, mcSeqno, { signal, timeoutMs }))
  }
}
