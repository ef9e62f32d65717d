// How long this thread has waited for a processor that others used. Only Linux says it; elsewhere it is 0.

import { openSync, readSync } from 'node:fs'

/** Three numbers: nanoseconds that the thread ran, nanoseconds that it waited, and how often it ran. */
const FILE = '/proc/thread-self/schedstat'

const bytes = Buffer.alloc(80)
let opened: number | null | undefined

function open(): number | null {
  try {
    return openSync(FILE, 'r')
  } catch {
    return null
  }
}

/** Milliseconds since the thread began. */
export function queuedMs(): number {
  if (opened === undefined) opened = open()
  if (opened === null) return 0
  try {
    const length = readSync(opened, bytes, 0, bytes.length, 0)
    const [, waited = 0] = bytes.toString('latin1', 0, length).split(' ').map(Number)
    return waited / 1e6
  } catch {
    opened = null
    return 0
  }
}
