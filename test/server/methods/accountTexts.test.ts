// States of accounts and wallets are written from the columns as the database sent them: the same text as of an object of each row,
// whatever that has.

import { describe, expect, onTestFinished, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { rawOfKey } from '../../../server/methods/keyOfAccount.ts'
import { accountListHandlers } from '../../../server/methods/v3/accounts.ts'
import { createSideObjects } from '../../../server/methods/v3/names/sideObjects.ts'
import { type AccountRow, type CodeRow, writeMasterBlocks } from '../../../server/store/index.ts'
import { accountsV3 } from '../../../shared/v3/accounts.ts'
import { ask, queryOf } from '../../setup/calls.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledRows } from '../../setup/filler.ts'
import { serveMethods } from '../../setup/service.ts'

const [filled] = filledRows({ transactions: 60, accounts: 12, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = filled.accounts.filter(({ codeHash }) => codeHash !== null)
if (usual === undefined) throw new Error('no account has code')

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const long = writeBoc(beginCell().storeBytes(new Uint8Array(120).fill(0xfb)).end())

/** Ids are stored with a sign. */
const code: CodeRow = {
  hash: hash(0xc0),
  boc: Buffer.concat([long, long, long]),
  methods: [-2, -(2 ** 31), 0, 5],
  interfaces: ['wallet_v4r2', 'jetton_master'],
}

const odd: readonly Partial<AccountRow>[] = [
  { codeHash: null, dataHash: null, data: null, frozenHash: null, status: 'uninit', balance: 0n },
  { codeHash: null, dataHash: null, data: null, frozenHash: hash(7), status: 'frozen' },
  { status: 'nonexist', balance: 2n ** 120n - 1n, lastTxLt: 2n ** 63n - 1n },
  { extra: { '4294967295': String(2n ** 200n), '239': '12' } },
  { codeHash: code.hash, data: Buffer.concat([long, long]), dataHash: hash(0xff) },
  { codeHash: hash(0xc1), data: null },
  { lastTxLt: 0n, lastTxHash: hash(0) },
]

const rows = odd.map((fields, i): AccountRow => {
  const account = new Uint8Array(33).fill(0xa0 + i).fill(i === 2 ? 127 : 128, 0, 1)
  return { ...usual, ...fields, account }
})

async function setUp(driver: Driver, more: readonly AccountRow[] = []) {
  const store = await emptyStore(driver)
  onTestFinished(() => store[Symbol.asyncDispose]())
  const all = {
    ...filled,
    accounts: [...(filled?.accounts ?? []), ...rows, ...more],
    codes: [...(filled?.codes ?? []), code],
  }
  await store.transaction((to) => writeMasterBlocks(to, all as NonNullable<typeof filled>))
  const side = createSideObjects({ store: store.read, testOnly: false })
  const handlers = accountListHandlers({ chain: null, store: store.read }, side)
  const service = await serveMethods({ registry: accountsV3, handlers: () => handlers })
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

const base64 = (bytes: Uint8Array | null | undefined) => (bytes ? Buffer.from(bytes).toString('base64') : undefined)

const known = [...(filled.codes ?? []), code]
const codeOf = ({ codeHash }: AccountRow) => known.find((one) => base64(one.hash) === base64(codeHash))

const stateOf = (row: AccountRow, withBags: boolean) => ({
  address: rawOfKey(row.account),
  account_state_hash: base64(row.hash),
  balance: String(row.balance),
  extra_currencies: row.extra,
  status: row.status,
  last_transaction_hash: base64(row.lastTxHash),
  last_transaction_lt: String(row.lastTxLt),
  contract_methods:
    codeOf(row)
      ?.methods?.map((id) => id >>> 0)
      .sort((a, b) => a - b) ?? null,
  interfaces: codeOf(row)?.interfaces ?? [],
  frozen_hash: base64(row.frozenHash),
  data_hash: base64(row.dataHash),
  code_hash: base64(row.codeHash),
  data_boc: withBags ? base64(row.data) : undefined,
  code_boc: withBags ? base64(codeOf(row)?.boc) : undefined,
})

describe.each(drivers)('%s', (driver) => {
  const all = [...rows, usual]

  test.each([true, false])('states are the text of their rows, with bags: %s', async (include_boc) => {
    const service = await setUp(driver)
    for (const some of [...all.map((row) => [row]), all]) {
      const query = queryOf({ address: some.map(({ account }) => rawOfKey(account)), include_boc })
      const { text } = await ask(service, `/api/v3/accountStates${query}`)
      const list = `{"accounts":${JSON.stringify(some.map((row) => stateOf(row, include_boc)))},"address_book":{`
      expect(text.slice(0, list.length)).toBe(list)
    }
  })

  test('names of states are those of the address book', async () => {
    const service = await setUp(driver)
    const query = queryOf({ address: all.map(({ account }) => rawOfKey(account)) })
    const { body } = await ask(service, `/api/v3/accountStates${query}`)
    expect(body.address_book).toEqual((await ask(service, `/api/v3/addressBook${query}`)).body)
    expect(Object.keys(body.address_book as object)).toEqual(all.map(({ account }) => rawOfKey(account)).sort())
    const wallets = await ask(service, `/api/v3/walletStates${query}`)
    expect(wallets.body.address_book).toEqual(body.address_book)
  })

  test('wallets say no more of an account than it has', async () => {
    const service = await setUp(driver)
    const query = queryOf({ address: rows.map(({ account }) => rawOfKey(account)) })
    const { body } = await ask(service, `/api/v3/walletStates${query}`)
    const shown = rows.map((row) => ({
      address: rawOfKey(row.account),
      balance: String(row.balance),
      status: row.status,
      ...(Object.keys(row.extra).length === 0 ? {} : { extra_currencies: row.extra }),
      ...(row.codeHash === null ? {} : { code_hash: base64(row.codeHash) }),
    }))
    expect(body.wallets).toMatchObject(shown)
    for (const [i, wallet] of (body.wallets as object[]).entries())
      expect('extra_currencies' in wallet).toBe(Object.keys(rows[i]?.extra ?? {}).length > 0)
  })

  test('more code and data than an answer can hold is refused before it is read', async () => {
    const large = Array.from({ length: 40 }, (_, i): AccountRow => {
      const account = new Uint8Array(33).fill(i).fill(128, 0, 1)
      return { ...(usual as AccountRow), account, data: Buffer.alloc(1 << 20, i) }
    })
    const service = await setUp(driver, large)
    const states = (some: readonly AccountRow[], include_boc: boolean) =>
      ask(
        service,
        `/api/v3/accountStates${queryOf({ address: some.map(({ account }) => rawOfKey(account)), include_boc })}`,
      )
    const { status, body } = await states(large, true)
    expect([status, body.error]).toEqual([500, expect.stringMatching(/these 40 accounts have 4\d MB, 32 MB at most/)])
    expect((await states(large, false)).body.accounts).toHaveLength(40)
    expect((await states(large.slice(0, 30), true)).body.accounts).toHaveLength(30)
  })
})
