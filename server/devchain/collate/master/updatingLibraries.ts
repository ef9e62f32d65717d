// Public libraries: the masterchain collects them from the accounts that publish them.

import { type Cell, Dict, emptyDict, openCell, sameBytes } from '../../../cell/index.ts'
import { type LibraryDescription, libraryKind, loadAccount, publishersKind } from '../../../tlb/index.ts'
import type { Draft } from '../blockDraft.ts'

export type LibraryDict = Dict<Uint8Array, LibraryDescription>

interface Publisher {
  readonly id: Uint8Array
  readonly before: Cell | null
  readonly after: Cell | null
}

function librariesIn(account: Cell): Cell | null {
  const state = loadAccount(openCell(account))?.storage.state
  return state?.kind === 'active' ? state.init.library : null
}

/** Public libraries by hash, as hex. An account may be deployed with one under any key: it is a library under its hash only. */
function publicOnes(libraries: Cell | null): Map<string, Cell> {
  const found = new Map<string, Cell>()
  if (libraries === null) return found
  for (const [key, { isPublic, root }] of new Dict(libraryKind, libraries))
    if (isPublic && sameBytes(key, root.hashBytes())) found.set(root.hashHex(), root)
  return found
}

/** The collection after the block, given what its accounts published before and after it. Pauses after each account. */
export function* updatingLibraries({ accounts, plan, usage }: Draft): Generator<void, LibraryDict> {
  let libraries: LibraryDict = plan.previous.details.libraries
  for (const { id, before, after } of accounts.changed()) {
    libraries = usage.run(() => {
      const publisher = { id, before: librariesIn(before), after: librariesIn(after) }
      return publisher.before?.hash() === publisher.after?.hash() ? libraries : updated(libraries, publisher)
    })
    yield
  }
  return libraries
}

function updated(all: LibraryDict, { id, before, after }: Publisher): LibraryDict {
  const had = publicOnes(before)
  const has = publicOnes(after)
  let libraries = all
  for (const hash of had.keys()) if (!has.has(hash)) libraries = withdraw(libraries, hash, id)
  for (const [hash, library] of has) if (!had.has(hash)) libraries = publish(libraries, hash, { id, library })
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
