// Everything that can be read of an old block, where one server of six keeps old blocks.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  isSameBlock,
  LiteError,
  MASTERCHAIN,
  Trust,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene } from '../pool/poolScene.ts'
import type { Fault, WrappedServer } from '../pool/wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 20, seed: 11 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

const isBlock = (value: unknown): value is BlockIdExt =>
  typeof value === 'object' && value !== null && 'rootHash' in value && 'seqno' in value

/** Of all that is known, only the newest block of each chain is left. */
function pruned(newest: readonly BlockIdExt[]): Fault {
  return (verb, args, honest) => {
    const isOld = args.some((one) => isBlock(one) && one.seqno > 0 && !newest.some((id) => isSameBlock(id, one)))
    const gone = isOld || verb.startsWith('lookup') || verb === 'transactions'
    return gone && verb !== 'masterchainInfo' ? Promise.reject(new LiteError(651, 'not in db')) : honest()
  }
}

async function oneArchive() {
  const servers = serversOf(6)
  const { pool } = await opened(clock(), servers)
  const trust = new Trust(pool, { timer: clock() })
  await trust.read()
  const newest = [MASTERCHAIN, 0].flatMap((workchain) => scene.blocks(workchain).at(-1) ?? [])
  for (const server of servers.slice(1)) server.fault = pruned(newest)
  return { pool, trust, servers }
}

const isKnown = <T>(one: T | undefined): T => {
  if (one === undefined) throw new Error('there is no such thing')
  return one
}

test('behavior: each read of an old block of either chain is answered', async () => {
  const { pool, trust } = await oneArchive()
  const chain = createRemoteChain(pool, { trust })
  const shards = scene.blocks(0).slice(0, -1)
  for (const id of [...shards.slice(0, 8), ...Array.from({ length: 8 }, (_, i) => blockAt(i + 2))]) {
    expect((await chain.header(id)).id).toEqual(id)
    const [first] = await scene.touched(id)
    const { transactions } = await chain.listTransactions(id, { count: 8 })
    expect(transactions.length > 0).toBe(first !== undefined)
    expect((await chain.blockTransactions(id, { count: 8 })).transactions).toHaveLength(transactions.length)
    expect((await chain.block(id)).id).toEqual(id)
    if (id.workchain === MASTERCHAIN) {
      expect(await chain.shards(id)).toHaveLength(1)
      expect((await chain.config(id, [8])).params.size).toBe(1)
      expect((await chain.proofs.signatures(id)).kind).toBeTruthy()
      await chain.previousBlocks(id)
    } else expect((await chain.proofs.shardBlock(id)).masterchainId.workchain).toBe(MASTERCHAIN)
    const account = first?.account ?? { workchain: id.workchain, hash: new Uint8Array(32).fill(9) }
    expect((await chain.account(id, account)).lt).toBeGreaterThan(0n)
  }
})

test('behavior: so it is for lite clients', async () => {
  const { pool, trust } = await oneArchive()
  const lite = createVerifiedLiteServer(pool, trust)
  const newest = blockAt(scene.blocks(MASTERCHAIN).length)
  for (const id of [...scene.blocks(0).slice(0, 8), ...Array.from({ length: 8 }, (_, i) => blockAt(i + 2))]) {
    const query = { workchain: id.workchain, shard: WHOLE_SHARD, seqno: id.seqno }
    expect((await lite.header(id)).id).toEqual(id)
    expect((await lite.lookup(query)).id).toEqual(id)
    expect((await lite.lookupWithProof(query, newest)).id).toEqual(id)
    expect((await lite.listTransactions(id, { count: 8 })).id).toEqual(id)
    expect((await lite.block(id)).length).toBeGreaterThan(0)
  }
})

test('behavior: transactions of old times are found', async () => {
  const { pool, trust } = await oneArchive()
  const chain = createRemoteChain(pool, { trust })
  for (const id of scene.blocks(0).slice(0, 8)) {
    for (const { transaction, cell } of (await chain.blockTransactions(id, { count: 4 })).transactions) {
      const account = { workchain: 0, hash: transaction.account }
      const query = { account, lt: transaction.lt, hash: cell.hashBytes(), count: 1 }
      expect(await chain.transactions(query)).toHaveLength(1)
    }
  }
})

const callsOf = (servers: readonly WrappedServer[]): number => servers.reduce((sum, { total }) => sum + total, 0)

test('behavior: what is no block of the chain is not asked of all of them, and no server is blamed', async () => {
  const { pool, trust, servers } = await oneArchive()
  const chain = createRemoteChain(pool, { trust })
  const madeUp = { ...isKnown(scene.blocks(0)[3]), rootHash: new Uint8Array(32).fill(1) }
  const before = callsOf(servers)
  await expect(chain.header(madeUp)).rejects.toMatchObject({ isMissing: true })
  expect(callsOf(servers) - before).toBeLessThanOrEqual(12)
  for (let i = 0; i < 10; i++)
    await expect(chain.header({ ...madeUp, seqno: 1_000 + i })).rejects.toMatchObject({ isMissing: true })
  expect(pool.servers.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'ready'))
})

test('behavior: of three servers two call each read of the newest block wrong: the third one answers', async () => {
  const servers = serversOf(3)
  const { pool } = await opened(clock(), servers)
  const trust = new Trust(pool, { timer: clock() })
  const { id } = await trust.read()
  const chain = createRemoteChain(pool, { trust })
  for (const [i, server] of servers.slice(1).entries())
    server.fault = (verb, _args, honest) =>
      verb === 'masterchainInfo' ? honest() : Promise.reject(new LiteError(i === 0 ? 0 : -400, 'nothing here'))
  for (let i = 0; i < 20; i++) {
    expect((await chain.block(id)).id).toEqual(id)
    expect((await chain.header(id)).id).toEqual(id)
    expect(await chain.shards(id)).toHaveLength(1)
    await chain.account(id, { workchain: 0, hash: new Uint8Array(32).fill(i) })
    await chain.listTransactions(id, { count: 8 })
  }
})

test('attack: queries that are wrong, about blocks of the chain, are not made at all servers', async () => {
  const servers = serversOf(8)
  const { pool } = await opened(clock(), servers)
  const trust = new Trust(pool, { timer: clock() })
  const { id } = await trust.read()
  const lite = createVerifiedLiteServer(pool, trust)
  const shard = isKnown(scene.blocks(0).at(-1))
  await lite.header(id)
  await lite.header(shard)
  const wrong: (() => Promise<unknown>)[] = [
    () => lite.config(shard, [0]),
    () => lite.shards(shard),
    () => lite.validatorStats(id, { limit: -3 }),
    () => lite.dispatchQueues(id, { count: -1 }),
  ]
  // The first one also finds out that the block exists.
  for (const most of [12, 4, 4])
    for (const query of wrong) {
      const before = callsOf(servers)
      await expect(query()).rejects.toMatchObject({ code: -400 })
      expect(callsOf(servers) - before).toBeLessThanOrEqual(most)
    }
  expect(pool.servers.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'ready'))
})
