// One command, several processes: what callers and operators must not notice of it, and what they must.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Caller, callerOfEach, callers, workersOf } from '../../../setup/callers.ts'
import { type Body, call } from '../../../setup/calls.ts'
import { openRaw, type RawSocket, repliesIn } from '../../../setup/rawSocket.ts'
import { type RunningService, startBuilt } from '../../../setup/runningService.ts'

let data: string
let service: RunningService

const start = (folder: string, ...flags: string[]) =>
  startBuilt(['--data', folder, '--workers', '3', '--log-format', 'json', ...flags])

/** Of every kind of row, from the first ones on where that can be said. */
const LISTS = [
  'blocks?sort=asc&',
  'masterchainBlockShards?seqno=1&',
  'transactions?sort=asc&',
  'messages?sort=asc&',
  'traces?sort=asc&',
  'actions?sort=asc&',
  'nft/items?',
  'nft/collections?',
  'jetton/masters?',
  'jetton/wallets?',
]

/** Over a connection that is closed after it. */
const textOf = async (url: string, path: string): Promise<string> =>
  await (await fetch(url + path, { headers: { Connection: 'close' } })).text()

const ALL_READY = /"workers":"2 of 2 ready"/

async function allReady({ url }: RunningService): Promise<void> {
  while (!ALL_READY.test(await textOf(url, '/readyz'))) await sleep(50)
}

/** The same over one connection from another address, which stays: one that has ended may be counted for a moment more. */
async function allReadyOver({ url }: RunningService): Promise<RawSocket> {
  const raw = await openRaw(Number(new URL(url).port), { localAddress: '127.0.0.9' })
  for (let asked = 1; ; asked++) {
    raw.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => repliesIn(raw.text)).toHaveLength(asked)
    if (ALL_READY.test(repliesIn(raw.text).at(-1)?.body ?? '')) return raw
  }
}

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
  service = await start(data)
  await allReady(service)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
})

const seqnoOf = ({ result }: Body): number => (result as { readonly last: { readonly seqno: number } }).last.seqno

