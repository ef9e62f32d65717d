// What storage is charged for.

import { type BinaryHash, type Cell, inOnePiece } from '../../cell/index.ts'
import { toCell } from '../fields.ts'
import { type AccountStorage, type StorageUsed, storeAccountStorage } from './account.ts'

/** Counts the distinct cells of an account and their bits, one step per cell. */
export function* countingStorage(storage: AccountStorage): Generator<void, StorageUsed> {
  const root = toCell(storage, storeAccountStorage)
  const cells = new Map<BinaryHash, Cell>([[root.hash(), root]])
  let bits = 0
  // The map grows while it is walked.
  for (const cell of cells.values()) {
    bits += cell.bits
    for (const ref of cell.refs) cells.set(ref.hash(), ref)
    yield
  }
  return { cells: cells.size, bits }
}

/** The same in one go. */
export const storageUsed = (storage: AccountStorage): StorageUsed => inOnePiece(countingStorage(storage))
