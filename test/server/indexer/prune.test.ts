// An index that keeps a span, of a real chain: what it answers of now and of the span is what an index of the whole chain
// answers, byte for byte, and what is older is refused in words.

import { expect, onTestFinished, test } from 'vitest'
import { demoStory } from '../../../server/demo/index.ts'
import type { Call } from '../../../server/methods/call.ts'
import { storedHandlers } from '../../../server/methods/v3/indexed.ts'
import { Written } from '../../../server/methods/written.ts'
import { type Database, StoreError, sql } from '../../../server/store/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { ApiError } from '../../../shared/errors.ts'
import type { MethodSpec } from '../../../shared/registry.ts'
import { indexed } from '../../../shared/v3/indexed.ts'
import { drivers } from '../../setup/database.ts'
import { prepare } from '../devchain/traffic.ts'
import { account, coins } from '../devchain/wallets.ts'
import { call } from './assets/assetScene.ts'
import { cleanDigests, digests, headSeqno, index, openNode, openStore, playOut, upToDate } from './indexScene.ts'

const PATIENCE = { timeout: 300_000 }

type Read = Pick<Database, 'read'>

/** Waits until what is older than a span is gone. Resolves with the first block that is kept. */
async function pruned({ read }: Read, keepSeconds: number): Promise<{ seqno: number; utime: number }> {
  const look = async () => {
    const [row] = await read.query<{ seqno: number; utime: bigint; span: bigint; older: bigint }>(sql`select b.seqno,
        b.gen_utime as utime, (select max(gen_utime) from blocks where workchain = -1) - b.gen_utime as span,
        (select count(*) from shard_tops s where s.mc_seqno < c.pruned_before) as older
      from indexer_cursor c join blocks b on b.workchain = -1 and b.seqno = c.pruned_before`)
    // The bound moves once a minute.
    const isThere = row !== undefined && row.older === 0n && row.span <= keepSeconds + 60
    return isThere ? { seqno: row.seqno, utime: Number(row.utime) } : null
  }
  await expect.poll(look, PATIENCE).not.toBe(null)
  return (await look()) ?? { seqno: 0, utime: 0 }
}

/** A chain with blocks of now, and others that are two and a half hours older. */
async function openLongNode() {
  const opened = await openNode()
  const scene = await prepare(opened.chain, 3)
  await playOut(opened.chain, scene, 1)
  await opened.chain.control.increaseTime(9_000)
  await playOut(opened.chain, scene, 2, 5)
  return opened
}

type Answer = (name: string, params: object) => Promise<string>

/** Calls methods that read an index; errors are answers too. */
function answersOf({ read: store }: Read): Answer {
  const handlers = storedHandlers({ chain: null, store, testOnly: true }) as Record<
    string,
    (params: unknown, by: Call) => unknown
  >
  return async (name, params) => {
    const { [name]: spec } = indexed as Record<string, MethodSpec>
    const { [name]: handler } = handlers
    if (spec === undefined || handler === undefined) throw new Error(`no ${name}`)
    try {
      const found = await handler(spec.params.parse(params), call)
      return found instanceof Written ? found.json : JSON.stringify(found)
    } catch (error) {
      if (error instanceof ApiError) return `${error.kind}: ${error.message} (${String(error.data.param)})`
      throw error
    }
  }
}

const PAGES = [{ limit: 1000 }, { limit: 7, sort: 'desc' }, { limit: 50, offset: 3, sort: 'asc' }]
const NAMES: Readonly<Record<string, readonly string[]>> = {
  account: ['account'],
  address: ['account', 'address', 'jetton'],
  owner_address: ['owner', 'owner_address'],
  jetton_address: ['jetton'],
  collection_address: ['collection_address'],
  hash: ['hash'],
  msg_hash: ['in_msg_hash', 'hash'],
  trace_id: ['trace_id'],
  action_id: ['action_id'],
  mc_seqno: ['mc_block_seqno'],
  seqno: ['mc_block_seqno'],
}
/** Of now, of the chain, or nearest to a text wherever that is. */
const LEFT_OUT =
  /search|decode|masterchainInfo|emulate|estimate|pending|send|runGetMethod|addressInformation|walletInformation|abi|Message$/i

/** Values of an answer by the names of their fields. */
function gather(value: unknown, found: Map<string, Set<unknown>>, name = ''): void {
  if (Array.isArray(value)) for (const one of value) gather(one, found, name)
  else if (typeof value === 'object' && value !== null)
    for (const [field, one] of Object.entries(value)) gather(one, found, field)
  else if (value !== null) found.set(name, (found.get(name) ?? new Set()).add(value))
}

