// Finished texts of transactions, which are kept next to their bags so that a page is joined and not written.

import type { Cell } from '../../cell/index.ts'

/** Tens of megabytes, where hundreds of messages are large. */
export interface TextAround {
  readonly before: readonly Buffer[]
  readonly after: readonly Buffer[]
}

/** How a transaction is written. A version stands for its texts: other texts need another one. */
export interface TransactionTexts {
  readonly version: number
  /** The text before and after the transaction as a bag in base64, which is not stored twice. */
  write(workchain: number, transaction: Cell): readonly [before: string, after: string]
  /** The same in pieces, as bytes that follow each other, for a large one; absent where texts are short. */
  writing?(workchain: number, transaction: Cell): Generator<void, TextAround>
}

/** For archives that keep none. */
export const NO_TEXTS: TransactionTexts = { version: 0, write: () => ['', ''] }
