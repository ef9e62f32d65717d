// Looking things up: one key, the nearest key, all keys in order. Only the cells on the way are opened, so a recorded
// look-up is exactly what a proof of its answer needs, of absence as well.

import { bitAt, commonBits, copyBits, putBit } from '../bits.ts'
import type { Cell } from '../cell.ts'
import { DictError } from '../cellErrors.ts'
import { CellKind } from '../exotic.ts'
import type { Slice } from '../slice.ts'
import { leafValue, nodeBody, readLabel } from './dictNode.ts'
import type { Shape } from './shape.ts'

/** Child 0 or 1 of a fork. */
export function childOf(cell: Cell, bit: number): Cell {
  const child = cell.refs[bit]
  if (child === undefined) throw new DictError('node', 'a fork of a dictionary has not two references')
  return child
}

export interface Finding {
  readonly keyBits: number
  /** A key in a part that was cut off counts as absent; otherwise it throws. */
  readonly shownOnly?: boolean
}

/** The leaf of a key as a slice behind its label, augmentation first; null when the key is absent. */
export function findLeaf(root: Cell | null, key: Uint8Array, { keyBits, shownOnly = false }: Finding): Slice | null {
  let cell = root
  for (let at = 0; cell !== null; at++) {
    if (shownOnly && cell.kind === CellKind.pruned) return null
    const label = readLabel(cell, keyBits - at)
    if (commonBits(label.bytes, label.at, key, at, label.length) < label.length) return null
    at += label.length
    if (at === keyBits) return nodeBody(cell, label.end)
    cell = childOf(cell, bitAt(key, at))
  }
  return null
}

/** In what order, and from where, entries are walked. */
export interface Walk {
  /** The first key bit counts as a sign: keys with it set come first. */
  readonly signed: boolean
  readonly reverse: boolean
  /** Only keys from here on, in the direction of the walk. */
  readonly from: Uint8Array | null
  /** Whether an entry with the key `from` itself is part of the walk. */
  readonly inclusive: boolean
  /** Leave out what was cut off; then no node may be reached twice. */
  readonly shownOnly: boolean
}

interface Pending {
  readonly cell: Cell
  readonly at: number
  /** Whether the path down to here is a prefix of `from`. */
  readonly tight: boolean
  readonly bit: number
}

/** Entries in order. The key array is reused: copy it to keep it. */
export function* walkDict<V, X>(root: Cell | null, shape: Shape<V, X>, how: Walk): Generator<[Uint8Array, V]> {
  if (root === null) return
  const { keyBits } = shape
  const path = Buffer.alloc((keyBits + 7) >> 3)
  const stack: Pending[] = [{ cell: root, at: 0, tight: how.from !== null, bit: 0 }]
  const shown = new Set<Cell>()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { cell } = next
    if (how.shownOnly) {
      if (cell.kind === CellKind.pruned) continue
      if (shown.has(cell)) throw new DictError('node', 'a node of a dictionary occurs twice')
      shown.add(cell)
    }
    let { at, tight } = next
    if (at > 0) putBit(path, at - 1, next.bit)
    const label = readLabel(cell, keyBits - at)
    if (tight && how.from !== null) {
      const same = commonBits(label.bytes, label.at, how.from, at, label.length)
      tight = same === label.length
      if (!tight && rank(bitAt(label.bytes, label.at + same), at + same, how) === 0) continue
    }
    // Clears what follows in the last byte, which is fine: a path is always written front to back.
    copyBits(path, at, label.bytes, label.at, label.length)
    at += label.length
    if (at === keyBits) {
      if (!tight || how.inclusive) yield [path, leafValue(shape, cell, label.end)]
      continue
    }
    const first = rank(0, at, how)
    const fromBit = tight && how.from !== null ? bitAt(how.from, at) : -1
    stack.push({ cell: childOf(cell, 1 - first), at: at + 1, tight: fromBit === 1 - first, bit: 1 - first })
    if (fromBit !== 1 - first)
      stack.push({ cell: childOf(cell, first), at: at + 1, tight: fromBit === first, bit: first })
  }
}

// Place of a key bit in the walk, 0 first; the other way round it is also the bit that comes first.
const rank = (bit: number, at: number, how: Walk): number =>
  bit ^ (how.reverse ? 1 : 0) ^ (how.signed && at === 0 ? 1 : 0)

/** How many entries there are, counting no further than just over `limit`; visits every node up to there. */
export function countEntries(root: Cell | null, keyBits: number, limit: number): number {
  if (root === null) return 0
  const below = keyBits - readLabel(root, keyBits).length
  if (below === 0) return 1
  const left = countEntries(childOf(root, 0), below - 1, limit)
  return left > limit ? left : left + countEntries(childOf(root, 1), below - 1, limit - left)
}
