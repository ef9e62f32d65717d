// Names of accounts: read once for all accounts of an answer, however often each occurs in it.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { toFriendly } from '../../../shared/address.ts'
import type { AddressBook, AddressBookRow } from '../../../shared/v3/sideObjects.ts'
import { hashFromBytes } from '../../cell/index.ts'
import { isSimpleWallet } from '../../interfaces/index.ts'
import { type AccountKey, type BookRow, bookRead, readAll, type Sql, type StatementOptions } from '../../store/index.ts'
import { rawOfKey } from '../keyOfAccount.ts'
import { Written } from '../written.ts'

type Rows = z.output<typeof AddressBook>
type Entry = z.output<typeof AddressBookRow>

/** Friendly forms kept, some 200 bytes each. */
const MOST_KEPT = 20_000

export interface BookNeeds {
  readonly store: Sql
  /** Friendly forms are marked for test networks. */
  readonly testOnly: boolean
}

export type ReadBook = (accounts: Iterable<AccountKey>, options?: StatementOptions) => Promise<Rows>

/** The text of the same, of accounts by their raw addresses, whose rows are read. */
export type WriteBook = (accounts: Iterable<string>, rows: readonly BookRow[]) => Written<Rows>

export interface AddressBookMaker {
  readonly read: ReadBook
  readonly write: WriteBook
}

/** The entry of text that is not an address. */
export const UNNAMED: Entry = { user_friendly: null, domain: null, interfaces: [] }

/** Wallets and undeployed accounts have a non-bounceable form, so that TON sent to them does not bounce. */
const isBounceable = (row: BookRow | undefined): boolean =>
  row !== undefined && row.codeHash !== null && !isSimpleWallet(hashFromBytes(row.codeHash))

type BookEntry = readonly [raw: string, row: BookRow | undefined]

/** Each account once, in the order of its raw address. */
function entriesOf(accounts: Iterable<string>, rows: readonly BookRow[]): BookEntry[] {
  const found = new Map(rows.map((row) => [rawOfKey(row.account), row]))
  return [...new Set(accounts)].sort().map((raw) => [raw, found.get(raw)])
}

/** The rows of any accounts by their raw addresses, in the order of these. */
export function createAddressBook({ store, testOnly }: BookNeeds): AddressBookMaker {
  // Made by the first use: it takes its memory at once, and not every service reads an index.
  let friendly: LRUCache<string, string> | null = null

  function friendlyOf(raw: string, bounceable: boolean): string {
    const name = bounceable ? raw : `${raw}U`
    friendly ??= new LRUCache<string, string>({ max: MOST_KEPT })
    const known = friendly.get(name)
    if (known !== undefined) return known
    const [workchain, hash = ''] = raw.split(':')
    const made = toFriendly({ bounceable, testOnly, workchain: Number(workchain), hash: Buffer.from(hash, 'hex') })
    friendly.set(name, made)
    return made
  }

  const friendlyOfRow = (raw: string, row: BookRow | undefined): string => friendlyOf(raw, isBounceable(row))

  function book(accounts: Iterable<string>, rows: readonly BookRow[]): Rows {
    const entries = entriesOf(accounts, rows).map(([raw, row]): [string, Entry] => {
      const user_friendly = friendlyOfRow(raw, row)
      return [raw, { user_friendly, domain: row?.domain ?? null, interfaces: [...(row?.interfaces ?? [])] }]
    })
    return Object.fromEntries(entries)
  }

  // Neither form of an address has a character that JSON escapes.
  const textOf = ([raw, row]: BookEntry): string =>
    `"${raw}":{"user_friendly":"${friendlyOfRow(raw, row)}","domain":${JSON.stringify(row?.domain ?? null)},` +
    `"interfaces":${JSON.stringify(row?.interfaces ?? [])}}`

  return {
    write: (accounts, rows) => new Written(`{${entriesOf(accounts, rows).map(textOf).join()}}`),
    async read(accounts, options) {
      const keys = new Map<string, AccountKey>()
      for (const key of accounts) keys.set(rawOfKey(key), key)
      if (keys.size === 0) return {}
      return book(keys.keys(), await readAll(store, bookRead([...keys.values()]), options))
    },
  }
}
