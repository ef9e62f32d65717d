// What all methods of v3 share: how parameters are read, the optional parts of an answer, and what is refused how.

import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../server/store/index.ts'
import { ask, post, rpc, STRICT, TONCENTER } from '../setup/calls.ts'
import { openMemoryStore } from '../setup/memoryStore.ts'
import { accountForms, base64, get, hashForms, hexShard, pageOf, rawOf } from '../setup/v3Ask.ts'
import { serveV3Over, v3ForAllTests } from '../setup/v3Chain.ts'

const chain = v3ForAllTests({ transactions: 200, accounts: 12 })
const service = () => chain().service
const raw = (query: string) => ask(service(), `/api/v3/${query}`)
const rowsOf = async (query: string) => {
  const { status, body, text } = await raw(query)
  if (status !== 200) throw new Error(`${query}: ${text}`)
  return (body.transactions ?? body.messages ?? body.blocks) as Readonly<Record<string, unknown>>[]
}
const accounts = () => [...new Set(chain().rows.transactions.map(({ account }) => rawOf(account)))]
const unread = (what: string) => `failed to decode: schema: error converting value for ${what}`

describe('a query', () => {
  test('lists: the key repeated, with brackets, with commas, or all of that', async () => {
    const [a = '', b = '', c = ''] = accounts()
    const expected = await rowsOf(`transactions?account=${a}&account=${b}&account=${c}&limit=50`)
    expect(new Set(expected.map(({ account }) => account))).toEqual(new Set([a, b, c]))
    for (const spelled of [
      `account[]=${a}&account[]=${b}&account[]=${c}`,
      `account=${a},${b},${c}`,
      `account=${a},${b}&account[]=${c}`,
      `account%5B%5D=${a}%2C${b}&account=${c}&account=${a}`,
    ]) {
      expect(await rowsOf(`transactions?${spelled}&limit=50`)).toEqual(expected)
    }
    const hashes = chain()
      .rows.transactions.slice(0, 3)
      .map(({ hash }) => encodeURIComponent(base64(hash)))
    expect(await rowsOf(`transactions?hash=${hashes.join(',')}`)).toHaveLength(3)
  })

  test('a scalar given twice counts as given last; unknown names are ignored', async () => {
    const newest = await rowsOf('transactions?limit=1')
    expect(await rowsOf('transactions?limit=5&limit=1&sort=asc&sort=desc&whatever=1&api_version=3')).toEqual(newest)
    expect(await rowsOf('messages?exclude_externals=true&exclude_externals=f&limit=3')).toEqual(
      await rowsOf('messages?limit=3'),
    )
  })

  test.each([
    ['1', true],
    ['t', true],
    ['T', true],
    ['TRUE', true],
    ['on', true],
    ['0', false],
    ['f', false],
    ['False', false],
    ['', false],
  ])('%j as a boolean is %j', async (text, meaning) => {
    const found = await rowsOf(`messages?limit=1&only_externals=${text}&sort=asc`)
    expect(found[0]?.created_lt === null).toBe(meaning)
  })

  test.each(['yes', 'y', 'no', 'tRUE', '2', 'off'])('%s is no boolean', async (text) => {
    expect(await raw(`messages?only_externals=${text}`)).toMatchObject({ status: 422 })
  })

  test('an empty number is 0, which is a place to begin but no length of a page', async () => {
    expect(await rowsOf('transactions?limit=2&offset=')).toEqual(await rowsOf('transactions?limit=2'))
    expect((await raw('transactions?limit=')).body).toEqual({ error: 'limit is not allowed: at least 1' })
  })

  test('a + that became a space is a + again in hashes and addresses', async () => {
    const plus = chain().rows.transactions.find(({ hash }) => base64(hash).includes('+'))
    if (!plus) throw new Error('no hash with a plus')
    expect(await rowsOf(`transactions?hash=${base64(plus.hash)}`)).toHaveLength(1)
    expect(await rowsOf(`transactions?hash=${base64(plus.hash).replaceAll('=', '')}`)).toHaveLength(1)
  })

  test('times may have a fraction, which is cut off', async () => {
    const { now } = chain().rows.transactions[50] ?? { now: 0 }
    const expected = await rowsOf(`transactions?start_utime=${now}&end_utime=${now}&limit=100`)
    expect(expected.length).toBeGreaterThan(0)
    expect(await rowsOf(`transactions?start_utime=${now}.0&end_utime=${now}.999&limit=100`)).toEqual(expected)
  })

  test('opcodes: digits are hex before they are decimal, decimals have a sign', async () => {
    const count = async (opcode: string) => (await rowsOf(`messages?limit=1000&opcode=${opcode}`)).length
    expect(await count('0f8a7ea5')).toBeGreaterThan(0)
    expect(await count('0x0f8a7ea5')).toBe(await count('260734629'))
    const negative = (0xd53276db | 0).toString()
    expect(await count(negative)).toBe(await count('0XD53276DB'))
    expect(await count('00000000')).toBe(await count('0'))
    for (const wrong of ['123456789a', '4294967295', '-2147483649', '0x', 'op', '']) {
      expect((await raw(`messages?opcode=${wrong}`)).status).toBe(422)
    }
  })

  test('shards: hex with and without padding or sign, decimal with one', async () => {
    const { shard } = chain().rows.transactions.find(({ block }) => block.workchain === 0)?.block ?? { shard: 0n }
    const expected = await rowsOf(`transactions?shard=${hexShard(shard)}&limit=20`)
    for (const form of [`0x${hexShard(shard).toLowerCase()}`, String(shard)])
      expect(await rowsOf(`transactions?shard=${form}&limit=20`)).toEqual(expected)
    for (const wrong of ['', 'x', 'f0000000000000000', '18446744073709551615', '-9223372036854775809'])
      expect((await raw(`transactions?shard=${wrong}`)).status).toBe(422)
  })

  test('logical times up to the largest unsigned number', async () => {
    expect(await rowsOf('transactions?end_lt=18446744073709551615&limit=1')).toHaveLength(1)
    expect(await rowsOf('transactions?lt=18446744073709551615')).toEqual([])
    for (const wrong of ['18446744073709551616', '-1', '1.5', '0x10', ''])
      expect((await raw(`transactions?start_lt=${wrong}`)).status).toBe(422)
  })
})

