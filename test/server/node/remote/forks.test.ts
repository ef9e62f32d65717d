// Two histories that the same validators have signed: which of them is followed, and what is said of the other.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import {
  type BlockIdExt,
  type Connect,
  createRemoteChain,
  createServerPool,
  createTrustFile,
  LiteError,
  type LiteServer,
  openTrust,
} from '../../../../server/node/index.ts'
import { outcomeOf } from '../../../../server/node/liteServer.ts'
import { createTvmPool } from '../../../../server/tvm/index.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'
import { makeKeyBlock } from '../../devchain/lite/liteScene.ts'
import { ManualClock } from '../adnl/adnlScene.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const idle = { idleBlockMs: 3_600_000, mining: 'manual' } as const
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Branch {
  readonly chain: Devchain
  readonly lite: LiteServer
  readonly head: () => BlockIdExt
}

async function branchIn(folder: string): Promise<Branch> {
  const chain = await openDevchain({ ...idle, folder })
  const pool = await createTvmPool({ workers: 1 })
  const lite = createDevchainLiteServer(chain, { pool })
  ends.push(async () => {
    lite.close()
    await pool.close()
    await chain.close()
  })
  return { chain, lite, head: () => chain.head().master.id }
}

/** One chain of `blocks` blocks, twice. */
async function twoBranches(blocks: number): Promise<readonly [Branch, Branch]> {
  const folder = await temporaryFolder()
  const first = await openDevchain({ ...idle, folder: join(folder, 'a') })
  await first.control.mine(blocks)
  await first.close()
  await cp(join(folder, 'a'), join(folder, 'b'), { recursive: true })
  return [await branchIn(join(folder, 'a')), await branchIn(join(folder, 'b'))]
}

async function serviceOver(branches: Readonly<Record<string, Branch>>, path?: string, canRewind = false) {
  const gone = new Set<string>()
  const closers = new Map<string, (reason: Error) => void>()
  const connect: Connect = async ({ name }) => {
    const branch = branches[name]
    if (branch === undefined || gone.has(name)) throw new Error('connection refused')
    return {
      ...branch.lite,
      kind: 'remote',
      close: () => undefined,
      onClose: (listener) => void closers.set(name, listener),
    }
  }
  const servers = Object.keys(branches).map((name) => ({
    name,
    host: name,
    port: 1,
    key: new Uint8Array(32),
    slices: null,
  }))
  const [some] = Object.values(branches)
  if (some === undefined) throw new Error('a branch is expected')
  const zerostate = some.chain.reader.zerostates.master.id
  const pool = createServerPool({ servers, connect, zerostate, log: quiet })
  // What is said of a fork depends on who is there when it is found.
  await expect.poll(() => pool.servers.map(({ state }) => state)).not.toContain('away')
  const said: string[] = []
  const store = path === undefined ? null : createTrustFile(path)
  const start = { zerostate, block: zerostate }
  const trust = await openTrust(pool, { start, store, canRewind, onFork: (text) => said.push(text) })
  const chain = createRemoteChain(pool, { trust })
  const heads: BlockIdExt[] = []
  const stop = chain.onHead((report) => report.kind === 'head' && heads.push(report.id))
  const close = async (): Promise<void> => {
    stop()
    await trust.close()
    await pool.close()
  }
  ends.push(close)
  return {
    trust,
    chain,
    heads,
    said,
    close,
    goDown(name: string) {
      gone.add(name)
      closers.get(name)?.(new LiteError('cancelled', 'connection reset'))
    },
  }
}

const nameOf = (id: BlockIdExt | undefined): string =>
  `${id?.seqno} ${Buffer.from(id?.rootHash ?? []).toString('base64')}`

const reached = (trust: { readonly head: { readonly id: BlockIdExt } | null }, branch: Branch) =>
  expect.poll(() => nameOf(trust.head?.id), { timeout: 300_000 }).toBe(nameOf(branch.head()))

test('behavior: the branch that was seen first is held, and the other is named', async () => {
  const [first, second] = await twoBranches(3)
  await first.chain.control.mine(1)
  const { trust, chain, heads, said } = await serviceOver({ first, second })
  await reached(trust, first)
  const held = first.head()
  // The other one grows longer.
  await second.chain.control.increaseTime(5)
  await second.chain.control.mine(3)
  await expect.poll(() => said.length, { timeout: 300_000 }).toBe(1)
  for (let i = 0; i < 40; i++) expect((await chain.head()).id).toEqual(held)
  const hashOf = (id: BlockIdExt | undefined): string => Buffer.from(id?.rootHash ?? []).toString('base64')
  expect(said[0]).toContain('on different forks, each signed by the validators')
  expect(said[0]).toContain(`${hashOf(held)} at first, which is held`)
  expect(said[0]).toContain(`${hashOf(second.chain.reader.bySeqno(-1, held.seqno)?.id)} at second`)
  expect(trust.status().fork).toMatchObject({ isServed: true })
  // A key block on the other one does not move trust there.
  await makeKeyBlock(second.chain, 0)
  await second.chain.control.mine(1)
  await first.chain.control.mine(1)
  await reached(trust, first)
  await first.chain.control.mine(8)
  await reached(trust, first)
  const onFirst = heads.every((id) => hashOf(id) === hashOf(first.chain.reader.bySeqno(-1, id.seqno)?.id))
  expect(onFirst).toBe(true)
})

