// Transactions run without public libraries first, as most need none. Those that may have needed one run again with all of them.

import type { Output } from './tvmOutput.ts'

/** Of a log so long the beginning may be missing. */
const FULL_LOG = 1 << 20
/**
 * In the log of a run that needed a library: to open its cell fails, XLOAD looks it up without a failure, and code that is one
 * is a jump to its cell, which takes gas that the code found would not.
 */
const LIBRARY = /failed to load library cell|execute XLOAD|execute implicit JMPREF\nunhandled out-of-gas/
/** Begins the action that publishes a library. The last bit of the next byte is clear when the action has only its hash, to be looked up. */
const CHANGE_LIBRARY = Buffer.from('26fa1dd4', 'hex')
const BY_REFERENCE = 1

function namesLibrary(actions: Buffer): boolean {
  for (let at = actions.indexOf(CHANGE_LIBRARY); at >= 0; at = actions.indexOf(CHANGE_LIBRARY, at + 1))
    if (((actions[at + CHANGE_LIBRARY.length] ?? 0) & BY_REFERENCE) === 0) return true
  return false
}

/** Whether a transaction that ran without libraries may have needed one. The run must have kept its log. */
export function mayReadLibraries({ vm_log: log = '', actions }: Output): boolean {
  if (log.length >= FULL_LOG || LIBRARY.test(log)) return true
  return actions != null && namesLibrary(Buffer.from(actions, 'base64'))
}
