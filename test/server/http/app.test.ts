// The doors with an access room that takes as long as a test wants.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BUILT_IN, type Caller, createAddressRanges } from '../../../server/access/index.ts'
import { createDrawing } from '../../../server/docs/createDrawing.ts'
import { createDocs } from '../../../server/docs/index.ts'
import { createHttp } from '../../../server/http/app.ts'
import type { OpenRelay } from '../../../server/http/exchange/relay.ts'
import { ConnectionSeats, defaultLimits, portEntrance, SeatedConnections } from '../../../server/http/index.ts'
import type { Dispatch } from '../../../server/methods/index.ts'
import { createLog, createMetrics, type Metrics } from '../../../server/observe/index.ts'
import { ask, call, connectTo, refusalOf, STRICT } from '../../setup/calls.ts'
import { arithmetic } from '../../setup/madeUp.ts'
import { openRaw, repliesIn } from '../../setup/rawSocket.ts'

interface Answering {
  readonly ask: Dispatch['ask']
  readonly relay: OpenRelay
  /** At most. */
  readonly connections: number
}

const PATIENT = { timeout: 300_000 }
/** The connection that reads the metrics. */
const ONE_OPEN = 'tonrpc_http_connections 1\n'

const METRICS = 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

const SOMEONE: Caller = { subject: 'someone', keyId: null, tier: null }

/** Everything but the doors is as small as can be; no method is ever reached. */
async function startDoors(
  identify: () => Caller | Promise<Caller>,
  readiness: () => never | Promise<never> = () => Promise.reject(new Error('private')),
  metrics: Partial<Metrics> = {},
  {
    ask: answer = () => Promise.reject(new Error('no method here')),
    relay,
    connections = defaultLimits.connections,
  }: Partial<Answering> = {},
) {
  const dispatch: Dispatch = {
    question: (name, params) => ({ name, params, entry: null, key: '' }),
    recall: () => null,
    ask: answer,
    run: () => Promise.reject(new Error('no method here')),
    perform: () => Promise.reject(new Error('no method here')),
    refuse: (_name, error) => error,
    exhausted: () => null,
  }
  const facts = {
    title: 'doors',
    versions: { v2: '2.2.0', v3: '1.0.0' },
    network: 'devnet',
    limits: {},
  } as const
  const seats = new ConnectionSeats({ ...defaultLimits, connections }, () => false)
  const http = await createHttp({
    registry: arithmetic,
    dispatch,
    keys: () => Promise.reject(new Error('no keys here')),
    access: { identify, spend: () => null, peek: () => null },
    docs: createDocs(arithmetic, facts, { draw: createDrawing(arithmetic, facts) }),
    metrics: { ...createMetrics(), ...metrics },
    log: createLog({ format: 'json', level: 'silent' }),
    readiness,
    relay,
    entrance: portEntrance({
      host: '127.0.0.1',
      port: 0,
      connections: new SeatedConnections(seats, 16),
      handOver: null,
    }),
    options: {
      network: 'devnet',
      publicUrl: null,
      explorer: 'on',
      plugin: null,
      pictureAt: null,
      fetchesPictures: false,
      corsOrigins: ['*'],
      controlToken: '',
      controlOrigins: [],
      adminToken: '',
      proxies: createAddressRanges([]),
      limits: { ...defaultLimits, drainMs: 500 },
    },
  })
  return { ...http, port: Number(new URL(http.url).port), [Symbol.asyncDispose]: http.close }
}