test('behavior: it is held also while its server is away', async () => {
  const [first, second] = await twoBranches(3)
  await first.chain.control.mine(1)
  const { trust, goDown } = await serviceOver({ first, second })
  await reached(trust, first)
  const held = first.head()
  goDown('first')
  await second.chain.control.increaseTime(5)
  await second.chain.control.mine(3)
  await expect.poll(() => trust.status().fork, { timeout: 300_000 }).toMatchObject({ isServed: false })
  expect(trust.head?.id).toEqual(held)
})

test('behavior: a chain that was reverted is followed, and that is said', async () => {
  const [first] = await twoBranches(3)
  const before = await first.chain.control.snapshot()
  await first.chain.control.mine(2)
  const { trust, chain, said } = await serviceOver({ first })
  await reached(trust, first)
  const height = first.head().seqno
  const query = { workchain: -1, shard: 1n << 63n, seqno: height }
  const find = async () => nameOf((await chain.find(query)).id)
  expect(await find()).toBe(nameOf(first.head()))
  expect(nameOf(await chain.idOf(query))).toBe(nameOf(first.head()))
  await first.chain.control.revert(before)
  await first.chain.control.increaseTime(5)
  await first.chain.control.mine(4)
  await reached(trust, first)
  expect(said).toEqual([expect.stringContaining('the chain was reverted')])
  // What was found before is looked for again.
  expect(nameOf(await chain.idOf(query))).toBe(nameOf(first.chain.reader.bySeqno(-1, height)?.id))
  expect(await find()).toBe(nameOf(first.chain.reader.bySeqno(-1, height)?.id))
  expect(trust.status().fork).toBe(null)
})

test('behavior: who follows the chain after a revert is told of no other one', async () => {
  const [first] = await twoBranches(1)
  const { control } = first.chain
  const chain = createRemoteChain(first.lite, { canRewind: true })
  const before = await control.snapshot()
  await control.mine(2)
  await chain.head()
  await control.revert(before)
  await control.increaseTime(5)
  await control.mine(3)
  expect((await chain.head()).id).toEqual(first.head())
  const others: unknown[] = []
  ends.push(chain.onHead((report) => report.kind === 'head' && others.push(report.isOther)))
  await control.mine(1)
  await expect.poll(() => others.length, { timeout: 300_000 }).toBeGreaterThan(0)
  expect(others).not.toContain(true)
})

test('behavior: where the owner may revert the chain, the lower block is followed at once', async () => {
  const [first] = await twoBranches(3)
  const { trust, chain, heads, said } = await serviceOver({ first }, undefined, true)
  await reached(trust, first)
  const lowest = first.head()
  for (let i = 0; i < 3; i++) {
    const before = await first.chain.control.snapshot()
    await first.chain.control.mine(4)
    await reached(trust, first)
    await first.chain.control.revert(before)
    await reached(trust, first)
    expect((await chain.head()).id).toEqual(lowest)
    expect(trust.status()).toMatchObject({ isUndone: false, fork: null })
    expect(heads.at(-1)).toEqual(lowest)
    expect(said.length).toBe(i + 1)
    // Below it, the chain is the same.
    expect(nameOf(await chain.idOf({ workchain: -1, shard: 1n << 63n, seqno: 2 }))).toBe(
      nameOf(first.chain.reader.bySeqno(-1, 2)?.id),
    )
  }
  expect(said[0]).toContain('the chain was reverted')
})

test('behavior: also below a key block that was proven, and where a higher block is in its place', async () => {
  const [first] = await twoBranches(3)
  const { control } = first.chain
  const path = join(await temporaryFolder(), 'trust.json')
  const anotherEnd = async () => {
    const id = await control.snapshot()
    await makeKeyBlock(first.chain, 0)
    await control.mine(2)
    return id
  }
  let before = await anotherEnd()
  const { trust, close } = await serviceOver({ first }, path, true)
  await reached(trust, first)
  expect(trust.head?.keyBlock?.seqno).toBeGreaterThan(3)
  for (const isHigher of [false, true]) {
    await control.revert(before)
    if (isHigher) {
      await control.increaseTime(5)
      await control.mine(9)
    }
    await reached(trust, first)
    before = await anotherEnd()
    await reached(trust, first)
  }
  await close()
  // While no process follows it.
  for (const isHigher of [false, true]) {
    await control.revert(before)
    if (isHigher) {
      await control.increaseTime(5)
      await control.mine(9)
    }
    const later = await serviceOver({ first }, path, true)
    await reached(later.trust, first)
    before = await anotherEnd()
    await reached(later.trust, first)
    await later.close()
  }
})

