// Hashes of an account's cell before and after a transaction or a block.

import type { Builder, Slice } from '../cell/index.ts'
import { expectTag, loadHash, storeHash } from './fields.ts'

export interface HashUpdate {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export function loadHashUpdate(slice: Slice): HashUpdate {
  expectTag(slice, 0x72, 8, 'HASH_UPDATE')
  return { before: loadHash(slice), after: loadHash(slice) }
}

export const storeHashUpdate = (builder: Builder, value: HashUpdate): Builder =>
  storeHash(storeHash(builder.storeUint(0x72, 8), value.before), value.after)
