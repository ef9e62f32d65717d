// An index that goes back to a block says in all of its tables what it said when that block was the newest.

import { expect, test } from 'vitest'
import { demoStory } from '../../../server/demo/index.ts'
import { openDevchain } from '../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../server/devchain/lite/index.ts'
import { type BlockIdExt, type Chain, type HeadReport, masterBlock } from '../../../server/node/index.ts'
import { type Sql, type SqlRow, sql } from '../../../server/store/index.ts'
import { allTables } from '../../../server/store/tables/all.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { headSeqno, openStore, startIndex } from './indexScene.ts'

/** Rows that are named by what they say: some that nothing names any more may stay. */
const NAMED = ['account_states', 'codes', 'action_kinds']
/** Written with each row that is set back. */
const MARKS: Readonly<Record<string, string>> = { accounts: 'mc_seqno', nominator_pools: 'first_mc_seqno' }
const FIRST_OF: readonly string[] = ['elections', 'past_elections', 'complaints', 'cycles']
const EACH = 9

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

type Dump = Readonly<Record<string, readonly string[]>>

async function dump(read: Sql): Promise<Dump> {
  const textOf = (name: string) => (row: SqlRow) => {
    const mark = FIRST_OF.includes(name) ? 'first_mc_seqno' : MARKS[name]
    return JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => column !== mark)), plain)
  }
  const found: Record<string, readonly string[]> = {}
  for (const { name } of allTables) {
    if (NAMED.includes(name)) continue
    const rows = await read.query(sql`select * from ${sql.identifier(name)}`)
    found[name] = rows.map(textOf(name)).sort()
  }
  return found
}

/** The same chain, as it was when one of its blocks was the newest. */
function earlier(node: Chain, first: BlockIdExt) {
  let id = first
  const listeners = new Set<(report: HeadReport) => void>()
  const chain: Chain = {
    ...node,
    head: async (read) => ({ ...(await node.head(read)), id, utime: (await node.header(id)).info.genUtime }),
    onHead(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const show = async (seqno: number): Promise<void> => {
    id = await masterBlock(node, seqno, {})
    for (const listener of listeners) listener({ kind: 'head', id })
  }
  return { chain, show }
}

test('behavior: after each of many blocks of the demo, also where traces wait that no message from outside began', async () => {
  const devchain = await openDevchain({ story: demoStory, mining: 'manual', idleBlockMs: 3_600_000 })
  const node = createEmbeddedChain(devchain)
  await devchain.player.play()
  const pool = await createTvmPool({ workers: 1 })
  const last = headSeqno(devchain)
  const database = await openStore()
  const { chain, show } = earlier(node, await masterBlock(node, 1, {}))
  const forward = startIndex({ node: chain, database, pool })
  const dumps = new Map<number, Dump>()
  let open = 0
  for (let seqno = 1; seqno <= last; seqno++) {
    await show(seqno)
    await expect.poll(() => forward.indexed()?.seqno, { interval: 2 }).toBe(seqno)
    const [waiting] = await database.read.query(
      sql`select 1 from traces where state = 'pending' and external_hash is null`,
    )
    if (waiting !== undefined) open++
    if (waiting !== undefined || seqno % EACH === 0) dumps.set(seqno, await dump(database.read))
  }
  await forward.close()
  expect(open).toBeGreaterThan(0)
  for (const [seqno, expected] of [...dumps].reverse()) {
    if (seqno === last) continue
    await show(seqno)
    const back = startIndex({ node: chain, database, pool, reindexFrom: seqno + 1 })
    await expect.poll(() => back.indexed()?.seqno, { interval: 2 }).toBe(seqno)
    await back.close()
    expect([seqno, await dump(database.read)]).toEqual([seqno, expected])
  }
  await pool.close()
  await devchain.close()
})