test('behavior: a lower block is not followed while a server may have the held one', async () => {
  const [first, second] = await twoBranches(3)
  await first.chain.control.mine(2)
  const { trust, chain, goDown, said } = await serviceOver({ first, second }, undefined, true)
  await reached(trust, first)
  goDown('first')
  await second.chain.control.mine(1)
  await expect.poll(() => trust.status().isUndone, { timeout: 300_000 }).toBe(true)
  for (let i = 0; i < 5; i++) await chain.head().catch(() => null)
  expect(trust.head?.id).toEqual(first.head())
  expect(said.filter((text) => text.includes('reverted'))).toEqual([])
})

test('behavior: after a restart the same branch is held', async () => {
  const [first, second] = await twoBranches(3)
  await first.chain.control.mine(1)
  const path = join(await temporaryFolder(), 'trust.json')
  const before = await serviceOver({ first, second }, path)
  await reached(before.trust, first)
  await before.close()
  await second.chain.control.increaseTime(5)
  await second.chain.control.mine(3)
  const { trust, chain } = await serviceOver({ second, first }, path)
  await expect.poll(async () => (await chain.head().catch(() => null))?.id, { timeout: 300_000 }).toEqual(first.head())
  // The held branch may be read before the other one.
  await expect.poll(() => trust.status().fork, { timeout: 300_000 }).toMatchObject({ isServed: true })
})

test('behavior: a proof that ends late is compared with the block that another server has proven meanwhile', async () => {
  const [first, second] = await twoBranches(3)
  const zerostate = first.chain.reader.zerostates.master.id
  const clock = new ManualClock()
  const waits: (() => void)[] = []
  const slow = {
    ...second.lite,
    name: 'slow',
    async blockProof(...args: Parameters<LiteServer['blockProof']>) {
      if (isSlow && args[1] === higher) await new Promise<void>((resolve) => waits.push(resolve))
      return await second.lite.blockProof(...args)
    },
  }
  const quick = { ...first.lite, name: 'quick' }
  const both: LiteServer = {
    ...quick,
    attempt: (work, options) => work(options?.about === higher ? slow : quick),
    each: (work) => Promise.all([quick, slow].map((server) => outcomeOf(server.name, work(server)))),
  }
  let higher = first.head()
  let isSlow = true
  const said: string[] = []
  const path = join(await temporaryFolder(), 'trust.json')
  const store = createTrustFile(path)
  const trust = await openTrust(both, {
    start: { zerostate, block: zerostate },
    store,
    timer: clock,
    onFork: (text) => said.push(text),
  })
  await trust.read()
  await first.chain.control.mine(1)
  await second.chain.control.increaseTime(5)
  await makeKeyBlock(second.chain, 0)
  await second.chain.control.mine(2)
  higher = second.head()
  const late = trust.reach(higher)
  await expect.poll(() => waits.length, { timeout: 300_000 }).toBe(1)
  clock.advance(2_000)
  const held = first.head()
  expect((await trust.reach(held)).id).toEqual(held)
  expect(higher.seqno).toBeGreaterThan(held.seqno)
  isSlow = false
  for (const wait of waits) wait()
  expect((await late).id).toEqual(held)
  expect(trust.head?.id).toEqual(held)
  expect(said[0]).toContain('on different forks')
  // No key block of the other one is trusted.
  await trust.close()
  expect((await store.read())?.key.id.seqno).toBeLessThan(held.seqno)
})

test('behavior: while a claim shows that the chain may have been reverted, reads wait for what is found', async () => {
  const [first, second] = await twoBranches(3)
  const zerostate = first.chain.reader.zerostates.master.id
  let info = await first.lite.masterchainInfo()
  let at = first
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  let queries = 0
  const server: LiteServer = {
    ...first.lite,
    attempt: (work) => work({ ...at.lite, name: 'one' }),
    each: async (work) => {
      queries++
      await held
      return [await outcomeOf('one', work(at.lite))]
    },
    heard: () => info,
  }
  const trust = await openTrust(server, { start: { zerostate, block: zerostate }, timer: new ManualClock() })
  await first.chain.control.mine(1)
  expect((await trust.read()).id).toEqual(first.head())
  await second.chain.control.increaseTime(5)
  await second.chain.control.mine(3)
  at = second
  info = await second.lite.masterchainInfo()
  const proof = trust.reach(second.head())
  await expect.poll(() => queries, { timeout: 300_000 }).toBe(1)
  const read = trust.read()
  answer()
  expect((await read).id).toEqual(second.head())
  expect((await proof).id).toEqual(second.head())
  await trust.close()
})
