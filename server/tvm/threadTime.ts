// Processor time of a thread, as Linux counts it. A run is bounded by it where it is known: on a busy machine the clock on
// the wall says little about the run.

import { readFileSync, readlinkSync } from 'node:fs'

/** The system's number of the calling thread; null where it cannot be read. */
export function threadNumber(): string | null {
  try {
    // `<process>/task/<thread>`
    const [, , thread = ''] = readlinkSync('/proc/thread-self').split('/')
    return thread !== '' && threadMs(thread) !== null ? thread : null
  } catch {
    return null
  }
}

/** Milliseconds a thread of this process has been on a processor; null when it is gone or the system does not count. */
export function threadMs(thread: string): number | null {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')
    const ms = Number(nanoseconds) / 1e6
    return ms > 0 ? ms : null
  } catch {
    return null
  }
}
