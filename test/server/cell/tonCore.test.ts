import { beginCell as beginCore } from '@ton/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginCell, makeProof, readBoc } from '../../../server/cell/index.ts'
import { fromCore, toCore } from '../../setup/tonCore.ts'
import { blockBytes } from './fixtures.ts'
import { cellTwins } from './randomCells.ts'

test('default: trees go to @ton/core and back unchanged', () => {
  fc.assert(
    fc.property(cellTwins(20), ({ ours, core }) => {
      expect(toCore(ours).equals(core)).toBe(true)
      expect(fromCore(core).hash()).toBe(ours.hash())
    }),
  )
})

test('behavior: exotic cells and shared subtrees survive', () => {
  const block = readBoc(blockBytes('block-5'))
  const proof = makeProof(block, (cell) => cell === block)
  expect(fromCore(toCore(block)).hash()).toBe(block.hash())
  expect(toCore(proof).hash().toString('hex')).toBe(proof.hashHex())
  const shared = beginCell().storeUint(1, 8).end()
  const twice = toCore(beginCell().storeRef(shared).storeRef(shared).end())
  expect(twice.refs[0]).toBe(twice.refs[1])
})

test('behavior: a part of a cell comes as a cell of its own', () => {
  const part = beginCore().storeUint(5, 3).storeUint(9, 12).endCell().beginParse().skip(3).asCell()
  expect(fromCore(part).hashHex()).toBe(part.hash().toString('hex'))
})
