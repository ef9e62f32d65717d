import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../../server/http/requests/json.ts'
import { ApiError } from '../../../../shared/errors.ts'

const parse = (text: string) => parseJson(text, 64)

function kindOf(text: string): string {
  try {
    parse(text)
    return 'parsed'
  } catch (error) {
    return error instanceof ApiError ? error.kind : 'something else'
  }
}

test('what JSON.parse reads, this reads the same, but for numbers it would round', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const written = JSON.stringify(parse(text), (_, value) => (typeof value === 'bigint' ? Number(value) : value))
      expect(written).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('what JSON.parse refuses, this refuses', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '.',
    'e',
    '12345678901234567',
    '0',
    '\\',
    ' ',
    'null',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join('')
      let valid = true
      try {
        JSON.parse(text)
      } catch {
        valid = false
      }
      expect(kindOf(text)).toBe(valid ? 'parsed' : 'parse')
    }),
    { numRuns: 3000 },
  )
})

test('whole numbers of any size come out exact, wherever they stand', () => {
  const wide = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n })
  const nearRounded = fc
    .bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n })
    .map((one) => (one % 2n === 0n ? -one : one))
  fc.assert(
    fc.property(fc.oneof(wide, nearRounded), (value) => {
      const expected =
        value >= -(2n ** 53n) && value <= 2n ** 53n && Number.isSafeInteger(Number(value)) ? Number(value) : value
      expect(parse(`{"a":[ ${value},"${value}"],"b":\n${value}}`)).toEqual({
        a: [expected, String(value)],
        b: expected,
      })
      expect(parse(String(value))).toEqual(expected)
    }),
  )
})

describe('numbers that are not whole, or too long to care', () => {
  test.each([
    ['1.5', 1.5],
    ['1234567890123456.5', 1234567890123456.5],
    ['12345678901234567e2', Number('12345678901234567e2')],
    ['1e999', Number.POSITIVE_INFINITY],
    ['-0', -0],
    [`1${'0'.repeat(150)}`, 1e150],
    ['1'.repeat(400), Number.POSITIVE_INFINITY],
  ])('%s', (text, value) => {
    expect(parse(text)).toBe(value)
  })

  test.each([
    '0123456789012345678',
    '-01234567890123456789',
    '12345678901234567890abc',
    '--12345678901234567',
    '{"a":1,12345678901234567:1}',
    '[12345678901234567 1]',
    '+12345678901234567',
  ])('%s is no JSON', (text) => {
    expect(kindOf(text)).toBe('parse')
  })
})

test('a number of a hundred digits is exact, and a longer one is rounded', () => {
  const digits = `-${'7'.repeat(99)}`
  expect(parse(digits)).toBe(BigInt(digits))
  expect(parse(`${digits}7`)).toBe(Number(`${digits}7`))
})

describe('depth', () => {
  const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth)

  test('the bound itself is fine, one more is not', () => {
    expect(kindOf(nested(64))).toBe('parsed')
    expect(kindOf(nested(65))).toBe('invalidRequest')
    expect(() => parse(nested(65))).toThrow('JSON nested too deep: 64 levels at most')
  })

  test('objects count like lists', () => {
    expect(kindOf(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toBe('invalidRequest')
  })

  test('brackets in text do not count', () => {
    expect(parse(JSON.stringify(['['.repeat(1000), '\\"[[['.repeat(100)]))).toHaveLength(2)
  })

  test('a million brackets are refused without being followed', () => {
    expect(kindOf('['.repeat(1_000_000))).toBe('invalidRequest')
  })

  test('siblings are not depth', () => {
    expect(parse(`[${new Array(1000).fill('[]').join(',')}]`)).toHaveLength(1000)
  })
})

test('text that is hard on a scanner takes no more than text that is easy', () => {
  const slashes = `"${'\\\\'.repeat(400_000)}"`
  const quotes = `[${new Array(60_000).fill(`"${'\\"'.repeat(6)}"`).join(',')}]`
  expect(parse(`[${slashes},12345678901234567]`)).toHaveLength(2)
  expect(parse(quotes)).toHaveLength(60_000)
  expect(kindOf(`"${'\\'.repeat(800_000)}`)).toBe('parse')
})

describe('number of values', () => {
  const items = (count: number, one: (i: number) => string) => Array.from({ length: count }, (_, i) => one(i)).join()
  const values = (count: number, one = '{}') => `[${items(count, () => one)}]`
  const names = (count: number) => `{${items(count, (i) => `"${i.toString(36)}":0`)}}`

  test('the bound itself is fine, one more is not', () => {
    expect(parse(values(65_536, '1'))).toHaveLength(65_536)
    expect(() => parse(values(65_537, '1'))).toThrow('JSON of too many values: 65536 at most')
    expect(Object.keys(Object(parse(names(16_384))))).toHaveLength(16_384)
    expect(() => parse(names(16_385))).toThrow('JSON of too many names and long numbers: 16384 at most')
  })

  test('what follows the last of as many names as there may be is bounded like the rest', () => {
    const full = (last: string) => names(16_384).replace(/0}$/, `${last}}`)
    expect(kindOf(full(`${'['.repeat(63)}${']'.repeat(63)}`))).toBe('parsed')
    expect(kindOf(full(`${'['.repeat(64)}${']'.repeat(64)}`))).toBe('invalidRequest')
  })

  test('numbers that are kept exact count as much as names', () => {
    expect(parse(values(16_384, '1234567890123456789'))).toHaveLength(16_384)
    expect(() => parse(values(16_385, '1234567890123456789'))).toThrow('names and long numbers: 16384 at most')
  })

  test.each(['{}', '[]', '0', '""', 'null'])('a megabyte of %s is refused', (one) => {
    expect(kindOf(values(1_048_576 / (one.length + 1), one))).toBe('invalidRequest')
  })

  test('commas and colons in text do not count', () => {
    expect(parse(JSON.stringify([',:'.repeat(400_000), '\\",":'.repeat(100_000)]))).toHaveLength(2)
  })
})
