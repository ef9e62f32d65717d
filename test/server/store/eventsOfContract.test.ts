// Transfers of a wallet or an item that has thousands, of which another filter leaves a few, nearly all, or none.

import { describe, expect, test } from 'vitest'
import {
  type AccountKey,
  type JettonTransferFilter,
  type JettonTransferRow,
  jettonTransfersRead,
  type PageRequest,
  readPage,
  sql,
} from '../../../server/store/index.ts'
import type { Page } from '../../../server/store/read/page.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const COUNT = 8000
const PAGE: PageRequest = { limit: 10, offset: 0, after: null }
const random = new Random(11)
const key = (): AccountKey => keyOf(0, random.hash())
const wallet = key()
const quiet = key()
const owner = key()
const usual = key()
const seldom = key()
const friend = key()
const never = key()

const jettonTransfers = Array.from({ length: COUNT }, (_, at) => ({
  txHash: random.hash(),
  // Three share a logical time, ninety a second.
  txLt: BigInt(Math.floor(at / 3)),
  txNow: Math.floor(at / 90),
  aborted: false,
  lateMcSeqno: null,
  traceId: random.hash(),
  queryId: 1n,
  responseDestination: null,
  customPayload: null,
  amount: 1n,
  forwardTonAmount: null,
  forwardPayload: null,
  source: owner,
  sourceWallet: at % 2000 === 0 ? quiet : at % 20 === 0 ? key() : wallet,
  destination: at % 700 === 0 || at % 700 === 1 ? friend : key(),
  jetton: at % 350 === 1 ? seldom : usual,
}))

const rare: readonly Partial<JettonTransferFilter>[] = [
  { jetton: seldom },
  { jetton: never },
  { owners: [friend], direction: 'in' },
  { owners: [never], direction: 'in' },
  { owners: [friend, never] },
  { owners: [friend], jetton: seldom },
  { owners: [friend], direction: 'out' },
  { owners: [] },
]
const frequent: readonly Partial<JettonTransferFilter>[] = [
  { jetton: usual },
  { owners: [owner], direction: 'out' },
  { owners: [owner, friend], jetton: usual },
  { owners: [owner, ...Array.from({ length: 70 }, key)], jetton: usual },
]

const meaning = ({ owners, direction = null, jetton }: Partial<JettonTransferFilter>) => {
  const of = (column: string) => sql`${sql.identifier(column)} = any(${owners ?? []}::bytea[])`
  const ends = [...(direction === 'in' ? [] : ['source']), ...(direction === 'out' ? [] : ['destination'])]
  const parts = [sql`source_wallet = ${wallet}`]
  if (owners !== undefined) parts.push(sql`(${sql.join(ends.map(of), ' or ')})`)
  if (jetton !== undefined) parts.push(sql`jetton = ${jetton}`)
  return sql.join(parts, ' and ')
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe.each(drivers)('%s', (driver) => {
  test('a page of a wallet and another filter is not looked for in all that the wallet sent', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { jettonTransfers }))
    const looked = async (when: string): Promise<string[]> => {
      const found: string[] = []
      for (const filter of [...rare, ...frequent])
        for (const times of [{}, { startUtime: 1 }])
          for (const sort of ['asc', 'desc'] as const) {
            const list = jettonTransfersRead({ direction: null, wallets: [wallet], ...filter, ...times }, PAGE, sort)
            const rows = rowsRead(await planOf(database.read, list.statement, driver))
            if (rows > 400) found.push(`${meaning(filter).text} ${sort} ${when}: ${rows}`)
          }
      return found
    }
    const before = await looked('without statistics')
    await database.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
    expect([...before, ...(await looked('with statistics'))]).toEqual([])
  })

  test('the few of a wallet that seldom sends are all that is read of a busy jetton, or of a busy owner', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { jettonTransfers }))
    const found: number[] = []
    for (const filter of [{ jetton: usual }, { owners: [owner] }, { owners: [owner], jetton: usual }]) {
      const list = jettonTransfersRead({ direction: null, wallets: [quiet], ...filter }, PAGE, 'desc')
      expect((await readPage(database.read, list)).rows.length).toBe(4)
      found.push(rowsRead(await planOf(database.read, list.statement, driver)))
    }
    expect(found.filter((rows) => rows > 40)).toEqual([])
  })

  test('pages of both, each after the last row of the one before, are all of them in order', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { jettonTransfers }))
    for (const filter of [...rare, ...frequent])
      for (const times of [{}, { startUtime: 1 }])
        for (const sort of ['asc', 'desc'] as const) {
          const given = { direction: null, wallets: [wallet], ...filter, ...times }
          const by = ('startUtime' in times ? ['tx_now', 'tx_lt', 'tx_hash'] : ['tx_lt', 'tx_hash']).map(
            (column) => sql`${sql.identifier(column)} ${sql.identifier(sort)}`,
          )
          const since = 'startUtime' in times ? sql`tx_now >= 1` : sql`true`
          const expected = await database.read.query<{ tx_hash: Uint8Array }>(
            sql`select tx_hash from jetton_transfers where ${meaning(filter)} and ${since} order by ${sql.join(by)} limit 28`,
          )
          const walked: string[] = []
          for (let after: PageRequest['after'] = null; walked.length < expected.length; ) {
            const list = jettonTransfersRead(given, { limit: 7, offset: 0, after }, sort)
            const page: Page<JettonTransferRow> = await readPage(database.read, list)
            walked.push(...page.rows.map(({ txHash }) => hex(txHash)))
            after = page.next
            if (after === null) break
          }
          expect(walked).toEqual(expected.map(({ tx_hash }) => hex(tx_hash)))
          const behind = jettonTransfersRead(given, { limit: 7, offset: 7, after: null }, sort)
          expect((await readPage(database.read, behind)).rows.map(({ txHash }) => hex(txHash))).toEqual(
            walked.slice(7, 14),
          )
        }
  })
})
