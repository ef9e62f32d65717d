// A page with names and tokens of its accounts is the page itself, and what is read of those accounts by their keys; and it is found
// without reading a large table.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountKey,
  dnsRecordsRead,
  jettonMastersRead,
  jettonWalletsRead,
  multisigsRead,
  nftCollectionsRead,
  nftItemsRead,
  ordersRead,
  readItemPage,
  readNamedPage,
  readPage,
  readSides,
  type Sql,
  type SqlText,
  sql,
  vestingsRead,
} from '../../../server/store/index.ts'
import { fillAssets } from '../../setup/filledAssets.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { faultsOf, planOf } from '../../setup/plans.ts'

const WISHES = { book: true, tokens: true }

let store: MemoryStore
let sent: SqlText[] = []
const watched: Sql = {
  query(statement, options) {
    sent.push(statement)
    return store.read.query(statement, options)
  },
}
let owner: AccountKey
let others: Awaited<ReturnType<typeof fillAssets>>

beforeAll(async () => {
  store = await openMemoryStore()
  others = await fillAssets(store, { rows: 3000, people: 1000 })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  await store.transaction((to) => to.query(sql`set enable_seqscan = off`))
  const [busy] = await store.read.query<{ owner: AccountKey }>(
    sql`select owner from jetton_wallets group by owner order by count(*) desc, owner limit 1`,
  )
  if (busy === undefined) throw new Error('there are no wallets')
  owner = busy.owner
})
afterAll(() => store.close())

const ask = { limit: 5, offset: 0, after: null }

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('there is none')
  return one
}

const lists = () => {
  const jetton = first(others.jettonMasters).account
  const collection = first(others.nftCollections).account
  const multisig = first(others.multisigs)
  const vesting = first(others.vestings)
  return {
    'jetton wallets of an owner': { read: jettonWalletsRead({ owners: [owner] }, ask, 'desc'), statements: 1 },
    'jetton wallets of a jetton': { read: jettonWalletsRead({ jettons: [jetton] }, ask, 'asc'), statements: 1 },
    'jetton wallets of some owners': {
      read: jettonWalletsRead({ owners: [owner, first(others.jettonWallets).owner] }, ask, 'desc'),
      statements: 2,
    },
    jettons: { read: jettonMastersRead({}, ask), statements: 1 },
    collections: { read: nftCollectionsRead({}, ask), statements: 1 },
    'items of a collection': {
      read: nftItemsRead({ collections: [collection], withSales: false }, ask),
      statements: 1,
    },
    'items of an owner': { read: nftItemsRead({ owners: [owner], withSales: false }, ask), statements: 1 },
    names: { read: dnsRecordsRead({ wallet: owner }, ask), statements: 1 },
    multisigs: { read: multisigsRead({ accounts: [multisig.account] }, ask, 'desc'), statements: 1 },
    orders: { read: ordersRead({ multisigs: [multisig.account] }, ask, 'desc'), statements: 1 },
    vestings: { read: vestingsRead({ accounts: [vesting.account], withWhitelist: false }, ask), statements: 1 },
  }
}

type Named = { readonly chars: string }
const byChars = (a: Named, b: Named): number => (a.chars < b.chars ? -1 : 1)
const hexOf = ({ chars }: Named): string => Buffer.from(chars, 'latin1').toString('hex')
const byAccount = (a: { readonly account: AccountKey }, b: { readonly account: AccountKey }): number =>
  Buffer.compare(a.account, b.account)

const NAMES = [
  'jetton wallets of an owner',
  'jetton wallets of a jetton',
  'jetton wallets of some owners',
  'jettons',
  'collections',
  'items of a collection',
  'items of an owner',
  'names',
  'multisigs',
  'orders',
  'vestings',
] as const

describe.each(NAMES)('%s with names and tokens:', (name) => {
  test('rows and the next page are those of the list itself', async () => {
    const { read } = lists()[name]
    const page = await readPage<unknown>(store.read, read)
    sent = []
    const { rows, next } = await readNamedPage<unknown>(watched, read, WISHES)
    expect(rows).toEqual(page.rows)
    expect(next).toEqual(page.next)
    expect(sent).toHaveLength(lists()[name].statements)
  })

  test('they are what is read of the accounts by their keys', async () => {
    const { sides } = await readNamedPage<unknown>(watched, lists()[name].read, WISHES)
    const keys = sides.book.map(({ chars }) => Buffer.from(chars, 'latin1'))
    const alone = await readSides(store.read, keys, WISHES)
    expect(keys.length).toBeGreaterThan(0)
    expect([...sides.book].sort(byChars)).toEqual([...alone.book].sort(byChars))
    expect([...sides.held].sort(byAccount)).toEqual([...alone.held].sort(byAccount))
    expect([...sides.described].sort(byAccount)).toEqual([...alone.described].sort(byAccount))
  })

  test('no large table is read from end to end', async () => {
    sent = []
    await readNamedPage<unknown>(watched, lists()[name].read, WISHES)
    for (const statement of sent) {
      const plan = await planOf(store.read, statement)
      expect({ faults: faultsOf(plan, { single: true }), plan: plan.text }).toEqual({ faults: [], plan: plan.text })
    }
  })
})

test('accounts of the row behind the page are not named', async () => {
  const read = jettonWalletsRead({ owners: [owner] }, { limit: 1, offset: 0, after: null }, 'desc')
  const { rows, next, sides } = await readNamedPage(store.read, read, WISHES)
  const [wallet] = rows
  const named = [wallet?.account, wallet?.owner, wallet?.jetton].map((key) => Buffer.from(key ?? []).toString('hex'))
  expect(next).not.toBeNull()
  expect(sides.book.map(hexOf).sort()).toEqual(named.sort())
})

test('what is switched off is not read', async () => {
  const read = jettonWalletsRead({ owners: [owner] }, ask, 'desc')
  const names = await readNamedPage(store.read, read, { book: true, tokens: false })
  expect([names.sides.book.length > 0, names.sides.held, names.sides.described]).toEqual([true, [], []])
  const none = await readNamedPage(store.read, read, { book: false, tokens: false })
  expect(none.sides).toEqual({ book: [], held: [], described: [] })
  expect(none.rows).toEqual(names.rows)
})

test('items have their collections and what sells them, whose owners are named as well', async () => {
  const item = others.nftItems.find((one) => others.nftSales.some(({ account }) => bytes(account) === bytes(one.owner)))
  if (item === undefined) throw new Error('no item is on sale')
  const sale = first(others.nftSales.filter(({ account }) => bytes(account) === bytes(item.owner)))
  const read = nftItemsRead({ accounts: [item.account], withSales: false }, ask)
  const { rows, sides } = await readItemPage(store.read, read, WISHES)
  const [found] = rows
  expect(bytes(found?.sale?.account ?? null)).toBe(bytes(sale.account))
  expect(bytes(found?.collection?.account ?? null)).toBe(bytes(item.collection))
  const named = sides.book.map(hexOf)
  expect(named).toContain(bytes(sale.nftOwner))
  if (found?.collection?.owner) expect(named).toContain(bytes(found.collection.owner))
})

const bytes = (key: Uint8Array | null): string => Buffer.from(key ?? []).toString('hex')
