// Names and tokens next to traces: those that were read with the texts of transactions, and those of other accounts.

import { type AccountKey, bookRead, readAll, type Sql } from '../../store/index.ts'
import type { Call } from '../call.ts'
import { hexOfKey } from '../keyOfAccount.ts'
import { metadataOf, readTokensOf, type TokensFound, togetherTokens } from './metadata.ts'
import type { SideObjects } from './sideObjects.ts'
import { toNamed, type WrittenTexts } from './writtenTransactions.ts'

const NO_TOKENS: TokensFound = { held: [], described: [] }

interface NamesParts {
  readonly store: Sql
  readonly side: SideObjects
  readonly texts: WrittenTexts
  /** That actions name. */
  readonly others: readonly AccountKey[]
}

/** What was switched off is neither read nor written. */
export async function traceBook({ store, side, texts, others }: NamesParts, call: Call) {
  const { noAddressBook, noMetadata } = call.modifiers
  const accounts = new Set(texts.book.map(({ hex }) => hex))
  const unnamed = new Map<string, AccountKey>()
  for (const key of [...texts.unnamed, ...others]) {
    const hex = hexOfKey(key)
    if (accounts.has(hex)) continue
    accounts.add(hex)
    unnamed.set(hex, key)
  }
  const keys = [...unnamed.values()]
  const [book, tokens] = await Promise.all([
    noAddressBook || keys.length === 0 ? [] : readAll(store, bookRead(keys), call),
    noMetadata || keys.length === 0 ? NO_TOKENS : readTokensOf(store, keys, call),
  ])
  const named = book.length === 0 ? texts.book : [...texts.book, ...book.map(toNamed)]
  return {
    address_book: noAddressBook ? {} : await side.writeBook(accounts, named, call.caller),
    metadata: noMetadata ? {} : metadataOf(keys.length === 0 ? texts : togetherTokens(texts, tokens)),
  }
}
