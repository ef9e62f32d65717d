import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTon, formatUnits, parseTon, parseUnits } from '../../client/units.ts'

describe('parseTon', () => {
  test.each([
    ['1.5', 1_500_000_000n],
    ['0', 0n],
    ['-0.000000001', -1n],
    ['0001.10', 1_100_000_000n],
    ['5000000000', 5_000_000_000_000_000_000n],
    ['0.1234567890', 123_456_789n],
  ])('%s', (text, nanotons) => expect(parseTon(text)).toBe(nanotons))

  test.each(['', ' 1', '1.', '.5', '1e9', '1,5', '0x10', '--1', '1.0000000001', 'NaN', '١'])("error: '%s'", (text) =>
    expect(() => parseTon(text)).toThrow(TypeError),
  )
})

test('formatTon: a bigint or digits, without zeros at its end', () => {
  expect([formatTon(1_500_000_000n), formatTon('1500000000'), formatTon(0n), formatTon(-1n)]).toEqual([
    '1.5',
    '1.5',
    '0',
    '-0.000000001',
  ])
})

test.each(['', ' 1', '1.5', '0x10', 'NaN', '1e9'])("error: formatTon('%s')", (text) =>
  expect(() => formatTon(text)).toThrow('not a whole number of units'),
)

test('behavior: what was formatted is parsed back, whatever the decimals', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 255 }), (units, decimals) => {
      expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units)
    }),
  )
})

test.each([-1, 1.5, 256, Number.NaN])('error: %s decimals', (decimals) => {
  expect(() => formatUnits(1n, decimals)).toThrow('decimals must be')
  expect(() => parseUnits('1', decimals)).toThrow('decimals must be')
})
