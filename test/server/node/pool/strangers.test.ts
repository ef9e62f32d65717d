// What strangers ask for says nothing of the servers: a block that they make up, one that is yet to come.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  LiteError,
  MASTERCHAIN,
  Trust,
} from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import type { Fault } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)
const newest = () => scene.blocks(MASTERCHAIN).length
const READY = { server0: 'ready', server1: 'ready', server2: 'ready' }

const madeUp = (seqno: number): BlockIdExt => ({ ...blockAt(2), seqno, rootHash: new Uint8Array(32).fill(seqno) })

/** As a server of the network refuses it. */
const knowing: Fault = async (_verb, args, honest) => {
  const [id] = args as [Partial<BlockIdExt> | undefined]
  const isMadeUp = id?.rootHash !== undefined && new Set(id.rootHash).size === 1
  if (isMadeUp) throw new LiteError(651, 'cannot load block : block handle not in db')
  return await honest()
}

test('error: a block that does not exist is no fault of the servers that say so', async () => {
  const servers = serversOf(3)
  for (const server of servers) server.fault = knowing
  const { pool } = await opened(clock(), servers)
  const trust = new Trust(pool, { timer: clock() })
  const chain = createRemoteChain(pool, { trust })
  const lite = createVerifiedLiteServer(pool, trust)
  for (let i = 0; i < 20; i++)
    for (const read of [
      () => chain.header(madeUp(3)),
      () => chain.shards(madeUp(newest())),
      () => lite.header(madeUp(newest() - 1)),
    ])
      await expect(read()).rejects.toMatchObject({ isMissing: true })
  expect(stateOf(pool)).toEqual(READY)
  await trust.close()
})

test('error: nor is one that does not come in time', async () => {
  const servers = serversOf(3)
  const { pool } = await opened(clock(), servers)
  const reads = Array.from({ length: 12 }, () => pool.header(madeUp(newest() + 1)))
  for (const read of await Promise.allSettled(reads)) expect(read.status).toBe('rejected')
  expect(stateOf(pool)).toEqual(READY)
})
