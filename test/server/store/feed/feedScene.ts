// An index of a real chain, and the feed over it.

import { onTestFinished } from 'vitest'
import type { Devchain } from '../../../../server/devchain/index.ts'
import type { Indexer } from '../../../../server/indexer/index.ts'
import {
  type BlockRows,
  type BlockRowsFeed,
  type Database,
  type FeedItem,
  IndexFeed,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
} from '../../../../server/store/index.ts'
import { gate } from '../../../setup/gate.ts'
import { headSeqno, type IndexOptions, index, upToDate } from '../../indexer/indexScene.ts'

/** A busy machine must not meet it. */
export const LONG = { timeout: 300_000 }

/** The writing process: its indexer gives the feed what it writes. */
export function writing(parts: Pick<IndexOptions, 'node' | 'pool'> & { database: Database; store?: Sql }) {
  const { node, pool, database, store = database.read } = parts
  const indexer: Indexer = index({
    node,
    database,
    ...(pool === undefined ? {} : { pool }),
    onPrepared: (...batch) => feed.prepared(...batch),
    onWritten: (...batch) => feed.wrote(...batch),
  })
  const feed = new IndexFeed({ store, heads: indexer, canRewind: true })
  return { indexer, feed }
}

/** Three blocks, a snapshot and three more blocks, which a revert to it undoes; all of them are indexed. */
export async function blocksAroundSnapshot(chain: Devchain, indexer: Indexer) {
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  return { snapshot, stays }
}

/** A consumer, read item by item. */
export function follow(feed: BlockRowsFeed, seqno: number) {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const items = feed.from(seqno, { signal: end.signal })[Symbol.asyncIterator]()
  const next = async (): Promise<FeedItem> => {
    const { value, done } = await items.next()
    if (done === true) throw new Error('the feed ended')
    return value
  }
  return {
    next,
    stop: () => end.abort(),
    /** Blocks up to a seqno. */
    async until(last: number): Promise<BlockRows[]> {
      const found: BlockRows[] = []
      while (found.at(-1)?.mcSeqno !== last) {
        const item = await next()
        if (item.kind !== 'block') throw new Error('blocks were undone')
        found.push(item.rows)
      }
      return found
    },
  }
}

/** Reads of which the last statement, whether the newest block is still there, waits before or after it is answered. */
export function heldCheck({ read }: Pick<Database, 'read'>, when: 'before' | 'after') {
  const asked = gate()
  const held = gate()
  const store: Sql = {
    async query<R extends SqlRow>(statement: SqlText, options?: StatementOptions) {
      const isCheck = statement.text.includes('pruned_before')
      const hold = async (): Promise<void> => {
        asked.open()
        await held.opened
      }
      if (isCheck && when === 'before') await hold()
      const rows = await read.query<R>(statement, options)
      if (isCheck && when === 'after') await hold()
      return rows
    },
  }
  return { store, asked: asked.opened, goOn: () => held.open() }
}
