// Signals that ask a process to stop.

/**
 * npm passes a Ctrl+C on that the terminal has sent to all processes in front, and a shell the end of a terminal: one act of the user,
 * two signals.
 */
const SAME_MS = 250

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** A listener that is called but once for signals within 250 ms. `clock`: milliseconds; only differences count. */
export function eachStop<S>(listener: (signal: S) => void, clock = () => performance.now()): (signal: S) => void {
  let last = Number.NEGATIVE_INFINITY
  return (signal) => {
    const now = clock()
    if (now - last < SAME_MS) return
    last = now
    listener(signal)
  }
}

/** From now on such a signal ends the process, also where it waits for a thread to end and calls no listener. */
export function endOnSignal(): void {
  for (const name of STOP_SIGNALS) process.removeAllListeners(name)
}

/** Calls `stop` with the first signal; the next one ends the process. Until what is returned is called. */
export function stopOnce(stop: () => void, clock?: () => number): () => void {
  let isStopping = false
  const listener = eachStop<NodeJS.Signals>((signal) => {
    if (isStopping) {
      endOnSignal()
      process.kill(process.pid, signal)
    } else stop()
    isStopping = true
  }, clock)
  for (const name of STOP_SIGNALS) process.on(name, listener)
  return () => {
    for (const name of STOP_SIGNALS) process.off(name, listener)
  }
}
