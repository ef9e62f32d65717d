// Methods of the console, its fields, and calls as lines for other programs.

import { execFileSync } from 'node:child_process'
import { TonClient } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { fieldTextOf, readForm, shapeOf } from '../../../client/explorer/console/consoleForm.ts'
import { differences } from '../../../client/explorer/console/difference.ts'
import { linkOf } from '../../../client/explorer/console/links.ts'
import {
  type Described,
  type DescribedMethod,
  methodsOf,
  searchMethods,
} from '../../../client/explorer/console/methods.ts'
import { samplesOf } from '../../../client/explorer/console/samples.ts'
import { createComponents, methodList, openrpc } from '../../../server/docs/index.ts'
import { registry } from '../../../shared/registry.ts'

const FACTS = {
  title: 'tonrpc',
  network: 'devnet',
  publicUrl: 'http://localhost:8081',
  versions: { v2: '2', v3: '3' },
  limits: {},
} as unknown as Parameters<typeof openrpc>[1]

let methods: readonly DescribedMethod[] = []
beforeAll(() => {
  // As it goes over the wire. The cast: a document of OpenRPC.
  methods = methodsOf(JSON.parse(JSON.stringify(openrpc(registry, FACTS))) as Described)
})
const method = (name: string): DescribedMethod => {
  const found = methods.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no method ${name}`)
  return found
}

test('all methods are there, and the example of each fills its form and is read back as it was', () => {
  expect(methods.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(registry)))
  const wrong = methods.flatMap((one) => {
    const texts = Object.fromEntries(Object.entries(one.example).map(([name, value]) => [name, fieldTextOf(value)]))
    const { params, wrong } = readForm(one, texts)
    const isSame = JSON.stringify(sorted(params)) === JSON.stringify(sorted(filled(one.example)))
    return isSame && Object.keys(wrong).length === 0 ? [] : [[one.name, params, one.example, wrong]]
  })
  expect(wrong).toEqual([])
})

/** An empty list or text is a field without text. */
const filled = (params: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => fieldTextOf(value) !== ''))
const sorted = (params: Readonly<Record<string, unknown>>) =>
  Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))

describe('search', () => {
  const list = methodList(registry, createComponents(registry, 'draft-7')).methods

  test.each([
    ['history', 'v3.transactions'],
    ['token', 'v3.jetton.wallets'],
    ['faucet', 'dev.faucet'],
    ['txs', 'getTransactions'],
    ['transactions', 'v3.transactions'],
    ['owner_address', 'v3.nft.items'],
    ['jetton wallets', 'v3.jetton.wallets'],
  ])('%s', (text, name) => expect(searchMethods(list, text).map((one) => one.name)).toContain(name))

  test('the method that is named comes first; nonsense finds nothing', () => {
    expect(searchMethods(list, 'v3.transactions')[0]?.name).toBe('v3.transactions')
    expect(searchMethods(list, 'xyzzy')).toEqual([])
    expect(searchMethods(list, '')).toHaveLength(methods.length)
  })
})

describe('fields', () => {
  test('a number in JSON that a browser would round is refused: another one would be sent', () => {
    const form = (stack: string) => readForm(method('runGetMethod'), { address: 'x', method: 'y', stack })
    for (const large of ['9007199254740993', '-12345678901234567', '1e30', '1e999'])
      expect(form(`[["num", ${large}]]`).wrong.stack, large).toContain('written in quotes')
    const exact = [
      ['num', 9007199254740991],
      ['num', '12345678901234567'],
    ]
    expect(form(JSON.stringify(exact))).toMatchObject({ params: { stack: exact }, wrong: {} })
  })

  test.each([
    ['v3.transactions', 'limit', 'number'],
    ['v3.transactions', 'account', 'list'],
    ['v3.transactions', 'sort', 'choice'],
    ['v3.accountStates', 'include_boc', 'flag'],
    ['runGetMethod', 'stack', 'json'],
    ['getAddressBalance', 'address', 'text'],
  ])('%s %s is a %s', (name, param, kind) => {
    const found = method(name).params.find((one) => one.name === param)
    expect(found && shapeOf(found).kind).toBe(kind)
  })

  test('dates are times, and what does not fit is said', () => {
    const { params, wrong } = readForm(method('v3.transactions'), {
      start_utime: '2026-11-21',
      end_utime: '2026-11-21 12:30',
      account: 'a, b\nc',
      limit: 'many',
    })
    expect(params).toEqual({ start_utime: 1795219200, end_utime: 1795264200, account: ['a', 'b', 'c'] })
    expect(wrong).toEqual({ limit: expect.stringMatching(/number/) })
    expect(readForm(method('getAddressBalance'), {}).wrong).toEqual({ address: 'This is required.' })
    expect(readForm(method('runGetMethod'), { address: 'a', method: 'b', stack: '[1' }).wrong.stack).toMatch(/JSON/)
  })
})

describe('samples', () => {
  const hostile = { account: ["0:AB'; rm -rf / #", '$(x) `y`'], limit: 2, include_boc: true, sort: null }

  test('a shell passes on what was typed and nothing else', () => {
    const [curl, rpc] = samplesOf(method('v3.transactions'), hostile, 'http://localhost:1')
    const argsOf = (text = ''): string[] =>
      execFileSync('sh', ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; ${text}`])
        .toString()
        .split('\0')
    const url = new URL(argsOf(curl?.text)[0] ?? '')
    expect(url.pathname).toBe('/api/v3/transactions')
    expect(url.searchParams.getAll('account')).toEqual(hostile.account)
    const body = JSON.parse(argsOf(rpc?.text).at(-2) ?? '')
    expect(body).toMatchObject({ method: 'v3.transactions', params: hostile })
  })

  test('of @ton/ton are calls it has, for this service', () => {
    const url = 'http://localhost:1'
    const of = (name: string, params: Record<string, unknown>) =>
      samplesOf(method(name), params, url).find((one) => one.name === '@ton/ton')?.text
    const address = `a"b`
    expect(of('getAddressBalance', { address })).toContain('client.getBalance(Address.parse("a\\"b"))')
    expect(of('getMasterchainInfo', {})).toContain(`new TonClient({ endpoint: '${url}/api/v2/jsonRPC' })`)
    expect(of('v3.runGetMethod', { address, method: 'seqno', stack: [] })).toContain('client.runMethod(')
    expect(of('runGetMethod', { address, method: 'get', stack: [['num', '1']] })).toBeUndefined()
    expect(of('v3.transactions', {})).toBeUndefined()
    const called = [...'getMasterchainInfo sendFile getContractState getBalance getTransactions runMethod'.split(' ')]
    for (const name of called) expect(TonClient.prototype).toHaveProperty(name)
  })

  test('programs of other languages have the values in their words', () => {
    const all = samplesOf(
      method('v3.transactions'),
      { note: 'true "null"', flag: true, none: null },
      'http://localhost:1',
    )
    const textOfSample = (name: string) => all.find((one) => one.name === name)?.text
    expect(textOfSample('Python')).toContain('{"note":"true \\"null\\"","flag":True,"none":None}')
    expect(textOfSample('tonrpc/client')).toContain(
      'client.v3.transactions({\n  note: "true \\"null\\"",\n  flag: true',
    )
    expect(samplesOf(method('dev.mine'), {}, '').map(({ name }) => name)).not.toContain('curl')
  })
})

