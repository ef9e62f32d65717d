// Entries of an augmented dictionary by what the augmentation says of them. Every node states the smallest extra below it,
// so the first few entries are found without opening the rest.

import { commonBits, copyBits, putBit } from '../bits.ts'
import type { Cell } from '../cell.ts'
import { extraOf, leafValue, readLabel } from './dictNode.ts'
import { childOf } from './find.ts'
import { MinHeap } from './minHeap.ts'
import type { Augmentation, Shape } from './shape.ts'

interface Node<X> {
  readonly cell: Cell
  /** Key bits decided above it, which are the beginning of `path`. */
  readonly at: number
  readonly path: Uint8Array
  readonly extra: X
}

/**
 * Entries whose keys begin with `prefix`, smallest extra first, equal ones in any order. An extra must be the smallest of all
 * below it.
 */
export function* smallestFirst<V, X>(
  root: Cell | null,
  { shape, augmentation }: { readonly shape: Shape<V, X>; readonly augmentation: Augmentation<V, X> },
  { prefix, compare }: { readonly prefix: Uint8Array; readonly compare: (a: X, b: X) => number },
): Generator<[Uint8Array, V]> {
  if (root === null) return
  const { keyBits } = shape
  const prefixBits = prefix.length * 8
  const heap = new MinHeap<Node<X>>((a, b) => compare(a.extra, b.extra))
  const push = (cell: Cell, at: number, path: Uint8Array): void =>
    heap.push({ cell, at, path, extra: extraOf(augmentation, cell, keyBits - at) })
  push(root, 0, Buffer.alloc((keyBits + 7) >> 3))
  for (let node = heap.pop(); node !== undefined; node = heap.pop()) {
    const { cell, path } = node
    const label = readLabel(cell, keyBits - node.at)
    const { end } = label
    copyBits(path, node.at, label.bytes, label.at, label.length)
    const at = node.at + label.length
    const decided = Math.min(at, prefixBits)
    if (commonBits(path, 0, prefix, 0, decided) < decided) continue
    if (at === keyBits) {
      yield [path, leafValue(shape, cell, end)]
      continue
    }
    for (const bit of [0, 1] as const) {
      const below = Uint8Array.from(path)
      putBit(below, at, bit)
      push(childOf(cell, bit), at + 1, below)
    }
  }
}
