// Many servers as one: what comes when some of them hang, lag, refuse, go away or lie.

import { describe, expect, test } from 'vitest'
import { LiteError, type LiteOptions } from '../../../../server/node/index.ts'
import { poolOfFewMessages, stateOf } from './poolScene.ts'
import { hang, refuse } from './wrappedServers.ts'

const { clock, serversOf, opened, blockAt, newest } = poolOfFewMessages()

describe('choice', () => {
  test('behavior: 10,000 calls are spread over equal servers, and a slow one gets fewer', async () => {
    const servers = serversOf(5)
    const [slow] = servers
    if (slow) slow.latencyMs = 500
    const { pool } = await opened(clock(), servers)
    const id = blockAt(3)
    const lane = async () => {
      for (let i = 0; i < 500; i++) await pool.header(id)
    }
    await Promise.all(Array.from({ length: 20 }, lane))
    const counts = servers.map(({ calls }) => calls.get('header') ?? 0)
    expect(counts.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(10_000)
    const equal = counts.slice(1)
    expect(Math.min(...equal)).toBeGreaterThan(Math.max(...equal) * 0.7)
    expect(counts[0]).toBeLessThan(Math.min(...equal) / 2)
  })

  test('behavior: a server that was slow and is quick again is found out', async () => {
    const [quick, slow] = serversOf(2)
    if (!quick || !slow) return
    slow.latencyMs = 1_000
    const { pool } = await opened(clock(), [quick, slow])
    for (let i = 0; i < 100; i++) await pool.header(blockAt(2))
    expect(slow.calls.get('header')).toBeLessThan(20)
    slow.latencyMs = 5
    for (let i = 0; i < 1_000; i++) await pool.header(blockAt(2))
    expect(slow.calls.get('header')).toBeGreaterThan(200)
  })

  test('behavior: of two servers the one five blocks behind is not used for the newest', async () => {
    const [ahead, behind] = serversOf(2)
    if (!ahead || !behind) return
    behind.head -= 5
    const { pool } = await opened(clock(), [ahead, behind])
    expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'behind' })
    for (let i = 0; i < 20; i++) {
      expect((await pool.masterchainInfo()).last.seqno).toBe(newest())
      await pool.shards(blockAt(newest()))
    }
    expect(behind.calls.get('shards')).toBeUndefined()
    // Blocks that it has are read from it.
    for (let i = 0; i < 20; i++) await pool.shards(blockAt(2))
    expect(behind.calls.get('shards')).toBeGreaterThan(0)
  })

  test('behavior: calls of one attempt go to one server', async () => {
    const servers = serversOf(4)
    const { pool } = await opened(clock(), servers)
    for (let i = 0; i < 10; i++) {
      const before = servers.map(({ total }) => total)
      await pool.attempt?.(async (one) => {
        await one.header(blockAt(2))
        await one.shards(blockAt(2))
        await one.header(blockAt(3))
      })
      const made = servers.map(({ total }, n) => total - (before[n] ?? 0)).filter((count) => count > 0)
      expect(made).toEqual([3])
    }
  })

  test('behavior: a budget of calls per second holds for each server', async () => {
    const servers = serversOf(2)
    const { pool } = await opened(clock(), servers, { perSecond: 10 })
    const begun = clock().now()
    await Promise.all(Array.from({ length: 100 }, () => pool.header(blockAt(2), 0, { timeoutMs: 60_000 })))
    // 20 at once, the rest at 20 per second; standing waits take their share.
    expect(clock().now() - begun).toBeGreaterThanOrEqual(3_500)
    expect(Math.max(...servers.map(({ total }) => total))).toBeLessThan(70)
    await expect(
      Promise.all(Array.from({ length: 100 }, () => pool.header(blockAt(2), 0, { timeoutMs: 500 }))),
    ).rejects.toMatchObject({ code: 228 })
  })
})

