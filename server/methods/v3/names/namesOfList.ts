// Names and tokens next to a list: those that came with its rows, and those of other accounts.

import { type AccountKey, readSides, type Sides, type SideWishes, type Sql } from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import { demandShortTokens } from '../bounded/boundedLists.ts'
import { writeTokens } from '../written/writtenTokens.ts'
import { type TokensFound, togetherTokens } from './metadata.ts'
import { type SideObjects, wishesOf } from './sideObjects.ts'

/** What is read with a list: tokens with names, which say of which accounts they were read. */
export function wishesOfList(call: Call): SideWishes {
  const { book, tokens } = wishesOf(call)
  return { book: book || tokens, tokens }
}

/** Those of the accounts, and of the jettons in those that are jetton wallets. */
function tokensOf({ held, described }: TokensFound, accounts: ReadonlySet<string>): TokensFound {
  const own = held.filter(({ account }) => accounts.has(charsOfKey(account)))
  const jettons = new Set(own.map(({ jetton }) => charsOfKey(jetton)))
  const isOfThese = ({ account }: { readonly account: AccountKey }) => {
    const chars = charsOfKey(account)
    return accounts.has(chars) || jettons.has(chars)
  }
  return { held: own, described: described.filter(isOfThese) }
}

interface NamesParts {
  readonly store: Sql
  readonly side: SideObjects
  /** What came with the list, of these accounts or more. */
  readonly known: Sides
  /** Keys, with a character for each byte. */
  readonly accounts: ReadonlySet<string>
}

/** Of a list whose accounts are those that came with it. */
export async function namesRead(side: SideObjects, known: Sides, call: Call) {
  const wishes = wishesOf(call)
  return {
    address_book: wishes.book ? await side.writeBook(null, known.book, call) : {},
    metadata: wishes.tokens ? await writeTokens(known, call) : {},
  }
}

export async function namesOfList({ store, side, known, accounts }: NamesParts, call: Call) {
  const wishes = wishesOf(call)
  const read = new Set(known.book.map(({ chars }) => chars))
  const keys = [...accounts].filter((chars) => !read.has(chars)).map((chars) => Buffer.from(chars, 'latin1'))
  if (wishes.tokens) await demandShortTokens(store, keys, call)
  const others = await readSides(store, keys, wishes, call)
  const named = others.book.length === 0 ? known.book : [...known.book, ...others.book]
  const found = keys.length === 0 ? known : togetherTokens(known, others)
  return {
    address_book: wishes.book ? await side.writeBook(accounts, named, call) : {},
    metadata: wishes.tokens ? await writeTokens(tokensOf(found, accounts), call) : {},
  }
}
