// Libraries of a contract's own: it may be born with anything in their place.

import { expect, test } from 'vitest'
import { beginCell, buildDict, type Cell } from '../../../server/cell/index.ts'
import { libraryKind, ownLibraries } from '../../../server/tlb/index.ts'
import { bytes, leaf } from './samples.ts'

const MOST = 256

const nameOf = (i: number): Uint8Array => Uint8Array.from([i >> 8, i & 255, ...bytes(7, 30)])
const library = (i: number) => ({ isPublic: i % 2 === 0, root: leaf(i) })

const rootOf = (count: number): Cell | null =>
  buildDict(
    libraryKind,
    Array.from({ length: count }, (_, i) => [nameOf(i), library(i)] as const),
  ).root

test('as many as are taken along are left as they are', () => {
  for (const count of [0, 1, MOST]) expect(ownLibraries(rootOf(count)).root?.hash()).toBe(rootOf(count)?.hash())
})

test('of more the first are taken', () => {
  expect(ownLibraries(rootOf(MOST + 1)).root?.hash()).toBe(rootOf(MOST)?.hash())
})

test('one library under every name there is takes no time', () => {
  let node = beginCell().storeUint(0, 2).storeBit(1).storeRef(leaf(1)).end()
  for (let i = 0; i < 256; i++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
  expect([...ownLibraries(node)]).toHaveLength(MOST)
})

test('what is no dictionary, or is one of something else, is none', () => {
  for (const cell of [
    leaf(1),
    beginCell().end(),
    beginCell().storeUint(0, 2).storeRef(leaf(1)).storeRef(leaf(2)).end(),
  ])
    expect(ownLibraries(cell).root).toBeNull()
})
