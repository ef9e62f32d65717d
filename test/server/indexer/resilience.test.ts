// Nodes that fail, databases that go away, leaders that die: the rows are those of an index no one disturbed.

import { expect, test, vi } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { startIndexer } from '../../../server/indexer/index.ts'
import { type Chain, LiteError } from '../../../server/node/index.ts'
import { type Database, StoreError, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { prepare } from '../devchain/traffic.ts'
import { cleanDigests, digests, index, openNode, openRemote, openStore, playOut, upToDate } from './indexScene.ts'
import { flakyDatabase, flakyNode } from './trouble.ts'

test('a node that refuses, delays and forgets, and a database that breaks off, leave the same rows', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const flaky = flakyNode(node, { seed: 3, refused: 0.08, late: 0.1, lost: 0.5 })
  const broken = flakyDatabase(database, 4, 0.15)
  const warn = vi.fn()
  const log = { info: vi.fn(), warn, error: vi.fn() }
  const indexer = index({ node: flaky, database: broken, log, pollMs: 20 })
  const scene = await prepare(chain, 5)
  await playOut(chain, scene, 8, 40)
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0)
  flaky.calm = true
  broken.calm = true
  await upToDate(indexer, chain)
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
  expect(log.error).not.toHaveBeenCalled()
})

test('over a connection that carries few answers at once the index gets on', async () => {
  const { chain, node } = await openNode()
  const most = 3
  const database = await openStore()
  let open = 0
  const block: Chain['block'] = async (...given) => {
    open++
    try {
      await new Promise((resolve) => setImmediate(resolve))
      if (open > most) throw new LiteError('timeout', 'its server did not answer block within 5000 ms')
      return await node.block(...given)
    } finally {
      open--
    }
  }
  await chain.control.mine(60)
  const indexer = index({ node: { ...node, block }, database })
  await expect.poll(() => indexer.indexed()?.seqno).toBe(chain.head().master.id.seqno)
})

test('one leads and the other stands by, and takes over when the leader is gone', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const first = index({ node, database })
  const second = index({ node, database })
  const scene = await prepare(chain, 4)
  await Promise.all([upToDate(first, chain), upToDate(second, chain)])
  const states = [first, second].map((one) => one.status().state)
  expect(states.sort()).toEqual(['following', 'watching'])
  expect([first, second].filter((one) => one.status().leads)).toHaveLength(1)
  await playOut(chain, scene, 2, 15)
  database.depose()
  await playOut(chain, scene, 3, 15)
  await Promise.all([upToDate(first, chain), upToDate(second, chain)])
  const [leader, other] = first.status().state === 'following' ? [first, second] : [second, first]
  await leader.close()
  await playOut(chain, scene, 4, 15)
  await upToDate(other, chain)
  expect(other.status()).toMatchObject({ state: 'following', leads: true, trouble: null, lag: 0 })
  expect(leader.status().leads).toBe(false)
  expect(database.leaders).toBeGreaterThanOrEqual(3)
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
})

test('one that had trouble while it led has none once another process leads', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  let isFailing = false
  const broken: Database = {
    ...database,
    transaction: (work, options) =>
      isFailing ? Promise.reject(new StoreError('unavailable', 'gone')) : database.transaction(work, options),
    async lead(signal, onStandby) {
      if (isFailing) onStandby?.()
      return await database.lead(signal)
    },
  }
  const first = index({ node, database: broken, pollMs: 5 })
  await upToDate(first, chain)
  const second = index({ node, database })
  isFailing = true
  await chain.control.mine()
  await expect.poll(() => first.status().trouble).toContain('gone')
  database.depose()
  await expect.poll(() => second.status().leads).toBe(true)
  await expect.poll(() => first.status()).toMatchObject({ leads: false, trouble: null, failures: 0 })
})

