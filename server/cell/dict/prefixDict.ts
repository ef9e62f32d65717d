// Dictionaries whose keys form a prefix code: no key is the beginning of another, so a key may have any length up to a
// bound. DNS-like routing tables use them; reading and adding is all that is needed.

import { bitAt, commonBits } from '../bits.ts'
import { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { DictError } from '../cellErrors.ts'
import type { BitString, Slice } from '../slice.ts'
import { nodeBody, readLabel, storeLabel } from './dictNode.ts'
import { childOf } from './find.ts'
import type { Codec } from './shape.ts'

/** The value whose key is a prefix of `input`, and the length of that key; null without one. */
export function findPrefix<V>(
  root: Cell | null,
  maxBits: number,
  value: Codec<V>,
  input: BitString,
): { value: V; bits: number } | null {
  let cell = root
  for (let at = 0; cell !== null; at++) {
    const label = readLabel(cell, maxBits - at)
    const { length, end } = label
    if (length > input.bits - at || commonBits(label.bytes, label.at, input.bytes, at, length) < length) return null
    at += length
    const body = nodeBody(cell, end)
    if (!body.loadBit()) return { value: value.load(body), bits: at }
    if (at === input.bits || at === maxBits) return null
    cell = childOf(cell, bitAt(input.bytes, at))
  }
  return null
}

/** The root with an entry added or replaced. Throws DictError `key` when the key is or has a prefix of another key. */
export function setPrefix<V>(root: Cell | null, maxBits: number, codec: Codec<V>, key: BitString, value: V): Cell {
  if (key.bits > maxBits) throw new DictError('key', `a key of ${key.bits} bits where ${maxBits} are allowed`)
  const leaf = (at: number): Cell => {
    const builder = storeLabel(new Builder(), key.bytes, at, key.bits - at, maxBits - at).storeBit(0)
    codec.store(builder, value)
    return builder.end()
  }
  const insert = (cell: Cell, at: number): Cell => {
    const max = maxBits - at
    const label = readLabel(cell, max)
    const { bytes, at: start, length } = label
    const common = commonBits(bytes, start, key.bytes, at, Math.min(length, key.bits - at))
    const body = nodeBody(cell, label.end)
    const down = at + common
    if (common < length) {
      if (down === key.bits) throw new DictError('key', 'the key is a prefix of another key')
      const side = bitAt(bytes, start + common)
      const rest = storeLabel(new Builder(), bytes, start + common + 1, length - common - 1, max - common - 1)
      const old = rest.storeSlice(body).end()
      const fork = storeLabel(new Builder(), bytes, start, common, max).storeBit(1)
      const fresh = leaf(down + 1)
      return side === 0 ? fork.storeRef(old).storeRef(fresh).end() : fork.storeRef(fresh).storeRef(old).end()
    }
    return below(cell, body, at, down)
  }
  const below = (cell: Cell, body: Slice, at: number, down: number): Cell => {
    const isFork = body.loadBit()
    if (!isFork && down === key.bits) return leaf(at)
    if (!isFork || down === key.bits) throw new DictError('key', 'the key has a prefix that is a key, or is one itself')
    const side = bitAt(key.bytes, down)
    const child = insert(childOf(cell, side), down + 1)
    const builder = storeLabel(new Builder(), key.bytes, at, down - at, maxBits - at).storeBit(1)
    return side === 0
      ? builder.storeRef(child).storeRef(childOf(cell, 1)).end()
      : builder.storeRef(childOf(cell, 0)).storeRef(child).end()
  }
  return root === null ? leaf(0) : insert(root, 0)
}
