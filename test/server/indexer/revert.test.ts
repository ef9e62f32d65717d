// Chains that go back: what was undone is undone in the index, and nothing else.

import { expect, test, vi } from 'vitest'
import type { Devchain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { type Database, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { gate } from '../../setup/gate.ts'
import { prepare, random, type Scene } from '../devchain/traffic.ts'
import { account, coins, transfer } from '../devchain/wallets.ts'
import {
  cleanDigests,
  digests,
  headSeqno,
  index,
  openNode,
  openStore,
  playOut,
  startIndex,
  upToDate,
} from './indexScene.ts'

/** Traffic that does not depend on what the wallets' seqnos were before. */
async function someTraffic(chain: Devchain, scene: Scene, seed: number): Promise<void> {
  const next = random(seed)
  for (let i = 0; i < 4; i++) {
    const to = account(0x60 + Math.floor(next() * 8), next() < 0.5 ? 0 : -1)
    await chain.control.faucet(to, coins(1 + next()))
    await chain.control.sendInternal({ from: account(0x70), to, value: coins(next()), bounce: next() < 0.5 })
  }
  const [wallet] = scene.wallets
  if (wallet !== undefined) await chain.control.setAccount({ ...wallet.address, balance: coins(100 + seed) })
}

/** A chain that was indexed, and went back when no one followed it any more. */
async function revertedAfterwards() {
  const { chain, node } = await openNode()
  const database = await openStore()
  const scene = await prepare(chain, 2)
  const name = await chain.control.snapshot()
  await someTraffic(chain, scene, 1)
  const before = index({ node, database })
  await upToDate(before, chain)
  await before.close()
  await chain.control.revert(name)
  return { chain, node, database, scene }
}

const rewound = { rewound: true }

test.each(drivers)('%s: a reverted chain has the index of one that never went that way', async (driver) => {
  const { chain, node } = await openNode()
  const database = await openStore(driver)
  const indexer = index({ node, database })
  const scene = await prepare(chain, 4)
  await playOut(chain, scene, 1)
  const name = await chain.control.snapshot()
  await someTraffic(chain, scene, 2)
  await upToDate(indexer, chain)
  const heard: (number | undefined)[] = []
  indexer.onIndexed((head) => heard.push(head?.seqno))
  await chain.control.revert(name)
  await upToDate(indexer, chain)
  expect(heard[0]).toBe(headSeqno(chain))
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
  await someTraffic(chain, scene, 3)
  await upToDate(indexer, chain)
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})

test('a block that is undone while it waits for the database is not written', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const held = gate()
  const released = gate()
  let isHolding = false
  const transaction: Database['transaction'] = async (work, options) => {
    // The write of blocks.
    if (isHolding && options?.onSent !== undefined) {
      held.open()
      await released.opened
    }
    return await database.transaction(work, options)
  }
  const indexer = index({ node, database: { ...database, transaction } })
  const name = await chain.control.snapshot()
  await upToDate(indexer, chain)
  const heard: (number | undefined)[] = []
  indexer.onIndexed((head) => heard.push(head?.seqno))
  isHolding = true
  await chain.control.faucet(account(0x61), coins(1))
  await held.opened
  await chain.control.revert(name)
  released.open()
  await upToDate(indexer, chain)
  await chain.control.setAccount({ ...account(0x61), balance: coins(2) })
  await upToDate(indexer, chain)
  expect(heard).toEqual([headSeqno(chain)])
})

test('a balance that was set to what it was before is that of each block the chain goes back to', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const indexer = index({ node, database })
  const to = account(0x61)
  const names = new Map<number, string>()
  for (const balance of [100, 50, 100, 7]) {
    await chain.control.setAccount({ ...to, balance: coins(balance) })
    names.set(balance, await chain.control.snapshot())
  }
  for (const balance of [7, 100, 50]) {
    await chain.control.revert(names.get(balance) ?? '')
    await upToDate(indexer, chain)
    const rows = await database.read.query(
      sql`select balance from accounts where account = ${Uint8Array.of(128, ...to.id)}`,
    )
    expect(rows).toEqual([{ balance: coins(balance) }])
  }
})

test('an index that begins at a block above the reverted chain waits for that block of the new one', async () => {
  const { chain, node } = await openNode()
  const name = await chain.control.snapshot()
  await chain.control.mine(5)
  const first = headSeqno(chain)
  const indexer = index({ node, database: await openStore(), indexFrom: { seqno: first } })
  await upToDate(indexer, chain)
  await chain.control.revert(name)
  await expect.poll(() => indexer.indexed(), { timeout: 300_000 }).toBe(null)
  await chain.control.increaseTime(5)
  await chain.control.mine(7)
  expect(headSeqno(chain)).toBeGreaterThan(first)
  await upToDate(indexer, chain)
  expect(indexer.status().first?.seqno).toBe(first)
})

test('reverts at any moment, one after another', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const indexer = index({ node, database })
  const scene = await prepare(chain, 4)
  const next = random(11)
  const names: string[] = []
  for (let i = 0; i < 12; i++) {
    if (next() < 0.5) names.push(await chain.control.snapshot())
    await someTraffic(chain, scene, i)
    if (next() < 0.3) await upToDate(indexer, chain)
    const back = Math.floor(next() * names.length)
    const name = names[back]
    if (name === undefined || next() < 0.4) continue
    await chain.control.revert(name)
    names.length = back
  }
  await upToDate(indexer, chain)
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})