/** Each method with its pages and each of its params, from a time on where it has times. */
async function questions(answer: Answer, from: number): Promise<readonly [string, object][]> {
  const values = new Map<string, Set<unknown>>()
  for (const list of ['transactions', 'traces', 'actions', 'jetton.transfers', 'nft.transfers'])
    gather(JSON.parse(await answer(`v3.${list}`, { limit: 200, start_utime: from })), values)
  for (const list of ['nft.items', 'jetton.wallets', 'jetton.masters'])
    gather(JSON.parse(await answer(`v3.${list}`, {})), values)
  const requested: [string, object][] = []
  for (const [name, { params, freshness }] of Object.entries(indexed) as [string, MethodSpec][]) {
    if (freshness === 'live' || LEFT_OUT.test(name)) continue
    const names = Object.keys(params.shape)
    const within = names.includes('start_utime') && !/staking|validators|statistics/.test(name)
    const start = within ? { start_utime: from } : {}
    const pages = PAGES.filter((page) => Object.keys(page).every((one) => names.includes(one)))
    const filters = names.flatMap((one) =>
      (NAMES[one] ?? [])
        .flatMap((field) => [...(values.get(field) ?? [])].slice(0, 2))
        .map((value) => ({ [one]: value })),
    )
    const few = within || !/transactions|messages|traces|blocks|actions/i.test(name) ? [{}, ...filters] : filters
    for (const filter of few)
      for (const page of pages.length === 0 ? [{}] : pages) requested.push([name, { ...start, ...page, ...filter }])
  }
  return requested.filter(([name, params]) => {
    const { [name]: spec } = indexed as Record<string, MethodSpec>
    return spec?.params.safeParse(params).success === true
  })
}

/** The same hashes in every run: they order what has one time, and so decide which rows are asked for. */
const SAME = { seed: new Uint8Array(32).fill(7), now: () => 1_800_000_000_000 }

test('answers of now and of the span are those of an index of the whole chain', PATIENCE, async () => {
  const { chain, node } = await openNode({ story: demoStory, ...SAME })
  await chain.player.play()
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const database = await openStore()
  const whole = index({ node, pool, database })
  await upToDate(whole, chain)
  await whole.close()
  const { read } = database
  const [middle] = await read.query<{ utime: bigint }>(
    sql`select percentile_disc(0.6) within group (order by now) as utime from transactions`,
  )
  const keepSeconds = chain.head().master.utime - Number(middle?.utime)
  const count = async () => Number((await read.query(sql`select count(*) as n from transactions`))[0]?.n)
  const all = await count()
  const answer = answersOf(database)
  const requested = await questions(answer, Number(middle?.utime))
  const before: string[] = []
  for (const [name, params] of requested) before.push(await answer(name, params))

  const indexer = index({ node, pool, database, keepSeconds })
  const first = await pruned(database, keepSeconds)
  expect(indexer.status().first).toEqual({ ...first, isPruned: true })
  expect(first.utime).toBe(Number(middle?.utime))
  expect(await count()).toBeLessThan(0.7 * all)
  const different: string[] = []
  for (const [i, [name, params]] of requested.entries())
    if ((await answer(name, params)) !== before[i]) different.push(`${name} ${JSON.stringify(params)}`)
  expect(different).toEqual([])
  expect(new Set(requested.map(([name]) => name)).size).toBeGreaterThan(25)
  expect(before.filter((text) => text.length > 500).length).toBeGreaterThan(100)

  const since = new Date(first.utime * 1000).toISOString()
  const refused = `notFound: the index begins with masterchain block ${first.seqno} of ${since}: what is older was removed (--keep)`
  const [row] = await read.query<{ utime: bigint; lt: bigint }>(
    sql`select min(gen_utime) as utime, min(start_lt) as lt from blocks where mc_seqno = ${first.seqno}`,
  )
  const older = [{ end_utime: Number(row?.utime) - 1 }, { end_lt: String((row?.lt ?? 0n) - 1n) }]
  for (const name of ['transactions', 'messages', 'blocks', 'traces', 'actions', 'jetton.transfers', 'nft.transfers'])
    for (const params of older)
      expect([name, await answer(`v3.${name}`, params)]).toEqual([name, `${refused} (${Object.keys(params)})`])
  for (const name of ['transactions', 'blocks', 'traces', 'actions'])
    expect(await answer(`v3.${name}`, { mc_seqno: first.seqno - 1 })).toBe(`${refused} (mc_seqno)`)
  for (const name of ['transactionsByMasterchainBlock', 'masterchainBlockShards', 'masterchainBlockShardState'])
    expect(await answer(`v3.${name}`, { seqno: first.seqno - 1 })).toBe(`${refused} (seqno)`)
  for (const name of ['transactions', 'blocks'])
    expect(await answer(`v3.${name}`, { workchain: -1, seqno: first.seqno - 1 })).toBe(`${refused} (seqno)`)
  expect(JSON.parse(await answer('v3.masterchainInfo', {}))).toMatchObject({ first: { seqno: first.seqno } })
  // What ends with the first block is there.
  for (const params of [{ end_utime: Number(row?.utime) }, { end_lt: String(row?.lt) }, { mc_seqno: first.seqno }])
    expect(JSON.parse(await answer('v3.blocks', params)).blocks).not.toEqual([])
  expect(JSON.parse(await answer('v3.masterchainBlockShards', { seqno: first.seqno })).blocks).not.toEqual([])
})

