// Servers that may be called a few times a second: who of those that wait is next, and what takes no call.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ownSignal } from '../../../../server/fairness/index.ts'
import { createDispatch, createResultCache, NO_MODIFIERS } from '../../../../server/methods/index.ts'
import { INDEX_SHARE, LiteError, type LiteOptions, type LiteServer } from '../../../../server/node/index.ts'
import { createLog, createMetrics } from '../../../../server/observe/index.ts'
import { type MethodSpec, method } from '../../../../shared/method.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { accessFor } from '../../methods/accessFor.ts'
import { poolScene } from './poolScene.ts'
import { refuse, type WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

describe('a budget of one call a second', () => {
  test('behavior: the newest block is followed, and takes a half of it', async () => {
    const [server] = serversOf(1)
    if (!server) return
    server.head = 1
    const { pool } = await opened(clock(), [server], { perSecond: 1 })
    const heads: number[] = []
    pool.onHead(({ seqno }) => heads.push(seqno))
    const done: number[] = []
    for (let second = 0; second < 60; second++) {
      if (second % 3 === 0) void pool.header(blockAt(1), 0, { timeoutMs: 60_000 }).then(() => done.push(second))
      if (second % 10 === 0) server.head++
      await clock().sleep(1_000)
    }
    expect(heads.length).toBeGreaterThan(4)
    expect(done.length).toBeGreaterThan(17)
    expect(server.total).toBeLessThan(45)
  })

  test('behavior: calls are answered in the order they came, and what comes later takes no place', async () => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 1 })
    const done: number[] = []
    const ask = (number: number) =>
      pool.header(blockAt(1), 0, { timeoutMs: 60_000 }).then(
        () => done.push(number),
        () => undefined,
      )
    const early = Array.from({ length: 10 }, (_, number) => ask(number))
    const late: Promise<unknown>[] = []
    for (let i = 0; i < 100; i++) {
      await clock().sleep(100)
      late.push(ask(10 + i))
    }
    await Promise.all(early)
    expect(done.slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    await Promise.all(late)
    expect(done).toEqual([...done].sort((a, b) => a - b))
  })
})