test('a trace whose end was undone is pending again, and ends another way', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const indexer = index({ node, database })
  const { wallets } = await prepare(chain, 1)
  chain.control.setMining('manual')
  const [wallet] = wallets
  if (wallet === undefined) throw new Error('No such account')
  const counts = async () => {
    await upToDate(indexer, chain)
    const [row] = await database.read.query(sql`select state, pending_edges, edges, nodes,
        (select count(*) from pending_edges where pending_edges.trace_id = traces.trace_id) as waiting,
        (select count(*) from trace_accounts where trace_accounts.trace_id = traces.trace_id) as accounts
      from traces where external_hash in (select hash from messages where kind = 'externalIn') order by start_lt desc`)
    return row
  }
  await chain.send(transfer(wallet, { to: account(0x61, -1), value: coins(1), bounce: true }))
  await chain.control.mine()
  const begun = await counts()
  expect(begun).toMatchObject({ state: 'pending', nodes: 2, edges: 2, pending_edges: 1, waiting: 1n, accounts: 0n })
  const name = await chain.control.snapshot()
  await chain.control.mine(4)
  const ended = await counts()
  expect(ended).toMatchObject({ state: 'complete', nodes: 3, edges: 3, pending_edges: 0, accounts: 2n })
  await chain.control.revert(name)
  expect(await counts()).toEqual(begun)
  await chain.control.mine(5)
  expect(await counts()).toEqual(ended)
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})

test('a chain that was reverted while no one followed it', async () => {
  const { chain, node, database } = await revertedAfterwards()
  await chain.control.mine(2)
  const after = index({ node, database })
  await upToDate(after, chain)
  await after.close()
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})

test('what is indexed again from a block on is the same', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const first = index({ node, database })
  const scene = await prepare(chain, 4)
  await playOut(chain, scene, 1)
  await someTraffic(chain, scene, 1)
  await upToDate(first, chain)
  await first.close()
  const second = index({ node, database, reindexFrom: headSeqno(chain) - 5 })
  await expect.poll(() => second.status().blocks).toBe(6)
  await upToDate(second, chain)
  await second.close()
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
  const third = index({ node, database, reindexFrom: 1 })
  await expect.poll(() => third.status().blocks).toBe(headSeqno(chain))
  await upToDate(third, chain)
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
})

test('what another process has indexed meanwhile is not indexed again by one that stood by', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  await chain.control.mine(5)
  const first = index({ node, database })
  await upToDate(first, chain)
  const warn = vi.fn()
  let hears: () => void = () => undefined
  const standby: Database = {
    ...database,
    lead(signal, onStandby) {
      hears = onStandby ?? hears
      return database.lead(signal)
    },
  }
  const log = { info: vi.fn(), warn, error: vi.fn() }
  const second = index({ node, database: standby, log, reindexFrom: 2 })
  await upToDate(second, chain)
  hears()
  await first.close()
  await expect.poll(() => second.status().leads).toBe(true)
  await chain.control.mine(1)
  await upToDate(second, chain)
  expect(second.status().blocks).toBe(1)
  expect(warn).toHaveBeenCalledExactlyOnceWith({ seqno: 2 }, expect.stringMatching(/^reindex ignored: another process/))
})

test('what is undone is told in the log, unless this process had followed the chain that was reverted', async () => {
  const { chain, node, database } = await revertedAfterwards()
  const at = (await database.read.query(sql`select last_mc_seqno as at from indexer_cursor`))[0]?.at
  const now = headSeqno(chain)
  const logOf = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() })
  const own = logOf()
  const afar = logOf()
  const indexer = index({ node, database, log: own })
  await upToDate(indexer, chain)
  const other = { ...node, traits: { ...node.traits, firstSeqno: null } }
  const remote = index({ node: other, database: await openStore(), log: afar })
  await upToDate(remote, chain)
  const name = await chain.control.snapshot()
  await chain.control.mine(2)
  for (const one of [indexer, remote]) await upToDate(one, chain)
  await chain.control.revert(name)
  for (const one of [indexer, remote]) await upToDate(one, chain)
  const text = 'the chain does not have these blocks any more: they are undone in the index'
  expect(afar.warn.mock.calls).toEqual([[{ from: now + 1, to: now + 2 }, text]])
  expect(own.warn.mock.calls).toEqual([[{ from: now + 1, to: at }, text]])
})

test('a process that leads no more does not undo what another one has indexed since', async () => {
  const { chain, node, database, scene } = await revertedAfterwards()
  await someTraffic(chain, scene, 2)
  const cursor = async () => (await database.read.query(sql`select last_mc_seqno as at from indexer_cursor`))[0]?.at
  // It reads the accounts as they were, and hears nothing while another one takes over.
  const reads = gate()
  const goesOn = gate()
  const slow: Chain = {
    ...node,
    account: async (...of) => {
      reads.open()
      await goesOn.opened
      return await node.account(...of)
    },
  }
  const cursors: unknown[] = []
  const own: Database = {
    kind: database.kind,
    read: database.read,
    close: () => database.close(),
    transaction: async (work, options) => {
      const result = await database.transaction(work, options)
      cursors.push(await cursor())
      return result
    },
    lead: async () => ({ lost: new AbortController().signal, release: async () => undefined }),
  }
  const late = startIndex({ node: slow, database: own })
  await reads.opened
  const other = index({ node, database })
  await upToDate(other, chain)
  await other.close()
  const newest = await cursor()
  const began = cursors.length
  goesOn.open()
  await upToDate(late, chain)
  await late.close()
  expect(new Set(cursors.slice(began))).toEqual(new Set([newest]))
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})
