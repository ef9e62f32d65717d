// Whether a run that was made without libraries came to one. Most do not. Those that do are made again with all of them.

import type { Output } from './tvmOutput.ts'

/** So long a log has lost its beginning. */
const FULL_LOG = 1 << 20
/** The only ways to a library that is not there: a cell of it that is opened, which fails, and the instruction that does not fail. */
const LIBRARY = /failed to load library cell|execute XLOAD/
/** Begins the action that publishes a library. A bit in the byte after it is clear when it only names one, for the chain to look up. */
const CHANGE_LIBRARY = Buffer.from('26fa1dd4', 'hex')
const BY_REFERENCE = 1

function namesLibrary(actions: Buffer): boolean {
  for (let at = actions.indexOf(CHANGE_LIBRARY); at >= 0; at = actions.indexOf(CHANGE_LIBRARY, at + 1))
    if (((actions[at + CHANGE_LIBRARY.length] ?? 0) & BY_REFERENCE) === 0) return true
  return false
}

/** Whether a transaction that was made without libraries may have come to one. Its log has to be kept. */
export function mayReadLibraries({ vm_log: log = '', actions }: Output): boolean {
  if (log.length >= FULL_LOG || LIBRARY.test(log)) return true
  return actions != null && namesLibrary(Buffer.from(actions, 'base64'))
}
