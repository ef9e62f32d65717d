// What strangers ask for says nothing of the servers: a block that they make up, one that is yet to come.

import { expect, test } from 'vitest'
import {
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  LiteError,
  Trust,
} from '../../../../server/node/index.ts'
import { poolOfFewMessages, stateOf } from './poolScene.ts'
import type { Fault } from './wrappedServers.ts'

const { clock, serversOf, opened, blockAt, newest } = poolOfFewMessages()
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

/** The service as a lite server, over servers that may be called so often. */
async function passingOn(head: number, perSecond = 0) {
  const servers = serversOf(3)
  for (const server of servers) server.head = head
  const { pool } = await opened(clock(), servers, { perSecond })
  const trust = new Trust(pool, { timer: clock() })
  return { servers, pool, trust, lite: createVerifiedLiteServer(pool, trust) }
}

test('error: waits of lite clients for a block that does not come cost no server anything', async () => {
  const { servers, pool, trust, lite } = await passingOn(newest())
  await lite.masterchainInfo()
  const before = servers.map(({ calls }) => [...calls])
  const waits = Array.from({ length: 40 }, () => lite.waitMasterchainSeqno(newest() + 100, { timeoutMs: 1 }))
  for (const wait of await Promise.allSettled(waits))
    expect(wait).toMatchObject({ status: 'rejected', reason: { kind: 'timeout' } })
  await expect(lite.waitMasterchainSeqno(newest() + 101)).rejects.toMatchObject({ kind: 'notReady' })
  const leaving = new AbortController()
  const left = lite.waitMasterchainSeqno(newest() + 1, { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toMatchObject({ kind: 'cancelled' })
  expect(servers.map(({ calls }) => [...calls])).toEqual(before)
  expect(stateOf(pool)).toEqual(READY)
  await trust.close()
})

test('behavior: such a wait ends when the block is proven, though servers are called for their newest block now and then', async () => {
  const { servers, pool, trust, lite } = await passingOn(3, 2)
  await lite.masterchainInfo()
  for (const seqno of [4, 5]) {
    for (const server of servers) server.head = seqno
    await lite.waitMasterchainSeqno(seqno)
    expect((await lite.masterchainInfo()).last.seqno).toBe(seqno)
  }
  expect(stateOf(pool)).toEqual(READY)
  await trust.close()
})
