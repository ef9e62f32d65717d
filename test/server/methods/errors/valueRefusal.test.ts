import { expect, test } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../../server/methods/errors/valueRefusal.ts'
import { AnyAddress, AnyHash, Digits, LogicalTime, Seqno, Shard } from '../../../../shared/primitives.ts'

const schema = z.strictObject({
  text: z.string().min(2).max(5).optional(),
  count: z.int().min(1).max(10).optional(),
  flag: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  address: AnyAddress.optional(),
  hash: AnyHash.optional(),
  lt: LogicalTime.optional(),
  shard: Shard.optional(),
  seqno: Seqno.optional(),
  digits: Digits.optional(),
  deep: z.object({ inner: z.int() }).optional(),
})

function said(params: object, of: z.ZodObject = schema) {
  const parsed = of.safeParse(params)
  if (parsed.success) throw new Error('nothing is wrong with it')
  const error = refusal(parsed.error, params)
  expect(error.kind).toBe('invalidParams')
  return [error.message, error.data.param]
}

test.each([
  [{ text: 1 }, '"text" must be text', 'text'],
  [{ text: 'a' }, '"text" must have at least 2 characters', 'text'],
  [{ text: 'abcdef' }, '"text" must have at most 5 characters', 'text'],
  [{ count: 'a' }, '"count" must be a number', 'count'],
  [{ count: 1.5 }, '"count" must be a whole number', 'count'],
  [{ count: 0 }, '"count" must be at least 1', 'count'],
  [{ count: 11 }, '"count" must be at most 10', 'count'],
  [{ count: Number.POSITIVE_INFINITY }, expect.stringContaining('"count" must be'), 'count'],
  [{ flag: 'perhaps' }, '"flag" must be true or false', 'flag'],
  [{ list: 'a' }, '"list" must be a list', 'list'],
  [{ list: [] }, '"list" must have at least 1 items', 'list'],
  [{ list: ['a', 'b', 'c'] }, '"list" must have at most 2 items', 'list'],
  [{ list: ['a', 5] }, '"list.1" must be text', 'list'],
  [{ sort: 'up' }, '"sort" must be one of asc, desc', 'sort'],
  [{ address: 'x' }, "Failed to parse ton_addr: 'x'", 'address'],
  [{ address: '' }, 'empty address', 'address'],
  [{ hash: '' }, 'empty hash', 'hash'],
  [{ hash: 'x' }, "invalid hash: 'x'", 'hash'],
  [{ lt: '-1' }, "not a logical time (decimal digits, below 2^63): '-1'", 'lt'],
  [{ lt: String(2n ** 63n) }, `not a logical time (decimal digits, below 2^63): '${2n ** 63n}'`, 'lt'],
  [{ shard: 'whole' }, "not a shard (signed 64-bit decimal): 'whole'", 'shard'],
  [{ seqno: 0 }, 'seqno should be positive', 'seqno'],
  [{ digits: '1.5' }, 'not a whole number', 'digits'],
  [{ deep: {} }, '"deep.inner" is required', 'deep'],
  [{ other: 1 }, 'unknown parameter "other"', 'other'],
])('%j', (params, text, param) => {
  expect(said(params)).toEqual([text, param])
})

test('what is missing is called required', () => {
  expect(said({}, z.strictObject({ a: z.string() }))).toEqual(['"a" is required', 'a'])
  expect(said({}, z.strictObject({ a: AnyAddress }))).toEqual(['"a" is required', 'a'])
})

test('a long stranger is clipped and kept on one line', () => {
  const [text = ''] = said({ [`evil\n${'x'.repeat(500)}`]: 1 })
  expect(text).toMatch(/^unknown parameter "evil x+\.\.\."$/)
  expect(String(text).length).toBeLessThan(100)
  expect(String(said({ hash: `\u2028${'y'.repeat(100)}` })[0]).length).toBeLessThan(100)
})