describe('few calls a second', () => {
  const share = INDEX_SHARE
  const waiting = { timeoutMs: 60_000 }

  test('behavior: a caller does not wait behind an index that catches up, which goes on', async () => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 5 })
    const end = new AbortController()
    let indexed = 0
    const catchUp = async (): Promise<void> => {
      while (!end.signal.aborted) {
        await pool.header(blockAt(1), 0, { ...waiting, share })
        indexed++
      }
    }
    const index = Array.from({ length: 32 }, () => catchUp())
    await clock().sleep(5_000)
    const waits: number[] = []
    const from = clock().now()
    const before = indexed
    for (let i = 0; i < 20; i++) {
      const begun = clock().now()
      await pool.header(blockAt(2), 0, waiting)
      waits.push(clock().now() - begun)
    }
    const took = clock().now() - from
    const got = indexed - before
    end.abort()
    // One call of the index at most is before it: the head takes half of five calls a second.
    expect(Math.max(...waits)).toBeLessThan(1_000)
    expect(got).toBeGreaterThan(took / 1_000 / 2)
    await Promise.all(index)
  })

  test('behavior: many callers leave the index a quarter of the calls', async () => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 10 })
    const counts = { index: 0, callers: 0 }
    const end = clock().now() + 60_000
    const many = async (name: keyof typeof counts, own: LiteOptions): Promise<void> => {
      for (; clock().now() < end; counts[name]++) await pool.header(blockAt(1), 0, own)
    }
    await Promise.all([
      ...Array.from({ length: 32 }, () => many('index', { ...waiting, share })),
      ...Array.from({ length: 32 }, () => many('callers', waiting)),
    ])
    const part = counts.index / (counts.index + counts.callers)
    expect(part).toBeGreaterThan(0.2)
    expect(part).toBeLessThan(0.35)
  })

  /** The longest wait of one who makes one call after the other, while another one makes as many as he can. */
  async function longestWait(flood: () => Promise<unknown>, call: () => Promise<unknown>): Promise<number> {
    const end = clock().now() + 60_000
    const flooding = Array.from({ length: 48 }, async () => {
      while (clock().now() < end) await flood()
    })
    await clock().sleep(5_000)
    const waits: number[] = []
    for (let i = 0; i < 10; i++) {
      const begun = clock().now()
      await call()
      waits.push(clock().now() - begun)
    }
    await Promise.all(flooding)
    return Math.max(...waits)
  }

  test.each([
    ['named by its share', (name: string): LiteOptions => ({ ...waiting, share: name })],
    [
      'named by the signal of its call',
      (name: string): LiteOptions => {
        const { signal } = new AbortController()
        ownSignal(signal, name)
        return { ...waiting, signal }
      },
    ],
  ])('behavior: a caller does not wait behind the calls of another one, %s', async (_, callOf) => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 10 })
    const longest = await longestWait(
      () => pool.header(blockAt(1), 0, callOf('flooding')),
      () => pool.header(blockAt(2), 0, callOf('honest')),
    )
    // The head takes half of the calls, and both callers have one of two of the others each.
    expect(longest).toBeLessThan(1_000)
  })

  test('behavior: reads of many calls each are counted as many', async () => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 10 })
    const long = (one: LiteServer) => Promise.all(Array.from({ length: 8 }, () => one.header(blockAt(1))))
    const counts = { long: 0, short: 0 }
    const end = clock().now() + 60_000
    const many = async (name: keyof typeof counts, work: () => Promise<unknown>): Promise<void> => {
      for (; clock().now() < end; counts[name]++) await work()
    }
    await Promise.all([
      ...Array.from({ length: 8 }, () => many('long', async () => pool.attempt?.(long, { ...waiting, share: 'long' }))),
      ...Array.from({ length: 8 }, () =>
        many('short', () => pool.header(blockAt(2), 0, { ...waiting, share: 'short' })),
      ),
    ])
    // Eight calls of the one for one of the other would be even.
    expect(counts.short / counts.long).toBeGreaterThan(5)
  })

  test('behavior: a call that is made again at another server is counted again', async () => {
    const servers = serversOf(3)
    const counts = { refused: 0, answered: 0 }
    for (const server of servers)
      server.fault = async (verb, args, honest) => {
        const [id] = args
        if (verb !== 'header' || typeof id !== 'object' || id === null || !('seqno' in id)) return await honest()
        const isRefused = id.seqno === 1
        counts[isRefused ? 'refused' : 'answered']++
        if (isRefused) throw new LiteError(651, 'cannot load block')
        return await honest()
      }
    const { pool } = await opened(clock(), servers, { perSecond: 10 })
    const end = clock().now() + 20_000
    const many = async (share: string, seqno: number): Promise<void> => {
      while (clock().now() < end) await pool.header(blockAt(seqno), 0, { ...waiting, share }).catch(() => undefined)
    }
    await Promise.all([
      ...Array.from({ length: 8 }, () => many('refused', 1)),
      ...Array.from({ length: 8 }, () => many('answered', 2)),
    ])
    // Both have as many calls of the servers; three for one when only the first is counted.
    expect(counts.refused / counts.answered).toBeLessThan(1.5)
  })

  /** Block 1 cannot be loaded by these servers. */
  const without = (servers: readonly WrappedServer[]): readonly WrappedServer[] => {
    for (const server of servers)
      server.fault = async (verb, [id], honest) => {
        const isLost = verb === 'header' && typeof id === 'object' && id !== null && 'seqno' in id && id.seqno === 1
        if (isLost) throw new LiteError(651, 'cannot load block')
        return await honest()
      }
    return servers
  }

  test('behavior: a caller does not wait behind calls that another one has to make again', async () => {
    const { pool } = await opened(clock(), without(serversOf(3)), { perSecond: 10 })
    const longest = await longestWait(
      () => pool.header(blockAt(1), 0, { ...waiting, share: 'flooding' }).catch(() => undefined),
      () => pool.header(blockAt(2), 0, { ...waiting, share: 'honest' }),
    )
    expect(longest).toBeLessThan(1_000)
  })

  test('behavior: a call that only a resting server is left to holds up nobody', async () => {
    const servers = serversOf(2)
    const [first, resting] = servers
    if (!first || !resting) return
    without([first])
    resting.fault = refuse(228, 'too many requests')
    const { pool } = await opened(clock(), servers)
    // Both have been called, and one of them rests, the longer the more often it has refused.
    for (let i = 0; i < 8; i++) await pool.header(blockAt(2), 0, waiting)
    let refused = 0
    const stuck = Array.from({ length: 8 }, () =>
      pool.header(blockAt(1), 0, waiting).catch(() => {
        refused++
      }),
    )
    await clock().sleep(200)
    const begun = clock().now()
    for (let i = 0; i < 5; i++) await pool.header(blockAt(2), 0, waiting)
    expect(clock().now() - begun).toBeLessThan(400)
    expect(refused).toBeLessThan(8)
    await Promise.all(stuck)
  })

  test('behavior: what was heard of the newest block takes no call', async () => {
    const [server] = serversOf(1)
    if (!server) return
    const { pool } = await opened(clock(), [server], { perSecond: 1 })
    const begun = clock().now()
    for (let i = 0; i < 100; i++) {
      expect(pool.heard?.()?.last.seqno).toBe(server.head)
      await pool.attempt?.((one) => one.masterchainInfo(), { newest: true })
    }
    expect(clock().now() - begun).toBeLessThan(5_000)
    server.goDown()
    expect(pool.heard?.() ?? null).toBe(null)
  })
})