const rewound = { rewound: true }

test.each(drivers)('%s: a chain that goes back, behind what is kept or less far', PATIENCE, async (driver) => {
  const { chain, node } = await openNode()
  const scene = await prepare(chain, 4)
  await playOut(chain, scene, 1)
  const early = await chain.control.snapshot()
  await chain.control.increaseTime(9_000)
  await playOut(chain, scene, 2)
  const database = await openStore(driver)
  const indexer = index({ node, database, keepSeconds: 3_600 })
  await upToDate(indexer, chain)
  const { seqno } = await pruned(database, 3_600)
  const { transactions, ...before } = await digests(database.read, rewound)
  expect(transactions).not.toBe((await cleanDigests(chain, node, rewound)).transactions)

  const late = await chain.control.snapshot()
  await chain.control.setAccount({ ...account(0x61), balance: coins(7) })
  await chain.control.sendInternal({ from: account(0x70), to: account(0x61), value: coins(1), bounce: false })
  await upToDate(indexer, chain)
  await chain.control.revert(late)
  await upToDate(indexer, chain)
  expect(await digests(database.read, rewound)).toEqual({ transactions, ...before })

  // The blocks it would have to go back to are gone: the chain has them, and it is indexed again.
  expect(seqno).toBeGreaterThan(headSeqno(chain) - 100)
  await chain.control.revert(early)
  await upToDate(indexer, chain)
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
  expect(indexer.status()).toMatchObject({ state: 'following', first: { seqno: 1, isPruned: false } })
})

test.each(drivers)(
  '%s: an account that is missing again keeps what was its last transaction, removed or not',
  PATIENCE,
  async (driver) => {
    const { chain, node } = await openNode()
    const missing = [account(0x61), account(0x62)]
    const pay = async (bounce: boolean) => {
      for (const to of missing) await chain.control.sendInternal({ from: account(0x70), to, value: coins(1), bounce })
    }
    await pay(true)
    await chain.control.increaseTime(9_000)
    await chain.control.mine(3)
    const database = await openStore(driver)
    const indexer = index({ node, database, keepSeconds: 3_600 })
    await upToDate(indexer, chain)
    await pruned(database, 3_600)
    const rows = () => database.read.query(sql`select * from accounts where status = 'nonexist' order by account`)
    const removed = await rows()
    const kept = account(0x63)
    expect(removed).toHaveLength(2)
    missing.push(kept)
    await chain.control.sendInternal({ from: account(0x70), to: kept, value: coins(1), bounce: true })
    await upToDate(indexer, chain)
    const before = await rows()
    expect(before.slice(0, 2)).toEqual(removed)
    const name = await chain.control.snapshot()
    await pay(false)
    await upToDate(indexer, chain)
    expect(await rows()).toEqual([])
    await chain.control.revert(name)
    await upToDate(indexer, chain)
    expect(await rows()).toEqual(before)
  },
)

test('a longer span brings nothing back and says so, and what a process began to remove another one removes', async () => {
  const { node } = await openLongNode()
  const database = await openStore()
  // It gets no further than to its bound.
  let isAway = false
  const transaction: Database['transaction'] = async (work, options) => {
    if (isAway) throw new StoreError('unavailable', 'away')
    const result = await database.transaction(work, options)
    isAway = typeof result === 'object' && result !== null && 'isPruned' in result
    return result
  }
  const first = index({ node, database: { ...database, transaction }, keepSeconds: 3_600 })
  await expect.poll(() => first.status().first?.isPruned, PATIENCE).toBe(true)
  await first.close()
  expect(await database.read.query(sql`select 1 from shard_tops where mc_seqno = 1`)).toHaveLength(2)
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => lines.push(line), warn: () => undefined, error: () => undefined }
  const second = index({ node, database, keepSeconds: 86_400, log })
  const { seqno, utime } = await pruned(database, 86_400)
  expect(second.status().first).toEqual({ seqno, utime, isPruned: true })
  const facts = { firstSeqno: seqno, firstTime: new Date(utime * 1000).toISOString() }
  expect(lines).toEqual([[facts, 'index pruned: what is older than its first block is gone']])
})

test('how far back it goes is in the log once, however often the process leads again', async () => {
  const { chain, node } = await openLongNode()
  const database = await openStore()
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => lines.push(line[1]), warn: () => undefined, error: () => undefined }
  const indexer = index({ node, database, keepSeconds: 3_600, log })
  await pruned(database, 3_600)
  for (let times = 0; times < 3; times++) {
    const { leaders } = database
    database.depose()
    await chain.control.mine(1)
    await expect.poll(() => database.leaders, PATIENCE).toBeGreaterThan(leaders)
    await upToDate(indexer, chain)
  }
  expect(lines.filter((text) => text === 'index pruned: what is older than its first block is gone')).toHaveLength(1)
})
