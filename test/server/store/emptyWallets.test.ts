// Holders of a jetton without a mint, most of whom have nothing: an empty wallet is listed only while its owner can claim an amount.

import { describe, expect, test } from 'vitest'
import { type AccountKey, type JettonWalletRow, jettonWalletsRead, readPage, sql } from '../../../server/store/index.ts'
import { airdropAmounts } from '../../../server/store/tables/offChain.ts'
import { insertRows } from '../../../server/store/write/bulk.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const COUNT = 3000
const PAGE = 20
const random = new Random(7)
const key = (): AccountKey => keyOf(0, random.hash())
const jetton = key()
const root = random.hash()
const base = () => ({ codeHash: random.hash(), dataHash: random.hash(), lastTxLt: 1n })

/** One in ten has a balance, and one in a hundred of the empty ones can claim. */
const wallets = Array.from({ length: COUNT }, (_, i): JettonWalletRow => {
  const balance = i % 10 === 0 ? BigInt(i + 1) : 0n
  return { ...base(), account: key(), balance, owner: key(), jetton, claimed: false }
})
const claimable = wallets.filter(({ balance }, i) => balance === 0n && i % 100 === 1)
const amounts = claimable.map(({ owner }) => ({ root, owner, amount: 5n, startFrom: 0n, expireAt: 0n }))
const master = {
  ...base(),
  account: jetton,
  totalSupply: 1n,
  mintable: false,
  admin: null,
  content: null,
  walletCodeHash: random.hash(),
  airdropRoot: root,
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const isMore = (a: JettonWalletRow, b: JettonWalletRow): boolean =>
  a.balance === b.balance ? hex(a.account) > hex(b.account) : a.balance > b.balance
const listed = [...wallets.filter(({ balance }) => balance > 0n), ...claimable].toSorted((a, b) =>
  isMore(a, b) ? -1 : 1,
)

describe.each(drivers)('%s', (driver) => {
  test.each<[string, Parameters<typeof jettonWalletsRead>[0]]>([
    ['all wallets', {}],
    ['wallets of a jetton', { jettons: [jetton] }],
  ])('empty wallets are searched for amounts only behind all others: %s', async (_, filter) => {
    await using database = await freshDatabase(driver)
    await database.transaction(async (to) => {
      await insertAssets(to, { jettonWallets: wallets, jettonMasters: [master] })
      await insertRows(to, airdropAmounts, amounts)
      await to.query(sql`analyze`)
    })
    let after = null
    let seen = 0
    for (let from = 0; ; from += PAGE) {
      const list = jettonWalletsRead({ ...filter, excludeZero: true }, { limit: PAGE, offset: 0, after }, 'desc')
      const isBefore = from + PAGE < COUNT / 10
      if (isBefore) expect(rowsRead(await planOf(database.read, list.statement, driver))).toBeLessThan(200)
      const page = await readPage(database.read, list)
      expect(page.rows.map(({ account }) => hex(account))).toEqual(
        listed.slice(from, from + PAGE).map(({ account }) => hex(account)),
      )
      seen += page.rows.length
      after = page.next
      if (after === null) break
      const skipped = jettonWalletsRead(
        { ...filter, excludeZero: true },
        { limit: PAGE, offset: from, after: null },
        'desc',
      )
      expect((await readPage(database.read, skipped)).rows).toEqual(page.rows)
    }
    // One page ends with the last wallet that has a balance.
    expect(seen).toBe(listed.length)
  })
})
