// Packed text comes out as it went in, whatever it is.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MARK_LENGTH } from '../../../server/store/packed/codes.ts'
import { RUNS } from '../../../server/store/packed/generated/runs.ts'
import { holeOf, packText } from '../../../server/store/packed/packedText.ts'
import { marksOf, unpackText } from '../../../server/store/packed/unpackedText.ts'
import { spanOf } from '../../../server/store/span.ts'

const KNOWN_RUNS = 1098
const DIGEST = 'svPYKcSC0bd_2cGAkUzpQqe2OK9Sw17oWranYb2taRY'

const mark = fc.string({ minLength: MARK_LENGTH, maxLength: MARK_LENGTH, unit: 'grapheme-ascii' })
const long = fc.string({ minLength: 15, maxLength: 70, unit: 'grapheme' })

/** Texts of runs, cut runs, values that come again, and anything else JSON may have. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...RUNS.slice(0, 200)), fc.constantFrom('"', '="', ',', '{', 'x'), fc.nat(5)))
  .chain((parts) =>
    fc.array(long, { minLength: 6, maxLength: 6 }).map((values) => {
      const cut = (one: string, i: number) => (i % 7 === 3 ? one.slice(0, one.length >> 1) : one)
      return parts.map((part, i) => (typeof part === 'number' ? JSON.stringify(values[part]) : cut(part, i))).join('')
    }),
  )

describe('what is packed', () => {
  test('comes out the same', () => {
    fc.assert(
      fc.property(text, fc.array(mark, { maxLength: 5 }), fc.array(long, { maxLength: 120 }), (text, marks, given) => {
        const whole = `${text}${marks.join('="')}${given.slice(90).join('"')}${text}`
        const packed = packText({ text: whole, marks, given })
        if (packed === null) throw new Error('it was not packed')
        expect(unpackText(packed, given)).toBe(whole)
        expect(marksOf({ text: spanOf(packed), bags: null })).toEqual(marks.map((mark) => `${mark}=`))
      }),
    )
  })

  test('comes out the same with more values and marks than there are numbers', () => {
    const values = Array.from({ length: 300 }, (_, i) => `a value of some length ${i}`)
    const marks = values.slice(0, 93).map((value) => value.padEnd(MARK_LENGTH, '.'))
    const whole = JSON.stringify([...values, ...marks, ...values, ...marks])
    for (const given of [[], values])
      expect(unpackText(packText({ text: whole, marks, given }) ?? '', given)).toBe(whole)
  })

  test('is made whole with the texts of its holes', () => {
    const value = 'a value of some length'
    const whole = (first: string, second: string) => `{"a":"${value}","b":${first},"c":"${value}${second}"}`
    const packed = packText({ text: whole(holeOf(0), holeOf(1)), marks: [], given: [value] }) ?? ''
    expect(unpackText(packed, [value], ['{"type":"ord"}', ' and more'])).toBe(whole('{"type":"ord"}', ' and more'))
  })

  test('has bags of cells as bytes, and what only begins like one as text', () => {
    const start = Buffer.from('te6cckEB', 'base64')
    const bagOf = (length: number) => Buffer.concat([start, Buffer.alloc(length - start.length, 7)]).toString('base64')
    const run = RUNS.find((one) => one.startsWith('","')) ?? ''
    const values = [12, 100, 101, 102, 100, 8_835, 8_836].map(bagOf)
    const text = [...values, `${bagOf(99)}\u{2713}`, 'te6cc not base64 at all'].join(run)
    const bags: Buffer[] = []
    const packed = packText({ text, marks: [], given: [] }, bags) ?? ''
    expect(unpackText(packed, [], [], Buffer.concat(bags))).toBe(text)
    // That of 100 comes again, and 8,836 is more than two characters can say.
    expect(bags.map(({ length }) => length)).toEqual([12, 100, 101, 102, 8_835])
    expect(packed).toContain(bagOf(8_836).slice(0, 100))
  })

  test('has hashes, addresses and numbers as bytes, and what only looks like them as text', () => {
    const hash = Buffer.alloc(32, 0xa5).toString('base64').slice(0, MARK_LENGTH)
    const hex = 'A5'.repeat(32)
    const numbers = ['10000', '65535', '65536', '99999999', '281474976710655']
    const others = [
      '281474976710656',
      '0123456',
      '1e9999',
      `${hash.slice(1)}B`,
      hex.toLowerCase(),
      hex.slice(1),
      '9'.repeat(40),
    ]
    const run = RUNS.find((one) => one.startsWith('","')) ?? ''
    const values = [...numbers, hash, hex, ...others, hash, hex]
    const bags: Buffer[] = []
    const mark = Buffer.alloc(32, 0x5a).toString('base64').slice(0, MARK_LENGTH)
    const packed = packText({ text: [...values, mark].join(run), marks: [mark], given: ['65535'] }, bags) ?? ''
    const bytes = Buffer.concat(bags)
    expect(unpackText(packed, ['65535'], [], bytes)).toBe([...values, mark].join(run))
    expect(marksOf({ text: spanOf(packed), bags: spanOf(bytes) })).toEqual([`${mark}=`])
    expect(bags.map(({ length }) => length)).toEqual([32, 2, 4, 6, 32, 32])
    for (const other of others) expect(packed).toContain(other)
  })

  test('comes out the same with its values as bytes', () => {
    const digits = fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String)
    const hex = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase())
    const base64 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    const values = fc.array(fc.oneof(digits, hex, base64, long))
    fc.assert(
      fc.property(values, fc.array(digits), fc.array(base64, { maxLength: 5 }), (values, given, hashes) => {
        const text = JSON.stringify([...values, ...given, ...hashes, ...values])
        const marks = hashes.map((hash) => hash.slice(0, MARK_LENGTH))
        const bags: Buffer[] = []
        const packed = packText({ text, marks, given }, bags)
        if (packed === null) throw new Error('it was not packed')
        expect(unpackText(packed, given, [], Buffer.concat(bags))).toBe(text)
        expect(marksOf({ text: spanOf(packed), bags: spanOf(Buffer.concat(bags)) })).toEqual(hashes)
      }),
    )
  })

  test('is in rows of indexes, which refer to runs by their numbers: none is changed or moved', () => {
    const digest = createHash('sha256').update(RUNS.slice(0, KNOWN_RUNS).join('\n')).digest('base64url')
    expect(digest).toBe(DIGEST)
  })

  test('is shorter where runs and values come again', () => {
    const value = 'q'.repeat(66)
    const whole = `${RUNS[0]}${value}${RUNS[0]}${value}${RUNS[1]}`
    expect(packText({ text: whole, marks: [], given: [] })?.length).toBe(1 + 2 + 66 + 2 + 2 + 2)
  })

  test('is not text with control characters, nor with a mark of another length, nor with too many', () => {
    for (const text of ['{"a":"\u0001"}', '\u0001', `{"a":${holeOf(0)[0]}\u0002`, `${RUNS[0]}\u001f`])
      expect(packText({ text, marks: [], given: [] })).toBeNull()
    expect(packText({ text: '{}', marks: ['short'], given: [] })).toBeNull()
    const mark = 'm'.repeat(MARK_LENGTH)
    expect(packText({ text: '{}', marks: Array.from({ length: 94 }, () => mark), given: [] })).toBeNull()
  })
})
