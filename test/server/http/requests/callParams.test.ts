// Params of strangers: what is read of them is bounded, however much of it they send.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ParamPlan,
  paramsOfList,
  paramsOfObject,
  paramsOfQuery,
  plansOf,
} from '../../../../server/http/requests/callParams.ts'
import { registry } from '../../../../shared/registry.ts'

const plans = plansOf(registry)
const { params: schema } = registry['v3.accountStates']

function planOf(name: string): ParamPlan {
  const plan = plans.get(name)
  if (plan === undefined) throw new Error(`no plan for ${name}`)
  return plan
}

const plan = planOf('v3.accountStates')
const address = (i: number) => `0:${i.toString(16).padStart(64, '0')}`
const addresses = (count: number) => Array.from({ length: count }, (_, i) => address(i))
const refusals = (params: unknown) => schema.safeParse(params).error?.issues ?? []

describe('a list that is longer than allowed', () => {
  test('is refused in the same words, however long it is', () => {
    const [one] = refusals(paramsOfObject(plan, { address: addresses(1001) }, false))
    const [other] = refusals(paramsOfObject(plan, { address: addresses(20_000) }, false))
    expect(one?.message).toBe('maximum 1000 addresses allowed')
    expect(other).toEqual(one)
  })

  test('one more than allowed is read of half a million values that are none', () => {
    const params = paramsOfObject(plan, { address: new Array(500_000).fill(0) }, true)
    expect(refusals(params).length).toBeLessThanOrEqual(1002)
  })

  test('in a query as well, with commas and without', () => {
    const commas = paramsOfQuery(plan, `address=${','.repeat(120_000)}`, 'v3')
    const repeated = paramsOfQuery(plan, 'address=1&'.repeat(12_000), 'v3')
    for (const params of [commas, repeated]) expect(params.address).toHaveLength(1001)
  })

  test('no list of any method is without a bound', () => {
    const lists = Object.keys(registry).flatMap((name) => [...planOf(name)].filter(([, { list }]) => list))
    expect(lists.length).toBeGreaterThan(50)
    for (const [, { mostItems }] of lists) expect(mostItems).toBeLessThanOrEqual(8001)
  })

  test('of libraries one more than allowed is read, and no more, from a query as from a body', () => {
    const libraries = Array.from({ length: 40 }, (_, i) => `${10 + i}`.repeat(32))
    const lists = planOf('getLibraries')
    expect(paramsOfQuery(lists, `libraries=${libraries.join()}`, 'v2')).toEqual({ libraries: libraries.slice(0, 17) })
    expect(paramsOfObject(lists, { libraries }, false)).toEqual({ libraries: libraries.slice(0, 17) })
  })

  test('arguments of a get-method are read up to the first that is none, however deep it lies', () => {
    const { params: typed } = registry.runGetMethodStd
    const { params: pairs } = registry.runGetMethod
    const run = { address: address(1), method: 'seqno' }
    const issuesOf = (schema: typeof typed | typeof pairs, stack: unknown) =>
      schema.safeParse({ ...run, stack }).error?.issues.map(({ path }) => path.join('.'))
    const number = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '5' } }
    const tuple = (elements: unknown) => ({ '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } })
    const wrong = [number, ...new Array(100).fill('x')]
    expect(issuesOf(typed, wrong)).toEqual(['stack.1'])
    expect(issuesOf(typed, [number, tuple(wrong), 'x'])).toEqual(['stack.1.tuple.elements.1'])
    expect(issuesOf(typed, [tuple(5)])).toEqual(['stack.0.tuple.elements'])
    expect(issuesOf(pairs, [['num', 1], 'x', 'x'])).toEqual(['stack.1'])
    expect(issuesOf(pairs, new Array(8001).fill('x'))).toEqual(['stack'])
    const stack = [number, tuple([number, tuple([])])]
    expect(typed.parse({ ...run, stack })).toMatchObject({ stack })
  })

  test('one as long as allowed is read whole', () => {
    const params = paramsOfQuery(plan, `address=${addresses(1000).join()}&include_boc=false`, 'v3')
    expect(params).toEqual({ address: addresses(1000), include_boc: false })
  })
})

describe('a query of thousands of names', () => {
  const stray = '&stray=1&a%5B%5D=2&constructor=3'.repeat(3000)
  test.each([
    `address=${address(1)}&address=${address(2)}&include_boc=false`,
    `address[]=${address(1)}&address=${address(2)}`,
    `address%5B%5D=${address(1)}&%61ddress=${address(2)}&include_boc=`,
    `code_hash=${'00'.repeat(32)}&include_boc=0&include_boc=1`,
    'address',
  ])('has the params it has without them: %s', (query) => {
    const without = paramsOfQuery(plan, query, 'v3')
    expect(paramsOfQuery(plan, query + stray, 'v3')).toEqual(without)
    expect(paramsOfQuery(plan, `${stray.slice(1)}&${query}`, 'v3')).toEqual(without)
  })
})

