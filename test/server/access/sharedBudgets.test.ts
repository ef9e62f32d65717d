// Budgets of several processes, over a ledger in memory and over a Redis when there is one on this machine.

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Budgets } from '../../../server/access/budget.ts'
import { createRedisLedger } from '../../../server/access/redisBudgets.ts'
import { type BudgetLedger, type Debt, SharedBudgets } from '../../../server/access/sharedBudgets.ts'
import { RedisConnection } from '../../../server/sharing/index.ts'
import { type RedisReply, ReplyReader } from '../../../server/sharing/redisReplies.ts'
import { hasRedis, type OwnRedis, ownRedis } from '../../setup/ownRedis.ts'

const PATIENCE = { timeout: 300_000 }
/** On a busy machine a Redis may take longer to answer than the default of one second. */
const answerMs = PATIENCE.timeout
const TIER = { name: 'test', perSecond: 10 }

/** A ledger by a clock of its own, which fails on demand. */
function memoryLedger(now: () => number) {
  const fullAt = new Map<string, number>()
  const state = { isDown: false, batches: 0, failed: 0, last: [] as readonly Debt[] }
  const ledger: BudgetLedger = {
    async add(debts) {
      if (state.isDown) {
        state.failed++
        throw new Error('no connection')
      }
      state.batches++
      state.last = debts
      return debts.map(({ subject, ms }) => {
        const full = Math.max(now(), fullAt.get(subject) ?? 0) + ms
        fullAt.set(subject, full)
        return full - now()
      })
    },
    close: () => undefined,
  }
  return { ledger, state }
}

function setup() {
  const clock = { ms: 1_000_000 }
  const now = () => clock.ms
  const { ledger, state } = memoryLedger(now)
  const open = () => new SharedBudgets(new Budgets({ now }), ledger)
  return { clock, state, one: open(), two: open() }
}

const left = (budgets: SharedBudgets): number => budgets.peek('caller', TIER).remaining

describe('two processes', () => {
  test('what one has spent is missing at the other at its next call', async () => {
    const { one, two } = setup()
    one.spend('caller', TIER, 6)
    await expect.poll(() => left(one)).toBe(4)
    expect(left(two)).toBe(10)
    two.spend('caller', TIER, 1)
    await expect.poll(() => left(two)).toBe(3)
  })

  test('spent in the same moment, it is paid off afterwards', async () => {
    const { clock, one, two } = setup()
    for (const budgets of [one, two]) expect(budgets.spend('caller', TIER, 10).allowed).toBe(true)
    await expect.poll(() => Math.max(one.peek('caller', TIER).resetAfter, two.peek('caller', TIER).resetAfter)).toBe(2)
    clock.ms += 1_000
    const refused = [one, two].filter((budgets) => !budgets.spend('caller', TIER, 1).allowed)
    expect(refused.length).toBeGreaterThan(0)
    clock.ms += 1_000
    for (const budgets of [one, two]) expect(budgets.spend('caller', TIER, 1).allowed).toBe(true)
  })

  test('calls of a moment are one message, in the time they cost', async () => {
    const { state, one } = setup()
    one.spend('free', TIER, 0)
    for (let i = 0; i < 10; i++) one.spend('caller', TIER, 1)
    await expect.poll(() => state.batches).toBe(1)
    expect(state.last).toEqual([{ subject: 'caller', ms: 1_000, bucketMs: 1_000 }])
    expect(one.spend('caller', TIER, 1).allowed).toBe(false)
  })

  test('calls of thousands of callers are several messages', async () => {
    const { state, one } = setup()
    for (let i = 0; i < 1_500; i++) one.spend(`caller ${i}`, TIER, 1)
    await expect.poll(() => state.batches).toBe(2)
    expect(state.last).toHaveLength(500)
  })

  test('what is spent while the ledger answers counts beside the answer, and is sent next', async () => {
    const sent: (readonly Debt[])[] = []
    let answer = (_: readonly number[]): void => undefined
    const ledger: BudgetLedger = {
      add(debts) {
        sent.push(debts)
        return new Promise((resolve) => {
          answer = resolve
        })
      },
      close: () => undefined,
    }
    const budgets = new SharedBudgets(new Budgets({ now: () => 1_000_000 }), ledger)
    onTestFinished(() => budgets.close())
    budgets.spend('caller', TIER, 2)
    await expect.poll(() => sent.length).toBe(1)
    budgets.spend('caller', TIER, 3)
    expect(left(budgets)).toBe(5)
    // Of these, 200 are its own.
    answer([600])
    await expect.poll(() => left(budgets)).toBe(1)
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]).toEqual([{ subject: 'caller', ms: 300, bucketMs: 1_000 }])
  })

  test('without the ledger each counts alone', async () => {
    const { clock, state, one, two } = setup()
    state.isDown = true
    for (const budgets of [one, two]) {
      expect(budgets.spend('caller', TIER, 10).allowed).toBe(true)
      expect(budgets.spend('caller', TIER, 1).allowed).toBe(false)
    }
    await expect.poll(() => state.failed).toBe(2)
    state.isDown = false
    clock.ms += 1_000
    one.spend('caller', TIER, 4)
    await expect.poll(() => state.batches).toBe(1)
    expect(left(one)).toBe(6)
  })
})

