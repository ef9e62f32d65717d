// Chain that is indexed, and the cursor of the index: tables with one row each.

import { bool, bytea, generated, int4, nullable, text } from './column.ts'
import { type RowFrom, table } from './table.ts'

/** Every row has this key, so the database refuses a second one. */
const onlyRow = generated(bool)

export const chainIdentity = table('chain_identity', {
  onlyRow,
  network: text,
  /** Root hash of the masterchain's zerostate. */
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
  /** First masterchain block that is kept: rows of older ones are pruned or being pruned. Null without pruning. */
  prunedBefore: nullable(int4),
})

export type CursorRow = RowFrom<typeof indexerCursor>

/** What is written with a batch of blocks. */
export type BatchCursor = Omit<CursorRow, 'prunedBefore'>

/** First masterchain block with all its rows. */
export const firstKept = ({ firstMcSeqno, prunedBefore }: CursorRow): number =>
  Math.max(firstMcSeqno, prunedBefore ?? 0)
