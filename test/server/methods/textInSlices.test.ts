// Texts that are written in slices at the same time: each has its own bytes.

import { expect, test } from 'vitest'
import { textInSlices } from '../../../server/methods/v3/texts/textInSlices.ts'
import type { UnpackedText } from '../../../server/store/index.ts'

/** So short that every slice is over at once. */
const NO_TIME = { subject: 'me', sliceMs: 0 }

function* letters(letter: string, to: UnpackedText): Generator<boolean> {
  for (let i = 0; i < 50; i++) {
    to.string(letter)
    yield true
  }
}

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString()

test('each text is its own, whoever is written between its slices', async () => {
  const all = await Promise.all(['a', 'b', 'ü'].map((letter) => textInSlices((to) => letters(letter, to), NO_TIME)))
  expect(all.map(textOf)).toEqual(['a', 'b', 'ü'].map((letter) => letter.repeat(50)))
  for (const pieces of all) expect(pieces.length).toBeGreaterThan(1)
})

test('one that fails leaves nothing in the next', async () => {
  function* failing(to: UnpackedText): Generator<boolean> {
    to.string('lost')
    yield false
    throw new Error('it fails')
  }
  await expect(textInSlices(failing, NO_TIME)).rejects.toThrow('it fails')
  expect(textOf(await textInSlices((to) => letters('c', to), undefined))).toBe('c'.repeat(50))
})

test('a long text comes in pieces of less than a megabyte', async () => {
  function* long(to: UnpackedText): Generator<boolean> {
    for (let i = 0; i < 300; i++) {
      to.string('x'.repeat(10_000))
      yield false
    }
  }
  const pieces = await textInSlices(long, undefined)
  expect(textOf(pieces)).toBe('x'.repeat(3_000_000))
  for (const piece of pieces) expect(piece.length).toBeLessThan(1 << 20)
})
