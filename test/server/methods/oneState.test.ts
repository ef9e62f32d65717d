// Pages of transactions and traces without stored texts take several statements. A rollback, or the end of what an index keeps, may come
// between any two of them.

import { expect, test } from 'vitest'
import { WrittenTransactions } from '../../../server/methods/v3/written/writtenTransactions.ts'
import {
  type Database,
  type MasterBlockRows,
  rollbackTo,
  tracesRead,
  transactionsRead,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledRows } from '../../setup/filler.ts'
import { jsonOf, writtenList } from '../../setup/writtenList.ts'

const PATIENT = { timeoutMs: 600_000 }

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const rows: MasterBlockRows = filled
const { firstMcSeqno: first, lastMcSeqno: last } = rows.cursor

async function setUp(driver: (typeof drivers)[number]) {
  const store = await emptyStore(driver)
  await store.transaction((to) => writeMasterBlocks(to, rows))
  return store
}

test.each(drivers)('%s: a page is of one state, however much of it is removed while it is read', async (driver) => {
  const pages: ((from: Pick<Database['read'], 'query'>) => Promise<unknown>)[] = [
    async (from) => {
      const source = transactionsRead({}, { limit: 30, offset: 0, after: null }, 'desc')
      const list = await new WrittenTransactions(from).list(source, PATIENT, true)
      return { texts: JSON.parse((await writtenList(list)).json), next: list.next }
    },
    async (from) => {
      const read = tracesRead({}, { limit: 20, offset: 0, after: null }, 'desc')
      const wanted = { book: true, tokens: true, most: { ofTrace: 4000, ofPage: 20_000 } }
      const { rows, parts, next } = await new WrittenTransactions(from).tracePage(read, wanted, PATIENT)
      return { rows, parts: parts.map(({ text, ...part }) => ({ ...part, text: jsonOf(text) })), next }
    },
  ]
  const mcSeqno = Math.floor((first + last) / 2)
  for (const page of pages) {
    const states: unknown[] = []
    {
      await using store = await setUp(driver)
      states.push(await page(store.read))
      await store.transaction((to) => rollbackTo(to, { mcSeqno, accounts: [], gone: [] }))
      states.push(await page(store.read))
    }
    let removedAt = 0
    let statements = 1
    while (removedAt++ < statements) {
      await using store = await setUp(driver)
      statements = 0
      const query: Database['read']['query'] = async (statement, options) => {
        if (++statements === removedAt)
          await store.transaction((to) => rollbackTo(to, { mcSeqno, accounts: [], gone: [] }))
        return store.read.query(statement, options)
      }
      expect(states, `removed before statement ${removedAt}`).toContainEqual(await page({ query }))
    }
    expect(statements).toBeGreaterThan(2)
  }
})
