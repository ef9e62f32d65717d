// Counts by interval, and balances over time, held against the transactions they are of.

import { beforeAll, describe, expect, test } from 'vitest'
import {
  balancesRead,
  type MasterBlockRows,
  type PagedRead,
  type PageKey,
  type PageRequest,
  readPage,
  rollbackTo,
  type SortDirection,
  type Sql,
  statisticsRead,
  type WrittenTransaction,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { filledRows } from '../../setup/filler.ts'

const SPANS = [60, 3600, 86_400]
const parts: readonly MasterBlockRows[] = [...filledRows({ transactions: 3000, accounts: 40, atOnce: 3 })]
const all = parts.flatMap(({ transactions }) => transactions)

function counted(transactions: readonly WrittenTransaction[], span: number) {
  const starts = [...new Set(transactions.map(({ now }) => now - (now % span)))].sort((a, b) => a - b)
  return starts.map((start) => {
    const own = transactions.filter(({ now }) => now >= start && now < start + span)
    return {
      span,
      start,
      transactions: BigInt(own.length),
      systemTransactions: BigInt(own.filter(({ isSystem }) => isSystem).length),
      fees: own.reduce((sum, { totalFees }) => sum + totalFees, 0n),
    }
  })
}

/** All rows of a list, some at a time. */
async function listed<T>(from: Sql, limit: number, read: (ask: PageRequest) => PagedRead<T>): Promise<T[]> {
  const rows: T[] = []
  for (let after: PageKey | null = null, isLast = false; !isLast; ) {
    const page: Awaited<ReturnType<typeof readPage<T>>> = await readPage(from, read({ limit, offset: 0, after }))
    rows.push(...page.rows)
    after = page.next
    isLast = page.next === null
  }
  return rows
}

describe.each(drivers)('%s', (driver) => {
  let store: Awaited<ReturnType<typeof freshDatabase>>
  beforeAll(async () => {
    store = await freshDatabase(driver)
    for (const rows of parts) await store.transaction((to) => writeMasterBlocks(to, rows))
    return () => store[Symbol.asyncDispose]()
  })

  const countsNow = (span: number, sort: SortDirection = 'asc') =>
    listed(store.read, 7, (ask) => statisticsRead({ span }, ask, sort))

  test('each interval has what was in it', async () => {
    for (const span of SPANS) expect(await countsNow(span)).toEqual(counted(all, span))
    expect(await countsNow(60, 'desc')).toEqual(counted(all, 60).reverse())
    const [, second, third] = counted(all, 60)
    const filter = { span: 60, startUtime: second?.start, endUtime: third?.start }
    expect(await listed(store.read, 10, (ask) => statisticsRead(filter, ask, 'asc'))).toEqual([second, third])
  })

  const busiest = (): Uint8Array => {
    const times = new Map<string, number>()
    for (const { account } of all) {
      const name = Buffer.from(account).toString('hex')
      times.set(name, (times.get(name) ?? 0) + 1)
    }
    const [[name = ''] = []] = [...times].sort(([, a], [, b]) => b - a).slice(2)
    return Buffer.from(name, 'hex')
  }

  test.each([
    ['desc', 1, undefined],
    ['asc', 3, undefined],
    ['desc', 2, 7],
    ['asc', 2, 7],
    ['desc', 100, 60],
    ['asc', 1, 60],
    ['asc', 5, 86_400],
  ] as const)('balances, %s, %i at a time, in intervals of %s s', async (sort, limit, interval) => {
    const account = busiest()
    const own = all.filter((one) => Buffer.from(one.account).equals(account)).sort((a, b) => (a.lt < b.lt ? -1 : 1))
    expect(own.length).toBeGreaterThan(20)
    const states = new Map(parts.flatMap(({ accountStates }) => accountStates).map((row) => [row.hash.join(), row]))
    const startUtime = own[3]?.now ?? 0
    const endUtime = own.at(-3)?.now ?? 0
    for (const bounds of [{}, { startUtime }, { endUtime }, { startUtime, endUtime }]) {
      const within = own.filter(
        ({ now }) => now >= (bounds.startUtime ?? 0) && now <= (bounds.endUtime ?? Number.MAX_SAFE_INTEGER),
      )
      const number = (now: number) => Math.floor(now / (interval ?? 1))
      const points = within.filter(
        ({ now }, i) =>
          interval === undefined || number(now) !== number(within[i + 1]?.now ?? Number.POSITIVE_INFINITY),
      )
      const expected = points.map(({ hash, lt, now, mcSeqno, stateAfter }) => ({
        hash: Buffer.from(hash).toString('hex'),
        lt,
        now,
        mcSeqno,
        balance: states.get(stateAfter.join())?.balance ?? null,
      }))
      const found = await listed(store.read, limit, (ask) => balancesRead({ account, interval, ...bounds }, ask, sort))
      const named = found.map((row) => ({ ...row, hash: Buffer.from(row.hash).toString('hex') }))
      expect(named).toEqual(sort === 'asc' ? expected : expected.reverse())
    }
  })

  test('a rollback takes off what it deletes', async () => {
    const kept = parts.slice(0, Math.floor(parts.length / 3))
    const mcSeqno = kept.at(-1)?.cursor.lastMcSeqno ?? 0
    await store.transaction((on) => rollbackTo(on, { mcSeqno, accounts: [], gone: [] }))
    const left = kept.flatMap(({ transactions }) => transactions)
    for (const span of SPANS) expect(await countsNow(span)).toEqual(counted(left, span))
  })
})
