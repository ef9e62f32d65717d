// Pages far behind the start of a list: the same rows, found without reading those in front of them.

import { describe, expect, test } from 'vitest'
import {
  readAll,
  sql,
  type TransactionFilter,
  type TransactionRow,
  transactionsRead,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf } from '../../setup/plans.ts'

const TRANSACTIONS = 2500

const placeOf = ({ lt, account }: TransactionRow): string => `${lt} ${Buffer.from(account).toString('hex')}`

describe.each(drivers)('%s', (driver) => {
  test('a deep page of transactions is the same part of the list', async () => {
    await using database = await freshDatabase(driver)
    await fill(database, { transactions: TRANSACTIONS, accounts: 100 })
    // Pages begin and end within those of one time.
    await database.transaction((to) => to.query(sql`update transactions set lt = lt - lt % 4000000::int8`))
    const pageOf = (filter: TransactionFilter, offset: number, limit: number, sort: 'asc' | 'desc') =>
      readAll(database.read, transactionsRead(filter, { limit, offset, after: null }, sort))
    const [middle] = await pageOf({}, TRANSACTIONS / 2, 1, 'asc')
    const filters = [{}, { excludeSystem: true }, { startLt: middle?.lt }, { endLt: middle?.lt, excludeSystem: true }]
    const ties = new Set<bigint>()
    for (const sort of ['asc', 'desc'] as const) {
      for (const filter of filters) {
        const all = await pageOf(filter, 0, 2 * TRANSACTIONS, sort)
        expect(all.length).toBeGreaterThan(TRANSACTIONS / 3)
        for (const offset of [499, 500, 501, 640, all.length - 1, all.length, all.length + 1]) {
          const page = await pageOf(filter, offset, 7, sort)
          expect(page.map(placeOf)).toEqual(all.slice(offset, offset + 8).map(placeOf))
          const before = all[offset - 1]
          const first = page[0]
          if (offset >= 500 && first !== undefined && before?.lt === first.lt) ties.add(first.lt)
        }
      }
    }
    expect(ties.size).toBeGreaterThan(1)
  })

  test('rows in front of a deep page are passed over in indexes', async () => {
    await using database = await freshDatabase(driver)
    await fill(database, { transactions: TRANSACTIONS, accounts: 100 })
    await database.read.query(sql`analyze transactions`)
    const { statement } = transactionsRead({}, { limit: 10, offset: 2000, after: null }, 'desc')
    const { nodes } = await planOf(database.read, statement, database.kind)
    const read = nodes.filter((node) => node['Relation Name'] === 'transactions')
    const rowsOf = (isIndexOnly: boolean) =>
      read
        .filter((node) => (node['Node Type'] === 'Index Only Scan') === isIndexOnly)
        .reduce((sum, node) => sum + node['Actual Rows'], 0)
    expect(rowsOf(true)).toBeGreaterThan(2000)
    expect(rowsOf(false)).toBeLessThan(300)
  })
})
