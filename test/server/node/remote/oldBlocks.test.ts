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

test.each(['full', 'off'] as const)(
  'behavior: proofs %s: each block of a shard is found, by number and times',
  async (policy) => {
    const servers = serversOf(6)
    const { pool } = await opened(clock(), servers)
    const node = createRemoteChain(pool, { trust: new Trust(pool, { policy, timer: clock() }) })
    await node.head()
    for (const server of servers.slice(1)) server.fault = pruned
    const shard = { workchain: 0, shard: WHOLE_SHARD }
    const ids = scene.blocks(0)
    for (const id of ids.slice(1)) {
      const { info } = await node.find({ ...shard, seqno: id.seqno })
      expect((await node.find({ ...shard, lt: info.endLt })).id).toEqual(id)
      expect((await node.find({ ...shard, utime: info.genUtime })).info.genUtime).toBe(info.genUtime)
      expect((await node.find({ ...master, lt: info.startLt })).id.workchain).toBe(MASTERCHAIN)
    }
    // What there is not is looked for at three, once more from the newest head; the shards are read once.
    const rounds = policy === 'full' ? 2 : 1
    const asked = () =>
      servers
        .flatMap(({ calls }) => [...calls])
        .reduce((sum, [verb, n]) => sum + (verb === 'masterchainInfo' ? 0 : n), 0)
    const before = asked()
    for (const query of [{ seqno: ids.length + 1 }, { lt: 1n << 62n }, { utime: 2 ** 32 - 1 }, { seqno: 0 }])
      await expect(node.find({ ...shard, ...query })).rejects.toMatchObject({ isMissing: true })
    await expect(node.find({ workchain: 7, shard: WHOLE_SHARD, seqno: 5 })).rejects.toMatchObject({ isMissing: true })
    expect(asked() - before).toBeLessThanOrEqual(5 * 3 * rounds + 1)
  },
)
