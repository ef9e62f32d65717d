// Follows the newest block of one server: each query waits on the server for the next block.

import { failureText } from '../../process/index.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { type Clock, sleepOn } from '../systemClock.ts'
import { LONGEST_WAIT_MS } from '../waitLimits.ts'
import { ANSWER_MS } from './callLimits.ts'

const FIRST_PAUSE_MS = 250
/** Consecutive failures after which the connection is closed. */
const MOST_FAILURES = 3
/** Minimum time between two queries of a server that does not wait, or names one block after the other. */
const SHORTEST_ROUND_MS = 100

/** A query for the newest block. */
export interface InfoQuery {
  /** Answered once this block is known. */
  readonly waitSeqno?: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface PoolHeadWatch {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Least time between two queries; 0 where calls have no limit. */
  readonly roundMs: number
  fetchInfo(query: InfoQuery): Promise<MasterchainInfo>
  onInfo(info: MasterchainInfo): void
}

/** Resolves with the reason once the server stops answering, or the signal is aborted. */
export async function watchHead({ clock, signal, roundMs, fetchInfo, onInfo }: PoolHeadWatch): Promise<string> {
  let seqno: number | null = null
  let reason = 'closed'
  /** The last wait ended without a new block. */
  let wasQuiet = false
  const restOf = async (begun: number, shortest: number): Promise<void> => {
    const left = shortest - (clock.now() - begun)
    if (left > 0) await sleepOn(clock, left, signal)
  }
  for (let failures = 0; failures < MOST_FAILURES && !signal.aborted; ) {
    const begun = clock.now()
    // Without waiting after a failure: some proxies cannot wait. Also after a wait without a block: a chain that was
    // reverted is below the awaited block.
    const isWaiting: boolean = seqno !== null && failures === 0 && !wasQuiet
    try {
      const info = await fetchInfo({
        ...(isWaiting && seqno !== null ? { waitSeqno: seqno + 1 } : {}),
        timeoutMs: isWaiting ? LONGEST_WAIT_MS + ANSWER_MS : ANSWER_MS,
        signal,
      })
      seqno = info.last.seqno
      failures = 0
      onInfo(info)
      await restOf(begun, wasQuiet ? roundMs : Math.max(roundMs, SHORTEST_ROUND_MS))
      wasQuiet = false
    } catch (error) {
      // No new block during the wait.
      wasQuiet =
        isWaiting &&
        error instanceof LiteError &&
        error.kind === 'timeout' &&
        clock.now() - begun < LONGEST_WAIT_MS + ANSWER_MS
      if (wasQuiet) {
        await restOf(begun, Math.max(roundMs, SHORTEST_ROUND_MS))
        continue
      }
      reason = failureText(error)
      failures++
      await sleepOn(clock, Math.max(roundMs, FIRST_PAUSE_MS * 2 ** failures), signal)
    }
  }
  return reason
}
