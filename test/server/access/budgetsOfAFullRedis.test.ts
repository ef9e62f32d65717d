// A Redis that answers and takes nothing: it is full, is a part of a cluster, or became the replica of another one that
// has its name now.

import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRedisLedger } from '../../../server/access/redisBudgets.ts'
import { RedisConnection } from '../../../server/sharing/index.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'

const PATIENCE = { timeout: 300_000 }
/** On a busy machine a Redis may take longer to answer than the default of one second. */
const answerMs = PATIENCE.timeout
const ONE = { subject: 'a', ms: 1, bucketMs: 1 }

function open(port: number) {
  const address = `redis://127.0.0.1:${port}`
  const changes: (string | null)[] = []
  const onChange = (failure: Error | null) => void changes.push(failure === null ? null : failure.message)
  const ledger = createRedisLedger({ address, prefix: () => Promise.resolve('test:'), onChange, answerMs })
  onTestFinished(() => ledger.close())
  const works = () =>
    ledger.add([ONE]).then(
      () => true,
      () => false,
    )
  return { changes, works, ledger }
}

async function ownServer() {
  const server = await ownRedis()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const connection = new RedisConnection({
    address: `redis://127.0.0.1:${server.port}`,
    onChange: () => undefined,
    answerMs,
  })
  onTestFinished(() => connection.close())
  await expect.poll(() => connection.isReady, PATIENCE).toBe(true)
  return { port: server.port, order: (...words: string[]) => connection.send(words) }
}

/** A name that leads to one server and then to another: connections that are open stay where they are. */
async function movableName(port: number) {
  const name = { port, target: port, connections: 0 }
  const server = createServer((socket) => {
    const upstream = connect(name.target, '127.0.0.1')
    name.connections++
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      from
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to)
    onTestFinished(() => void socket.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return Object.assign(name, { port: (server.address() as AddressInfo).port })
}

/** The first trouble with a Redis. */
function firstTrouble(port: number) {
  const { changes, works } = open(port)
  return expect.poll(async () => {
    await works()
    return changes[0]
  }, PATIENCE)
}

describe.runIf(hasRedis)('budgets over a Redis', () => {
  test('that is full are said to be counted alone, once, and are shared again when there is room', async () => {
    const server = await ownServer()
    const { changes, works } = open(server.port)
    await expect.poll(works, PATIENCE).toBe(true)
    await server.order('CONFIG', 'SET', 'maxmemory', '1')
    await expect.poll(works, PATIENCE).toBe(false)
    await expect.poll(async () => [await works(), changes.length], PATIENCE).toEqual([false, 1])
    expect(changes[0]).toMatch(/OOM/)
    await server.order('CONFIG', 'SET', 'maxmemory', '0')
    await expect.poll(works, PATIENCE).toBe(true)
    expect(changes.slice(1)).toEqual([null])
  })

  test('that became a replica are shared through the one that took its place', async () => {
    const before = await ownServer()
    const after = await ownServer()
    const name = await movableName(before.port)
    const { changes, works } = open(name.port)
    await expect.poll(works, PATIENCE).toBe(true)
    await before.order('REPLICAOF', '127.0.0.1', String(after.port))
    await expect.poll(works, PATIENCE).toBe(false)
    name.target = after.port
    await expect.poll(works, PATIENCE).toBe(true)
    expect(changes).toEqual([expect.stringMatching(/READONLY/), null])
  })

  test('that is in cluster mode are said to need another one', async () => {
    const server = await ownRedis('--cluster-enabled', 'yes')
    onTestFinished(() => server[Symbol.asyncDispose]())
    await firstTrouble(server.port).toMatch(/^a Redis in cluster mode cannot be used, name one without: CLUSTERDOWN/)
  })

  test('that has no commands of callers, as a Sentinel has none, are said to be on the server that it watches', async () => {
    const server = await ownRedis('--rename-command', 'EVAL', '')
    onTestFinished(() => server[Symbol.asyncDispose]())
    await firstTrouble(server.port).toMatch(
      /^ERR unknown command .*; where this is a Sentinel, name the server it watches/,
    )
  })

  test('that is a cluster of one server stay refused, although it takes commands of one key', async () => {
    const server = await ownRedis('--cluster-enabled', 'yes')
    onTestFinished(() => server[Symbol.asyncDispose]())
    const admin = new RedisConnection({
      address: `redis://127.0.0.1:${server.port}`,
      onChange: () => undefined,
      answerMs,
    })
    onTestFinished(() => admin.close())
    await expect.poll(() => admin.isReady, PATIENCE).toBe(true)
    await admin.send(['CLUSTER', 'ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => String(slot))])
    await expect.poll(async () => String(await admin.send(['CLUSTER', 'INFO'])), PATIENCE).toContain('state:ok')
    const name = await movableName(server.port)
    const { changes, works, ledger } = open(name.port)
    await expect.poll(works, PATIENCE).toBe(true)
    await expect(ledger.add([ONE, { ...ONE, subject: 'b' }])).rejects.toThrow('CROSSSLOT')
    const { connections } = name
    let worked = false
    const isOver = async () => {
      worked ||= await works()
      return worked || name.connections > connections + 3
    }
    await expect.poll(isOver, PATIENCE).toBe(true)
    expect(worked).toBe(false)
    expect(changes).toEqual([expect.stringMatching(/^a Redis in cluster mode cannot be used/)])
  })
})
