// What an account starts from: code, data, libraries, and whether the masterchain wakes it in every block.

import { type Builder, type Cell, dictBytesKey, dictKind, type Slice } from '../../cell/index.ts'
import { loadMaybe, storeMaybe } from '../fields.ts'

export interface TickTock {
  readonly tick: boolean
  readonly tock: boolean
}

export interface StateInit {
  /** Bits of the account id that shards may not split; 5 bits wide. */
  readonly fixedPrefixLength: number | null
  readonly special: TickTock | null
  readonly code: Cell | null
  readonly data: Cell | null
  /** Root of a dictionary of kind `libraryKind`. */
  readonly library: Cell | null
}

export interface SimpleLibrary {
  readonly isPublic: boolean
  readonly root: Cell
}

/** Libraries of an account by hash. */
export const libraryKind = dictKind(dictBytesKey(256), {
  load: (slice): SimpleLibrary => ({ isPublic: slice.loadBit(), root: slice.loadRef() }),
  store: (builder, value: SimpleLibrary) => {
    builder.storeBit(value.isPublic).storeRef(value.root)
  },
})

const loadTickTock = (slice: Slice): TickTock => ({ tick: slice.loadBit(), tock: slice.loadBit() })

export const loadStateInit = (slice: Slice): StateInit => ({
  fixedPrefixLength: slice.loadBit() ? slice.loadUint(5) : null,
  special: loadMaybe(slice, loadTickTock),
  code: slice.loadMaybeRef(),
  data: slice.loadMaybeRef(),
  library: slice.loadMaybeRef(),
})

export function storeStateInit(builder: Builder, value: StateInit): Builder {
  storeMaybe(builder, value.fixedPrefixLength, (b, length) => b.storeUint(length, 5))
  storeMaybe(builder, value.special, (b, { tick, tock }) => b.storeBit(tick).storeBit(tock))
  return builder.storeMaybeRef(value.code).storeMaybeRef(value.data).storeMaybeRef(value.library)
}
