// Multisigs of an account that is a member of many: anyone can name it in theirs.

import { describe, expect, test } from 'vitest'
import { type AccountKey, type MultisigRow, multisigsRead, readPage, sql } from '../../../server/store/index.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const COUNT = 4000
const SORTS = ['asc', 'desc'] as const
const random = new Random(5)
const key = (): AccountKey => keyOf(0, random.hash())
const busy = key()
const other = key()
const owner = key()

/** The busy account in each, and the two others in some: as signers, as proposers, or as both. */
const multisigs = Array.from({ length: COUNT }, (_, i): MultisigRow => {
  const some = [...(i % 3 === 0 ? [other] : []), ...(i % 500 === 0 ? [owner] : [])]
  return {
    account: key(),
    codeHash: random.hash(),
    dataHash: random.hash(),
    lastTxLt: BigInt(random.below(COUNT / 2)),
    nextOrderSeqno: -1n,
    threshold: 1n,
    signers: [busy, ...some],
    proposers: i % 2 === 0 ? some : [],
  }
})

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const isLess = (a: MultisigRow, b: MultisigRow): boolean =>
  a.lastTxLt === b.lastTxLt ? hex(a.account) < hex(b.account) : a.lastTxLt < b.lastTxLt
const ascending = multisigs.toSorted((a, b) => (isLess(a, b) ? -1 : 1))
const has = ({ signers, proposers }: MultisigRow, member: AccountKey): boolean =>
  [...signers, ...proposers].includes(member)

const names = (rows: readonly MultisigRow[]): string[] => rows.map(({ account }) => hex(account))

describe.each(drivers)('%s', (driver) => {
  test('a page is read along an index, whoever is asked for, from either end and at any depth', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, { multisigs }))
    await database.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
    const strangers = Array.from({ length: 70 }, key)
    for (const members of [[busy], [owner], [busy, other], [other, owner, other], [busy, ...strangers], strangers])
      for (const sort of SORTS) {
        const all = (sort === 'asc' ? ascending : ascending.toReversed()).filter((row) =>
          members.some((member) => has(row, member)),
        )
        const read = async (offset: number) => {
          const list = multisigsRead({ members }, { limit: 10, offset, after: null }, sort)
          expect(rowsRead(await planOf(database.read, list.statement, driver))).toBeLessThan(200 + 6 * offset)
          const page = await readPage(database.read, list)
          expect(names(page.rows)).toEqual(names(all.slice(offset, offset + 10)))
          return page
        }
        const { next } = await read(0)
        for (const offset of [7, 500]) await read(offset)
        if (next === null) continue
        const second = multisigsRead({ members }, { limit: 10, offset: 0, after: next }, sort)
        expect(rowsRead(await planOf(database.read, second.statement, driver))).toBeLessThan(200)
        expect(names((await readPage(database.read, second)).rows)).toEqual(names(all.slice(10, 20)))
        const one = all[15]
        if (one === undefined) continue
        const both = multisigsRead({ members, accounts: [one.account] }, { limit: 10, offset: 0, after: null }, sort)
        expect(rowsRead(await planOf(database.read, both.statement, driver))).toBeLessThan(200)
        expect(names((await readPage(database.read, both)).rows)).toEqual([hex(one.account)])
      }
  })
})
