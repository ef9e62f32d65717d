// The libraries of a contract's own, which run with it.

import { buildDict, type Cell, CellError, Dict, emptyDict } from '../../cell/index.ts'
import { libraryKind, type SimpleLibrary } from './stateInit.ts'

/** Libraries of one contract that are taken along. */
const MOST_OWN = 256

export type OwnLibraries = Dict<Uint8Array, SimpleLibrary>

/** The dictionary as it is, or its first ones where it has more. */
export function ownLibraries(library: Cell | null): OwnLibraries {
  const all: OwnLibraries = new Dict(libraryKind, library)
  const first: [Uint8Array, SimpleLibrary][] = []
  try {
    for (const entry of all) {
      if (first.length === MOST_OWN) return buildDict(libraryKind, first)
      first.push(entry)
    }
    return all
  } catch (error) {
    // A contract may be born with anything in the place of its libraries: then it has none.
    if (!(error instanceof CellError)) throw error
    return emptyDict(libraryKind)
  }
}
