// Reads of facts for many traces at once share statements, and each gets the rows of its own accounts.

import { describe, expect, it } from 'vitest'
import { sharedFactRows } from '../../../../server/methods/live/sharedFactRows.ts'
import type { AccountKey } from '../../../../server/store/index.ts'

const key = (n: number): AccountKey => new Uint8Array(36).fill(n)

/** Rows whose statements end when the test says so. */
function slowRows() {
  const statements: { accounts: readonly AccountKey[]; end: () => void; fail: (error: Error) => void }[] = []
  const data = (accounts: readonly AccountKey[]) =>
    new Promise<{ account: AccountKey; data: Uint8Array }[]>((resolve, reject) => {
      const end = () => resolve(accounts.map((account) => ({ account: account.slice(), data: account.subarray(0, 1) })))
      statements.push({ accounts, end, fail: reject })
    })
  return { statements, rows: sharedFactRows({ data, facts: () => Promise.resolve([]) }) }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const valuesOf = (rows: readonly { readonly data: Uint8Array }[]) => rows.map(({ data }) => data[0])

describe('reads that come while one runs', () => {
  it('go into one statement, each account once', async () => {
    const { rows, statements } = slowRows()
    const first = rows.data([key(1)])
    const others = [rows.data([key(2), key(3)]), rows.data([key(3)]), rows.data([key(1)])]
    expect(statements.map(({ accounts }) => accounts)).toEqual([[key(1)]])
    statements[0]?.end()
    expect(valuesOf(await first)).toEqual([1])
    await settle()
    expect(statements.slice(1).map(({ accounts }) => accounts)).toEqual([[key(2), key(3), key(1)]])
    statements[1]?.end()
    expect((await Promise.all(others)).map(valuesOf)).toEqual([[2, 3], [3], [1]])
  })

  it('go on after one that failed, which fails only those that it was for', async () => {
    const { rows, statements } = slowRows()
    const first = rows.data([key(1)])
    const second = rows.data([key(2)])
    statements[0]?.fail(new Error('the database is gone'))
    await expect(first).rejects.toThrow('the database is gone')
    await settle()
    statements[1]?.end()
    expect(valuesOf(await second)).toEqual([2])
  })

  it('keep a statement bounded', async () => {
    const { rows, statements } = slowRows()
    const many = (from: number) =>
      Array.from({ length: 6000 }, (_, i) => {
        const account = new Uint8Array(36)
        new DataView(account.buffer).setUint32(0, from + i)
        return account
      })
    const all = [rows.data([key(1)]), rows.data(many(0)), rows.data(many(6000))]
    for (const size of [1, 6000, 6000]) {
      await settle()
      const last = statements.at(-1)
      expect(last?.accounts).toHaveLength(size)
      last?.end()
    }
    expect((await Promise.all(all)).map(({ length }) => length)).toEqual([1, 6000, 6000])
    expect(statements).toHaveLength(3)
  })
})
