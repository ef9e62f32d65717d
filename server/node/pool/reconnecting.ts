// Connects to a server again and again, with pauses between.

import { type Clock, sleepOn } from '../systemClock.ts'
import type { Suspension } from './suspension.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** The longest pause while no server can be called. */
const LONGEST_MISSED_MS = 4_000

interface Reconnecting {
  readonly clock: Clock
  random(): number
  isMissed(): boolean
  readonly suspension: Suspension
  readonly signal: AbortSignal
  /** One connection, until it ends; `wasHeard`: it gave an answer. */
  connection(): Promise<{ readonly reason: string; readonly wasHeard: boolean }>
  /** `wasDropped`: it was left out, and is tried again now: nothing new to say of it. */
  onLost(reason: string, wasDropped: boolean): void
}

/** Until the signal is aborted. Never rejects. */
export async function stayConnected(parts: Reconnecting): Promise<void> {
  const { clock, random, isMissed, suspension, signal, connection, onLost } = parts
  const longest = (): number => (isMissed() ? LONGEST_MISSED_MS : LONGEST_PAUSE_MS)
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(longest(), pause * 2)) {
    const { reason, wasHeard } = await connection()
    if (signal.aborted) return
    if (wasHeard) pause = FIRST_PAUSE_MS
    if (suspension.reason === null) {
      onLost(reason, false)
      // Jitter, so that a server that comes back does not get all reconnections at once.
      await sleepOn(clock, pause * (0.5 + random()), signal)
    } else if (!wasHeard) suspension.postpone()
    // It may also have been suspended during the pause.
    const wasLiar = await suspension.wait(isMissed)
    if (wasLiar && !signal.aborted) onLost('it was left out for a false answer', true)
  }
}
