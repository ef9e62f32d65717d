// Every read of actions, run on a filled database and held to what an index can do.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { actionReadCases } from '../../setup/actionReads.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { slowReads } from '../../setup/plans.ts'
import type { ReadCase } from '../../setup/reads.ts'

let store: MemoryStore
let cases: readonly ReadCase[] = []

beforeAll(async () => {
  store = await openMemoryStore()
  const rows = await fillActions(store, { transactions: 4000, accounts: 1500 })
  await store.read.query(sql`analyze`)
  // What has a few hundred rows would be read from end to end, whatever indexes there are.
  await store.transaction((to) => to.query(sql`set enable_seqscan = off`))
  cases = await actionReadCases(store.read, rows)
})
afterAll(() => store.close())

test('no read goes through a large table or sorts what it will not show', async () => {
  expect(await slowReads(store.read, cases)).toEqual([])
})
