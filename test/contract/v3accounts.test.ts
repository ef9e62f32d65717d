// Accounts, wallets, the address book and metadata of v3, through a running service.

import { describe, expect, test } from 'vitest'
import { addressOfKey, rawOfKey } from '../../server/methods/keyOfAccount.ts'
import type { AccountRow } from '../../server/store/index.ts'
import { toFriendly, toFriendlyStandard, toRaw } from '../../shared/address.ts'
import { toBase64 } from '../../shared/base64.ts'
import { ask, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { v3ForAll } from '../setup/v3Service.ts'

const running = v3ForAll({ transactions: 500 })

type Params = Readonly<Record<string, unknown>>

const get = async (name: string, params: Params = {}, headers: Record<string, string> = {}) => {
  const { status, body } = await ask(running().service, `/api/v3/${name}${queryOf(params)}`, { headers })
  return { status, body }
}

const rows = (): AccountRow[] => [...running().known.accounts.values()]
const nth = (at: number): AccountRow => {
  const row = rows()[at]
  if (!row) throw new Error('too few accounts')
  return row
}
const raw = (at: number): string => rawOfKey(nth(at).account)

const NEVER = `0:${'7'.repeat(64)}`
const V4 = '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA='
const withCode = (hash: string): AccountRow => {
  const row = rows().find(({ codeHash }) => codeHash !== null && toBase64(codeHash) === hash)
  if (!row) throw new Error('no account has that code')
  return row
}

describe.each(['accountStates', 'walletStates'])('%s', (name) => {
  const list = name === 'accountStates' ? 'accounts' : 'wallets'
  const found = async (params: Params) => {
    const { status, body } = await get(name, params)
    expect(status).toBe(200)
    return body[list] as { address: string }[]
  }

  test('answers in the order requested, each once, and leaves out who was never seen', async () => {
    const requested = [raw(3), NEVER, raw(1), raw(2), raw(1)]
    expect((await found({ address: requested })).map(({ address }) => address)).toEqual([raw(3), raw(1), raw(2)])
    expect(await found({ address: [NEVER] })).toEqual([])
  })

  test('every form of an address and every way to write a list is the same question', async () => {
    const address = { ...addressOfKey(nth(0).account), bounceable: true, testOnly: false }
    const forms = [
      raw(0),
      toRaw(address),
      toFriendly(address),
      toFriendly({ ...address, bounceable: false, testOnly: true }),
      toFriendlyStandard(address),
    ]
    const first = await found({ address: [raw(0)] })
    expect(first).toHaveLength(1)
    for (const form of forms) expect(await found({ address: [form] })).toEqual(first)
    const both = await found({ address: [raw(0), raw(1)] })
    expect(await found({ address: `${raw(0)},${raw(1)}` })).toEqual(both)
    expect(await found({ 'address[]': [raw(0), raw(1)] })).toEqual(both)
  })

  test('JSON-RPC says the same as REST', async () => {
    const { body } = await get(name, { address: [raw(0), raw(5)] })
    const over = await rpc(running().service, STRICT, `v3.${name}`, { address: [raw(0), raw(5)] })
    expect(over.body.result).toEqual(body)
  })

  test('code_hash leaves those with that code', async () => {
    const all = rows().map(({ account }) => rawOfKey(account))
    const expected = rows().filter(({ codeHash }) => codeHash !== null && toBase64(codeHash) === V4)
    const some = await found({ address: all.slice(0, 30), code_hash: V4 })
    expect(some.map(({ address }) => address)).toEqual(
      all.slice(0, 30).filter((one) => expected.some(({ account }) => rawOfKey(account) === one)),
    )
  })

  test.each([
    ['no address', {}, 'address of account is required'],
    ['an empty address', { address: '' }, 'failed to decode: schema: error converting value for index 0 of "address"'],
    ['no address at all', { address: [NEVER, 'x'] }, 'error converting value for index 1 of "address"'],
    ['a workchain that has no accounts', { address: `300:${'0'.repeat(64)}` }, 'error converting value'],
    ['a wrong checksum', { address: 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF5' }, 'error converting value'],
    ['a bad flag', { address: NEVER, include_boc: 'maybe' }, 'error converting value for "include_boc"'],
    ['a bad code hash', { address: NEVER, code_hash: 'x' }, 'error converting value for index 0 of "code_hash"'],
  ])('refuses %s', async (_, params, words) => {
    const { status, body } = await get(name, params)
    expect([status, body.error]).toEqual([422, expect.stringContaining(words)])
    expect(Object.keys(body)).toEqual(['error'])
  })

  test('takes a thousand addresses, not one more', async () => {
    const over = await rpc(running().service, STRICT, `v3.${name}`, { address: Array(1001).fill(NEVER) })
    expect(over.body.error).toMatchObject({ message: expect.stringContaining('maximum 1000 addresses allowed') })
    const all = await rpc(running().service, STRICT, `v3.${name}`, { address: Array(1000).fill(raw(0)) })
    expect((all.body.result as Params)[list]).toHaveLength(1)
  })

  test('parameters leave out the address book and metadata', async () => {
    const full = await get(name, { address: raw(0) })
    expect(Object.keys(full.body.address_book as object)).toEqual([raw(0)])
    for (const [params, headers] of [
      [{ x_no_address_book: 'true' }, {}],
      [{}, { 'X-No-Address-Book': '1' }],
    ] as const) {
      const { body } = await get(name, { address: raw(0), ...params }, headers)
      expect(body).toEqual({ ...full.body, address_book: {} })
    }
  })
})

test('an account state is what was stored', async () => {
  const row = withCode(V4)
  const { body } = await get('accountStates', { address: rawOfKey(row.account) })
  const [state] = body.accounts as Params[]
  expect(state).toMatchObject({
    address: rawOfKey(row.account),
    account_state_hash: toBase64(row.hash),
    balance: String(row.balance),
    status: 'active',
    last_transaction_lt: String(row.lastTxLt),
    last_transaction_hash: toBase64(row.lastTxHash),
    code_hash: V4,
    interfaces: ['wallet_v4r2'],
    contract_methods: [0, 76407, 78748, 81467, 85143, 107653],
  })
  expect(state?.data_boc).toMatch(/^te6ccg/)
  const without = await get('accountStates', { address: rawOfKey(row.account), include_boc: 'false' })
  const { data_boc: _, code_boc: __, ...rest } = state ?? {}
  expect(without.body.accounts).toEqual([rest])
})

test('a wallet shows what it is; other accounts say that they are no wallet', async () => {
  const wallet = withCode(V4)
  const other = withCode('TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI=')
  const { body } = await get('walletStates', { address: [wallet, other].map(({ account }) => rawOfKey(account)) })
  expect(body.wallets).toMatchObject([
    { is_wallet: true, wallet_type: 'wallet v4 r2', seqno: 17, wallet_id: 698983191, balance: String(wallet.balance) },
    { is_wallet: false, status: 'active' },
  ])
  expect((body.wallets as Params[])[1]).not.toHaveProperty('wallet_type')
})

describe('addressBook', () => {
  test('is keyed by what was requested, and has a row for nonsense too', async () => {
    const wallet = withCode(V4)
    const friendly = toFriendly({ ...addressOfKey(wallet.account), bounceable: true, testOnly: false })
    const { status, body } = await get('addressBook', { address: [friendly, 'nonsense', NEVER, '__proto__', ''] })
    expect(status).toBe(200)
    const ofNobody = { user_friendly: null, domain: null, interfaces: [] }
    expect(new Map(Object.entries(body))).toEqual(
      new Map<string, unknown>([
        [friendly, { user_friendly: expect.stringMatching(/^U[Qf]/), domain: null, interfaces: ['wallet_v4r2'] }],
        ['nonsense', ofNobody],
        [NEVER, { user_friendly: expect.stringMatching(/^UQ/), domain: null, interfaces: [] }],
        ['__proto__', ofNobody],
        ['', ofNobody],
      ]),
    )
  })

  test('contracts are bounceable, wallets and what has no code are not', async () => {
    const contract = withCode('TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI=')
    const bare = rows().find(({ codeHash }) => codeHash === null) ?? contract
    const names = [contract, bare].map(({ account }) => rawOfKey(account))
    const { body } = await get('addressBook', { address: names })
    const friendly = names.map((name) => (body[name] as { user_friendly: string }).user_friendly.slice(0, 2))
    const master = (name: string) => name.startsWith('-1:')
    expect(friendly).toEqual([master(names[0] ?? '') ? 'Ef' : 'EQ', master(names[1] ?? '') ? 'Uf' : 'UQ'])
  })

  test('text with a comma is one text', async () => {
    const { body } = await get('addressBook', { address: `${NEVER},${NEVER}` })
    expect(Object.keys(body)).toEqual([`${NEVER},${NEVER}`])
  })
})

describe.each(['addressBook', 'metadata'])('%s', (name) => {
  test('needs an address, and takes 1024 of them', async () => {
    const { status, body } = await get(name)
    expect([status, body]).toEqual([422, { error: 'at least 1 address required' }])
    const over = await rpc(running().service, STRICT, `v3.${name}`, { address: Array(1025).fill(NEVER) })
    expect(over.body.error).toMatchObject({ message: expect.stringContaining('maximum 1024 addresses allowed') })
  })

  test('does not listen to wishes', async () => {
    const full = await get(name, { address: raw(0) })
    expect((await get(name, { address: raw(0), x_no_address_book: '1', x_no_metadata: '1' })).body).toEqual(full.body)
  })
})

test('metadata has nothing to say of accounts that are no tokens, and of nonsense', async () => {
  expect((await get('metadata', { address: [raw(0), 'nonsense'] })).body).toEqual({})
})

describe('topAccountsByBalance', () => {
  const ranked = () =>
    rows()
      .sort((a, b) => (a.balance === b.balance ? Buffer.compare(a.account, b.account) : a.balance < b.balance ? 1 : -1))
      .map(({ account, balance }) => ({ account: rawOfKey(account), balance: String(balance) }))

  test('is the richest first, ten by default', async () => {
    expect((await get('topAccountsByBalance')).body).toEqual(ranked().slice(0, 10))
    expect((await get('topAccountsByBalance', { limit: 1024, sort: 'sideways' })).body).toEqual(ranked())
  })

  test('pages add up to the whole', async () => {
    const all: unknown[] = []
    for (let offset = 0; ; offset += 7) {
      const { body } = await get('topAccountsByBalance', { limit: 7, offset })
      const page = body as unknown as unknown[]
      all.push(...page)
      if (page.length < 7) break
    }
    expect(all).toEqual(ranked())
  })

  test.each([
    [{ limit: 1025 }, 'limit is not allowed: 1025 > 1024'],
    [{ limit: 'x' }, 'error converting value for "limit"'],
    [{ offset: 1.5 }, 'error converting value for "offset"'],
  ])('refuses %j', async (params, words) => {
    const { status, body } = await get('topAccountsByBalance', params)
    expect([status, body.error]).toEqual([422, expect.stringContaining(words)])
  })
})