test('heads that cannot be read for long, with nothing new to index, are one trouble', async () => {
  const { chain, node } = await openNode()
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  let failures = 0
  let isFailing = false
  const head: Chain['head'] = (options) => {
    if (!isFailing) return node.head(options)
    failures++
    return Promise.reject(new LiteError('notReady', `no head, for the ${failures}. time`))
  }
  const indexer = index({ node: { ...node, head }, database: await openStore(), log, pollMs: 5 })
  await upToDate(indexer, chain)
  isFailing = true
  await expect.poll(() => failures).toBeGreaterThan(4)
  const texts = (calls: readonly unknown[][]) =>
    calls.map(([, text]) => String(text)).filter((text) => /^indexer (paused|resumed)/.test(text))
  expect(texts(log.warn.mock.calls)).toEqual(['indexer paused, and tries again'])
  expect(texts(log.info.mock.calls)).toEqual([])
  expect(indexer.status().trouble).toContain('no head')
  isFailing = false
  // With no new block.
  await expect.poll(() => indexer.status().trouble).toBe(null)
  expect(texts(log.info.mock.calls)).toEqual(['indexer resumed'])
})

test('a new head after an outage of heads ends the pause, however long that is', async () => {
  const { chain, node } = await openNode()
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  let isFailing = false
  const head: Chain['head'] = (options) =>
    isFailing ? Promise.reject(new LiteError('cancelled', 'no lite server is connected')) : node.head(options)
  const pauses = { firstPauseMs: 3_600_000, longestPauseMs: 3_600_000 }
  const indexer = index({ node: { ...node, head }, database: await openStore(), log, pollMs: 5, ...pauses })
  await upToDate(indexer, chain)
  isFailing = true
  await expect.poll(() => indexer.status().state).toBe('waiting')
  // What only the leader does, such as deliveries, goes on meanwhile.
  expect(indexer.status().leads).toBe(true)
  isFailing = false
  await chain.control.mine()
  await upToDate(indexer, chain)
  await expect.poll(() => indexer.status()).toMatchObject({ state: 'following', trouble: null, failures: 0 })
})

test('new heads do not end the pause after a failure of the database', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  let writes = 0
  let isFailing = false
  const transaction: typeof database.transaction = (work, options) => {
    if (!isFailing) return database.transaction(work, options)
    writes++
    return Promise.reject(new StoreError('unavailable', 'gone'))
  }
  const pauses = { firstPauseMs: 3_600_000, longestPauseMs: 3_600_000 }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const indexer = index({ node, database: { ...database, transaction }, log, pollMs: 5, ...pauses })
  await upToDate(indexer, chain)
  isFailing = true
  await chain.control.mine()
  await expect.poll(() => indexer.status().state).toBe('waiting')
  const before = writes
  for (let i = 0; i < 5; i++) await chain.control.mine()
  expect(indexer.status()).toMatchObject({ state: 'waiting', failures: 1 })
  expect(writes).toBe(before)
})

test.each(drivers)('%s: two who both believe to lead write each block once', async (driver) => {
  const { chain, node } = await openNode()
  const database = await openStore(driver)
  const impostor = { ...database, lead: async () => ({ lost: new AbortController().signal, release: async () => {} }) }
  const both = [index({ node, database: impostor }), index({ node, database: impostor })]
  const scene = await prepare(chain, 4)
  await playOut(chain, scene, 2, 20)
  for (const one of both) await upToDate(one, chain)
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
})

test.each(drivers)(
  '%s: a block that cannot be written is named, those before it are read, and it is tried again',
  async (driver) => {
    const { chain, node } = await openNode()
    const database = await openStore(driver)
    const before = index({ node, database })
    await upToDate(before, chain)
    await before.close()
    const bad = chain.head().master.id.seqno + 7
    await database.transaction(async (to) => {
      await to.query(sql`create function refuse() returns trigger language plpgsql as
      $$ begin if new.workchain = -1 and new.seqno = ${sql.raw(String(bad))} then raise exception 'no such value'; end if; return new; end $$`)
      await to.query(sql`create trigger refuse before insert on blocks for each row execute function refuse()`)
    })
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    await chain.control.mine(12)
    const indexer = index({ node, database, log })
    await expect.poll(() => indexer.status().failures).toBeGreaterThan(3)
    expect(indexer.status()).toMatchObject({
      trouble: expect.stringMatching(`^block ${bad} cannot be indexed: .*no such value`),
    })
    expect(indexer.indexed()?.seqno).toBe(bad - 1)
    await indexer.readable()
    expect(log.error).not.toHaveBeenCalled()
    expect(log.warn.mock.calls.length).toBeLessThanOrEqual(2)
    await database.transaction((to) => to.query(sql`drop trigger refuse on blocks`))
    await upToDate(indexer, chain)
    expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
  },
)