describe('refusals', () => {
  test.each([
    ['a server that never answers', hang],
    [
      'a server that has not got the block',
      refuse(651, 'cannot find block (-1,8000000000000000) seqno=2: seqno not in db'),
    ],
    ['an older server that has not got it', refuse(-400, 'cannot load block (-1,8000000000000000,2) : not in db')],
    ['a server without the state', refuse(602, "state already gc'd")],
    ['a proxy without a backend', refuse(502, 'backend node timeout')],
    ['a server that has enough', refuse(228, 'too many requests')],
    [
      'garbage',
      async (verb: string, _: unknown, honest: () => Promise<unknown>) =>
        verb === 'masterchainInfo' ? honest() : Promise.reject(new RangeError('read beyond the end')),
    ],
  ] as const)('behavior: %s: another one answers', async (_name, fault) => {
    const servers = serversOf(3)
    const { pool } = await opened(clock(), servers)
    const [bad] = servers
    if (bad) bad.fault = fault
    for (let i = 0; i < 12; i++) expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
    expect(bad?.calls.get('header')).toBeGreaterThan(0)
  })

  test.each([
    ['a failure without a reason', refuse(0, 'failed')],
    ['a query it calls wrong', refuse(-400, 'cannot locate transaction in block with specified logical time')],
  ] as const)('behavior: of what is proven to exist, %s sends the call to others', async (_name, fault) => {
    const servers = serversOf(6)
    for (const server of servers.slice(1)) server.fault = fault
    const { pool } = await opened(clock(), servers)
    const read = () => pool.attempt?.((one) => one.header(blockAt(2)), { exists: true })
    for (let i = 0; i < 12; i++) expect((await read())?.id.seqno).toBe(2)
    await expect(Promise.all(Array.from({ length: 12 }, () => pool.header(blockAt(2))))).rejects.toThrow(LiteError)
  })

  test('behavior: that it is gone is said only when all say so', async () => {
    const servers = serversOf(3)
    for (const server of servers) server.fault = refuse(651, 'lt not in db')
    const { pool } = await opened(clock(), servers)
    const read = () => pool.attempt?.((one) => one.header(blockAt(2)), { exists: true })
    for (let i = 0; i < 6; i++) await expect(read()).rejects.toMatchObject({ isMissing: true })
    const [last] = servers
    for (const fault of [refuse(0, 'failed'), refuse(-503, 'no backend'), hang]) {
      if (last) last.fault = fault
      await expect(read()).rejects.toMatchObject({ isMissing: false })
      await clock().sleep(60_000)
    }
  })

  test('behavior: the one that keeps the past is found, and then known', async () => {
    const servers = serversOf(6)
    const [archive] = servers
    for (const server of servers.slice(1)) server.fault = refuse(651, 'cannot find block (0,80) lt=7: lt not in db')
    const { pool } = await opened(clock(), servers)
    const read = (lt: bigint) => pool.attempt?.((one) => one.header(blockAt(2)), { exists: true, lt })
    for (let i = 0; i < 20; i++) expect((await read(1_000n))?.id.seqno).toBe(2)
    const before = servers.map(({ total }) => total)
    for (let i = 0; i < 20; i++) await read(900n)
    expect(servers.map(({ total }, i) => total - (before[i] ?? 0))).toEqual([20, 0, 0, 0, 0, 0])
    expect(archive?.total).toBeGreaterThan(20)
    // What a caller makes up says nothing of what they have.
    for (let i = 0; i < 20; i++)
      await pool.attempt?.((one) => one.header(blockAt(2)), { lt: 2n ** 62n }).catch(() => undefined)
    // What is newer they may have.
    for (const server of servers) server.fault = null
    for (let i = 0; i < 40; i++) await read(1_001n)
    expect(Math.min(...servers.slice(1).map(({ total }, i) => total - (before[i + 1] ?? 0)))).toBeGreaterThan(0)
  })

  test('error: what every server would refuse is refused by two', async () => {
    const servers = serversOf(3)
    for (const server of servers) server.fault = refuse(-400, 'requested entry count limit must be positive')
    const { pool } = await opened(clock(), servers)
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({ code: -400 })
    expect(servers.map(({ calls }) => calls.get('header') ?? 0).reduce((a, b) => a + b)).toBe(2)
    expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', server2: 'ready' })
  })

  test('error: at most three servers are tried, and their refusal is returned', async () => {
    const servers = serversOf(6)
    for (const server of servers) server.fault = refuse(651, 'seqno not in db')
    const { pool } = await opened(clock(), servers)
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({ code: 651, message: 'seqno not in db' })
    expect(servers.filter(({ calls }) => calls.has('header')).length).toBe(3)
  })

  test('behavior: a server that has enough is left alone, longer each time', async () => {
    const servers = serversOf(2)
    const { pool } = await opened(clock(), servers)
    const [tired] = servers
    if (!tired) return
    tired.fault = refuse(429, 'too many requests')
    const requested: number[] = []
    for (let second = 0; second < 60; second++) {
      const before = tired.calls.get('header') ?? 0
      for (let i = 0; i < 4; i++) await pool.header(blockAt(2))
      if ((tired.calls.get('header') ?? 0) > before) requested.push(second)
      await clock().sleep(1_000)
    }
    const pauses = requested.map((at, i) => at - (requested[i - 1] ?? at)).slice(1)
    expect(pauses.length).toBeGreaterThan(2)
    expect(pauses.at(-1)).toBeGreaterThan((pauses[0] ?? 0) * 4)
  })

  test('behavior: a server without the blocks it reports is used less and less', async () => {
    const servers = serversOf(2)
    const [hollow] = servers
    if (!hollow) return
    hollow.latencyMs = 1
    hollow.fault = async (verb, _args, honest) => {
      if (verb !== 'masterchainInfo') throw new LiteError('notReady', 'block is not in db (possibly out of sync)')
      return await honest()
    }
    const { pool } = await opened(clock(), servers)
    for (let i = 0; i < 100; i++) await pool.shards(blockAt(2))
    expect(stateOf(pool).server0).toBe('failing')
    expect(hollow.calls.get('shards')).toBeLessThan(30)
  })

  test('behavior: calls beyond what one connection carries wait', async () => {
    const [server] = serversOf(1)
    if (!server) return
    let most = 0
    let running = 0
    server.fault = async (_verb, _args, honest) => {
      most = Math.max(most, ++running)
      await clock().sleep(100)
      running--
      return await honest()
    }
    const { pool } = await opened(clock(), [server])
    await Promise.all(Array.from({ length: 1_000 }, () => pool.header(blockAt(2), 0, { timeoutMs: 60_000 })))
    expect(most).toBeLessThanOrEqual(220)
  })

  test('error: no further server is tried after the timeout of the caller', async () => {
    const servers = serversOf(3)
    const { pool } = await opened(clock(), servers)
    for (const server of servers) server.fault = hang
    const begun = clock().now()
    await expect(pool.header(blockAt(2), 0, { timeoutMs: 2_000 })).rejects.toMatchObject({ kind: 'timeout' })
    expect(clock().now() - begun).toBeLessThan(2_500)
  })

  test('behavior: a block on its way is awaited', async () => {
    const servers = serversOf(1)
    const [server] = servers
    if (!server) return
    server.head -= 1
    const { pool } = await opened(clock(), servers)
    const answer = pool.header(blockAt(newest()))
    await clock().sleep(700)
    server.head += 1
    expect((await answer).id.seqno).toBe(newest())
  })
})