test('a peer that resets while its key is looked up does no harm', async () => {
  const lookups: (() => void)[] = []
  await using doors = await startDoors(
    () => new Promise<never>((_resolve, reject) => lookups.push(() => reject(new Error('late')))),
  )
  using raw = await openRaw(doors.port)
  raw.write(
    `GET ${STRICT} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
  )
  while (lookups.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  raw.socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  for (const fail of lookups) fail()
  expect((await ask(doors, '/healthz')).body).toMatchObject({ alive: true })
})

test('the call of a peer that has left while its key was looked up is given up', async () => {
  const lookups: (() => void)[] = []
  const calls: Parameters<Dispatch['ask']>[1][] = []
  const ask: Dispatch['ask'] = (_, call) => {
    calls.push(call)
    return new Promise(() => undefined)
  }
  await using doors = await startDoors(
    () => new Promise((resolve) => lookups.push(() => resolve(SOMEONE))),
    undefined,
    {},
    { ask },
  )
  const raw = await openRaw(doors.port)
  raw.write('GET /api/v2/subtract?minuend=1&subtrahend=1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await vi.waitUntil(() => lookups.length > 0, PATIENT)
  raw.socket.resetAndDestroy()
  await vi.waitUntil(async () => (await (await fetch(`${doors.url}/metrics`)).text()).includes(ONE_OPEN), PATIENT)
  for (const found of lookups) found()
  await vi.waitUntil(() => calls.length > 0, PATIENT)
  expect(calls[0]?.signal.aborted).toBe(true)
})

test('connections that are reset while their key is looked up take none of its places', async () => {
  const lookups: (() => void)[] = []
  const plan = { ...BUILT_IN[0], connections: 1 }
  const keyed: Caller = { subject: 'key k', keyId: 'k', tier: { name: plan.name, perSecond: 10, plan } }
  let isQuick = false
  await using doors = await startDoors(
    () => (isQuick ? keyed : new Promise((resolve) => lookups.push(() => resolve(keyed)))),
    undefined,
    {},
    { ask: () => Promise.resolve({ json: '"served"', isCached: false }) },
  )
  const request = 'GET /api/v2/subtract?minuend=1&subtrahend=1 HTTP/1.1\r\nHost: x\r\n\r\n'
  const raw = await openRaw(doors.port)
  raw.write(request)
  await vi.waitUntil(() => lookups.length > 0, PATIENT)
  raw.socket.resetAndDestroy()
  await vi.waitUntil(async () => (await (await fetch(`${doors.url}/metrics`)).text()).includes(ONE_OPEN), PATIENT)
  for (const found of lookups) found()
  isQuick = true
  using later = await openRaw(doors.port)
  later.write(request)
  expect(await later.until(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1.1 200 /)
})

test('a connection whose key is looked up makes room for nobody', async () => {
  const lookups: (() => void)[] = []
  await using doors = await startDoors(
    () => new Promise((resolve) => lookups.push(() => resolve(SOMEONE))),
    undefined,
    {},
    { ask: () => Promise.resolve({ json: '"served"', isCached: false }), connections: 1 },
  )
  using first = await openRaw(doors.port)
  first.write('GET /api/v2/subtract?minuend=1&subtrahend=1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await vi.waitUntil(() => lookups.length > 0, PATIENT)
  using second = await openRaw(doors.port)
  second.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await second.until(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1.1 503 /)
  for (const found of lookups) found()
  expect(await first.until(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1.1 200 /)
})

test('a stream that another process answers begins when the calls before it on its connection are answered', async () => {
  const answers: (() => void)[] = []
  const answering: Dispatch['ask'] = () =>
    new Promise((resolve) => answers.push(() => resolve({ json: '"first"', isCached: false })))
  const relayed = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond'))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void relayed.close())
  await once(relayed, 'listening')
  const { port } = relayed.address() as AddressInfo
  await using doors = await startDoors(() => SOMEONE, undefined, {}, { ask: answering, relay: () => connect({ port }) })
  using raw = await openRaw(doors.port)
  raw.write('GET /api/v2/subtract?minuend=1&subtrahend=1 HTTP/1.1\r\nHost: x\r\n\r\n')
  raw.write('POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
  await vi.waitUntil(() => answers.length > 0, PATIENT)
  // Answered: what was written above has been read by then.
  expect((await ask(doors, '/healthz')).body).toMatchObject({ alive: true })
  for (const answer of answers) answer()
  expect(repliesIn(await raw.end()).map(({ body }) => body)).toEqual([expect.stringContaining('first'), 'second'])
})

test('a look-up that fails for reasons of its own is a 500 that shows nothing of them', async () => {
  await using doors = await startDoors(() => Promise.reject(new Error('disk on fire')))
  const { status, text } = await ask(doors, '/api/v2/subtract?minuend=1&subtrahend=1')
  expect([status, text.includes('Internal error'), text.includes('fire')]).toEqual([500, true, false])
  const refusal = await refusalOf(connectTo(doors))
  expect([refusal.status, refusal.text.includes('Internal error'), refusal.text.includes('fire')]).toEqual([
    500,
    true,
    false,
  ])
})

test('a page that fails is a 500 in JSON, not in the words of a framework', async () => {
  await using doors = await startDoors(() => Promise.reject(new Error('not called')))
  const { status, headers, body } = await ask(doors, '/readyz')
  expect([status, headers.get('content-type')]).toEqual([500, 'application/json'])
  expect(body).toEqual({ error: expect.stringMatching(/^Internal error \(request [\w-]+\)$/) })
})

test('metrics that many ask for while they are written are written once more for all of them', async () => {
  const texts: string[] = []
  let end = (): void => undefined
  const text = async () => {
    texts.push('')
    if (texts.length === 1) await new Promise<void>((resolve) => (end = resolve))
    return `text ${texts.length}`
  }
  await using doors = await startDoors(() => Promise.reject(new Error('not called')), undefined, { text })
  const callers = await Promise.all(Array.from({ length: 40 }, () => openRaw(doors.port)))
  onTestFinished(() => {
    for (const { socket } of callers) socket.destroy()
  })
  const [first, ...others] = callers
  first?.write(METRICS)
  await expect.poll(() => texts.length).toBe(1)
  for (const other of others) other.write(METRICS)
  // What was written before it is read by then.
  await ask(doors, '/healthz')
  end()
  for (const caller of callers) expect(repliesIn(await caller.end())).toMatchObject([{ status: 200 }])
  expect(texts.length).toBe(2)
})

test('a WebSocket whose key is still looked up when the service stops is refused while another one is answered', async () => {
  const lookups: (() => void)[] = []
  let isQuick = true
  let answer: (reply: { json: string; isCached: boolean }) => void = () => undefined
  const asked = vi.fn(() => new Promise<{ json: string; isCached: boolean }>((resolve) => (answer = resolve)))
  await using doors = await startDoors(
    () => (isQuick ? SOMEONE : new Promise((resolve) => lookups.push(() => resolve(SOMEONE)))),
    undefined,
    {},
    { ask: asked },
  )
  await using busy = await connectTo(doors)
  busy.send(call('subtract', { minuend: 1, subtrahend: 1 }))
  await vi.waitUntil(() => asked.mock.calls.length > 0, PATIENT)
  isQuick = false
  const refused = refusalOf(connectTo(doors))
  await vi.waitUntil(() => lookups.length > 0, PATIENT)
  const closing = doors.close()
  for (const found of lookups) found()
  expect(await refused).toMatchObject({ status: 503, text: expect.stringContaining('The service is stopping') })
  answer({ json: '0', isCached: false })
  await closing
})
