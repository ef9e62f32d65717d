// Bags of trees that were cut from one in different ways.

import { expect, test } from 'vitest'
import { beginCell, type Cell, makeProof, readBoc, readBocRoots, writeBoc } from '../../../server/cell/index.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const fork = (...refs: Cell[]): Cell => refs.reduce((builder, ref) => builder.storeRef(ref), beginCell()).end()

test('behavior: trees cut from one in many ways are told apart, and what they have in common is stored once', () => {
  const parts = Array.from({ length: 8 }, (_, i) => fork(leaf(i), leaf(100 + i)))
  const root = fork(fork(...parts.slice(0, 4)), fork(...parts.slice(4)))
  // Cells of their own, so that only their hashes show which are equal.
  const cut = (ways: number): Cell =>
    readBoc(writeBoc(makeProof(root, (cell) => ((ways >> parts.indexOf(cell)) & 1) === 0)))
  const proofs = Array.from({ length: 256 }, (_, ways) => cut(ways))
  const bag = writeBoc([...proofs, root], 0)
  const again = readBocRoots(bag, { maxRoots: 300 })
  expect(again.map((one) => one.hash())).toEqual([...proofs, root].map((one) => one.hash()))
  const hashes = new Set<string>()
  const collect = (cell: Cell): void => {
    hashes.add(cell.hash())
    cell.refs.forEach(collect)
  }
  for (const one of again) collect(one)
  // Behind the magic number: two bytes for flags and sizes, then how many cells there are.
  expect(Buffer.from(bag).readUInt16BE(6)).toBe(hashes.size)
})
