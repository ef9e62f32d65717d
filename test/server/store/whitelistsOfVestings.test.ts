// Vestings of an account that thousands of them list: anyone can add it to theirs.

import { describe, expect, test } from 'vitest'
import { type AccountKey, readPage, sql, type VestingRow, vestingsRead } from '../../../server/store/index.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const COUNT = 4000
const random = new Random(5)
const key = (): AccountKey => keyOf(0, random.hash())
const listed = key()
const other = key()

const vestings = Array.from({ length: COUNT }, (_, i): VestingRow => {
  const account = key()
  return {
    account,
    codeHash: random.hash(),
    dataHash: random.hash(),
    lastTxLt: BigInt(i),
    startTime: 1n,
    totalDuration: 1n,
    unlockPeriod: 1n,
    cliffDuration: 0n,
    totalAmount: 1n,
    sender: i % 100 === 0 ? listed : key(),
    owner: key(),
    whitelist: i % 3 === 0 ? [listed, other] : [listed],
  }
})

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const accountsOf = (rows: readonly VestingRow[]): string[] => rows.map(({ account }) => hex(account))
const inOrder = accountsOf(vestings).sort()
const ofOther = accountsOf(vestings.filter(({ whitelist }) => whitelist.includes(other))).sort()

describe.each(drivers)('%s', (driver) => {
  test('a page reads its own rows, at the start and after a key', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { vestings }))
    await database.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
    for (const [members, all] of [
      [[listed], inOrder],
      [[listed, other], inOrder],
      [[other], ofOther],
    ] as const)
      for (const at of [0, 9, 500, all.length - 20]) {
        const last = all[at - 1]
        const after = last === undefined ? null : [new Uint8Array(Buffer.from(last, 'hex'))]
        const list = vestingsRead({ members, withWhitelist: true }, { limit: 10, offset: 0, after })
        expect(accountsOf((await readPage(database.read, list)).rows)).toEqual(all.slice(at, at + 10))
        expect(rowsRead(await planOf(database.read, list.statement, driver))).toBeLessThan(150)
      }
    const one = vestings[3]?.account
    if (one === undefined) throw new Error('there is no vesting')
    const both = vestingsRead(
      { members: [listed], accounts: [one], withWhitelist: true },
      { limit: 10, offset: 0, after: null },
    )
    expect(accountsOf((await readPage(database.read, both)).rows)).toEqual([hex(one)])
    expect(rowsRead(await planOf(database.read, both.statement, driver))).toBeLessThan(150)
  })
})
