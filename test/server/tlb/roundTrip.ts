// The promise of the room, as functions: what was loaded is stored as the identical cell, and the other way round.

import { expect } from 'vitest'
import { Cell, Dict } from '../../../server/cell/index.ts'
import { fromCell, type Load, type Store, toCell } from '../../../server/tlb/index.ts'

/** Loads a cell, stores it again, expects the same hash, and returns what was loaded. */
export function roundTrip<T>(cell: Cell, load: Load<T>, store: Store<T>): T {
  const value = fromCell(cell, load)
  expect(toCell(value, store).hashHex()).toBe(cell.hashHex())
  return value
}

/** A structure with cells and dictionaries by their hashes, so that equal ones compare as equal. */
function plain(value: unknown): unknown {
  if (value instanceof Cell) return value.hashHex()
  if (value instanceof Dict) return plain(value.root)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}

/** Stores a value, expects to load an equal one, and returns the cell. */
export function thereAndBack<T>(value: T, load: Load<T>, store: Store<T>): Cell {
  const cell = toCell(value, store)
  expect(plain(roundTrip(cell, load, store))).toEqual(plain(value))
  return cell
}
