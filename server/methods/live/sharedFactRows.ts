// Rows of accounts for many traces at once: what is wanted while a statement runs is read by the next one, together.

import type { FactRows } from '../../facts/index.ts'
import type { AccountKey } from '../../store/index.ts'
import { charsOfKey } from '../keyOfAccount.ts'

/** Accounts of one statement, unless a single call has more. */
const MOST_ACCOUNTS = 10_000

interface Waiting<T> {
  readonly accounts: readonly AccountKey[]
  readonly resolve: (rows: readonly T[]) => void
  readonly reject: (error: unknown) => void
}

type ReadRows<T> = (accounts: readonly AccountKey[]) => Promise<readonly T[]>

/** The same read, of which one statement runs at a time. */
function shared<T extends { readonly account: AccountKey }>(read: ReadRows<T>): ReadRows<T> {
  let waiting: Waiting<T>[] = []
  let isReading = false

  /** The first that wait, with their accounts: each account once. */
  function take(): [Waiting<T>[], Map<string, AccountKey>] {
    const accounts = new Map<string, AccountKey>()
    let count = 0
    for (const one of waiting) {
      if (count > 0 && accounts.size + one.accounts.length > MOST_ACCOUNTS) break
      for (const account of one.accounts) accounts.set(charsOfKey(account), account)
      count++
    }
    const taken = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return [taken, accounts]
  }

  async function readAll(): Promise<void> {
    isReading = true
    while (waiting.length > 0) {
      const [taken, accounts] = take()
      try {
        const rows = new Map((await read([...accounts.values()])).map((row) => [charsOfKey(row.account), row]))
        for (const one of taken) one.resolve(one.accounts.flatMap((account) => rows.get(charsOfKey(account)) ?? []))
      } catch (error) {
        for (const one of taken) one.reject(error)
      }
    }
    isReading = false
  }

  return (accounts) =>
    new Promise((resolve, reject) => {
      waiting.push({ accounts, resolve, reject })
      if (!isReading) void readAll()
    })
}

export const sharedFactRows = (rows: FactRows): FactRows => ({
  facts: shared((accounts) => rows.facts(accounts)),
  data: shared((accounts) => rows.data(accounts)),
})
