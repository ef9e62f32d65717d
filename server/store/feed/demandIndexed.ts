import type { Sql } from '../database.ts'
import { indexedRead } from '../read/blocks.ts'
import { readAll } from '../read/read.ts'
import { BlockNotIndexed } from './blockRowsFeed.ts'

/**
 * Throws BlockNotIndexed where the index does not begin so early. To be called after a read: what is removed meanwhile is not
 * found, as if nothing had been there.
 */
export async function demandIndexed(from: Sql, seqno: number): Promise<void> {
  const [first] = await readAll(from, indexedRead())
  if (first !== undefined && seqno < first.seqno) throw new BlockNotIndexed(seqno, first.seqno)
}