describe('time', () => {
  test('behavior: all away for a minute, and back', async () => {
    const servers = serversOf(3)
    const { pool, lines } = await opened(clock(), servers)
    const heads: number[] = []
    pool.onHead(({ seqno }) => heads.push(seqno))
    for (const server of servers) server.goDown()
    await clock().sleep(100)
    expect(new Set(Object.values(stateOf(pool)))).toEqual(new Set(['away']))
    const begun = clock().now()
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({ message: 'no lite server is connected' })
    expect(clock().now() - begun).toBeLessThan(3_000)
    await clock().sleep(60_000)
    // Known to be away: callers are refused at once.
    const later = clock().now()
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({ message: 'no lite server is connected' })
    expect(clock().now()).toBe(later)
    expect(lines.filter(({ text }) => text === 'lite server lost').length).toBe(3)
    for (const server of servers) server.isUp = true
    // While none can be called, each is tried every few seconds.
    await clock().sleep(8_000)
    expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
    await clock().sleep(60_000)
    expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready', server2: 'ready' })
  })

  test('behavior: a connection that ends during a call costs its caller a moment, not the answer', async () => {
    const [only] = serversOf(1)
    if (!only) return
    const { pool } = await opened(clock(), [only])
    let resets = 0
    only.fault = async (verb, _args, honest) => {
      if (verb === 'header' && resets++ < 2) only.goDown()
      only.isUp = true
      return await honest()
    }
    expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
    expect(only.connections).toBe(3)
    // Not for ever.
    resets = -10
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({
      kind: 'cancelled',
      message: 'the connection to server0 ended',
    })
  })

  test('behavior: a chain that was reverted is known to be, before it is as long as it was', async () => {
    const servers = serversOf(2)
    for (const server of servers) server.head = 3
    const { pool } = await opened(clock(), servers)
    const heads: number[] = []
    pool.onHead(({ seqno }) => heads.push(seqno))
    for (const head of [newest(), 3]) {
      await clock().sleep(1_000)
      for (const server of servers) server.head = head
    }
    await clock().sleep(30_000)
    // Named before, and news again.
    expect(heads.at(-1)).toBe(3)
    expect(pool.servers.map(({ seqno }) => seqno)).toEqual([3, 3])
    expect((await pool.masterchainInfo()).last.seqno).toBe(3)
    expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'ready' })
  })

  test('behavior: the newest block is reported, and each new one once', async () => {
    const servers = serversOf(3)
    for (const server of servers) server.head = 3
    const { pool } = await opened(clock(), servers)
    const heads: number[] = []
    pool.onHead(({ seqno }) => heads.push(seqno))
    for (let seqno = 4; seqno <= newest(); seqno++) {
      for (const server of servers) server.head = seqno
      await clock().sleep(1_000)
    }
    expect(heads).toEqual(Array.from({ length: newest() - 2 }, (_, i) => i + 3))
  })

  test('behavior: an unusually slow call is repeated on another server, at most one in twenty', async () => {
    const servers = serversOf(3)
    const { pool } = await opened(clock(), servers)
    for (let i = 0; i < 200; i++) await pool.header(blockAt(2))
    const before = servers.map(({ calls }) => calls.get('header') ?? 0).reduce((a, b) => a + b)
    for (const server of servers)
      server.fault = async (verb, _args, honest) => {
        if (verb === 'header' && clock().random() < 0.04) await clock().sleep(3_000)
        return await honest()
      }
    const times: number[] = []
    for (let i = 0; i < 400; i++) {
      const begun = clock().now()
      await pool.header(blockAt(2))
      times.push(clock().now() - begun)
    }
    const extra = servers.map(({ calls }) => calls.get('header') ?? 0).reduce((a, b) => a + b) - before - 400
    expect(extra).toBeGreaterThan(0)
    expect(extra).toBeLessThanOrEqual(0.05 * 600 + 1)
    expect(pool.hedgedShare).toBeLessThanOrEqual(0.05)
    // Without a second server every twenty-fifth would take 3 s.
    expect(times.filter((ms) => ms > 2_000).length).toBeLessThan(6)
  })

  test('behavior: a server that drips its answers does not hold up the first calls', async () => {
    const [good, drip] = serversOf(2)
    if (!good || !drip) return
    const { pool } = await opened(clock(), [good, drip])
    // It tells its newest block like any other, and takes for ever over a block.
    drip.fault = async (verb, args, honest) => (verb === 'block' ? await hang(verb, args, honest) : await honest())
    const begun = clock().now()
    await Promise.all(Array.from({ length: 16 }, (_, i) => pool.block(blockAt(1 + (i % 8)))))
    expect(drip.calls.get('block')).toBeGreaterThan(0)
    expect(clock().now() - begun).toBeLessThan(2_000)
  })

  test('error: a cancelled call ends at once', async () => {
    const servers = serversOf(2)
    const { pool } = await opened(clock(), servers)
    for (const server of servers) server.fault = hang
    const end = new AbortController()
    const begun = clock().now()
    const answer = pool.header(blockAt(2), 0, { signal: end.signal })
    await clock().sleep(200)
    end.abort()
    await expect(answer).rejects.toMatchObject({ kind: 'cancelled' })
    expect(clock().now() - begun).toBeLessThan(1_000)
  })

  test('error: a call that was given up, or is late, ends at its server too', async () => {
    const servers = serversOf(1)
    const { pool } = await opened(clock(), servers)
    for (const giveUp of [true, false]) {
      let given: AbortSignal | undefined
      for (const server of servers)
        server.fault = (verb, args, answer) => {
          if (verb !== 'header') return answer()
          given = (args.at(-1) as LiteOptions).signal
          return new Promise(() => undefined)
        }
      const end = new AbortController()
      const answer = pool.header(blockAt(2), 0, { signal: end.signal, timeoutMs: 2_000 })
      answer.catch(() => undefined)
      await clock().sleep(200)
      expect(given?.aborted).toBe(false)
      if (giveUp) end.abort()
      await expect(answer).rejects.toMatchObject({ kind: giveUp ? 'cancelled' : 'timeout' })
      expect(given?.aborted).toBe(true)
    }
  })
})
