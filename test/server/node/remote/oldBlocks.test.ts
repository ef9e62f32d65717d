// Blocks that one server of many still has, looked for with a proof from the newest one, which all have.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteChain, LiteError, MASTERCHAIN, Trust, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene } from '../pool/poolScene.ts'
import type { Fault } from '../pool/wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 20, seed: 11 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)
const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }

const pruned: Fault = (verb, _args, honest) =>
  verb.startsWith('lookup') || verb === 'header'
    ? Promise.reject(new LiteError(651, 'cannot find block (-1,8000000000000000) seqno=2: seqno not in db'))
    : honest()

test.each(['full', 'off'] as const)('behavior: proofs %s: each is found', async (policy) => {
  const servers = serversOf(6)
  const { pool } = await opened(clock(), servers)
  const node = createRemoteChain(pool, { trust: new Trust(pool, { policy, timer: clock() }) })
  await node.head()
  for (const server of servers.slice(1)) server.fault = pruned
  for (let seqno = 2; seqno < scene.blocks(MASTERCHAIN).length; seqno++) {
    expect(await node.idOf({ ...master, seqno })).toEqual(blockAt(seqno))
    const { genUtime } = (await node.find({ ...master, seqno })).info
    expect((await node.find({ ...master, utime: genUtime })).info.genUtime).toBe(genUtime)
  }
  // One that there is not is not asked of all of them.
  const before = servers.map(({ total }) => total)
  await expect(node.find({ ...master, seqno: 2 ** 30 })).rejects.toMatchObject({ isMissing: true })
  expect(servers.filter(({ total }, i) => total > (before[i] ?? 0)).length).toBeLessThan(6)
})

test('behavior: a server that keeps the past is known after some look-ups', async () => {
  const servers = serversOf(6)
  const { pool } = await opened(clock(), servers)
  for (const server of servers.slice(1)) server.fault = pruned
  const newest = blockAt(scene.blocks(MASTERCHAIN).length)
  // As of a chain that is thousands of blocks long.
  const needs = { exists: true, about: newest, mcSeqno: -5_000 }
  const read = () => pool.attempt?.((one) => one.lookupWithProof({ ...master, seqno: 2 }, newest), needs)
  for (let i = 0; i < 20; i++) expect((await read())?.id).toEqual(blockAt(2))
  const before = servers.map(({ total }) => total)
  for (let i = 0; i < 20; i++) await read()
  expect(servers.map(({ total }, i) => total - (before[i] ?? 0))).toEqual([20, 0, 0, 0, 0, 0])
})
