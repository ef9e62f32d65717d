// A bag that begins with a tree read before: it is that tree only where all of its bytes are the same.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeProof, readBocRoots, writeBoc } from '../../../server/cell/index.ts'
import { cellTwins } from './randomCells.ts'

test('default: the tree itself, next to another root; any other tree is read as it is', () => {
  fc.assert(
    fc.property(cellTwins(), cellTwins(), ({ ours: one }, { ours: other }) => {
      const [known] = readBocRoots(writeBoc([makeProof(one, (cell) => cell === one)]))
      if (known === undefined) throw new Error('no root')
      const bag = writeBoc([known, other])
      const [first, second] = readBocRoots(bag, {}, known)
      expect(first).toBe(known)
      expect(second?.hash()).toBe(other.hash())
      const [, foreign] = readBocRoots(writeBoc([other, known]), {}, known)
      expect(foreign?.hash()).toBe(known.hash())
    }),
  )
})

test('behavior: with a bit changed it is what it is without a known tree, or refused likewise', () => {
  fc.assert(
    fc.property(cellTwins(), fc.nat(), fc.nat(7), ({ ours: one }, place, bit) => {
      // Without a checksum, which would refuse nearly all of them.
      const bytes = writeBoc(one, 0)
      const [known] = readBocRoots(bytes)
      if (known === undefined) throw new Error('no root')
      const changed = new Uint8Array(bytes)
      const at = place % changed.length
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      const read = (limits: object) => {
        try {
          return readBocRoots(changed, limits).map((root) => root.hashHex())
        } catch (error) {
          return String(error)
        }
      }
      expect(read({ known })).toEqual(read({}))
    }),
    { numRuns: 1_000 },
  )
})
