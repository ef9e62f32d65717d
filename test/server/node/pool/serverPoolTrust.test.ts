// Many servers as one: what comes of answers that are not proven, and of messages that are sent.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chain,
  createRemoteChain,
  LiteError,
  MASTERCHAIN,
  ProofError,
  verifyHeader,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import type { ServerPoolOptions } from '../../../../server/node/pool/index.ts'
import { Trust } from '../../../../server/node/remote/index.ts'
import { liesIn, lyingServer } from '../../../setup/lyingServer.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
let other: LiteScene
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 8, seed: 3 }), openScene({ messages: 8, seed: 4 })])
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

describe('proofs', () => {
  test('behavior: a server that lies is dropped and named, and no answer changes', async () => {
    const servers = serversOf(2)
    const lies = liesIn('header', other)
    const liar = new WrappedServer('liar', scene, clock(), lyingServer(scene.lite, lies[0] ?? null).node)
    const { pool, lines } = await opened(clock(), [...servers, liar])
    const chain = createRemoteChain(pool)
    for (let i = 0; i < 20; i++) expect((await chain.header(blockAt(2))).id).toEqual(blockAt(2))
    expect(stateOf(pool).liar).toBe('dropped')
    const dropped = lines.filter(({ level }) => level === 'error')
    expect(dropped.map(({ facts }) => [facts.server, facts.verb, facts.seqno])).toEqual([['liar', 'header', 2]])
    await clock().sleep(120_000)
    const { connections } = liar
    await clock().sleep(120_000)
    expect(liar.connections).toBe(connections)
  })

  test('error: a question that none can answer with a proof costs no server', async () => {
    const servers = serversOf(3)
    const { pool } = await opened(clock(), servers)
    const wrong = blockAt(3)
    await expect(
      pool.attempt?.(async (one) => verifyHeader(wrong, await one.header(blockAt(2)))),
    ).rejects.toBeInstanceOf(ProofError)
    expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', server2: 'ready' })
  })

  test('behavior: a head that no server can prove stops nothing', async () => {
    const servers = serversOf(2)
    const boaster = new WrappedServer('boaster', scene, clock())
    boaster.fault = async (verb, _args, honest) => {
      const answer = (await honest()) as { readonly last: object }
      return verb === 'masterchainInfo' ? { ...answer, last: { ...answer.last, seqno: 1_000_000 } } : answer
    }
    for (const server of servers) server.head = 5
    const { pool } = await opened(clock(), [...servers, boaster])
    const chain = createRemoteChain(pool)
    const heads: number[] = []
    chain.onHead((report) => {
      if (report.kind === 'head') heads.push(report.id.seqno)
    })
    for (const server of servers) server.head = 8
    await clock().sleep(30_000)
    expect((await chain.head()).id.seqno).toBe(8)
    expect(heads).toEqual([8])
    const found = await chain.find({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 4 })
    expect(found.id).toEqual(blockAt(4))
  })

  test('behavior: a liar is tried again where each answer is proven, and left out twice as long after each lie', async () => {
    const lies = liesIn('header', other)
    const liar = new WrappedServer('liar', scene, clock(), lyingServer(scene.lite, lies[0] ?? null).node)
    const forgiven: string[] = []
    const onForgiven = (server: string) => forgiven.push(server)
    const made = await opened(clock(), [...serversOf(1), liar], { isLiarRetried: true, onForgiven })
    const { pool, lines } = made
    const chain = createRemoteChain(pool)
    const minutesOut = async () => {
      for (let i = 0; stateOf(pool).liar !== 'dropped' && i < 100; i++)
        expect((await chain.header(blockAt(2))).id).toEqual(blockAt(2))
      const { connections } = liar
      let minutes = 0
      for (; stateOf(pool).liar === 'dropped'; minutes++) await clock().sleep(60_000)
      expect(liar.connections).toBe(connections + 1)
      return minutes
    }
    const found = [await minutesOut(), await minutesOut(), await minutesOut()]
    expect(found.map((minutes) => Math.round(minutes / 10))).toEqual([1, 2, 4])
    expect(forgiven).toEqual(['liar', 'liar', 'liar'])
    expect(lines.filter(({ level }) => level === 'error').map(({ text }) => text)).toEqual([
      'lite server dropped for 10 min: another one proved what it did not',
      'lite server dropped for 20 min: another one proved what it did not',
      'lite server dropped for 40 min: another one proved what it did not',
    ])
    // It was dropped, not lost: when it is tried again, and when the pool is closed.
    pool.drop('liar', 'it lied to another process')
    await clock().sleep(1_000)
    await pool.close()
    expect(lines.filter(({ text }) => text === 'lite server lost')).toEqual([])
  })
})

