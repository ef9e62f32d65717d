// The newest block of one server, by a standing query for the block after it: known one round trip after it exists.

import type { MasterchainInfo } from '../answers.ts'
import { type Clock, sleepOn } from '../clock.ts'
import { LiteError } from '../errors.ts'
import type { LiteOptions } from '../liteServer.ts'

/** Servers wait no longer. */
const WAIT_MS = 10_000
const ANSWER_MS = 5_000
const FIRST_PAUSE_MS = 250
/** Failures in a row after which the connection is given up. */
const MOST_FAILURES = 3
/** A server that does not wait is asked no more often. */
const SHORTEST_ROUND_MS = 100

export interface HeadWatch {
  readonly clock: Clock
  readonly signal: AbortSignal
  ask(options: LiteOptions): Promise<MasterchainInfo>
  onInfo(info: MasterchainInfo): void
}

/** Resolves with the reason once the server stops answering, or the signal is aborted. */
export async function watchHead({ clock, signal, ask, onInfo }: HeadWatch): Promise<string> {
  let seqno: number | null = null
  let reason = 'closed'
  /** The last wait ended without a block. */
  let wasQuiet = false
  const restOf = async (begun: number): Promise<void> => {
    const left = SHORTEST_ROUND_MS - (clock.now() - begun)
    if (left > 0) await sleepOn(clock, left, signal)
  }
  for (let failures = 0; failures < MOST_FAILURES && !signal.aborted; ) {
    const begun = clock.now()
    // After a failure without waiting: some proxies do not know how to. After a wait in vain, too: a chain that was
    // reverted is below the block that is awaited.
    const isWaiting: boolean = seqno !== null && failures === 0 && !wasQuiet
    try {
      const info = await ask({
        ...(isWaiting && seqno !== null ? { waitSeqno: seqno + 1 } : {}),
        timeoutMs: isWaiting ? WAIT_MS + ANSWER_MS : ANSWER_MS,
        signal,
      })
      const isNew = info.last.seqno !== seqno
      seqno = info.last.seqno
      failures = 0
      onInfo(info)
      if (!isNew && !wasQuiet) await restOf(begun)
      wasQuiet = false
    } catch (error) {
      // No block was made meanwhile.
      wasQuiet =
        isWaiting && error instanceof LiteError && error.kind === 'timeout' && clock.now() - begun < WAIT_MS + ANSWER_MS
      if (wasQuiet) {
        await restOf(begun)
        continue
      }
      reason = error instanceof Error ? error.message : String(error)
      failures++
      await sleepOn(clock, FIRST_PAUSE_MS * 2 ** failures, signal)
    }
  }
  return reason
}
