// Transactions as finished text, one behind the other.

import type { z } from 'zod'
import type { Transaction } from '../../../shared/v3/transaction.ts'
import { hashFromBytes } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import type {
  AccountKey,
  NamedAccount,
  PageKey,
  StoredText,
  TransactionPlace,
  UnpackedText,
} from '../../store/index.ts'
import { hexOfKey } from '../keyOfAccount.ts'
import type { TreePart } from '../view/v3/traceTree.ts'
import { Written } from '../written.ts'
import { addText, namedBy } from './texts/storedText.ts'
import { textInSlices } from './texts/textInSlices.ts'

export interface TransactionText {
  readonly hash: string
  /** Made on first use, then cached. */
  readonly text: Written<z.output<typeof Transaction>>
  readonly part: TreePart
  /** Accounts for its address book. */
  readonly accounts: readonly AccountKey[]
}

/** A list of transactions as text, and what an address book for it is written of. */
export interface WrittenList {
  readonly transactions: Written<z.output<typeof Transaction>[]>
  readonly isEmpty: boolean
  /** Keys in hex, in large letters; some more than once. */
  readonly accounts: readonly string[]
  readonly book: readonly NamedAccount[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

export const isStored = (one: StoredText | TransactionPlace): one is StoredText => 'text' in one

const [COMMA, BEGINNING, END] = [44, 91, 93]

/** Texts of a list, in slices. One that a rollback has removed since the list was read is left out. */
export async function writeTransactionList(
  found: readonly (StoredText | TransactionPlace)[],
  others: ReadonlyMap<string, TransactionText>,
  caller: Slicing | undefined,
): Promise<Pick<WrittenList, 'transactions' | 'isEmpty' | 'accounts'>> {
  const accounts: string[] = []
  let isEmpty = true
  function* write(to: UnpackedText): Generator<boolean> {
    to.byte(BEGINNING)
    for (const one of found) {
      yield false
      const made = isStored(one) ? null : others.get(hashFromBytes(one.hash))
      if (made === undefined) continue
      if (!isEmpty) to.byte(COMMA)
      isEmpty = false
      if (isStored(one)) {
        addText(one, to)
        accounts.push(...namedBy(one))
      } else if (made !== null) {
        to.string(made.text.json)
        accounts.push(...made.accounts.map(hexOfKey))
      }
    }
    to.byte(END)
  }
  const pieces = await textInSlices(write, caller)
  return { transactions: new Written(pieces), isEmpty, accounts }
}
