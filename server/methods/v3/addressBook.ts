// Names of accounts: read once for all accounts of an answer, however often each occurs in it.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { toFriendly } from '../../../shared/address.ts'
import type { AddressBook, AddressBookRow } from '../../../shared/v3/sideObjects.ts'
import { hashFromBytes } from '../../cell/index.ts'
import { inSlices, lightInSlices, SlicedWork, type Slicing } from '../../fairness/index.ts'
import { isSimpleWallet } from '../../interfaces/index.ts'
import {
  type AccountKey,
  type AccountNames,
  bookRead,
  type NamedAccount,
  readAll,
  type Sql,
  type StatementOptions,
  TextBytes,
} from '../../store/index.ts'
import { hexOfKey, rankOfChain, rawOfHex } from '../keyOfAccount.ts'
import { Written } from '../written.ts'

type Rows = z.output<typeof AddressBook>
type Entry = z.output<typeof AddressBookRow>

/** Accounts whose entries are kept, some 800 bytes each. */
const MOST_KEPT = 5_000

export interface BookNeeds {
  readonly store: Sql
  /** Friendly forms are marked for test networks. */
  readonly testOnly: boolean
}

export type ReadBook = (accounts: Iterable<AccountKey>, options?: StatementOptions) => Promise<Rows>

/** Of accounts by their keys in hex, whose rows are read. */
type MakeBook = (accounts: Iterable<string>, rows: readonly NamedAccount[]) => Promise<Rows>

/** The text of the same. */
export type WriteBook = (
  accounts: Iterable<string>,
  rows: readonly NamedAccount[],
  slicing?: Slicing,
) => Promise<Written<Rows>>

export interface AddressBookMaker {
  readonly read: ReadBook
  readonly make: MakeBook
  readonly write: WriteBook
}

/** The entry of text that is not an address. */
export const UNNAMED: Entry = { user_friendly: null, domain: null, interfaces: [] }

/** Wallets and undeployed accounts have a non-bounceable form, so that TON sent to them does not bounce. */
const isBounceable = (names: AccountNames | undefined): boolean =>
  names !== undefined && names.codeHash !== null && !isSimpleWallet(hashFromBytes(names.codeHash))

/** An entry as it was written the last time, and of what. */
interface WrittenEntry {
  readonly names: AccountNames | undefined
  readonly text: string
}

/** How one account is written; friendly forms are made when they are first used. */
interface Forms {
  readonly raw: string
  /** Lower for one that comes first, unless both have the same first digits: faster than to compare texts. */
  readonly order: number
  readonly friendly: [bounceable: string | null, other: string | null]
  written: WrittenEntry | null
}

interface BookEntry {
  readonly forms: Forms
  readonly names: AccountNames | undefined
}

const domainOf = (names: AccountNames | undefined): string | null => names?.domain ?? null
const interfacesOf = (names: AccountNames | undefined): readonly string[] => names?.interfaces ?? []

function isEqual<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const NO_CODE = new Uint8Array()

const isSame = (a: AccountNames | undefined, b: AccountNames | undefined): boolean =>
  domainOf(a) === domainOf(b) &&
  isEqual(a?.codeHash ?? NO_CODE, b?.codeHash ?? NO_CODE) &&
  isEqual(interfacesOf(a), interfacesOf(b))

/** A text of its own, which keeps no longer one that it was cut from in memory. */
const copyOf = (hex: string): string => Buffer.from(hex, 'latin1').toString('latin1')

const [COMMA, BEGINNING, END] = [44, 123, 125]

/** Of one answer at a time. */
const book = new TextBytes()

/** As bytes: a book goes next to the bytes of a list, and a string of so many pieces takes longer to put together. */
function writeEntries(texts: readonly string[]): Written<Rows> {
  book.begin()
  book.byte(BEGINNING)
  for (const [i, text] of texts.entries()) {
    if (i > 0) book.byte(COMMA)
    book.string(text)
  }
  book.byte(END)
  return new Written([book.takeBytes()])
}

