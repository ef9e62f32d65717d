// The index of a chain whose shard is split and merged is stopped at each block while it is far behind, by its end or by a kill
// before the commit, and goes on in a new process: every row is that of an index that was never interrupted.

import { beforeAll, expect, test } from 'vitest'
import { createRemoteChain, Trust } from '../../../server/node/index.ts'
import type { Database } from '../../../server/store/index.ts'
import { withMergedShards } from '../../setup/mergedShards.ts'
import { chainServer, type RecordedChain, recordedChain } from '../../setup/recordedBlocks.ts'
import { digests, index, openStore } from './indexScene.ts'

type Chains = Record<
  'split' | 'merge',
  { readonly chain: RecordedChain; readonly first: number; readonly newest: number }
>

let chains: Chains
beforeAll(async () => {
  const split = await recordedChain()
  const merge = withMergedShards(split)
  const newest = Math.max(...split.blocks.map(({ mcSeqno }) => mcSeqno))
  chains = {
    split: { chain: split, first: 1, newest },
    merge: { chain: merge, first: merge.newest - 12, newest: merge.newest },
  }
})

type End = 'none' | 'close' | 'kill'

async function indexed(name: keyof Chains, end: End) {
  const { chain, first, newest } = chains[name]
  const { server, reveal } = chainServer(chain)
  reveal(newest)
  const database = await openStore()
  let lives = 0
  for (let seqno = 0; seqno < newest; lives++) {
    const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
    let left = 1
    let over = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      over = resolve
    })
    const killed: Database = {
      ...database,
      read: database.read,
      lead: (...how) => database.lead(...how),
      transaction: (work, options) =>
        database.transaction(async (own) => {
          const done = await work(own)
          // The first block of this life is written, and lost in its last instant the second one.
          if (left < 0 && options?.onSent !== undefined) {
            over()
            throw new Error('killed')
          }
          return done
        }, options),
    }
    const indexer = index({
      node,
      database: end === 'kill' ? killed : database,
      indexFrom: { seqno: first },
      network: 'custom',
      batchTransactions: 1,
      onWritten: () => {
        left--
        if (end === 'close') over()
      },
    })
    await Promise.race([ended, indexer.waitFor(newest, { timeoutMs: 300_000 })])
    seqno = indexer.indexed()?.seqno ?? 0
    await indexer.close()
  }
  return { lives, rows: await digests(database.read) }
}

test.each(['split', 'merge'] as const)('behavior: the %s of shards', async (name) => {
  const { rows } = await indexed(name, 'none')
  const { first, newest } = chains[name]
  for (const end of ['close', 'kill'] as const) {
    const interrupted = await indexed(name, end)
    expect(interrupted.lives).toBeGreaterThan((newest - first) / 3)
    expect(interrupted.rows).toEqual(rows)
  }
})
