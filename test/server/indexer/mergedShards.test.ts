// Two shards of a chain that the public C++ node made are merged: the index follows both ways back, and an account of either
// half is what it is without the merge.

import { beforeAll, expect, test } from 'vitest'
import { createRemoteChain, Trust } from '../../../server/node/index.ts'
import { type Sql, sql } from '../../../server/store/index.ts'
import { type MergedChain, withMergedShards } from '../../setup/mergedShards.ts'
import { chainServer, type RecordedChain, recordedChain } from '../../setup/recordedBlocks.ts'
import { index, openStore } from './indexScene.ts'

/** The transactions are in the newest blocks. */
const BLOCKS = 10

let recorded: RecordedChain
let chain: MergedChain
beforeAll(async () => {
  recorded = await recordedChain()
  chain = withMergedShards(recorded)
})

async function indexed(of: RecordedChain, stops: readonly number[]): Promise<Sql> {
  const { server, reveal } = chainServer(of)
  const database = await openStore()
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const indexer = index({
    node,
    database,
    indexFrom: { seqno: chain.newest - BLOCKS },
    network: 'custom',
    batchTransactions: 20,
  })
  for (const seqno of stops) {
    reveal(seqno)
    await indexer.waitFor(seqno, { timeoutMs: 300_000 })
  }
  expect(indexer.status()).toMatchObject({ trouble: null, lacking: 0 })
  return database.read
}

const TRANSACTIONS = sql`select encode(hash, 'hex') as hash, encode(account, 'hex') as account, lt, mc_seqno
  from transactions order by lt, hash`
const ACCOUNTS = sql`select encode(account, 'hex') as account, encode(hash, 'hex') as hash, last_tx_lt
  from accounts order by account`

test('behavior: a merge is followed, at once and block by block', async () => {
  const { merged, newest } = chain
  const apart = await indexed(recorded, [newest])
  const atOnce = await indexed(chain, [newest])
  const inSteps = await indexed(chain, [newest - 2, newest - 1, newest])
  for (const read of [atOnce, inSteps]) {
    for (const statement of [TRANSACTIONS, ACCOUNTS])
      expect(await read.query(statement)).toEqual(await apart.query(statement))
    const found = await read.query(sql`select seqno, before_split, tx_count, json_array_length(prev_blocks) as ways
      from blocks where after_merge`)
    expect(found).toEqual([{ seqno: merged.seqno, before_split: false, tx_count: 1, ways: 2 }])
    const [count] = await read.query(sql`select count(*) as blocks from blocks`)
    expect(Number(count?.blocks)).toBe(chain.blocks.filter(({ mcSeqno }) => mcSeqno >= newest - BLOCKS).length)
  }
})
