// What a control method has done is in the blocks of the chain when it is done, and in v3 a moment later. The call waits for that
// moment, so that a test which reads next need not ask again and again.

import { sameBytes } from '../../cell/index.ts'
import type { Chain } from '../../node/index.ts'
import type { Call } from '../call.ts'
import { chainHasBlock, type ReachedIndex, reachIndex, standsIn } from '../indexReach.ts'

/** As long as control methods follow a trace: on a busy machine the index is seconds behind. */
const SOON_MS = 8_000
/** Pause between checks whether the chain still has the block. */
const CHECK_MS = 250
/** Left of a call's time for its answer: on a busy machine that comes late, and a call without one may be repeated. */
const ANSWER_MS = 2_000

export interface IndexedParts {
  readonly chain: Pick<Chain, 'idOf' | 'traits'>
  readonly index: ReachedIndex
  /** Milliseconds for an index that stands still. */
  readonly soonMs?: number | undefined
}

const isAt = (
  index: Pick<ReachedIndex, 'indexed'>,
  block: ReturnType<ReachedIndex['indexed']> | undefined,
): boolean => {
  const at = index.indexed()
  return at === block || (at != null && block != null && sameBytes(at.rootHash, block.rootHash))
}

/** Resolves once a block is indexed or undone, or soon. */
export type Indexed = (mcSeqno: number, call: Pick<Call, 'signal' | 'endsAt' | 'outsideLane'>) => Promise<unknown>

export function indexedSoon({ chain, index, soonMs = SOON_MS }: IndexedParts): Indexed {
  const stands = standsIn(chain)
  /** Where the index stood still during a long wait: until it moves, no call waits for it. */
  let stoodAt: ReturnType<ReachedIndex['indexed']> | undefined
  const reach = async (mcSeqno: number, signal: AbortSignal, timeoutMs: number) => {
    const over = new AbortController()
    const end = () => over.abort()
    const check = async () => {
      if (!(await chainHasBlock(chain, { seqno: mcSeqno }))) end()
    }
    signal.addEventListener('abort', end)
    const checks = stands && setInterval(() => void check().catch(() => undefined), CHECK_MS)
    const before = index.indexed()
    const isReached = await reachIndex({ index, stands }, mcSeqno, { signal: over.signal, timeoutMs }).finally(() => {
      clearInterval(checks)
      signal.removeEventListener('abort', end)
    })
    const wasLong = timeoutMs > soonMs / 2 && !over.signal.aborted
    if (isReached) stoodAt = undefined
    else if (wasLong && isAt(index, before)) stoodAt = before
  }
  return async (mcSeqno, { signal, endsAt = Number.POSITIVE_INFINITY, outsideLane = (wait) => wait() }) => {
    const timeoutMs = Math.min(soonMs, endsAt - performance.now() - ANSWER_MS)
    if (!signal.aborted && !isAt(index, stoodAt)) await outsideLane(() => reach(mcSeqno, signal, timeoutMs))
  }
}
