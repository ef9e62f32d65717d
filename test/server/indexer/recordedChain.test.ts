// A chain that the public C++ node made, with two shards, followed and indexed as over a lite server: from its first block,
// and where the server has no old states.

import { beforeAll, describe, expect, test } from 'vitest'
import { hashFromBytes, updateHashes } from '../../../server/cell/index.ts'
import {
  createRemoteChain,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  previousBlocksOf,
  Trust,
} from '../../../server/node/index.ts'
import { type Sql, type SqlText, sql } from '../../../server/store/index.ts'
import { accountBlocksOf, blockExtraOf } from '../../../server/tlb/index.ts'
import { chainServer, type RecordedChain, recordedChain, stateName } from '../../setup/recordedBlocks.ts'
import { digests, index, openStore } from './indexScene.ts'

/** The masterchain block that interrupts the index, behind those of which states are left out. */
const INTERRUPTING = 40

let chain: RecordedChain
let newest: number
beforeAll(async () => {
  chain = await recordedChain()
  newest = Math.max(...chain.blocks.map(({ mcSeqno }) => mcSeqno))
})

async function count(read: Sql, rows: string | SqlText): Promise<number> {
  const [row] = await read.query(sql`select count(*) as rows from ${typeof rows === 'string' ? sql.raw(rows) : rows}`)
  return Number(row?.rows)
}

const transactionsIn = ({ blocks }: RecordedChain): number =>
  blocks
    .flatMap(({ block }) => [...accountBlocksOf(blockExtraOf(block))])
    .reduce((sum, [, { transactions }]) => sum + [...transactions].length, 0)

async function follow(options: Parameters<typeof chainServer>[1] = {}, wrap = (server: LiteServer) => server) {
  const recorded = chainServer(chain, options)
  const server = wrap(recorded.server)
  const { reveal } = recorded
  const database = await openStore()
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const start = () => index({ node, database, indexFrom: { seqno: 1 }, network: 'custom', batchTransactions: 20 })
  return { indexer: start(), start, reveal, database, read: database.read }
}

test('behavior: each update begins where the one before it ended, over the split of a shard', () => {
  const chains = new Map<string, number>()
  for (const block of chain.blocks) {
    const [before] = previousBlocksOf(block)
    const { before: old, after } = updateHashes(block.block.stateUpdate)
    // A first state is named by its own hash.
    const hash =
      before?.seqno === 0 ? hashFromBytes(before.rootHash) : before && chain.states.get(stateName(before))?.hash()
    expect(hash).toBe(old)
    expect(chain.states.get(stateName(block.id))?.hash()).toBe(after)
    const name = `${block.id.workchain}:${block.id.shard.toString(16)}`
    chains.set(name, (chains.get(name) ?? 0) + 1)
  }
  expect([...chains]).toEqual([
    ['-1:8000000000000000', 70],
    ['0:8000000000000000', 81],
    ['0:4000000000000000', 180],
    ['0:c000000000000000', 180],
  ])
})

describe('the index', () => {
  test('behavior: it has every block and transaction of all shards', async () => {
    const { indexer, reveal, read } = await follow()
    reveal(newest)
    await indexer.waitFor(newest, { timeoutMs: 300_000 })
    expect(await count(read, 'blocks')).toBe(511)
    expect(await count(read, 'transactions')).toBe(transactionsIn(chain))
    const shards = await read.query(sql`select workchain, count(distinct shard) as shards, count(*) as blocks
      from blocks group by workchain order by workchain`)
    expect(shards.map(({ workchain, shards: of }) => [workchain, Number(of)])).toEqual([
      [MASTERCHAIN, 1],
      [0, 3],
    ])
    expect(indexer.status()).toMatchObject({ trouble: null, lacking: 0 })
    // Blocks that concern accounts are looked for by that.
    const behind = sql`(select t.hash from transactions t join blocks m on m.workchain = ${MASTERCHAIN}
      and m.seqno >= t.mc_seqno and m.end_lt < t.lt) behind`
    expect(await count(read, behind)).toBe(0)
  })

  test('behavior: a new process knows what the one before it could not get', async () => {
    const { indexer, start, reveal, database, read } = await follow()
    reveal(newest - 1)
    await indexer.waitFor(newest - 1, { timeoutMs: 300_000 })
    await indexer.close()
    const rarest = sql`(select code_hash from accounts where code_hash is not null
      group by code_hash order by count(*), code_hash limit 1)`
    const ofRarest = await count(read, sql`accounts where code_hash = ${rarest}`)
    const bare = sql`select account from accounts where data_hash is null and code_hash is null and status <> 'nonexist'
      and hash in (select state_after from transactions) order by mc_seqno, account`
    expect(await count(read, sql`(${bare} limit 2) bare`)).toBe(2)
    // As where no server had the states any more: of some no data, of some no code, and of some nothing of the newest.
    await database.transaction(async (own) => {
      await own.query(sql`delete from codes where hash = ${rarest}`)
      await own.query(sql`update accounts set data = null where account in
        (select account from accounts where data is not null and code_hash <> ${rarest} order by mc_seqno limit 3)`)
      await own.query(sql`delete from account_states where hash in
        (select hash from accounts where account in (${bare} limit 2))`)
      await own.query(sql`delete from accounts where account in (${bare} limit 1)`)
    })
    const later = start()
    await expect.poll(() => later.status().lacking).toBe(3 + 2 + ofRarest)
    reveal(newest)
    await later.waitFor(newest, { timeoutMs: 300_000 })
    expect(await count(read, 'accounts where data is null and data_hash is not null')).toBeLessThanOrEqual(3)
  })

  test.each([
    ['without interruption', 0],
    ['after an interruption', 1],
  ])('behavior: without old states it goes on, and says how many it lacks, %s', async (_name, interruptions) => {
    const whole = await follow()
    whole.reveal(newest)
    await whole.indexer.waitFor(newest, { timeoutMs: 300_000 })
    let refused = 0
    const keepsState = (mcSeqno: number, head: number): boolean => {
      if (mcSeqno < head) refused++
      return mcSeqno === head
    }
    let left = interruptions
    const failing = (server: LiteServer): LiteServer => ({
      ...server,
      block: async (id, options) => {
        if (id.workchain === MASTERCHAIN && id.seqno === INTERRUPTING && left-- > 0)
          throw new LiteError('timeout', 'timeout')
        return await server.block(id, options)
      },
    })
    const { indexer, reveal, read } = await follow({ keepsState }, failing)
    // Catching up, when nearly all states are gone; then block by block.
    for (const seqno of [newest - 3, newest - 2, newest - 1, newest]) {
      reveal(seqno)
      await indexer.waitFor(seqno, { timeoutMs: 300_000 })
    }
    expect(refused).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(0)
    // Extra currencies that stayed the same are not shown, and then nothing can be said of a state that is gone.
    const states = await Promise.all([whole.read, read].map((of) => count(of, 'account_states')))
    expect(states[1]).toBeLessThan(states[0] ?? 0)
    // All of them were of accounts that a later block changed again.
    const unknown = await count(
      read,
      sql`(select distinct on (account) end_status, state_after from transactions
        order by account, lt desc) newest where end_status <> 'nonexist' and state_after not in (select hash from account_states)`,
    )
    expect([unknown, indexer.status()]).toMatchObject([0, { trouble: null, lacking: 0 }])
    const [expected, found] = await Promise.all([digests(whole.read), digests(read)])
    expect({ ...found, account_states: '' }).toEqual({ ...expected, account_states: '' })
  })
})
