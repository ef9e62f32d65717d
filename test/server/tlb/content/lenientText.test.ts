// Text with bytes that are no UTF-8.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lenientText } from '../../../../server/tlb/index.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The same, one character after the other, as slowly as can be. */
function slowText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    let found: string | null = null
    for (let length = 1; length <= 4 && found === null && at + length <= bytes.length; length++)
      try {
        found = strict.decode(bytes.subarray(at, at + length))
      } catch {
        found = null
      }
    text += found ?? `\\x${Buffer.from(bytes.subarray(at, at + 1)).toString('hex')}`
    at += found === null ? 1 : Buffer.from(found).length
  }
  return text.replaceAll('\0', '')
}

test('what is text stays, and every other byte is shown by its number', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('e0a0', 'ed9fbf', 'eda080', 'f0908080', 'f4908080', 'c080', 'efbbbf', '00')
      .map((hex) => Buffer.from(hex, 'hex')),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const bytes = Buffer.concat(pieces)
      expect(lenientText(bytes)).toBe(slowText(bytes))
    }),
    { numRuns: 500 },
  )
})

test('a long comment of nonsense takes no longer than one of words', () => {
  // Of some, the one that nothing else in this process was counted in.
  const took = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    expect(lenientText(new Uint8Array(100_000).fill(0xff))).toHaveLength(400_000)
    return process.cpuUsage(before).user / 1000
  })
  expect(Math.min(...took)).toBeLessThan(3_000)
})
