// Trees of proofs that are made at once: what is taken is what reading the bag, and then the proof, takes.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginCell,
  type Cell,
  loadProof,
  makeProof,
  makeUpdate,
  orNull,
  readBoc,
  readShownTree,
  writeBoc,
} from '../../../server/cell/index.ts'
import { cellTwins } from './randomCells.ts'

const LIMITS = { maxRoots: 1, maxDepth: 1024 } as const

const shown = (bag: Uint8Array, { hash }: { readonly hash: string }): Cell | null =>
  orNull(() => readShownTree(bag, LIMITS, hash))

const read = (bag: Uint8Array, { hash }: { readonly hash: string }): Cell | null =>
  orNull(() => loadProof(readBoc(bag, LIMITS), hash))

/** All there is to see of a tree. */
const seen = (cell: Cell): unknown => ({
  hash: cell.hashHex(),
  depth: cell.depth(),
  low: [cell.hashHex(0), cell.depth(0)],
  kind: cell.kind,
  mask: cell.mask,
  isVirtual: cell.isVirtual,
  bits: cell.bits,
  data: Buffer.from(cell.data()).toString('hex'),
  refs: cell.refs.map(seen),
})

/** A proof that shows some of the cells. */
const proofOf = (root: Cell, mask: number): Cell =>
  makeProof(root, (cell) => cell === root || ((mask >> (cell.hash().charCodeAt(0) & 7)) & 1) === 1)

const depthOf = (depth: number): Cell => {
  let cell = beginCell().storeUint(depth, 32).end()
  for (let i = 0; i < depth; i++) cell = beginCell().storeRef(cell).end()
  return cell
}

test('default: the same tree, with and without parts that are cut off', () => {
  fc.assert(
    fc.property(cellTwins(), fc.nat(255), ({ ours }, mask) => {
      for (const mode of [0, undefined]) {
        const bag = writeBoc(proofOf(ours, mask), mode)
        const tree = shown(bag, { hash: ours.hash() })
        expect(tree && seen(tree)).toEqual(seen(loadProof(readBoc(bag))))
      }
    }),
  )
})

test('behavior: with any bit changed, nothing is taken that a full reading refuses', () => {
  const leaf = (number: number): Cell => beginCell().storeUint(number, 32).storeRef(beginCell().end()).end()
  const root = beginCell()
    .storeUint(7, 13)
    .storeRef(leaf(1))
    .storeRef(beginCell().storeRef(leaf(2)).end())
    .end()
  const bag = writeBoc(
    makeProof(root, (cell) => cell === root || cell === root.refs[1]),
    0,
  )
  const named = { hash: root.hash() }
  expect(shown(bag, named)).not.toBeNull()
  for (let bit = 0; bit < 8 * bag.length; bit++) {
    const changed = new Uint8Array(bag)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const tree = shown(changed, named)
    const whole = read(changed, named)
    if (tree !== null) expect(whole && seen(tree)).toEqual(whole && seen(whole))
    if (tree !== null) expect(whole).not.toBeNull()
  }
})

test('behavior: proofs of other trees, and bags of another form, are left to a full reading', () => {
  const root = depthOf(3)
  const named = { hash: root.hash() }
  const proof = proofOf(root, 0)
  expect(shown(writeBoc(proof), named)).not.toBeNull()
  expect(shown(writeBoc(proof), { hash: proof.hash() })).toBeNull()
  expect(shown(writeBoc(root), named)).toBeNull()
  expect(shown(writeBoc([proof, root]), named)).toBeNull()
  const inside = beginCell()
    .storeRef(makeUpdate(root, depthOf(4)))
    .end()
  expect(shown(writeBoc(proofOf(inside, 255)), { hash: inside.hash() })).toBeNull()
  expect(shown(writeBoc(proof).subarray(1), named)).toBeNull()
})

test('behavior: the deepest of all trees is left to a full reading', () => {
  for (const [depth, isTaken] of [
    [1022, true],
    [1023, true],
    [1024, false],
  ] as const) {
    const root = depthOf(depth)
    const bag = writeBoc(proofOf(root, 0))
    expect(shown(bag, { hash: root.hash() }) !== null).toBe(isTaken)
    expect(read(bag, { hash: root.hash() })).not.toBeNull()
  }
})