test('a block that is not what it should be ends the indexer, which names it', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const bad = chain.head().master.id.seqno + 5
  const lying: Chain = {
    ...node,
    block: async (id, options) => {
      const block = await node.block(id, options)
      return id.workchain === -1 && id.seqno === bad ? { ...block, root: beginCell().storeUint(7, 32).end() } : block
    },
  }
  await chain.control.mine(8)
  const indexer = index({ node: lying, database })
  await expect.poll(() => indexer.status().state).toBe('stopped')
  expect(indexer.status().trouble).toMatch(`block ${bad} cannot be indexed: `)
  expect(indexer.indexed()?.seqno).toBe(bad - 1)
  await indexer.readable()
})

test('an outage is reported once, and its end', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const flaky = flakyNode(node, { seed: 3, refused: 1, late: 0, lost: 1 })
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const indexer = index({ node: flaky, database, log, pollMs: 10, longestPauseMs: 5 })
  await expect.poll(() => indexer.status().state).toBe('waiting')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(indexer.status().trouble).toMatch(/./)
  flaky.calm = true
  await upToDate(indexer, chain)
  expect(log.warn).toHaveBeenCalledTimes(1)
  const facts = { reason: expect.stringMatching(/./), againMs: expect.any(Number) }
  expect(log.warn.mock.calls[0]).toEqual([expect.objectContaining(facts), 'indexer paused, and tries again'])
  expect(log.info.mock.calls.map(([, text]) => text)).toContain('indexer resumed')
  expect(indexer.status()).toMatchObject({ state: 'following', trouble: null })
})

test('the index of another network is left alone, and the indexer says so and stops', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const own = index({ node, database })
  await upToDate(own, chain)
  await own.close()
  const before = await digests(database.read)
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const stranger = index({ node, database, network: 'testnet', log })
  await expect.poll(() => stranger.status().state).toBe('stopped')
  expect(stranger.status().trouble).toMatch(/holds the index of devnet, not of testnet/)
  expect(log.error).toHaveBeenCalledTimes(1)
  expect(await digests(database.read)).toEqual(before)
})

test('a real network that has another block than the index stops it with words that say what to do', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const scene = await prepare(chain, 1)
  const name = await chain.control.snapshot()
  await playOut(chain, scene, 1, 2)
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  await indexer.close()
  await chain.control.revert(name)
  const { seqno } = chain.head().master.id
  await chain.control.mine(30)
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const stranger = index({ node: await openRemote(chain), database, log })
  await expect.poll(() => stranger.status().state).toBe('stopped')
  const { trouble } = stranger.status()
  expect(trouble).toMatch(/is not the one that was indexed: chain and index agree up to block \d+/)
  expect(trouble).toContain(`agree up to block ${seqno}; `)
  expect(trouble).toContain(`--reindex-from ${seqno + 1}`)
  // One sentence, without a stack.
  expect(log.error).toHaveBeenCalledWith({ reason: trouble }, 'indexer stopped')
  const again = index({ node: await openRemote(chain), database, reindexFrom: seqno + 1 })
  await upToDate(again, chain)
})

test('who asks for a block that is not indexed yet waits for it, and no longer than it may', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  const { seqno } = chain.head().master.id
  expect(await indexer.waitFor(seqno + 1, { timeoutMs: 30 })).toBe(false)
  expect(await indexer.waitFor(seqno + 1, { signal: AbortSignal.abort() })).toBe(false)
  const waiting = indexer.waitFor(seqno + 1, { timeoutMs: 300_000 })
  await chain.control.mine()
  expect(await waiting).toBe(true)
  const heard: (number | undefined)[] = []
  const forget = indexer.onIndexed((head) => heard.push(head?.seqno))
  await chain.control.mine()
  await upToDate(indexer, chain)
  forget()
  expect(heard).toEqual([seqno + 2])
  const [row] = await database.read.query(sql`select last_mc_seqno from indexer_cursor`)
  expect(row).toEqual({ last_mc_seqno: seqno + 2 })
})

test('a process that only reads follows what another one writes', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  index({ node, database })
  const reader = startIndexer({
    chain: node,
    database,
    network: 'devnet',
    writes: false,
    watchMs: 10,
    log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
  })
  await chain.control.mine(3)
  await upToDate(reader, chain)
  expect(reader.status()).toMatchObject({ state: 'watching', blocks: 0 })
  await reader.close()
})
