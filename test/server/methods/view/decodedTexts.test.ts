// Texts of decoded bodies in one buffer: each is found by its hash alone, until it is overwritten.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DecodedTexts } from '../../../../server/methods/view/v3/decodedTexts.ts'
import { TextBytes } from '../../../../server/store/index.ts'

const hashOf = (number: number): Buffer => createHash('sha256').update(String(number)).digest()
const textOf = (number: number): string => JSON.stringify({ comment: `${number} `.repeat(1 + (number % 30)) })

const to = new TextBytes()

function found(texts: DecodedTexts, hash: Uint8Array): string | null {
  to.begin()
  // Behind other bytes, as in a row.
  const source = Buffer.concat([Buffer.alloc(5, 1), hash])
  return texts.add(source, 5, to) ? to.take() : null
}

test('each text is found by its hash, and none by another one', () => {
  const texts = new DecodedTexts({ bytes: 1 << 20 })
  for (let i = 0; i < 2000; i++) expect(texts.keep(hashOf(i), 0, Buffer.from(textOf(i)))).toBe(true)
  for (let i = 0; i < 2000; i++) expect(found(texts, hashOf(i))).toBe(textOf(i))
  for (let i = 2000; i < 3000; i++) expect(found(texts, hashOf(i))).toBe(null)
  const near = hashOf(7)
  near[31] = (near[31] ?? 0) ^ 1
  expect(found(texts, near)).toBe(null)
})

test('what was overwritten is not found, whatever stands in its place', () => {
  const texts = new DecodedTexts({ bytes: 10_000, groups: 1024 })
  let lost = 0
  for (let i = 0; i < 3000; i++) {
    texts.keep(hashOf(i), 0, Buffer.from(textOf(i)))
    expect(found(texts, hashOf(i))).toBe(textOf(i))
    for (const earlier of [i - 1, i - 20, i - 60, i - 200, 0]) {
      if (earlier < 0) continue
      const text = found(texts, hashOf(earlier))
      if (text === null) lost++
      else expect(text).toBe(textOf(earlier))
    }
  }
  expect(found(texts, hashOf(2999))).toBe(textOf(2999))
  expect(found(texts, hashOf(2000))).toBe(null)
  expect(lost).toBeGreaterThan(0)
})

test('a text with the hash of another one in it is not taken for the text of that one', () => {
  const texts = new DecodedTexts({ bytes: 200, groups: 4 })
  texts.keep(hashOf(1), 0, Buffer.from('"first"'))
  // The next rounds have the bytes of the hash where it stood before.
  for (let i = 0; i < 40; i++) {
    texts.keep(hashOf(100 + i), 0, Buffer.concat([Buffer.alloc(i), hashOf(1), hashOf(1), Buffer.from('"x"')]))
    const text = found(texts, hashOf(1))
    expect([null, '"first"']).toContain(text)
  }
})

test('two bodies with hashes of the same beginning are both found', () => {
  const texts = new DecodedTexts({ bytes: 10_000, groups: 4 })
  const one = Buffer.alloc(32, 9)
  const other = Buffer.alloc(32, 9)
  other[31] = 1
  texts.keep(one, 0, Buffer.from('1'))
  texts.keep(other, 0, Buffer.from('2'))
  expect([found(texts, one), found(texts, other)]).toEqual(['1', '2'])
})

test('a long text is refused, and the others stay', () => {
  const texts = new DecodedTexts({ bytes: 1 << 20 })
  texts.keep(hashOf(1), 0, Buffer.from('"short"'))
  expect(texts.keep(hashOf(2), 0, Buffer.alloc(5000, 97))).toBe(false)
  expect(found(texts, hashOf(2))).toBe(null)
  expect(found(texts, hashOf(1))).toBe('"short"')
})

test('letters beyond ASCII are the same from the cache', () => {
  const texts = new DecodedTexts({ bytes: 1 << 20 })
  texts.keep(hashOf(1), 0, Buffer.from('"für 🙂"'))
  expect(found(texts, hashOf(1))).toBe('"für 🙂"')
})