describe('another network', () => {
  async function withStranger(
    server: WrappedServer,
    others: readonly WrappedServer[],
    isFirst = true,
    options: Partial<ServerPoolOptions> = {},
  ) {
    const { init } = await scene.lite.masterchainInfo()
    let isStrange = isFirst
    server.fault = async (verb, _args, honest) => {
      const answer = (await honest()) as object
      const isWrong = verb === 'masterchainInfo' && isStrange
      return isWrong ? { ...answer, init: { ...init, rootHash: new Uint8Array(32) } } : answer
    }
    const made = await opened(clock(), [...others, server], { zerostate: init, ...options })
    const errors = () => made.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts.server)
    const turn = (is: boolean): void => {
      isStrange = is
    }
    return { ...made, errors, turn }
  }

  test('error: a server of it is left out, named once, and looked at from time to time', async () => {
    const stranger = new WrappedServer('stranger', scene, clock())
    const { pool, errors, turn, lines } = await withStranger(stranger, serversOf(1))
    expect(stateOf(pool)).toEqual({ server0: 'ready', stranger: 'dropped' })
    expect(pool.servers[1]?.reason).toBe('it serves another network')
    await clock().sleep(2 * 3_600_000)
    expect(stateOf(pool).stranger).toBe('dropped')
    expect(stranger.connections).toBeGreaterThan(12)
    expect(stranger.connections).toBeLessThan(30)
    expect(errors()).toEqual(['stranger'])
    turn(false)
    await clock().sleep(620_000)
    expect(stateOf(pool).stranger).not.toBe('dropped')
    expect(lines.at(-1)).toMatchObject({ level: 'info', facts: { server: 'stranger' }, text: 'lite server is back' })
  })

  test('error: a server of it that lied besides is forgiven once its time is over', async () => {
    const forgiven: string[] = []
    const stranger = new WrappedServer('stranger', scene, clock())
    const { pool, turn } = await withStranger(stranger, serversOf(1), true, {
      isLiarRetried: true,
      onForgiven: (server) => forgiven.push(server),
    })
    await clock().sleep(3_600_000)
    pool.drop('stranger', 'it lied to another process')
    turn(false)
    await clock().sleep(660_000)
    expect(stateOf(pool).stranger).toBe('ready')
    expect(forgiven).toEqual(['stranger'])
  })

  test('behavior: one wrong answer costs an only server a moment, and callers an answer that comes later', async () => {
    const [only] = serversOf(1)
    if (!only) return
    const { pool, errors, turn } = await withStranger(only, [], false)
    turn(true)
    while (stateOf(pool).server0 !== 'dropped') await clock().sleep(50)
    turn(false)
    expect((await pool.header(blockAt(2))).id).toEqual(blockAt(2))
    expect(stateOf(pool)).toEqual({ server0: 'ready' })
    expect(errors()).toEqual(['server0'])
  })

  test('behavior: an only server that was of another one for long is back soon after it is not', async () => {
    const [only] = serversOf(1)
    if (!only) return
    const { pool, errors, turn } = await withStranger(only, [])
    await clock().sleep(3_600_000)
    expect(errors()).toEqual(['server0'])
    turn(false)
    await clock().sleep(16_000)
    expect((await pool.header(blockAt(2))).id).toEqual(blockAt(2))
  })

  test('error: at the start a second look decides, and it is not waited for longer', async () => {
    const [first] = serversOf(1)
    if (!first) return
    const { pool, turn } = await withStranger(first, [], false)
    turn(true)
    while (stateOf(pool).server0 !== 'dropped') await clock().sleep(50)
    const begun = clock().now()
    expect(await pool.ready(60_000)).toBe(false)
    expect(clock().now() - begun).toBeLessThan(5_000)
  })
})