describe('refusals', () => {
  test.each([
    ['transactions?limit=ten', unread('"limit"')],
    ['transactions?account=nonsense', unread('index 0 of "account"')],
    ['transactions?account=', unread('index 0 of "account"')],
    [`transactions?account=0:${'0'.repeat(64)},`, unread('index 1 of "account"')],
    ['transactions?hash=', unread('index 0 of "hash"')],
    [`transactions?hash=${'A'.repeat(44)}`, unread('index 0 of "hash"')],
    ['transactions?start_utime=', unread('"start_utime"')],
    ['transactions?start_utime=-1', unread('"start_utime"')],
    ['transactions?start_utime=4294967296', unread('"start_utime"')],
    ['messages?source=unreadable', unread('"source"')],
    ['messages?only_externals=perhaps', unread('"only_externals"')],
    ['blocks?root_hash=00', unread('"root_hash"')],
  ])('%s is not understood', async (query, error) => {
    const { status, body } = await raw(query)
    expect([status, Object.keys(body)]).toEqual([422, ['error']])
    expect(body.error).toMatch(new RegExp(`^${error.replaceAll(/[[\]().*+?]/g, '\\$&')}\\. Details: .`))
  })

  test('of several, the first is named and the others are counted', async () => {
    expect((await raw('transactions?lt=x&hash=y')).body.error).toMatch(/ \(and 1 other error\)$/)
    expect((await raw('transactions?lt=x&hash=y&account=z,')).body.error).toMatch(/ \(and 3 other errors\)$/)
  })

  test.each([
    ['transactions?limit=1001', 'limit is not allowed: 1001 > 1000'],
    ['messages?limit=99999', 'limit is not allowed: 99999 > 1000'],
    ['blocks?limit=0', 'limit is not allowed: at least 1'],
    ['blocks?offset=-1', 'offset is not allowed: at least 0'],
    ['transactions?sort=up', 'wrong value for sort parameter'],
    ['transactions?sort=descending', 'wrong value for sort parameter'],
    ['transactions?sort=constructor', 'wrong value for sort parameter'],
    ['transactions?sort=', 'wrong value for sort parameter'],
    ['masterchainBlockShards?seqno=1005&sort=up', 'wrong value for sort parameter'],
  ])('%s is not allowed', async (query, error) => {
    const { status, body } = await raw(query)
    expect([status, body]).toEqual([422, { error }])
  })

  test.each(['a', 'A', 'asc', 'ASC'])('%s is a way to sort', async (sort) => {
    expect(await rowsOf(`blocks?limit=2&sort=${sort}`)).toEqual(await rowsOf('blocks?limit=2&sort=asc'))
  })

  test('an unknown path, and a verb it is not served by', async () => {
    expect(await raw('transaction')).toMatchObject({
      status: 404,
      body: { error: 'Not Found: did you mean /api/v3/transactions?' },
    })
    const posted = await post(service(), '/api/v3/transactions', {})
    expect([posted.status, posted.body, posted.headers.get('allow')]).toEqual([
      405,
      { error: 'method POST is not supported: use GET' },
      'GET, HEAD, OPTIONS',
    ])
    const head = await ask(service(), '/api/v3/blocks', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('strict JSON-RPC takes proper types only, and lists as lists', async () => {
    const [account = ''] = accounts()
    for (const params of [{ account }, { account: [], limit: 1 }, { opcode: 5 }, { sort: 1 }, { unknown: 1 }]) {
      const { body } = await rpc(service(), STRICT, 'v3.transactions', params)
      expect(body.error).toMatchObject({ code: -32602 })
    }
    const { body } = await rpc(service(), STRICT, 'v3.transactions', { account: [account], limit: 2 })
    const loose = await rpc(service(), TONCENTER, 'v3.transactions', { account, limit: '2' })
    expect(body.result).toEqual(loose.body.result)
  })
})

test('REST says what JSON-RPC says', async () => {
  const one = chain().rows.transactions.at(-1)
  const message = chain().rows.messages.at(-1)
  if (!one || !message) throw new Error('no rows')
  for (const [name, params] of [
    ['transactions', { account: accountForms(one.account).slice(0, 2), start_lt: '1', limit: 3 }],
    ['transactions', { hash: hashForms(one.hash).slice(4, 6) }],
    ['messages', { source: 'null', limit: 4, sort: 'asc' }],
    ['messages', { msg_hash: [base64(message.hash)], exclude_externals: false }],
    ['blocks', { workchain: -1, start_utime: 5, limit: 3 }],
    ['transactionsByMessage', { opcode: '0', direction: 'in', limit: 3 }],
    ['transactionsByMasterchainBlock', { seqno: one.mcSeqno, limit: 3 }],
    ['masterchainBlockShards', { seqno: one.mcSeqno, limit: 3 }],
    ['masterchainBlockShardState', { seqno: one.mcSeqno }],
    ['masterchainInfo', {}],
  ] as const) {
    const overRest = await get(service(), name, params)
    const overRpc = await rpc(service(), STRICT, `v3.${name}`, params)
    expect([overRest.status, overRpc.body.result]).toEqual([200, overRest.body])
  }
})

describe('modifiers', () => {
  const hasAddressBook = async (query: string, headers: Record<string, string> = {}) => {
    const { body } = await ask(service(), `/api/v3/messages?limit=2&start_lt=1${query}`, { headers })
    return Object.keys(body.address_book as object).length > 0
  }

  test('the address book is left out on demand, by header or query, whatever was requested before', async () => {
    expect(await hasAddressBook('')).toBe(true)
    expect(await hasAddressBook('', { 'X-No-Address-Book': 'true' })).toBe(false)
    expect(await hasAddressBook('&x_no_address_book=1')).toBe(false)
    expect(await hasAddressBook('')).toBe(true)
    for (const unreadable of ['perhaps', '2', ''])
      expect(await hasAddressBook('', { 'X-No-Address-Book': unreadable })).toBe(true)
    expect(await hasAddressBook('&x_no_address_book=false')).toBe(true)
    expect(await hasAddressBook('', { 'X-No-Metadata': '1' })).toBe(true)
    const { body } = await post(
      service(),
      STRICT,
      { jsonrpc: '2.0', id: 1, method: 'v3.messages', params: { limit: 1, start_lt: '1' } },
      { 'x-no-address-book': 'on' },
    )
    expect(body.result).toMatchObject({ address_book: {} })
  })

  test('a database that takes longer than wished for is not waited for', async () => {
    const store = await openMemoryStore()
    onTestFinished(() => store.close())
    await using slow = await serveV3Over(store.read)
    const path = '/api/v3/messages?limit=1000&sort=asc&x_timeout='
    // It has something else to do for so long.
    const busy = store.read.query(sql`select pg_sleep(0.3)`)
    const { status, body } = await ask(slow, `${path}1`)
    expect([status, body]).toEqual([500, { error: 'query timeout' }])
    await busy
    for (const generous of ['', '0', '-5', 'soon', '999999'])
      expect((await ask(slow, `${path}${generous}`)).status).toBe(200)
  })

  test('every reply says which version of the data it is and how long it took', async () => {
    for (const path of ['/api/v3/masterchainInfo', '/api/v3/nothing', '/api/v3/blocks?limit=x']) {
      const { headers } = await ask(service(), path)
      expect(headers.get('x-api-version')).toMatch(/^\d+\.\d+\.\d+$/)
      expect(headers.get('server-timing')).toMatch(/^app;dur=/)
    }
  })
})

test('an index with nothing in it says so', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  await using empty = await serveV3Over(store.read)
  const { status, body } = await get(empty, 'masterchainInfo')
  expect([status, body]).toEqual([503, { error: 'nothing is indexed yet' }])
  for (const path of ['transactions', 'messages', 'blocks'])
    expect(await pageOf(empty, path, {})).toEqual({ rows: [], cursor: null })
})
