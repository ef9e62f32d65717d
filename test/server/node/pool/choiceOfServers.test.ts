// Which server a call goes to by what it has, and what waits say of a server.

import { expect, test } from 'vitest'
import { LiteError } from '../../../../server/node/index.ts'
import { toleranceAt } from '../../../../server/node/pool/choice.ts'
import type { LiteConnection } from '../../../../server/node/pool/index.ts'
import { poolOfFewMessages, stateOf } from './poolScene.ts'
import { refuse } from './wrappedServers.ts'

const { clock, serversOf, opened, blockAt, newest } = poolOfFewMessages()

test('behavior: a server that is one block behind is as good as others, but not for the newest block', async () => {
  const [ahead, behind] = serversOf(2)
  if (!ahead || !behind) return
  behind.head -= 1
  const { pool } = await opened(clock(), [ahead, behind])
  expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready' })
  for (let i = 0; i < 20; i++) expect((await pool.masterchainInfo()).last.seqno).toBe(newest())
})

test('behavior: while the servers that are likely to have it rest, a call goes to another one at once', async () => {
  const [ahead, behind] = serversOf(2)
  if (!ahead || !behind) return
  behind.head -= 5
  const { pool } = await opened(clock(), [ahead, behind])
  ahead.fault = refuse(228, 'too many requests')
  while (stateOf(pool).server0 !== 'cooling') await pool.header(blockAt(2))
  const begun = clock().now()
  expect((await pool.masterchainInfo()).last.seqno).toBe(newest() - 5)
  expect(clock().now() - begun).toBeLessThan(100)
})

test.each([
  [10_000, 3],
  [1_000, 3],
  [400, 5],
  [0, 2_000],
])('args: where a block takes %i ms, servers within %i blocks are equally recent', (blockMs, blocks) => {
  expect(toleranceAt(blockMs)).toBe(blocks)
})

test('behavior: what waits for a block waits for it, and the wait does not make the server look slow', async () => {
  const [server] = serversOf(1)
  if (!server) return
  server.head -= 1
  const { pool } = await opened(clock(), [server])
  await pool.header(blockAt(2))
  const [before] = pool.servers
  const info = pool.attempt?.((one) => one.masterchainInfo({ waitSeqno: newest(), timeoutMs: 9_000 }))
  await clock().sleep(4_000)
  server.head++
  expect((await info)?.last.seqno).toBe(newest())
  const never = pool.attempt?.((one) => one.masterchainInfo({ waitSeqno: newest() + 1, timeoutMs: 4_000 }))
  await expect(never).rejects.toMatchObject({ kind: 'timeout' })
  expect(pool.servers).toMatchObject([{ latencyMs: before?.latencyMs, failures: 0, inFlight: 0 }])
})

test('behavior: a block whose shards are late is asked for again where it was, and takes one slot', async () => {
  const [server] = serversOf(1)
  if (!server) return
  const { pool } = await opened(clock(), [server])
  let isLate = true
  server.fault = async (verb, _args, honest) => {
    if (verb !== 'shards' || !isLate) return await honest()
    isLate = false
    throw new LiteError('notReady', 'block is not applied')
  }
  await pool.shards(blockAt(newest()))
  expect(server.calls.get('shards')).toBe(2)
  expect(pool.servers[0]?.inFlight).toBe(0)
})

test('behavior: calls that ended in the line leave their places', async () => {
  const [server] = serversOf(1)
  if (!server) return
  const { pool } = await opened(clock(), [server], { perSecond: 1 })
  const call = (timeoutMs: number) =>
    pool.header(blockAt(1), 0, { timeoutMs }).then(
      () => 'answered',
      () => 'late',
    )
  const calls = [20_000, 20_000, 20_000, 300, 300, 300].map(call)
  expect(await Promise.all(calls)).toEqual(['answered', 'answered', 'answered', 'late', 'late', 'late'])
  expect(await call(5_000)).toBe('answered')
})

test('behavior: after all were away for long, calls wait for servers of a new list', async () => {
  const [old, added] = serversOf(2)
  if (!old || !added) return
  const { pool } = await opened(clock(), [old, added])
  pool.replace([old.address])
  old.goDown()
  await clock().sleep(60_000)
  pool.replace([added.address])
  expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
})

test('behavior: a connection that is there when it is too late is closed', async () => {
  const [server] = serversOf(1)
  if (!server) return
  let closed = 0
  const connect = async (): Promise<LiteConnection> => {
    await clock().sleep(8_000)
    const connection = await server.connect()
    return Object.assign(Object.create(connection) as LiteConnection, { close: () => void closed++ })
  }
  await opened(clock(), [server], { connect })
  await clock().sleep(8_000)
  expect([server.connections > 0, closed]).toEqual([true, server.connections])
})
