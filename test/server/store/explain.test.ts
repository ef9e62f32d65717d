// Every read behind a v3 method, run on a filled database and held to what an index can do.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { fill } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { faultsOf, planOf } from '../../setup/plans.ts'
import { type ReadCase, readCases, sampleOf } from '../../setup/reads.ts'

const TRANSACTIONS = 5000

let store: MemoryStore
let cases: readonly ReadCase[] = []

beforeAll(async () => {
  store = await openMemoryStore()
  await fill(store, { transactions: TRANSACTIONS, accounts: 2000 })
  await store.read.query(sql`analyze`)
  cases = readCases(await sampleOf(store.read))
})
afterAll(() => store.close())

/** What is slow about the reads of one kind. */
async function slow(kind: (one: ReadCase) => boolean): Promise<string[]> {
  const found: string[] = []
  for (const one of cases.filter(kind)) {
    const plan = await planOf(store.read, one.statement)
    const faults = faultsOf(plan, one)
    if (faults.length > 0) found.push(`${one.name}: ${faults.join(', ')}\n${plan.text}`)
  }
  return found
}

describe('no read goes through a large table or sorts what it will not show:', () => {
  test.each(['transactions', 'blocks', 'messages', 'transactions by message', 'traces'])('%s', async (list) => {
    expect(await slow(({ name }) => name.startsWith(`${list} by `))).toEqual([])
  })

  test('what is read without a page', async () => {
    expect(await slow(({ name }) => !name.includes(' by '))).toEqual([])
  })
})

test('a plan that is slow is found out', async () => {
  const all = await planOf(store.read, sql`select * from messages where value > 5 order by value desc limit 10`)
  expect(faultsOf(all, { single: true }).map((fault) => fault.replace(/\d+/, 'so many'))).toEqual([
    'sorts so many rows',
    'reads all of messages',
    'looks at so many rows',
  ])
})
