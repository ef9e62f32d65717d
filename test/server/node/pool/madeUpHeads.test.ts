// Servers that name newest blocks that do not exist: the others are followed as if these were not there.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteChain, MASTERCHAIN, type MasterchainInfo, Trust } from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened } = poolScene(() => scene)
const newest = () => scene.blocks(MASTERCHAIN).length

/** Names another block with each answer, by so many seqnos higher, and waits for none. Otherwise it does as all do. */
function boaster(step: number): WrappedServer {
  const server = new WrappedServer('boaster', scene, clock())
  let seqno = newest()
  server.head = Number.MAX_SAFE_INTEGER
  server.latencyMs = 5
  server.fault = async (verb, _args, honest) => {
    if (verb !== 'masterchainInfo') return await honest()
    const answer = (await honest()) as MasterchainInfo
    seqno += step
    const rootHash = new Uint8Array(32)
    new DataView(rootHash.buffer).setUint32(0, seqno)
    return { ...answer, last: { ...scene.blocks(MASTERCHAIN)[0], seqno, rootHash } }
  }
  return server
}

test('behavior: each block of the others is reported, none is called lost, and few calls are made for what is made up', async () => {
  const servers = serversOf(2)
  for (const server of servers) server.head = 3
  const { pool } = await opened(clock(), [...servers, boaster(1)])
  const trust = new Trust(pool, { timer: clock() })
  const chain = createRemoteChain(pool, { trust })
  await chain.head()
  const heads: number[] = []
  const lost: string[] = []
  const stop = chain.onHead((report) => {
    if (report.kind === 'head') heads.push(report.id.seqno)
    else lost.push(report.reason)
  })
  const before = servers.map(({ total }) => total)
  for (let seqno = 4; seqno <= newest(); seqno++) {
    for (const server of servers) server.head = seqno
    await clock().sleep(2_000)
  }
  stop()
  const calls = servers.map(({ total }, i) => total - (before[i] ?? 0)).reduce((a, b) => a + b)
  expect(heads).toEqual(Array.from({ length: newest() - 3 }, (_, i) => i + 4))
  expect(lost).toEqual([])
  // It named ten blocks a second.
  expect(calls).toBeLessThan(30 * heads.length)
  expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', boaster: 'failing' })
  await trust.close()
})

test('behavior: one that is behind is so, whatever seqnos another one has made up', async () => {
  const [good, other, behind] = serversOf(3)
  if (!good || !other || !behind) return
  behind.head -= 5
  const liar = boaster(1_000_000)
  const { pool } = await opened(clock(), [good, other, behind, liar])
  await clock().sleep(10_000)
  liar.goDown()
  await clock().sleep(1_000)
  expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', server2: 'behind', boaster: 'away' })
})

test('behavior: reads of the newest block are as quick as without it, though it answers all else', async () => {
  const servers = serversOf(2)
  for (const server of servers) server.head = 3
  const { pool } = await opened(clock(), [...servers, boaster(1)])
  const trust = new Trust(pool, { timer: clock() })
  const chain = createRemoteChain(pool, { trust })
  await chain.head()
  const times: number[] = []
  for (let i = 0; i < 100; i++) {
    if (i % 20 === 0) for (const server of servers) server.head++
    const begun = clock().now()
    await chain.header((await chain.head()).id)
    times.push(clock().now() - begun)
    await clock().sleep(50)
  }
  expect(Math.max(...times)).toBeLessThan(300)
  expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', boaster: 'failing' })
  await trust.close()
})