describe('a newest block that many callers wait for', () => {
  const CALLERS = 12
  /** Each new head is proven for many callers at once. */
  async function headsOf(chain: Chain, servers: readonly WrappedServer[], seqno: number) {
    for (const server of servers) server.head = seqno
    await clock().sleep(1_000)
    return await Promise.allSettled(Array.from({ length: CALLERS }, () => chain.head()))
  }
  const seqnosOf = (found: Awaited<ReturnType<typeof headsOf>>) =>
    found.map((one) => (one.status === 'fulfilled' ? one.value.id.seqno : String(one.reason)))

  test('behavior: a connection that ends meanwhile costs callers of other servers nothing', async () => {
    const servers = serversOf(2)
    const [weak] = servers
    for (const server of servers) server.head = 1
    const { pool } = await opened(clock(), servers)
    const chain = createRemoteChain(pool)
    await chain.head()
    if (weak === undefined) return
    weak.fault = async (verb, _args, honest) => {
      if (verb === 'header') weak.goDown()
      return await honest()
    }
    for (let seqno = 2; seqno <= 8; seqno++) {
      weak.isUp = true
      await clock().sleep(5_000)
      expect(seqnosOf(await headsOf(chain, servers, seqno))).toEqual(Array.from({ length: CALLERS }, () => seqno))
    }
  })

  test('behavior: a lie drops its server alone', async () => {
    const servers = serversOf(2)
    const lies = liesIn('header', other)
    const liar = new WrappedServer('liar', scene, clock(), lyingServer(scene.lite, lies[0] ?? null).node)
    const all = [liar, ...servers]
    for (const server of all) server.head = 1
    const { pool, lines } = await opened(clock(), all)
    const chain = createRemoteChain(pool)
    await chain.head()
    for (let seqno = 2; seqno <= 8; seqno++)
      expect(seqnosOf(await headsOf(chain, all, seqno))).toEqual(Array.from({ length: CALLERS }, () => seqno))
    expect(stateOf(pool)).toEqual({ liar: 'dropped', server0: 'ready', server1: 'ready' })
    const dropped = lines.filter(({ level }) => level === 'error')
    expect(dropped.map(({ facts }) => facts.verb)).toEqual(['header'])
  })

  test('behavior: while a slow server proves it, reads return the block before, for some time', async () => {
    const servers = serversOf(1)
    for (const server of servers) server.head = 1
    const { pool } = await opened(clock(), servers)
    const trust = new Trust(pool, { timer: clock() })
    await trust.read()
    for (const server of servers) server.head = 2
    while (pool.heard?.()?.last.seqno !== 2) await clock().sleep(50)
    for (const server of servers) server.latencyMs = 4_500
    const newest = createRemoteChain(pool, { trust }).head({ isNewest: true })
    await clock().sleep(0)
    const at = clock().now()
    expect((await trust.read()).id.seqno).toBe(1)
    expect((await trust.readWithInfo()).id.seqno).toBe(1)
    expect(clock().now()).toBe(at)
    // Not for long: the next ones wait with the first.
    await clock().sleep(3_000)
    expect((await trust.read()).id.seqno).toBe(2)
    expect(clock().now()).toBeGreaterThan(at + 3_000)
    expect((await newest).id.seqno).toBe(2)
    await trust.close()
  })

  test('behavior: a caller that hangs up takes the answer from nobody', async () => {
    const servers = serversOf(1)
    for (const server of servers) server.head = 1
    const { pool } = await opened(clock(), servers)
    const chain = createRemoteChain(pool)
    await chain.head()
    for (const server of servers) server.head = 2
    await clock().sleep(1_000)
    const end = new AbortController()
    const first = chain.head({ signal: end.signal }).catch((error: Error) => error.message)
    const others = Array.from({ length: CALLERS }, () => chain.head())
    await clock().sleep(20)
    end.abort()
    expect(seqnosOf(await Promise.allSettled(others))).toEqual(Array.from({ length: CALLERS }, () => 2))
    expect(await first).toBe('the query was cancelled')
  })
})

describe('sending', () => {
  const message = new Uint8Array([1])
  const sends = (fault: (n: number) => Promise<void>) => {
    const servers = serversOf(5)
    let count = 0
    for (const server of servers) server.fault = (verb, _args, honest) => (verb === 'send' ? fault(count++) : honest())
    return servers
  }
  const sent = (servers: readonly WrappedServer[]) =>
    servers.map(({ calls }) => calls.get('send') ?? 0).reduce((a, b) => a + b)
  const refused = (exit: number) =>
    new LiteError('failed', `cannot apply external message to current state : exitcode=${exit}, steps=4`)

  test('behavior: three servers get it, and one that takes it is enough', async () => {
    const servers = sends(async (n) => {
      if (n < 2) throw n === 0 ? refused(33) : new LiteError(502, 'no backend')
    })
    const { pool } = await opened(clock(), servers)
    await pool.send(message)
    expect(sent(servers)).toBe(3)
  })

  test('behavior: a message that is known already was taken', async () => {
    const servers = sends(async (n) => {
      throw n === 1 ? new LiteError(0, 'cannot send external message : duplicate message') : refused(n)
    })
    const { pool } = await opened(clock(), servers)
    await pool.send(message)
  })

  test('error: two that refuse for the same reason decide', async () => {
    const servers = sends((n) => (n === 2 ? new Promise(() => undefined) : Promise.reject(refused(33))))
    const { pool } = await opened(clock(), servers)
    const begun = clock().now()
    await expect(pool.send(message)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('exitcode=33'),
    })
    expect(clock().now() - begun).toBeLessThan(1_000)
    expect(sent(servers)).toBe(3)
  })

  test('behavior: two that are away for the same reason decide nothing: the third one takes it later', async () => {
    const servers = sends(async (n) => {
      if (n < 2) throw new LiteError(-503, 'timeout')
      await clock().sleep(1_000)
    })
    const { pool } = await opened(clock(), servers)
    await pool.send(message)
    expect(sent(servers)).toBe(3)
  })

  test('error: a refusal says more than a server that is away', async () => {
    const servers = sends(async (n) => {
      throw n === 1 ? refused(33) : new LiteError(-503, 'timeout')
    })
    const { pool } = await opened(clock(), servers)
    await expect(pool.send(message)).rejects.toMatchObject({ kind: 'failed' })
  })
})
