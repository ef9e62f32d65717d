// Transactions as finished text, one behind the other.

import type { z } from 'zod'
import type { Transaction } from '../../../../shared/v3/transaction.ts'
import { hashFromBytes } from '../../../cell/index.ts'
import type {
  AccountKey,
  NamedAccount,
  PageKey,
  StoredText,
  TransactionPlace,
  UnpackedText,
} from '../../../store/index.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import { CLOSE_LIST, COMMA, OPEN_LIST } from '../../view/jsonCodes.ts'
import type { TreePart } from '../../view/v3/traceTree.ts'
import { LargeText } from '../../view/v3/transaction.ts'
import type { Written } from '../../written.ts'
import { addNamedBy, addText } from '../texts/storedText.ts'

export interface TransactionText {
  readonly hash: string
  /** Made on first use, then cached, unless it is large. */
  readonly text: Written<z.output<typeof Transaction>> | LargeText
  readonly part: TreePart
  /** Accounts for its address book. */
  readonly accounts: readonly AccountKey[]
}

/** A list of transactions that is to be written, and names of the accounts in it. */
export interface ListedTexts {
  readonly found: readonly (StoredText | TransactionPlace)[]
  /** Those without a stored text, by their hashes. One that was removed since the list was read is in neither. */
  readonly others: ReadonlyMap<string, TransactionText>
  readonly book: readonly NamedAccount[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

export const isStored = (one: StoredText | TransactionPlace): one is StoredText => 'text' in one

const madeOf = (one: TransactionPlace, { others }: ListedTexts): TransactionText | undefined =>
  others.get(hashFromBytes(one.hash))

export const isEmptyList = (list: ListedTexts): boolean =>
  !list.found.some((one) => isStored(one) || madeOf(one, list) !== undefined)

/** Adds the list to a text, and the keys of its accounts to a set. Yields as `textInSlices` requires. */
export function* addTransactionList(list: ListedTexts, to: UnpackedText, accounts: Set<string>): Generator<boolean> {
  let isFirst = true
  to.byte(OPEN_LIST)
  for (const one of list.found) {
    yield false
    const made = isStored(one) ? null : madeOf(one, list)
    if (made === undefined) continue
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    if (isStored(one)) {
      addText(one, to)
      addNamedBy(one, accounts)
    } else if (made !== null) {
      const { text } = made
      if (text instanceof LargeText) yield* text.add(to)
      else to.string(text.json)
      for (const key of made.accounts) accounts.add(charsOfKey(key))
    }
  }
  to.byte(CLOSE_LIST)
}
