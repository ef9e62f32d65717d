// A page of blocks as it is written: rows as they were received.

import type { Sql, StatementOptions } from '../database.ts'
import type { ByteSpan } from '../span.ts'
import { sql } from '../sql.ts'
import { type BlockRow, blocks } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type PageKey, pageKeyOf } from './order.ts'
import type { PagedRead } from './page.ts'
import { span } from './spanColumn.ts'

const NAMES = blocks.columns.map(({ field }) => field)

export const BLOCK_COLUMNS = NAMES.length

/** The number of a column in such a row. */
export const columnOfBlock = (field: keyof BlockRow): number => NAMES.indexOf(field)

const decodeWhole = decoderOf({ whole: span })

export interface ListedBlocks {
  /** For `RowPlaces`, to be used at once. */
  readonly blocks: readonly ByteSpan[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

/** A page of what `blocksRead` finds. */
export async function readBlockPage(
  from: Sql,
  { statement, order, limit }: PagedRead<BlockRow>,
  options?: StatementOptions,
): Promise<ListedBlocks> {
  const key = order.map(({ name }) => name)
  const rows = await from.query(sql.wholeRows(statement, key), options)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    blocks: rows.slice(0, limit).map((row) => decodeWhole(row).whole),
    next: last === undefined ? null : pageKeyOf(order, last),
  }
}