describe('callers', () => {
  test('see no earlier block after a later one, whichever process answers them', async () => {
    using all = callers(service, 6)
    for (let i = 0; i < 12; i++) {
      // Cached by all processes.
      const before = await Promise.all(all.map(async (one) => seqnoOf(await one.ask('getMasterchainInfo'))))
      expect(await all[i % all.length]?.ask('dev.mine', { blocks: 1 })).toMatchObject({ ok: true })
      const after = await Promise.all(all.map(async (one) => seqnoOf(await one.ask('getMasterchainInfo'))))
      expect(Math.min(...after)).toBeGreaterThan(Math.max(...before))
    }
  })

  test('get the same results and the same refusals from all of them', async () => {
    using all = callers(service, 4)
    const requested: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['getAddressInformation', { address: '-1:5555555555555555555555555555555555555555555555555555555555555555' }],
      ['v3.transactions', { mc_seqno: 1 }],
      ['v3.accountStates', { address: ['-1:5555555555555555555555555555555555555555555555555555555555555555'] }],
      ['packAddress', { address: '-1:5555555555555555555555555555555555555555555555555555555555555555' }],
      ['getBlockHeader', { workchain: -1, shard: '-9223372036854775808', seqno: 1 }],
      ['getBlockHeader', { workchain: -1, shard: '-9223372036854775808', seqno: 4_000_000 }],
      ['v3.decode', { opcodes: ['nonsense'] }],
      ['dev.revert', { name: 'nothing' }],
      ['getNothing', {}],
    ]
    for (const [method, params] of requested) {
      // A block may come between two of the answers.
      await vi.waitFor(async () => {
        const bodies = await Promise.all(all.map((one) => one.ask(method, params)))
        for (const body of bodies) expect({ ...body, '@extra': null }).toEqual({ ...bodies[0], '@extra': null })
      }, 300_000)
    }
  })

  test('get the same lists of the embedded index from all of them', async () => {
    using all = callers(service, 4)
    const address = '0:5555555555555555555555555555555555555555555555555555555555555555'
    for (const method of ['dev.jetton', 'dev.nft'])
      expect(await all[0]?.ask(method, { address })).toMatchObject({ ok: true })
    // The index may be some blocks behind, and a block may come between two of the answers.
    for (const path of LISTS)
      await vi.waitFor(async () => {
        const replies = await Promise.all(all.map((one) => one.get(`/api/v3/${path}limit=20`)))
        expect(replies.map(({ status }) => [path, status])).toEqual(replies.map(() => [path, 200]))
        const [first] = replies
        expect(first?.text).toMatch(/":\[\{/)
        for (const { text } of replies) expect(text).toBe(first?.text)
      }, 300_000)
  })

  test('may not use control methods with a wrong token, at any process', async () => {
    using all = callers(service, 3)
    const requested = all.map((one) =>
      one.post('/jsonRPC', call('dev.mine', { blocks: 1 }), { 'X-Control-Token': 'not-the-token-of-it' }),
    )
    for (const { status } of await Promise.all(requested)) expect(status).toBe(403)
  })

  test('have WebSockets at any process', async () => {
    const sockets = Array.from({ length: 5 }, () => new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`))
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'open')))
      for (const socket of sockets) {
        const answered = once(socket, 'message')
        socket.send(JSON.stringify(call('getMasterchainInfo')))
        expect(String((await answered)[0])).toContain('"ok":true')
      }
    } finally {
      for (const socket of sockets) socket.terminate()
    }
  })
})

test('what only the first process has is answered there, and the connection ends with the answer', async () => {
  using all = callers(service, 4)
  await Promise.all(all.map((one) => one.ask('getMasterchainInfo')))
  const requested = all.map((one) => one.post('/api/streaming/v2/nothing', { text: 'x'.repeat(100_000) }))
  const replies = await Promise.all(requested)
  const [first] = replies
  for (const { status, body } of replies) expect({ status, body }).toEqual({ status: first?.status, body: first?.body })
  // By one process, on connections of several.
  expect(new Set(replies.map(({ by }) => by)).size).toBe(1)
  // The next request of each caller is answered: after a refusal with a body in the request, and after one without.
  for (const one of all) {
    for (let i = 0; i < 3; i++) expect(await one.get('/api/streaming/v2/nothing')).toMatchObject({ by: first?.by })
    expect(await one.ask('getMasterchainInfo')).toMatchObject({ ok: true })
  }
})

test('a stream may be on any connection, and hears of a transaction on each', async () => {
  const address = '-1:5555555555555555555555555555555555555555555555555555555555555555'
  const gone = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`${service.url}/api/streaming/v2/sse`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ types: ['transactions'], addresses: [address], min_finality: 'finalized' }),
        signal: gone.signal,
      }),
    ),
  )
  const readers = streams.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader())
  const seen = async (reader: (typeof readers)[number], text: string): Promise<void> => {
    for (let all = ''; !all.includes(text); ) {
      const { value, done } = (await reader?.read()) ?? { value: '', done: true }
      if (done) throw new Error(`the stream has ended without ${text}`)
      all += value
    }
  }
  await Promise.all(readers.map((reader) => seen(reader, 'subscribed')))
  using one = new Caller(service)
  expect(await one.ask('dev.faucet', { address, amount: '1000000000' })).toMatchObject({ ok: true })
  await Promise.all(readers.map((reader) => seen(reader, '"type":"transactions"')))
  gone.abort()
})

test('calls of all processes are counted once', async () => {
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(/tonrpc_calls_total\{method="unpackAddress",outcome="ok"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  using all = callers(service, 4)
  const before = await counted()
  const address = '-1:5555555555555555555555555555555555555555555555555555555555555555'
  for (const one of all) for (let i = 0; i < 5; i++) await one.ask('unpackAddress', { address })
  // Of a process that does not answer within a second, the metrics have the counts of before.
  await expect.poll(async () => (await counted()) - before).toBe(20)
})

const cachedIn = (text: string, what: 'hits' | 'misses'): number =>
  Number(new RegExp(`^tonrpc_cache_${what}_total (\\d+)$`, 'm').exec(text)?.[1])

test('calls that the caches of all processes answered are counted, each once', async () => {
  const counted = async (): Promise<readonly [hits: number, all: number]> => {
    const text = await textOf(service.url, '/metrics')
    const hits = cachedIn(text, 'hits')
    return [hits, hits + cachedIn(text, 'misses')]
  }
  const each = [...(await callerOfEach(service, 3)).values()]
  onTestFinished(() => {
    for (const one of each) one[Symbol.dispose]()
  })
  const [hits, all] = await counted()
  const address = '-1:3333333333333333333333333333333333333333333333333333333333333333'
  for (const one of each)
    for (const method of ['packAddress', 'packAddress', 'getAddressInformation']) await one.ask(method, { address })
  await expect.poll(async () => (await counted())[1] - all).toBe(9)
  expect((await counted())[0] - hits).toBeGreaterThanOrEqual(3)
})

test('a worker that dies is started again, and the connections of others go on', async () => {
  const all = [...(await callerOfEach(service, 3)).values()]
  onTestFinished(() => {
    for (const one of all) one[Symbol.dispose]()
  })
  const ping = (one: Caller) => one.post('/jsonRPC', call('getMasterchainInfo'))
  const address = '-1:3333333333333333333333333333333333333333333333333333333333333333'
  for (const one of all) for (let i = 0; i < 2; i++) await one.ask('packAddress', { address })
  const hits = cachedIn(await textOf(service.url, '/metrics'), 'hits')
  const [victim = 0, other = 0] = workersOf(service)
  process.kill(victim, 'SIGKILL')
  const lives = await Promise.all(all.map((one) => ping(one).then(Boolean, () => false)))
  // Only connections of one process are lost.
  expect(lives.filter((isAlive) => !isAlive).length).toBeLessThanOrEqual(1)
  await service.says(/worker process ended/)
  await allReady(service)
  expect(workersOf(service)).toContain(other)
  expect(workersOf(service)).not.toContain(victim)
  expect(cachedIn(await textOf(service.url, '/metrics'), 'hits')).toBeGreaterThanOrEqual(hits)
  using later = callers(service, 6)
  for (const one of later) expect(await one.ask('getMasterchainInfo')).toMatchObject({ ok: true })
})

describe('bounds', () => {
  test('of one address and one key hold for all processes together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
    await using own = await start(folder, '--limits', 'on', '--connections-per-address', '4', '--sockets', '2')
    using _ = await allReadyOver(own)
    using all = callers(own, 8)
    const replies = await Promise.all(
      all.map((one) => one.post('/jsonRPC', call('getMasterchainInfo')).catch(() => null)),
    )
    const refused = 'too many connections'
    const taken = all.filter((_, i) => !JSON.stringify(replies[i]?.body ?? refused).includes(refused))
    expect(taken).toHaveLength(4)
    const sockets = Array.from({ length: 4 }, () => new WebSocket(`${own.url.replace('http', 'ws')}/jsonRPC`))
    try {
      const opened = sockets.map((socket) => once(socket, 'open').then(Boolean, () => false))
      expect((await Promise.all(opened)).filter(Boolean).length).toBeLessThanOrEqual(2)
    } finally {
      for (const socket of sockets) socket.terminate()
    }
    // One call a second without a key: whichever process answers, soon none is left.
    const [first] = taken
    await expect.poll(async () => (await first?.post('/jsonRPC', call('getNothing')))?.status).toBe(429)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
})

/** Whether a request is answered. Its status is 503 also where the process of a busy machine is late. */
async function isAnswered(one: RawSocket): Promise<boolean> {
  one.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  return (await one.until(/\r\n\r\n.*\}/s)).includes('"alive":true')
}

test('connections without a request make room for others, whichever process holds them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
  await using own = await start(folder, '--limits', 'on', '--connections', '7')
  using _ = await allReadyOver(own)
  const port = Number(new URL(own.url).port)
  const silent: RawSocket[] = []
  for (let i = 0; i < 6; i++) silent.push(await openRaw(port, { localAddress: '127.0.0.2' }))
  const others: RawSocket[] = []
  for (let i = 0; i < 3; i++) {
    const one = await openRaw(port, { localAddress: '127.0.0.3' })
    others.push(one)
    expect(await isAnswered(one)).toBe(true)
  }
  for (const one of silent.slice(0, 3)) expect(await one.end()).toMatch(/^HTTP\/1.1 503 /)
  expect(silent.slice(3).map(({ text }) => text)).toEqual(['', '', ''])
  for (const { socket } of [...silent, ...others]) socket.destroy()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('connections at rest make room for others, whichever process holds them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
  await using own = await start(folder, '--limits', 'on', '--connections', '11')
  using _ = await allReadyOver(own)
  const port = Number(new URL(own.url).port)
  const opened: RawSocket[] = []
  const isServed = async (localAddress: string): Promise<boolean> => {
    const one = await openRaw(port, { localAddress })
    opened.push(one)
    return await isAnswered(one)
  }
  // Each has one: for an address without any, one that rests for two seconds may make room, which a busy machine soon takes.
  const few = ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']
  const many = new Array<string>(6).fill('127.0.0.2')
  for (const address of [...few, ...many]) expect(await isServed(address)).toBe(true)
  for (const address of few) await expect.poll(() => isServed(address)).toBe(true)
  const refused = () => opened.slice(0, 10).map(({ text }) => text.includes('too many connections'))
  await expect.poll(() => refused().filter(Boolean).length).toBe(4)
  expect(refused().slice(0, few.length)).toEqual(few.map(() => false))
  for (const { socket } of opened) socket.destroy()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('a stop ends all processes, and running calls before them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
  // Thirty blocks take a busy machine longer than running calls have by default.
  await using own = await start(folder, '--drain-ms', '300000')
  await allReady(own)
  const workers = workersOf(own)
  using all = callers(own, 6)
  await Promise.all(all.map((one) => one.ask('getMasterchainInfo')))
  const running = all.map((one) => one.ask('dev.mine', { blocks: 5 }))
  // One of them has begun: the stop comes while others wait.
  await Promise.race(running)
  own.child.kill('SIGTERM')
  const bodies = await Promise.all(running)
  expect(bodies.map(({ ok, error }) => (ok === true ? null : error))).toEqual(bodies.map(() => null))
  expect(await own.ended).toEqual({ code: 0, signal: null })
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('a stop while workers start is no failure of theirs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
  for (const ready of [0, 1]) {
    await using own = await start(folder)
    while (!new RegExp(`"workers":"[${ready}-2] of 2 ready"`).test(await textOf(own.url, '/readyz'))) await sleep(10)
    own.child.kill('SIGTERM')
    expect(await own.ended).toEqual({ code: 0, signal: null })
    expect(own.stderr()).not.toMatch(/^\w*Error: /m)
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
