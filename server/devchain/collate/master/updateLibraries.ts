// Public libraries: the masterchain collects them from the accounts that publish them.

import { type Cell, Dict, emptyDict, openCell } from '../../../cell/index.ts'
import { type LibraryDescription, libraryKind, loadAccount, publishersKind } from '../../../tlb/index.ts'
import type { Draft } from '../blockDraft.ts'

export type LibraryDict = Dict<Uint8Array, LibraryDescription>

/** The public libraries an account offers, by hash as hex. */
function publicLibraries(account: Cell): Map<string, Cell> {
  const found = new Map<string, Cell>()
  const state = loadAccount(openCell(account))?.storage.state
  if (state?.kind !== 'active' || state.init.library === null) return found
  for (const [hash, library] of new Dict(libraryKind, state.init.library))
    if (library.isPublic) found.set(Buffer.from(hash).toString('hex'), library.root)
  return found
}

/** The collection after the block, given what its accounts published before and after it. */
export function updateLibraries(draft: Draft): LibraryDict {
  let libraries: LibraryDict = draft.plan.previous.details.libraries
  for (const { id, before, after } of draft.accounts.changed()) {
    const had = publicLibraries(before)
    const has = publicLibraries(after)
    for (const hash of had.keys()) if (!has.has(hash)) libraries = withdraw(libraries, hash, id)
    for (const [hash, library] of has) if (!had.has(hash)) libraries = publish(libraries, hash, { id, library })
  }
  return libraries
}

function withdraw(libraries: LibraryDict, hash: string, publisher: Uint8Array): LibraryDict {
  const key = Buffer.from(hash, 'hex')
  const entry = libraries.get(key)
  if (entry === undefined) return libraries
  const publishers = entry.publishers.delete(publisher)
  return publishers.isEmpty ? libraries.delete(key) : libraries.set(key, { ...entry, publishers })
}

function publish(
  libraries: LibraryDict,
  hash: string,
  { id, library }: { id: Uint8Array; library: Cell },
): LibraryDict {
  const key = Buffer.from(hash, 'hex')
  const entry = libraries.get(key) ?? { library, publishers: emptyDict(publishersKind) }
  return libraries.set(key, { ...entry, publishers: entry.publishers.set(id, true) })
}
