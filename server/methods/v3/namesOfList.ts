// Names and tokens next to a list: those that came with its rows, and those of other accounts.

import { type AccountKey, readSides, type Sides, type SideWishes, type Sql } from '../../store/index.ts'
import type { Call } from '../call.ts'
import { hexOfKey } from '../keyOfAccount.ts'
import { metadataOf, type TokensFound, togetherTokens } from './metadata.ts'
import { type SideObjects, wishesOf } from './sideObjects.ts'

/** What is read with a list: tokens with names, which say of which accounts they were read. */
export function wishesOfList(call: Call): SideWishes {
  const { book, tokens } = wishesOf(call)
  return { book: book || tokens, tokens }
}

/** Those of the accounts, and of the jettons in those that are jetton wallets. */
function tokensOf({ held, described }: TokensFound, accounts: ReadonlySet<string>): TokensFound {
  const own = held.filter(({ account }) => accounts.has(hexOfKey(account)))
  const jettons = new Set(own.map(({ jetton }) => hexOfKey(jetton)))
  const isOfThese = ({ account }: { readonly account: AccountKey }) => {
    const hex = hexOfKey(account)
    return accounts.has(hex) || jettons.has(hex)
  }
  return { held: own, described: described.filter(isOfThese) }
}

interface NamesParts {
  readonly store: Sql
  readonly side: SideObjects
  /** What came with the list, of these accounts or more. */
  readonly known: Sides
  /** Keys in hex, in large letters. */
  readonly accounts: ReadonlySet<string>
}

export async function namesOfList({ store, side, known, accounts }: NamesParts, call: Call) {
  const wishes = wishesOf(call)
  const read = new Set(known.book.map(({ hex }) => hex))
  const keys = [...accounts].filter((hex) => !read.has(hex)).map((hex) => Buffer.from(hex, 'hex'))
  const others = await readSides(store, keys, wishes, call)
  const named = others.book.length === 0 ? known.book : [...known.book, ...others.book]
  const found = keys.length === 0 ? known : togetherTokens(known, others)
  return {
    address_book: wishes.book ? await side.writeBook(accounts, named, call.caller) : {},
    metadata: wishes.tokens ? metadataOf(tokensOf(found, accounts)) : {},
  }
}
