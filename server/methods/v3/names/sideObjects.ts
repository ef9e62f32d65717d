// Objects next to the rows of every v3 result: names of the accounts in it, and metadata of tokens.

import { inSlices } from '../../../fairness/index.ts'
import { type AccountKey, readSides, type Sides, type SideWishes } from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import { demandShortTokens } from '../bounded/boundedLists.ts'
import type { AddMember } from '../texts/writePage.ts'
import { addTokens } from '../written/writtenTokens.ts'
import { type AddBook, type BookNeeds, createAddressBook, type ReadBook, type WriteBook } from './addressBook.ts'
import { createMetadata, metadataOf, type ReadMetadata } from './metadata.ts'

export interface SideObjects {
  /** By raw address; accounts may come more than once. */
  readonly addressBook: ReadBook
  /** Names and tokens of accounts, each once, in one statement. */
  readonly both: (accounts: readonly AccountKey[], call: Call) => Promise<{ address_book: Book; metadata: Tokens }>
  readonly writeBook: WriteBook
  readonly addBook: AddBook
  /** By raw address, only of those that are tokens, and of the jettons in those that are jetton wallets. */
  readonly metadata: ReadMetadata
}

export function createSideObjects(needs: BookNeeds): SideObjects {
  const { read, make, write, add } = createAddressBook(needs)
  const { store } = needs
  return {
    addressBook: read,
    async both(accounts, call) {
      if (wishesOf(call).tokens) await demandShortTokens(store, accounts, call)
      const sides = await readSides(store, accounts, wishesOf(call), call)
      const keys = sides.book.map(({ chars }) => chars)
      return { address_book: await make(keys, sides.book, call), metadata: metadataOf(sides) }
    },
    writeBook: write,
    addBook: add,
    metadata: createMetadata(store),
  }
}

/** So many are looked through at once. */
const FEW = 500

/** Each account once: a page of traces names tens of thousands, most of them again and again. */
async function distinct(accounts: readonly AccountKey[], call: Call): Promise<readonly AccountKey[]> {
  if (accounts.length <= FEW) return accounts
  const known = new Map<string, AccountKey>()
  await inSlices(accounts, (key) => void known.set(charsOfKey(key), key), call)
  return [...known.values()]
}

type Book = Awaited<ReturnType<SideObjects['addressBook']>>
type Tokens = Awaited<ReturnType<SideObjects['metadata']>>

/** What is read next to rows, unless the caller switched it off. */
export const wishesOf = ({ modifiers }: Call): SideWishes => ({
  book: !modifiers.noAddressBook,
  tokens: !modifiers.noMetadata,
})

/** The same without tokens. */
export const namesOnly = ({ modifiers }: Call): SideWishes => ({ book: !modifiers.noAddressBook, tokens: false })

/** Adds names that were read with rows. */
export const bookBeside =
  (side: SideObjects, { book }: Sides): AddMember =>
  (to) =>
    side.addBook(null, book, to)

/** Members that are next to rows: names and tokens that were read with them. */
export const sidesBeside = (side: SideObjects, sides: Sides): { address_book: AddMember; metadata: AddMember } => ({
  address_book: bookBeside(side, sides),
  metadata: (to) => addTokens(sides, to),
})

/** Names of accounts, unless the caller switched them off. */
export const addressBookFor = async (
  side: SideObjects,
  accounts: readonly AccountKey[],
  call: Call,
): Promise<{ address_book: Book }> => ({
  address_book: call.modifiers.noAddressBook ? {} : await side.addressBook(accounts, call),
})

/** Names and token metadata of accounts, without what the caller switched off. */
export async function sideObjectsFor(
  side: SideObjects,
  accounts: readonly AccountKey[],
  call: Call,
): Promise<{ address_book: Book; metadata: Tokens }> {
  return side.both(await distinct(accounts, call), call)
}
