// Names of accounts: read once for all accounts of an answer, however often each occurs in it.

import type { z } from 'zod'
import { toFriendly } from '../../../../shared/address.ts'
import type { AddressBook, AddressBookRow } from '../../../../shared/v3/sideObjects.ts'
import { inPieces, inSlices, SlicedWork, type Slicing, sorting } from '../../../fairness/index.ts'
import {
  type AccountKey,
  bookRead,
  type NamedAccount,
  readAll,
  type Sql,
  type StatementOptions,
  type TextBytes,
} from '../../../store/index.ts'
import { addressOfKey, charsOfKey, rawOfKey } from '../../keyOfAccount.ts'
import { Written } from '../../written.ts'
import { textInSlices } from '../texts/textInSlices.ts'
import { addBook, type BookEntry, bookEntryOf, byRaw, isBounceable } from './bookText.ts'

type Rows = z.output<typeof AddressBook>
type Entry = z.output<typeof AddressBookRow>

export interface BookNeeds {
  readonly store: Sql
  /** Friendly forms are marked for test networks. */
  readonly testOnly: boolean
}

export type ReadBook = (accounts: Iterable<AccountKey>, options?: StatementOptions) => Promise<Rows>

/** Of accounts by their keys, with a character for each byte, whose rows are read. */
type MakeBook = (accounts: Iterable<string>, rows: readonly NamedAccount[], slicing?: Slicing) => Promise<Rows>

/** The text of the same; null for the accounts of the rows, each once. */
export type WriteBook = (
  accounts: Iterable<string> | null,
  rows: readonly NamedAccount[],
  slicing?: Slicing,
) => Promise<Written<Rows>>

/** Adds that text to another, in pieces: see `textInSlices`. */
export type AddBook = (
  accounts: Iterable<string> | null,
  rows: readonly NamedAccount[],
  to: TextBytes,
) => Generator<boolean>

export interface AddressBookMaker {
  readonly read: ReadBook
  readonly make: MakeBook
  readonly write: WriteBook
  readonly add: AddBook
}

/** The entry of text that is not an address. */
export const UNNAMED: Entry = { user_friendly: null, domain: null, interfaces: [] }

/** Reads the rows, and makes a book of them. */
const readBookWith =
  (store: Sql, make: MakeBook): ReadBook =>
  async (accounts, options) => {
    // Of thousands of addresses: others get their turn in between.
    const slices = new SlicedWork({ signal: options?.signal })
    const keys = new Map(await inSlices([...accounts], (key) => [charsOfKey(key), key] as const, slices))
    if (keys.size === 0) return {}
    if (slices.isDue) await slices.rest()
    const rows = await readAll(store, bookRead([...keys.values()]), options)
    return await make(
      keys.keys(),
      rows.map(({ account, ...names }) => ({ chars: charsOfKey(account), ...names })),
      { signal: options?.signal },
    )
  }

/** The rows of any accounts by their raw addresses, in the order of these. */
export function createAddressBook({ store, testOnly }: BookNeeds): AddressBookMaker {
  function objectOf({ chars, names }: BookEntry): [string, Entry] {
    const key = Buffer.from(chars, 'latin1')
    const user_friendly = toFriendly({ ...addressOfKey(key), bounceable: isBounceable(names), testOnly })
    return [rawOfKey(key), { user_friendly, domain: names?.domain ?? null, interfaces: [...(names?.interfaces ?? [])] }]
  }

  const make: MakeBook = async (accounts, rows, slicing) => {
    const named = new Map(rows.map((row) => [row.chars, row]))
    const slices = new SlicedWork(slicing)
    const entries = await inSlices([...accounts], (chars) => bookEntryOf(chars, named), slices)
    const book: Rows = {}
    await inSlices(
      await inPieces(sorting(entries, byRaw), slices),
      (entry) => {
        const [raw, shown] = objectOf(entry)
        book[raw] = shown
      },
      slices,
    )
    return book
  }

  const add: AddBook = (accounts, rows, to) => addBook({ accounts, rows, testOnly }, to)

  return {
    read: readBookWith(store, make),
    make,
    add,
    write: async (accounts, rows, slicing) => new Written(await textInSlices((to) => add(accounts, rows, to), slicing)),
  }
}
