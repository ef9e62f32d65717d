// Jetton wallets by owners and jettons, some of which have thousands: anyone can send wallets of any jetton to an account.

import { describe, expect, test } from 'vitest'
import { type AccountKey, type JettonWalletRow, jettonWalletsRead, readPage, sql } from '../../../server/store/index.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const COUNT = 3000
const random = new Random(11)
const key = (): AccountKey => keyOf(0, random.hash())
const keys = (count: number): AccountKey[] => Array.from({ length: count }, key)
const busy = key()
const quiet = key()
const common = key()
const rare = key()
const people = keys(COUNT)
const jettons = keys(COUNT)

const wallet = (owner: AccountKey, jetton: AccountKey, balance: bigint): JettonWalletRow => ({
  account: key(),
  codeHash: random.hash(),
  dataHash: random.hash(),
  lastTxLt: 1n,
  balance,
  owner,
  jetton,
  claimed: null,
})

/** Thousands of one owner, thousands of one jetton; many balances are equal. */
const wallets = [
  ...jettons.map((jetton, i) => wallet(busy, jetton, BigInt(i % 4))),
  ...people.map((owner, i) => wallet(owner, common, BigInt(i % 3))),
  wallet(busy, common, 0n),
  wallet(quiet, common, 2n),
  wallet(busy, rare, 1n),
]

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const has = (all: readonly AccountKey[], one: AccountKey): boolean => all.some((each) => hex(each) === hex(one))
const places = (rows: readonly JettonWalletRow[]): string[] =>
  rows.map(({ account, balance }) => `${balance} ${hex(account)}`)

const ASKED = {
  'a busy owner and another': { owners: [busy, quiet], jettons: [common] },
  'the same among many': { owners: [busy, quiet, ...people.slice(0, 70)], jettons: [common] },
  'a busy owner and two jettons': { owners: [busy], jettons: [common, rare] },
  'a busy owner and many jettons': { owners: [busy], jettons: [rare, ...jettons.slice(0, 90)] },
  nothing: { owners: [quiet, people[0] ?? quiet], jettons: [rare] },
} as const

describe.each(drivers)('%s', (driver) => {
  test('a page is found by both, whatever each of them has', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { jettonWallets: wallets }))
    await database.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
    for (const [name, { owners, jettons: of }] of Object.entries(ASKED))
      for (const sort of ['asc', 'desc'] as const)
        for (const excludeZero of [false, true]) {
          const filter = { owners, jettons: of, excludeZero }
          const found: JettonWalletRow[] = []
          for (let after = null, isLast = false; !isLast; ) {
            const list = jettonWalletsRead(filter, { limit: 10, offset: 0, after }, sort)
            const read = rowsRead(await planOf(database.read, list.statement, driver))
            expect(read, `${name}, ${sort}`).toBeLessThan(1200)
            const page = await readPage(database.read, list)
            found.push(...page.rows)
            after = page.next
            isLast = after === null
          }
          const fitting = wallets.filter(
            (one) => has(owners, one.owner) && has(of, one.jetton) && (!excludeZero || one.balance > 0n),
          )
          expect(places(found).toSorted()).toEqual(places(fitting).toSorted())
        }
  })
})
