// Servers that report new blocks and answer nothing else: the others do the work.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { MASTERCHAIN } from '../../../../server/node/index.ts'
import { Trust } from '../../../../server/node/remote/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
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

test('behavior: a new block is proven by another server when the first one is silent, and that one is named', async () => {
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
  expect(stateOf(pool)).toEqual({ server0: 'failing', server1: 'ready', server2: 'ready' })
  expect(pool.servers[0]?.reason).toMatch(/^server0 did not answer header for 1\d\d\d ms$/)
  await trust.close()
})
