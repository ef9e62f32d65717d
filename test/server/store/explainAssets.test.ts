// Every read of tokens, names and shared wallets, run on a filled database and held to what an index can do.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { assetReadCases, sampleOfAssets } from '../../setup/assetReads.ts'
import { fillAssets } from '../../setup/filledAssets.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { slowReads } from '../../setup/plans.ts'
import type { ReadCase } from '../../setup/reads.ts'

let store: MemoryStore
let cases: readonly ReadCase[] = []

beforeAll(async () => {
  store = await openMemoryStore()
  const rows = await fillAssets(store, { rows: 6000, people: 3000 })
  await store.read.query(sql`analyze`)
  // What has a few hundred rows would be read from end to end, whatever indexes there are.
  await store.transaction((to) => to.query(sql`set enable_seqscan = off`))
  cases = assetReadCases(await sampleOfAssets(store.read, rows))
})
afterAll(() => store.close())

const slow = (kind: (one: ReadCase) => boolean): Promise<string[]> => slowReads(store.read, cases.filter(kind))

const LISTS = [
  'jettons',
  'jetton wallets',
  'jetton transfers',
  'jetton burns',
  'collections',
  'items',
  'items in time',
  'items with sales',
  'items with sales in time',
  'item transfers',
  'names',
  'auctions',
  'multisigs',
  'orders',
  'vestings',
]

describe('no read goes through a large table or sorts what it will not show:', () => {
  test.each(LISTS)('%s', async (list) => {
    expect(await slow(({ name }) => name.startsWith(`${list} by `))).toEqual([])
  })

  test('what is read without a page', async () => {
    expect(await slow(({ name }) => !name.includes(' by '))).toEqual([])
  })
})

test('every list is among them', () => {
  expect(new Set(cases.flatMap(({ name }) => name.split(' by ').slice(0, -1)))).toEqual(new Set(LISTS))
})
