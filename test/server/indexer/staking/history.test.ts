// The demo's elections and its pool in the index: the same after a restart, after going back, and from the middle of the
// chain on.

import { beforeAll, expect, test } from 'vitest'
import { demoStory } from '../../../../server/demo/index.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import type { Chain } from '../../../../server/node/index.ts'
import { type Database, sql } from '../../../../server/store/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { drivers } from '../../../setup/database.ts'
import { openEmptiedStore } from '../../../setup/emptiedStore.ts'
import { digests, headSeqno, type IndexOptions, openStore, startIndex, upToDate } from '../indexScene.ts'

const rewound = { rewound: true }
const EVENTS = ['stake_events', 'nominator_events', 'pool_validator_events'] as const
const NOW = ['nominator_pools', 'pool_nominators'] as const

/** Played once, and indexed once from its beginning: what is here reads both and changes neither. */
let chain: Devchain
let node: Chain
let whole: Database
let pool: TvmPool

beforeAll(async () => {
  chain = await openDevchain({ story: demoStory, mining: 'manual', idleBlockMs: 3_600_000 })
  node = createEmbeddedChain(chain)
  await chain.player.play()
  pool = await createTvmPool({ workers: 1 })
  whole = await indexed({ database: await openEmptiedStore() })
  return async () => {
    await whole.close()
    await pool.close()
    await chain.close()
  }
})

async function indexed(options: Partial<IndexOptions> = {}): Promise<Database> {
  const database = options.database ?? (await openStore())
  const indexer = startIndex({ node, pool, ...options, database })
  const { reindexFrom } = options
  // The newest block is there before any of them is removed.
  if (reindexFrom != null) await expect.poll(() => indexer.status().blocks).toBe(headSeqno(chain) - reindexFrom + 1)
  await upToDate(indexer, chain)
  await indexer.close()
  return database
}

const rowsOf = async ({ read }: Database, table: string, where = 'true'): Promise<readonly string[]> => {
  const rows = await read.query(sql`select to_jsonb(t) - 'first_mc_seqno' as row from ${sql.raw(table)} t
    where ${sql.raw(where)}`)
  return rows.map(({ row }) => JSON.stringify(row)).sort()
}

test('there is something of each kind', async () => {
  for (const table of [...EVENTS, ...NOW, 'elections', 'election_participants', 'past_elections', 'cycles'])
    expect([table, (await rowsOf(whole, table)).length > 0]).toEqual([table, true])
})

test.each(drivers)(
  '%s: an index that was cut short, and one that goes back, say what one of the whole chain says',
  async (driver) => {
    const expected = await digests(whole.read, rewound)
    const database = await openStore(driver)
    await indexed({ database, batchTransactions: 7 })
    expect(await digests(database.read, rewound)).toEqual(expected)
    const last = headSeqno(chain)
    for (const seqno of [last - 3, last - 12, last - 25, last - 40]) {
      await indexed({ database, reindexFrom: seqno })
      expect(await digests(database.read, rewound)).toEqual(expected)
    }
  },
)

test('an index that begins in the middle knows what is there, and what comes', async () => {
  const [row] = await whole.read.query(sql`select first_mc_seqno as first from nominator_pools`)
  const first = Number(row?.first)
  for (const seqno of [first + 3, headSeqno(chain) - 20]) {
    const late = await indexed({ indexFrom: { seqno } })
    for (const table of EVENTS)
      expect([table, seqno, await rowsOf(late, table)]).toEqual([
        table,
        seqno,
        await rowsOf(whole, table, `mc_seqno >= ${seqno}`),
      ])
    const [start] = await late.read.query(sql`select mc_seqno from staking_start`)
    expect(start?.mc_seqno).toBe(seqno)
    // Sets that are in force are there at once, and what the elector has of its elections.
    const known = await rowsOf(late, 'cycles')
    expect(known.length).toBeGreaterThan(0)
    expect((await rowsOf(whole, 'frozen_stakes')).length >= (await rowsOf(late, 'frozen_stakes')).length).toBe(true)
  }
  // Holders of stakes are looked at: the pool is one of them before anything happens to it.
  const [stake] = await whole.read.query(sql`select min(e.mc_seqno) as seqno from stake_events e
    join nominator_pools p on p.account = e.holder where e.type = 'stake_accepted'`)
  const begun = await indexed({ indexFrom: { seqno: Number(stake?.seqno) + 1 } })
  for (const table of NOW) expect(await rowsOf(begun, table)).toEqual(await rowsOf(whole, table))
})