test.each([
  ['account', `0:${'AB'.repeat(32)}`, `/address/0:${'AB'.repeat(32)}`],
  [
    'tx_hash',
    'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
    '/tx/8d213f8019c3819383f171ba9d6618be1a314164083302354bff2fc91245bb80',
  ],
  [
    'trace_id',
    'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
    '/trace/8d213f8019c3819383f171ba9d6618be1a314164083302354bff2fc91245bb80',
  ],
  ['mc_block_seqno', 7, '/block/7'],
  ['code_hash', 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=', null],
  ['limit', 7, null],
])('a reply links %s', (field, value, path) => expect(linkOf(field, value)).toBe(path))

test('differences of replies, by the path of each value', () => {
  const before = { a: 1, list: [{ x: 'one' }, { x: 'two' }], 'odd key': true, gone: null }
  const after = { a: 1, list: [{ x: 'one' }, { x: '<b>' }, 3], 'odd key': false, fresh: {} }
  expect(differences(before, after, 10)).toEqual([
    { path: 'list[1].x', before: 'two', after: '<b>' },
    { path: 'list[2]', after: 3 },
    { path: '["odd key"]', before: true, after: false },
    { path: 'gone', before: null },
    { path: 'fresh', after: {} },
  ])
  expect(differences([1], { 0: 1 }, 10)).toEqual([{ path: '', before: [1], after: { 0: 1 } }])
  expect(differences(Array(5_000).fill(0), Array(5_000).fill(1), 100)).toHaveLength(100)
})
