// Servers that report new blocks and answer nothing else: the others do the work.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { MASTERCHAIN } from '../../../../server/node/index.ts'
import { Trust } from '../../../../server/node/remote/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene } from './poolScene.ts'
import { hang } from './wrappedServers.ts'

const HEADS = 30
const BLOCK_MS = 1_000
const CALLERS = 4

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
  await scene.chain.control.mine(HEADS + 5)
})
afterAll(() => scene.close())

const { clock, serversOf, opened } = poolScene(() => scene)

test('behavior: a new block is proven by another server when the first one is silent, which is then left alone', async () => {
  const newest = scene.blocks(MASTERCHAIN).length
  const first = newest - HEADS
  const servers = serversOf(3)
  for (const server of servers) server.head = first
  const { pool } = await opened(clock(), servers)
  const trust = new Trust(pool, { timer: clock() })
  await trust.read()
  const [silent] = servers
  if (silent) silent.fault = (...call) => (call[0] === 'masterchainInfo' ? call[2]() : hang(...call))
  const late: number[] = []
  for (let seqno = first + 1; seqno <= newest; seqno++) {
    for (const server of servers) server.head = seqno
    await clock().sleep(BLOCK_MS)
    const begun = clock().now()
    const read = async (): Promise<number> => {
      while ((await trust.read({ timeoutMs: 20_000 })).id.seqno < seqno) await clock().sleep(50)
      return clock().now() - begun
    }
    late.push(Math.max(...(await Promise.all(Array.from({ length: CALLERS }, read)))))
  }
  expect(Math.max(...late)).toBeLessThan(2_500)
  // It is hardly called any more.
  expect(late.filter((ms) => ms > BLOCK_MS).length).toBeLessThan(HEADS / 3)
  const [report, ...others] = pool.servers
  expect(report?.failures).toBeGreaterThan(0)
  expect(report?.latencyMs).toBeGreaterThan(4 * Math.max(...others.map(({ latencyMs }) => latencyMs ?? 0)))
  await trust.close()
})

test('behavior: where three of four have become slow, calls go to the fourth', async () => {
  const servers = serversOf(4)
  const { pool } = await opened(clock(), servers)
  const id = scene.blocks(MASTERCHAIN)[1]
  if (id === undefined) throw new Error('a block was expected')
  for (let i = 0; i < 200; i++) await pool.header(id)
  for (const server of servers.slice(0, 3)) server.latencyMs = 3_000
  const end = clock().now() + 30_000
  const times: number[] = []
  const lane = async (): Promise<void> => {
    while (clock().now() < end) {
      const at = clock().now()
      await pool.header(id, 0, { timeoutMs: 20_000 })
      times.push(clock().now() - at)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, lane))
  const slow = times.filter((ms) => ms > 1_000)
  expect(slow.length).toBeLessThan(10)
})

test('behavior: slow answers of the only server that is there use up nothing of what there is for second ones', async () => {
  const [only, away] = serversOf(2)
  if (!only || !away) return
  const { pool } = await opened(clock(), [only, away])
  away.goDown()
  const id = scene.blocks(MASTERCHAIN)[1]
  if (id === undefined) throw new Error('a block was expected')
  only.latencyMs = 3_000
  for (let i = 0; i < 20; i++) await pool.header(id)
  expect(pool.hedgedShare).toBe(0)
})

test('behavior: the answer of a second server, which is slow as well, does not wait for the first one, which hangs', async () => {
  const servers = serversOf(2)
  for (const server of servers) server.latencyMs = 2_000
  const { pool } = await opened(clock(), servers)
  const id = scene.blocks(MASTERCHAIN)[1]
  if (id === undefined) throw new Error('a block was expected')
  await clock().sleep(10_000)
  const begun = clock().now()
  let works = 0
  await pool.attempt?.(async (server) => {
    works++
    for (const one of servers) if (works === 1 && one.address.name === server.name) one.fault = hang
    // Work may do something else before its first call.
    await clock().sleep(10)
    return await server.header(id)
  })
  expect(works).toBe(2)
  expect(clock().now() - begun).toBeLessThan(4_000)
})
