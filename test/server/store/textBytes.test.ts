// Text that is put together as bytes is the text that strings would be.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextBytes } from '../../../server/store/packed/textBytes.ts'

const FRONT = 'what many texts have: zwölf of it, and more than one'
const front = Buffer.from(FRONT)

type Step =
  | { readonly string: string }
  | { readonly copied: string }
  | { readonly ascii: string }
  | { readonly base64: Uint8Array }
  | { readonly hex: Uint8Array }
  | { readonly digits: number }

const anything = fc.string({ unit: 'grapheme' })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ string: anything }),
  fc.record({ copied: anything }),
  fc.record({ ascii: fc.constantFrom('', '0:', '-1:') }),
  fc.record({ base64: fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 170, maxLength: 400 })) }),
  fc.record({ hex: fc.uint8Array() }),
  fc.record({ digits: fc.maxSafeNat() }),
)

/** Adds it, and returns what it should be. */
function add(to: TextBytes, one: Step): string {
  if ('string' in one) {
    to.string(one.string)
    return one.string
  }
  if ('copied' in one) {
    const bytes = Buffer.from(`<${one.copied}>`)
    to.copy(bytes, 1, bytes.length - 1)
    return one.copied
  }
  if ('ascii' in one) {
    to.ascii(one.ascii)
    return one.ascii
  }
  if ('base64' in one) {
    // Behind other bytes of a buffer that does not begin where its memory does.
    const bytes = new Uint8Array([1, 2, ...one.base64, 3]).subarray(1)
    to.base64(bytes, 1, bytes.length - 1)
    return Buffer.from(one.base64).toString('base64')
  }
  if ('hex' in one) {
    to.hex(one.hex, 0, one.hex.length)
    return Buffer.from(one.hex).toString('hex').toUpperCase()
  }
  to.digits(one.digits)
  return String(one.digits)
}

test('pieces of all kinds', () => {
  const bytes = new TextBytes(front)
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      bytes.begin()
      let expected = ''
      for (const one of steps) {
        const from = bytes.at
        const text = add(bytes, one)
        expected += text
        expect(bytes.unitsSince(from)).toBe(text.length)
        bytes.again(from, bytes.at)
        expected += text
      }
      expect(bytes.take()).toBe(expected)
    }),
  )
})

test('numbers of each length', () => {
  const bytes = new TextBytes()
  bytes.begin()
  const numbers = Array.from({ length: 16 }, (_, n) => 10 ** n).flatMap((power) => [power - 1, power, power + 1])
  for (const number of [...numbers, 2 ** 31, 2 ** 32, 2 ** 48 - 1, Number.MAX_SAFE_INTEGER]) {
    bytes.digits(number)
    bytes.byte(32)
  }
  expect(bytes.take().trim().split(' ')).toEqual(
    [...numbers, 2 ** 31, 2 ** 32, 2 ** 48 - 1, Number.MAX_SAFE_INTEGER].map(String),
  )
})

test('what is in front can be had again, behind texts longer than its room and after them', () => {
  const bytes = new TextBytes(front)
  for (const length of [10, 3 << 20, 5]) {
    bytes.begin()
    const long = 'x'.repeat(length)
    bytes.copy(Buffer.from(long), 0, length)
    expect(bytes.unitsSince(front.length)).toBe(length)
    bytes.again(0, 4)
    bytes.again(front.length, front.length + 3)
    bytes.again(0, front.length)
    expect(bytes.take() === `${long}whatxxx${FRONT}`).toBe(true)
  }
})

test('a copy ends at the first code', () => {
  const bytes = new TextBytes()
  bytes.begin()
  const source = Buffer.from('plain\u001btext')
  expect(bytes.copyPlain(source, 0, source.length)).toBe(5)
  expect(bytes.copyPlain(source, 6, source.length)).toBe(source.length)
  expect(bytes.take()).toBe('plaintext')
})
