// Which chain the index is of, and how far it is: tables of one row.

import { bool, bytea, generated, int4, nullable, text } from './column.ts'
import { type RowFrom, table } from './table.ts'

/** A second row has the same key, and is refused. */
const onlyRow = generated(bool)

export const chainIdentity = table('chain_identity', {
  onlyRow,
  network: text,
  /** Of the first state of the masterchain. */
  genesisRootHash: bytea,
  genesisFileHash: bytea,
  globalId: int4,
})

export type IdentityRow = RowFrom<typeof chainIdentity>

/** Written with the last block's rows. */
export const indexerCursor = table('indexer_cursor', {
  onlyRow,
  network: text,
  /** The first masterchain block that is indexed, and the last. */
  firstMcSeqno: int4,
  lastMcSeqno: int4,
  /** Rows of older masterchain blocks are removed, or about to be; null where none were. */
  prunedBefore: nullable(int4),
})

export type CursorRow = RowFrom<typeof indexerCursor>

/** What is written with a batch of blocks. */
export type BatchCursor = Omit<CursorRow, 'prunedBefore'>

/** The first masterchain block of which all is there. */
export const firstKept = ({ firstMcSeqno, prunedBefore }: CursorRow): number =>
  Math.max(firstMcSeqno, prunedBefore ?? 0)