describe('replies', () => {
  const whole = '+OK\r\n:7\r\n$5\r\nh\r\nlo\r\n*2\r\n$-1\r\n*1\r\n$2\r\nhi\r\n-ERR no\r\n'

  test.each([1, 2, 3, 7, 1_000])('are read in pieces of %i bytes', (size) => {
    const reader = new ReplyReader()
    const replies: RedisReply[] = []
    const bytes = Buffer.from(whole)
    for (let at = 0; at < bytes.length; at += size)
      reader.take(bytes.subarray(at, at + size), (one) => replies.push(one))
    expect(replies).toEqual(['OK', 7, 'h\r\nlo', [null, ['hi']], expect.objectContaining({ message: 'ERR no' })])
  })

  test('error: something else', () => {
    expect(() => new ReplyReader().take(Buffer.from('HTTP/1.1 400 Bad Request\r\n'), () => undefined)).toThrow(
      /does not speak the protocol of Redis/,
    )
  })
})

const ONE = { subject: 'a', ms: 1, bucketMs: 1_000 }

/** A ledger over a server of this test, which gets each connection. */
async function ledgerOver(protocol: 'redis' | 'rediss', attend: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    attend(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  const changes: (string | null)[] = []
  const ledger = createRedisLedger({
    address: `${protocol}://127.0.0.1:${port}`,
    prefix: () => Promise.resolve('test:'),
    onChange: (failure) => void changes.push(failure === null ? null : failure.message),
    answerMs,
  })
  onTestFinished(() => {
    ledger.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { ledger, changes, sockets }
}

describe('a server that is not what it should be', () => {
  const noTimes = ['$3\r\nnan', '$3\r\ninf', '$2\r\n-5', '$5\r\n1e999', ':7', '$-1', '$4\r\nlots', '*0']
  const noLists = ['*0', '*2\r\n$1\r\n1\r\n$1\r\n1', '+1', '$-1']
  test.each([...noTimes.map((time) => `*1\r\n${time}`), ...noLists])('an answer of %j is refused', async (answer) => {
    const { ledger } = await ledgerOver('redis', (socket) =>
      socket.on('data', (bytes) => socket.write(bytes.includes('PING') ? '+PONG\r\n' : `${answer}\r\n`)),
    )
    const refused = () => ledger.add([ONE]).catch((error: Error) => error.message)
    await expect.poll(refused, PATIENCE).not.toBe('no connection to Redis')
    expect(await refused()).toBe('unexpected answer of Redis')
  })

  test('one that takes a connection and never greets back is said to be lost, and is tried again', async () => {
    const { sockets, changes } = await ledgerOver('rediss', () => undefined)
    await expect.poll(() => sockets.size, PATIENCE).toBe(2)
    expect(changes).toEqual(['no connection within 5000 ms'])
  })
})

describe.runIf(hasRedis)('a Redis', () => {
  let server: OwnRedis
  beforeAll(async () => {
    server = await ownRedis('--requirepass', 'hidden')
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const open = (changes: (string | null)[] = [], password = 'hidden') => {
    const address = `redis://:${password}@127.0.0.1:${server.port}`
    const onChange = (failure: Error | null) => void changes.push(failure === null ? null : failure.message)
    const prefix = `test:${Math.random()}:`
    const ledger = createRedisLedger({ address, prefix: () => Promise.resolve(prefix), onChange, answerMs })
    onTestFinished(() => ledger.close())
    return ledger
  }

  test('adds debts of all processes, which time pays off', async () => {
    const ledger = open()
    const add = (ms: number) =>
      ledger.add([
        { subject: '2001:db8::/64', ms, bucketMs: 1_000 },
        { subject: 'b', ms: 0, bucketMs: 1_000 },
      ])
    await expect.poll(() => add(60_000).catch(() => null)).not.toBeNull()
    const [first = 0, other = 0] = await add(60_000)
    expect(first).toBeGreaterThan(60_000)
    expect(first).toBeLessThanOrEqual(120_000)
    expect(other).toBe(0)
  })

  test('a moment far ahead, as of before its clock was set back, keeps nobody out for long', async () => {
    const address = `redis://:hidden@127.0.0.1:${server.port}`
    const other = new RedisConnection({ address, onChange: () => undefined, answerMs })
    onTestFinished(() => other.close())
    const prefix = `ahead:${Math.random()}:`
    const day = 86_400_000
    const write = (value: string) => other.send(['SET', `${prefix}a`, value]).catch(() => null)
    await expect.poll(() => write(String(Date.now() + day)), PATIENCE).toBe('OK')
    const ledger = createRedisLedger({
      address,
      prefix: () => Promise.resolve(prefix),
      onChange: () => undefined,
      answerMs,
    })
    onTestFinished(() => ledger.close())
    const add = () => ledger.add([ONE]).catch(() => null)
    await expect.poll(add, PATIENCE).not.toBeNull()
    expect((await add())?.[0]).toBeLessThanOrEqual(100 * ONE.bucketMs + 1)
    for (const garbage of ['garbage', '', ' ', '7 later', 'inf inf', 'nan nan']) {
      await write(garbage)
      expect((await add())?.[0]).toBe(1)
    }
  })

  test('a clock that is set back, or another one, leaves a debt as it was', async () => {
    const address = `redis://:hidden@127.0.0.1:${server.port}`
    const other = new RedisConnection({ address, onChange: () => undefined, answerMs })
    onTestFinished(() => other.close())
    const ledger = createRedisLedger({
      address,
      prefix: () => Promise.resolve('behind:'),
      onChange: () => undefined,
      answerMs,
    })
    onTestFinished(() => ledger.close())
    const debt = { subject: 'a', ms: 60_000, bucketMs: 60_000 }
    await expect.poll(() => ledger.add([debt]).catch(() => null), PATIENCE).not.toBeNull()
    const day = 86_400_000
    // As it was written a day ahead.
    const kept = String(await other.send(['GET', 'behind:a']))
    await other.send(['SET', 'behind:a', kept.replace(/\d+\.\d+/g, (ms) => String(Number(ms) + day))])
    const [left = 0] = await ledger.add([{ ...debt, ms: 0 }])
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60_000)
  })

  test('lost and back again, it is reported once each', async () => {
    const changes: (string | null)[] = []
    const ledger = open(changes)
    const works = () =>
      ledger.add([ONE]).then(
        () => true,
        () => false,
      )
    await expect.poll(works).toBe(true)
    await server.stop()
    await expect.poll(works).toBe(false)
    await server.start()
    await expect.poll(works).toBe(true)
    expect(changes).toHaveLength(2)
    expect(changes[1]).toBeNull()
  })

  test('error: a wrong password', async () => {
    const changes: (string | null)[] = []
    const ledger = open(changes, 'wrong')
    await expect.poll(() => changes[0]).toMatch(/WRONGPASS/)
    await expect(ledger.add([ONE])).rejects.toThrow()
    expect(changes.join()).not.toContain('hidden')
  })
})