/** Hex digits behind the workchain: with what stands for that, the number is exact. */
const DIGITS_OF_ORDER = 10

/** By the text of the workchain, then by the first digits of the hash. */
const orderOf = (hex: string): number => Number.parseInt(`${rankOfChain(hex)}${hex.slice(2, 2 + DIGITS_OF_ORDER)}`, 16)

const byRaw = ({ forms: a }: BookEntry, { forms: b }: BookEntry): number =>
  a.order - b.order || (a.raw < b.raw ? -1 : 1)

/** Reads the rows, and makes a book of them. */
const readBookWith =
  (store: Sql, make: MakeBook): ReadBook =>
  async (accounts, options) => {
    // 1,000 addresses that are not kept take 10 ms: others get their turn in between.
    const slices = new SlicedWork()
    const keys = new Map(await inSlices([...accounts], (key) => [hexOfKey(key), key] as const, slices))
    if (keys.size === 0) return {}
    if (slices.isDue) await slices.rest()
    const rows = await readAll(store, bookRead([...keys.values()]), options)
    return await make(
      keys.keys(),
      rows.map(({ account, ...names }) => ({ hex: hexOfKey(account), ...names })),
    )
  }

/** The rows of any accounts by their raw addresses, in the order of these. */
export function createAddressBook({ store, testOnly }: BookNeeds): AddressBookMaker {
  // Made by the first use: it takes its memory at once, and not every service reads an index.
  let kept: LRUCache<string, Forms> | null = null

  function formsOf(hex: string): Forms {
    kept ??= new LRUCache<string, Forms>({ max: MOST_KEPT })
    const found = kept.get(hex)
    if (found !== undefined) return found
    const key = copyOf(hex)
    const made: Forms = { raw: rawOfHex(key), order: orderOf(key), friendly: [null, null], written: null }
    kept.set(key, made)
    return made
  }

  function friendlyOf({ raw, friendly }: Forms, bounceable: boolean): string {
    const at = bounceable ? 0 : 1
    const known = friendly[at]
    if (known !== null) return known
    const [workchain, hash = ''] = raw.split(':')
    const made = toFriendly({ bounceable, testOnly, workchain: Number(workchain), hash: Buffer.from(hash, 'hex') })
    friendly[at] = made
    return made
  }

  const entryOf = (hex: string, named: ReadonlyMap<string, AccountNames>): BookEntry => ({
    forms: formsOf(hex),
    names: named.get(hex),
  })

  const objectOf = ({ forms, names }: BookEntry): [string, Entry] => {
    const user_friendly = friendlyOf(forms, isBounceable(names))
    return [forms.raw, { user_friendly, domain: domainOf(names), interfaces: [...interfacesOf(names)] }]
  }

  function textOf({ forms, names }: BookEntry): string {
    const { written } = forms
    if (written !== null && isSame(written.names, names)) return written.text
    const bounceable = isBounceable(names)
    // Neither form of an address has a character that JSON escapes.
    const text =
      `"${forms.raw}":{"user_friendly":"${friendlyOf(forms, bounceable)}",` +
      `"domain":${JSON.stringify(domainOf(names))},"interfaces":${JSON.stringify(interfacesOf(names))}}`
    forms.written = { names, text }
    return text
  }

  async function make(accounts: Iterable<string>, rows: readonly NamedAccount[]): Promise<Rows> {
    const named = new Map(rows.map((row) => [row.hex, row]))
    const slices = new SlicedWork()
    const entries = await inSlices([...accounts], (hex) => entryOf(hex, named), slices)
    return Object.fromEntries(await inSlices(entries.sort(byRaw), objectOf, slices))
  }

  return {
    read: readBookWith(store, make),
    make,
    async write(accounts, rows, slicing) {
      const named = new Map<string, AccountNames>()
      for (const row of rows) named.set(row.hex, row)
      const entries = await lightInSlices([...new Set(accounts)], (hex) => entryOf(hex, named), slicing)
      // In the order of raw addresses.
      return writeEntries(await lightInSlices(entries.sort(byRaw), textOf, slicing))
    },
  }
}
