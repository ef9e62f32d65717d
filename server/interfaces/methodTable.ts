// The table of methods most compilers begin a contract with: `SETCP0`, then `DICTPUSHCONST` with a dictionary of code by
// method id. Only its keys are read.

import { type Cell, Dict, dictKind, openCell, orNull, uintKey, unitValue } from '../cell/index.ts'

const SETCP0 = 0xff00
/** The first 13 bits of the instruction; then a bit for "not empty", and the length of keys in 10. */
const DICTPUSHCONST = 0xf4a0 >> 3
/** Ids are numbers of 32 bits with a sign in the store; compilers use 19. */
const MOST_KEY_BITS = 31
/** A few cells that share subtrees can claim millions; real contracts have some dozens. */
const MOST_METHODS = 4096

function keysOf(code: Cell): number[] | null {
  const slice = openCell(code)
  if (slice.loadUint(16) !== SETCP0 || slice.loadUint(13) !== DICTPUSHCONST) return null
  const root = slice.loadMaybeRef()
  const bits = slice.loadUint(10)
  if (root === null) return []
  if (bits === 0 || bits > MOST_KEY_BITS) return null
  const ids: number[] = []
  for (const id of new Dict(dictKind(uintKey(bits), unitValue), root).keys()) {
    if (ids.length === MOST_METHODS) return null
    ids.push(id)
  }
  return ids
}

/**
 * Ids of a contract's methods, ascending, with 0 for internal messages and 524287 for external ones where they are in
 * the table. Null for code that has no such table, that cannot be read, or that lies in a library.
 */
export function methodIdsOf(code: Cell): readonly number[] | null {
  return code.isExotic ? null : orNull(() => keysOf(code))
}
