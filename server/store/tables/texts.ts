// Finished texts of transactions. What they say is in other tables: a text can be deleted and made again at any time.

import { bool, bytea, generated, int2, int4, text } from './column.ts'
import { type RowFrom, table } from './table.ts'

export const transactionTexts = table('transaction_texts', {
  hash: bytea,
  /** Version of the text format: a text of another version is not used. */
  version: int2,
  /** Which states were missing when it was made, as bits of `LACKS`: once one is there, the text is not used. */
  lacks: int2,
  /** Keys of the accounts whose names are listed next to it, 33 bytes each, without its own. */
  accounts: bytea,
  /** As the program packs it, without what is in the row of the transaction; empty for one that is not stored. */
  text,
  /** Its bags of cells, hashes and numbers, as bytes. */
  bags: bytea,
  /** Hashes of the bags that it has, but are stored apart, one after the other. */
  shared: bytea,
})

export type TransactionTextRow = RowFrom<typeof transactionTexts>

/** Bits of `lacks`. */
export const LACKS = { stateBefore: 1, stateAfter: 2 } as const

/** Masterchain blocks, both included. */
export interface BlockRange {
  readonly first: number
  readonly last: number
}

/** The masterchain blocks whose transactions all have a text. */
export const textProgress = table('text_progress', {
  onlyRow: generated(bool),
  version: int2,
  firstMcSeqno: int4,
  /** Last block whose transactions all have a text; one before the first block while there is none. */
  lastMcSeqno: int4,
})

export type TextProgressRow = RowFrom<typeof textProgress>