test('a short query is read as a long one is, which the platform reads', () => {
  const words = [
    'address',
    'address[]',
    'include_boc',
    'code_hash',
    '&address=',
    '&code_hash=',
    '=',
    '=',
    '&',
    '&',
    '%3A',
    '%2c',
    ',',
    '+',
    '?',
    'a',
  ]
  const odd = [
    '%',
    '%C3%A9',
    '%c3',
    '%ff',
    '%EF%BB%BF',
    '%ED%A0%80',
    '\u00fc',
    '%u0041',
    'true',
    '%26',
    '%3D',
    '%00',
    '#',
  ]
  const query = fc.array(fc.constantFrom(...words, ...odd), { maxLength: 30 }).map((parts) => `&${parts.join('')}`)
  const long = `&other=${'x'.repeat(5000)}`
  for (const version of ['v2', 'v3'] as const)
    fc.assert(
      fc.property(query, (text) => {
        expect(paramsOfQuery(plan, text, version)).toEqual(paramsOfQuery(plan, `${text}${long}`, version))
      }),
      { numRuns: 2000 },
    )
  expect(paramsOfQuery(plan, '?address=a+b', 'v3')).toEqual({ address: ['a b'] })
})

test.each([
  ['v3.jetton.wallets', 'owner_address=&jetton_address=&limit=&sort=', { owner_address: [''], jetton_address: [''] }],
  ['v3.jetton.transfers', 'jetton_master=&limit=&start_utime=', { jetton_master: '' }],
  ['v3.nft.items', 'index=&offset=', { index: [''] }],
  ['v3.vesting', 'contract_address=&limit=', {}],
  ['v3.accountStates', 'address=&include_boc=', { address: [''], include_boc: false }],
  ['v3.transactions', 'account=&offset=&start_utime=', { account: [''], offset: 0, start_utime: '' }],
])('of %s a filter without a text is no filter that was left out: %s', (name, query, params) => {
  expect(paramsOfQuery(planOf(name), query, 'v3')).toEqual(params)
})

test('in v2 an empty boolean is left out, and nothing else', () => {
  expect(paramsOfQuery(planOf('getTransactions'), 'archival=&to_lt=&limit=', 'v2')).toEqual({ to_lt: '', limit: '' })
})

test('commas divide what has none in it, and stay in other texts', () => {
  const query = 'action_type=a,b&tx_hash=a,b&tx_hash[]=c&action_type=d'
  expect(paramsOfQuery(planOf('v3.actions'), query, 'v3')).toEqual({
    tx_hash: ['a', 'b', 'c'],
    action_type: ['a,b', 'd'],
  })
})

test('a number of a query is one only where it stays what it is', () => {
  const query = 'seqno=9007199254740993&start_utime=1.75e9&end_utime=1e100&limit=999999999999999'
  expect(paramsOfQuery(planOf('v3.blocks'), query, 'v3')).toEqual({
    seqno: '9007199254740993',
    start_utime: 1_750_000_000,
    end_utime: '1e100',
    limit: 999_999_999_999_999,
  })
})

test('numbers of JSON that no double holds are digits in arguments, and too large where a number is meant', () => {
  const stack = [['num', 2n ** 70n], { tuple: [2n ** 65n, null] }]
  expect(paramsOfObject(planOf('runGetMethod'), { stack }, true)).toEqual({
    stack: [['num', '1180591620717411303424'], { tuple: ['36893488147419103232', null] }],
  })
  const blocks = { seqno: 10n ** 20n, start_utime: 10n ** 20n, workchain: null }
  expect(paramsOfObject(planOf('v3.blocks'), blocks, true)).toEqual({ seqno: 1e20, start_utime: 1e20 })
  const transactions = { to_lt: 7, lt: 1e20, archival: 2 }
  expect(paramsOfObject(planOf('getTransactions'), transactions, false)).toEqual({
    to_lt: '7',
    lt: 1e20,
    archival: true,
  })
  expect(paramsOfObject(planOf('getTransactions'), { archival: 0.5 }, false)).toEqual({ archival: 0.5 })
})

test('one value stands for a list of it in a body of REST, and not in JSON-RPC', () => {
  expect(paramsOfObject(plan, { address: 'a' }, false)).toEqual({ address: ['a'] })
  expect(paramsOfObject(plan, { address: 'a' }, true)).toEqual({ address: 'a' })
})

test('a list of params may have as many as the method', () => {
  const balance = planOf('getAddressBalance')
  expect(paramsOfList(balance, ['a', 5])).toEqual({ address: 'a', seqno: 5 })
  expect(paramsOfList(balance, [null, 5])).toEqual({ seqno: 5 })
  expect(() => paramsOfList(balance, ['a', 5, null])).toThrow('too many params: 2 at most')
})
