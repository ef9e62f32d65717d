// Level masks, depths and hashes of a cell written down as plainly as the rule can be stated, without any of the
// shortcuts of the code under test: a hash per level 0 to 3, always all four.

import { createHash } from 'node:crypto'
import type { Cell } from '../../../server/cell/index.ts'

export interface PlainHashes {
  readonly mask: number
  readonly depths: readonly number[]
  readonly hashes: readonly Buffer[]
}

const significant = (mask: number, level: number): boolean => level === 0 || ((mask >> (level - 1)) & 1) === 1

function padded(cell: Cell): Buffer {
  const data = Buffer.from(cell.data())
  const used = cell.bits % 8
  if (used !== 0) data[data.length - 1] = (data[data.length - 1] ?? 0) | (128 >> used)
  return data
}

const storedIndex = (mask: number, level: number): number => {
  let index = 0
  for (let i = 1; i <= level; i++) if (significant(mask, i)) index++
  return index
}

function pruned(cell: Cell, data: Buffer): PlainHashes {
  const mask = data[1] ?? 0
  const count = [1, 2, 3].filter((level) => significant(mask, level)).length
  const own = createHash('sha256')
    .update(Buffer.from([8 + 32 * mask, Math.floor(cell.bits / 8) * 2]))
    .update(data)
    .digest()
  const stored = [0, 1, 2, 3].map((level) => {
    const index = storedIndex(mask, level)
    if (index === count) return { hash: own, depth: 0 }
    const at = 2 + 32 * index
    return { hash: data.subarray(at, at + 32), depth: data.readUInt16BE(2 + 32 * count + 2 * index) }
  })
  return { mask, depths: stored.map((s) => s.depth), hashes: stored.map((s) => s.hash) }
}

/** What the node computes for a cell. */
export function plainHashes(cell: Cell): PlainHashes {
  const data = padded(cell)
  const type = cell.isExotic ? (data[0] ?? 0) : 0
  if (type === 1) return pruned(cell, data)
  const refs = cell.refs.map(plainHashes)
  const isMerkle = type === 3 || type === 4
  const union = refs.reduce((mask, ref) => mask | ref.mask, 0)
  const mask = isMerkle ? union >> 1 : union
  const depths: number[] = []
  const hashes: Buffer[] = []
  for (let level = 0; level <= 3; level++) {
    const below = Math.min(3, isMerkle ? level + 1 : level)
    depths.push(Math.max(0, ...refs.map((ref) => (ref.depths[below] ?? 0) + 1)))
    const before = hashes.at(-1)
    if (!significant(mask, level) && before) {
      hashes.push(before)
      continue
    }
    const parts: Buffer[] = [
      Buffer.from([
        refs.length + (cell.isExotic ? 8 : 0) + 32 * (mask & ((1 << level) - 1)),
        Math.floor(cell.bits / 8) + Math.ceil(cell.bits / 8),
      ]),
      before ?? data,
    ]
    for (const ref of refs) parts.push(Buffer.from([(ref.depths[below] ?? 0) >> 8, (ref.depths[below] ?? 0) & 255]))
    for (const ref of refs) parts.push(ref.hashes[below] ?? Buffer.alloc(0))
    hashes.push(createHash('sha256').update(Buffer.concat(parts)).digest())
  }
  return { mask, depths, hashes }
}
