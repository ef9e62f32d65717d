// Changing a dictionary: sorted changes, however many, in one pass down, path copying, so that the old root stays valid and
// everything untouched is shared. A single set or delete is a batch of one.

import { bitAt, commonBits, copyBits, putBit } from '../bits.ts'
import { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { extraOf, nodeBody, readLabel, storeLabel } from './dictNode.ts'
import { childOf } from './find.ts'
import type { Shape } from './shape.ts'

/** A key of `keyBits` bits and its new value, or null to delete it. */
export interface DictChange<V> {
  readonly key: Uint8Array
  readonly value: V | null
}

const MERGED = Buffer.alloc(128)

/** Applies changes, sorted by key and without duplicates, and returns the new root; the same root if nothing changed. */
export function applyChanges<V, X>(
  shape: Shape<V, X>,
  root: Cell | null,
  changes: readonly DictChange<V>[],
): Cell | null {
  return new Pass(shape, changes).change(root, 0, changes.length, 0)
}

class Pass<V, X> {
  private readonly shape: Shape<V, X>
  private readonly changes: readonly DictChange<V>[]
  // The extra of the node made last: its parent nearly always needs it next, and need not parse it again.
  private fresh: Cell | null = null
  private freshExtra: X | null = null

  constructor(shape: Shape<V, X>, changes: readonly DictChange<V>[]) {
    this.shape = shape
    this.changes = changes
  }

  private keyAt(index: number): Uint8Array {
    return this.changes[index]?.key ?? MERGED
  }

  /** Changes `lo` to `hi` below `cell`, whose label starts at key bit `at`. */
  change(cell: Cell | null, lo: number, hi: number, at: number): Cell | null {
    if (lo >= hi) return cell
    if (cell === null) return this.build(lo, hi, at)
    const max = this.shape.keyBits - at
    const label = readLabel(cell, max)
    const { length, end } = label
    let same = commonBits(label.bytes, label.at, this.keyAt(lo), at, length)
    if (hi - lo > 1) same = Math.min(same, commonBits(label.bytes, label.at, this.keyAt(hi - 1), at, length))
    if (same < length) return this.split(cell, lo, hi, at, same)
    const down = at + length
    if (down === this.shape.keyBits) return this.replaceLeaf(cell, end, lo)
    const middle = this.middle(lo, hi, down)
    const left = childOf(cell, 0)
    const right = childOf(cell, 1)
    const newLeft = this.change(left, lo, middle, down + 1)
    const leftExtra = this.freshOf(newLeft)
    const newRight = this.change(right, middle, hi, down + 1)
    if (newLeft === left && newRight === right) return cell
    if (newLeft !== null && newRight !== null) {
      // The label is that of the old node, wherever it is encoded.
      const start = cell.offset * 8
      const builder = new Builder().storeRange(cell.bytes, start, end - start)
      return this.fork(builder, newLeft, newRight, max - length - 1, leftExtra)
    }
    const only = newLeft ?? newRight
    return only === null ? null : this.merge(cell, max, length, newLeft === null ? 1 : 0, only, at)
  }

  private freshOf(cell: Cell | null): X | null {
    return cell !== null && cell === this.fresh ? this.freshExtra : null
  }

  private replaceLeaf(cell: Cell, labelEnd: number, index: number): Cell | null {
    const value = this.changes[index]?.value ?? null
    if (value === null) return null
    const start = cell.offset * 8
    return this.leaf(new Builder().storeRange(cell.bytes, start, labelEnd - start), value)
  }

  private leaf(builder: Builder, value: V): Cell {
    const { augmentation } = this.shape
    let extra: X | null = null
    if (augmentation !== null) {
      extra = augmentation.leaf(value)
      augmentation.store(builder, extra)
    }
    this.shape.value.store(builder, value)
    return this.made(builder.end(), extra)
  }

  private fork(builder: Builder, left: Cell, right: Cell, max: number, leftExtra: X | null): Cell {
    const { augmentation } = this.shape
    builder.storeRef(left).storeRef(right)
    if (augmentation === null) return builder.end()
    const rightExtra = this.freshOf(right)
    const extra = augmentation.combine(
      leftExtra ?? extraOf(augmentation, left, max),
      rightExtra ?? extraOf(augmentation, right, max),
    )
    augmentation.store(builder, extra)
    return this.made(builder.end(), extra)
  }

  private made(cell: Cell, extra: X | null): Cell {
    this.fresh = cell
    this.freshExtra = extra
    return cell
  }

  /** Some key leaves the edge of `cell` behind its first `same` bits: a new fork there, the rest of the edge below it. */
  private split(cell: Cell, lo: number, hi: number, at: number, same: number): Cell | null {
    const max = this.shape.keyBits - at
    const below = max - same - 1
    const label = readLabel(cell, max)
    const side = bitAt(label.bytes, label.at + same)
    const shortened = new Builder()
    storeLabel(shortened, label.bytes, label.at + same + 1, label.length - same - 1, below)
    const rest = shortened.storeSlice(nodeBody(cell, label.end)).end()
    const middle = this.middle(lo, hi, at + same)
    const down = at + same + 1
    const left = side === 0 ? this.change(rest, lo, middle, down) : this.build(lo, middle, down)
    const leftExtra = this.freshOf(left)
    const right = side === 0 ? this.build(middle, hi, down) : this.change(rest, middle, hi, down)
    if ((side === 0 ? right : left) === null && (side === 0 ? left : right) === rest) return cell
    if (left !== null && right !== null) {
      const again = readLabel(cell, max)
      const builder = storeLabel(new Builder(), again.bytes, again.at, same, max)
      return this.fork(builder, left, right, below, leftExtra)
    }
    const only = left ?? right
    return only === null ? null : this.merge(cell, max, same, left === null ? 1 : 0, only, at)
  }

  /** A fork lost one side: the first `kept` bits of its label, the bit of the other side and that one's label become one. */
  private merge(cell: Cell, max: number, kept: number, bit: 0 | 1, child: Cell, at: number): Cell {
    const upper = readLabel(cell, max)
    copyBits(MERGED, 0, upper.bytes, upper.at, kept)
    putBit(MERGED, kept, bit)
    const lower = readLabel(child, max - kept - 1)
    copyBits(MERGED, kept + 1, lower.bytes, lower.at, lower.length)
    const builder = storeLabel(new Builder(), MERGED, 0, kept + 1 + lower.length, this.shape.keyBits - at)
    const extra = this.freshOf(child)
    const merged = builder.storeSlice(nodeBody(child, lower.end)).end()
    return extra === null ? merged : this.made(merged, extra)
  }

  /** A tree of the entries `lo` to `hi`, which agree on the first `at` key bits. */
  private build(lo: number, hi: number, at: number): Cell | null {
    let from = lo
    let to = hi
    while (from < to && this.changes[from]?.value === null) from++
    while (to > from && this.changes[to - 1]?.value === null) to--
    const entry = this.changes[from]
    if (from === to || entry === undefined || entry.value === null) return null
    const max = this.shape.keyBits - at
    const { key } = entry
    if (to - from === 1) return this.leaf(storeLabel(new Builder(), key, at, max, max), entry.value)
    const same = commonBits(key, at, this.keyAt(to - 1), at, max)
    const middle = this.middle(from, to, at + same)
    const left = this.build(from, middle, at + same + 1)
    const leftExtra = this.freshOf(left)
    const right = this.build(middle, to, at + same + 1)
    if (left === null || right === null) return left ?? right
    return this.fork(storeLabel(new Builder(), key, at, same, max), left, right, max - same - 1, leftExtra)
  }

  /** The first of the changes `lo` to `hi` whose key bit `at` is set. */
  private middle(lo: number, hi: number, at: number): number {
    let low = lo
    let high = hi
    while (low < high) {
      const middle = (low + high) >> 1
      if (bitAt(this.keyAt(middle), at) === 1) high = middle
      else low = middle + 1
    }
    return low
  }
}