describe('a call that waits too long for the servers', () => {
  const LIMIT = 'calls wait for the lite servers, which get at most 7 per second each (--liteserver-rps)'

  /** Answers calls that read a block, while the clock of the pool stands still. */
  async function setUp() {
    const { pool } = await opened(clock(), serversOf(2), { perSecond: 7 })
    void clock().during(new Promise(() => undefined))
    const registry = {
      read: method({
        summary: 'Reads.',
        group: 'test',
        params: z.strictObject({}),
        result: z.unknown(),
        rest: [],
        freshness: 'live',
        example: { params: {}, result: 1 },
      }),
    } satisfies Record<string, MethodSpec>
    const access = await accessFor(() => 1_000_000)
    const warn = vi.fn()
    const dispatch = createDispatch({
      registry,
      handlers: { read: async (_params, { signal }) => await pool.header(blockAt(1), 0, { signal }) },
      access,
      cache: createResultCache(1_000),
      metrics: createMetrics(),
      checkResults: false,
      timeoutMs: 30,
      statementMs: 30,
      log: { ...createLog({ format: 'json', level: 'silent' }), warn },
    })
    const read = () =>
      dispatch.run(
        'read',
        {},
        {
          caller: { subject: 'me', keyId: null, tier: null },
          requestId: 'r1',
          budget: null,
          whyNoControl: null,
          signal: new AbortController().signal,
          modifiers: NO_MODIFIERS,
        },
      )
    return { pool, read, warn }
  }

  test('error: the limit of calls to each server is named, to the caller and in the log', async () => {
    const { pool, read, warn } = await setUp()
    const end = new AbortController()
    const flood = Array.from({ length: 40 }, () => pool.header(blockAt(2), 0, { signal: end.signal }).catch(() => 0))
    await expect(read()).rejects.toMatchObject({
      kind: 'timeout',
      message: `Timeout: no answer within 30 ms: ${LIMIT}`,
    })
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ kind: 'timeout', reason: LIMIT }), 'call failed')
    end.abort()
    await Promise.all(flood)
  })

  test('error: it is not named where a server has the call and does not answer', async () => {
    const { read, warn } = await setUp()
    await expect(read()).rejects.toMatchObject({ kind: 'timeout', message: 'Timeout: no answer within 30 ms' })
    expect(warn).toHaveBeenCalledWith(expect.not.objectContaining({ reason: LIMIT }), 'call failed')
  })

  test.each([false, true])('error: it is named at the end of the deadline of the pool: %s', async (exists) => {
    const { pool } = await opened(clock(), serversOf(2), { perSecond: 7 })
    const options = { timeoutMs: 500, exists }
    const reads = Array.from({ length: 100 }, () => pool.attempt?.((one) => one.header(blockAt(2)), options))
    await expect(Promise.all(reads)).rejects.toThrow(LIMIT)
  })
})
