// A large block is checked and read in pieces, between which others are served.

import { expect, test } from 'vitest'
import { beginCell, type Cell, readBocRoots, readingBocRoots, writeBoc } from '../../../../server/cell/index.ts'
import { parseBlock, parsingBlock } from '../../../../server/facts/index.ts'
import { ProofError } from '../../../../server/node/index.ts'
import { verifyingBlock } from '../../../../server/node/verify/index.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { openFixture } from '../../facts/parse/namedBlocks.ts'

const INDEX_AND_CACHE_BITS = 1 | 16

const { id, bytes } = openFixture('block-1')

function countPieces<T>(pieces: Generator<void, T>): { readonly count: number; readonly value: T } {
  for (let count = 1; ; count++) {
    const { done, value } = pieces.next()
    if (done === true) return { count, value }
  }
}

test('a block of half a megabyte is verified in more than 40 pieces', () => {
  const { count, value } = countPieces(verifyingBlock(id, bytes))
  expect(count).toBeGreaterThan(40)
  expect(value.root.hashHex()).toBe(verifyBlock(id, bytes).root.hashHex())
  expect(() => countPieces(verifyingBlock({ ...id, rootHash: id.fileHash }, bytes))).toThrow(ProofError)
})

test('it is parsed transaction by transaction, and message by message', () => {
  const { root } = verifyBlock(id, bytes)
  const { count, value } = countPieces(parsingBlock(id, root, { mcSeqno: 1 }))
  const { transactions } = value
  const sent = transactions.reduce((sum, { outMessages }) => sum + outMessages.length, 0)
  expect(sent).toBeGreaterThan(100)
  expect(count).toBeGreaterThan(transactions.length + sent)
  expect(value).toEqual(parseBlock(id, root, { mcSeqno: 1 }))
})

test('what is read between two pieces does not change a bag of few cells with cache bits', () => {
  const twice = (cell: Cell): Cell => beginCell().storeBytes(new Uint8Array(127)).storeRef(cell).storeRef(cell).end()
  const tree = Array.from({ length: 40 }, () => twice).reduce((cell, put) => put(cell), beginCell().end())
  const other = writeBoc(beginCell().storeUint(2n, 64).storeRef(beginCell().end()).end())
  const pieces = readingBocRoots(writeBoc(tree, INDEX_AND_CACHE_BITS))
  pieces.next()
  readBocRoots(other)
  expect(countPieces(pieces).value[0]?.hashHex()).toBe(tree.hashHex())
})
