// Names of accounts: read once for all accounts of an answer, however often each occurs in it.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { toFriendly } from '../../../shared/address.ts'
import type { AddressBook, AddressBookRow } from '../../../shared/v3/sideObjects.ts'
import { hashFromBytes } from '../../cell/index.ts'
import { isSimpleWallet } from '../../interfaces/index.ts'
import { type AccountKey, type BookRow, bookRead, type QueryOptions, readAll, type Sql } from '../../store/index.ts'
import { addressOfKey, rawOfKey } from '../accountKey.ts'

type Rows = z.output<typeof AddressBook>
type Entry = z.output<typeof AddressBookRow>

/** Friendly forms kept, some 200 bytes each. */
const MOST_KEPT = 20_000

export interface BookNeeds {
  readonly store: Sql
  /** Friendly forms are marked for test networks. */
  readonly testOnly: boolean
}

export type ReadBook = (accounts: Iterable<AccountKey>, options?: QueryOptions) => Promise<Rows>

/** The entry of text that is not an address. */
export const NOBODY: Entry = { user_friendly: null, domain: null, interfaces: [] }

/** Wallets and undeployed accounts have a non-bounceable form, so that TON sent to them does not bounce. */
const isBounceable = (row: BookRow | undefined): boolean =>
  row !== undefined && row.codeHash !== null && !isSimpleWallet(hashFromBytes(row.codeHash))

/** The rows of any accounts by their raw addresses, in the order of these. */
export function createAddressBook({ store, testOnly }: BookNeeds): ReadBook {
  const friendly = new LRUCache<string, string>({ max: MOST_KEPT })

  function friendlyOf(key: AccountKey, raw: string, bounceable: boolean): string {
    const name = bounceable ? raw : `${raw}U`
    const known = friendly.get(name)
    if (known !== undefined) return known
    const made = toFriendly({ bounceable, testOnly, ...addressOfKey(key) })
    friendly.set(name, made)
    return made
  }

  return async (accounts, options) => {
    const keys = new Map<string, AccountKey>()
    for (const key of accounts) keys.set(rawOfKey(key), key)
    if (keys.size === 0) return {}
    const rows = await readAll(store, bookRead([...keys.values()]), options)
    const found = new Map(rows.map((row) => [rawOfKey(row.account), row]))
    const entries = [...keys].map(([raw, key]): [string, Entry] => {
      const row = found.get(raw)
      const user_friendly = friendlyOf(key, raw, isBounceable(row))
      return [raw, { user_friendly, domain: row?.domain ?? null, interfaces: [...(row?.interfaces ?? [])] }]
    })
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
