// A page of blocks as it is written: hashes as they were received.

import type { Sql, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type BlockRow, blocks } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type PageKey, pageKeyOf } from './order.ts'
import type { PagedRead } from './page.ts'
import { span } from './spanColumn.ts'

const HASHES = { rootHash: span, fileHash: span, randSeed: span, createdBy: span }
const SPANS = ['root_hash', 'file_hash', 'rand_seed', 'created_by']

const decodeListed = decoderOf({ ...blocks.fields, ...HASHES })

/** A block of a page, to be used at once. */
export type ListedBlock = ReturnType<typeof decodeListed>

export interface ListedBlocks {
  readonly blocks: readonly ListedBlock[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

/** A page of what `blocksRead` finds. */
export async function readBlockPage(
  from: Sql,
  { statement, order, limit }: PagedRead<BlockRow>,
  options?: StatementOptions,
): Promise<ListedBlocks> {
  const rows = await from.query(sql.withSpans(statement, SPANS), options)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    blocks: rows.slice(0, limit).map(decodeListed),
    next: last === undefined ? null : pageKeyOf(order, last),
  }
}
