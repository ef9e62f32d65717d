// All seats are taken: who makes room for whom.

import { expect, test } from 'vitest'
import { connectTo, STRICT } from '../../../setup/calls.ts'
import { Control, madeUp } from '../../../setup/madeUp.ts'
import { openRaw, type RawSocket, repliesIn } from '../../../setup/rawSocket.ts'
import { serveMethods, type TestService } from '../../../setup/service.ts'

const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const limits = { connections: 4, connectionsPerAddress: 4 }
const config = { limits: 'on' } as const

const openFrom = (own: TestService, localAddress: string): Promise<RawSocket> => openRaw(own.port, { localAddress })

async function openMany(own: TestService, addresses: readonly string[]): Promise<RawSocket[]> {
  const opened: RawSocket[] = []
  for (const address of addresses) opened.push(await openFrom(own, address))
  return opened
}

/** The connection, kept open, and the status of its answer. */
async function asked(own: TestService, address: string, request = GET('/healthz')) {
  const raw = await openFrom(own, address)
  raw.write(request)
  await raw.until(/\r\n\r\n.*\}/s)
  return { raw, status: repliesIn(raw.text)[0]?.status }
}

const disposeAll = (sockets: readonly RawSocket[]) => {
  for (const { socket } of sockets) socket.destroy()
}

test('connections without a request make room, the earliest of the address with the most first', async () => {
  await using own = await serveMethods(madeUp(), { config, limits })
  const silent = await openMany(own, ['127.0.0.3', '127.0.0.2', '127.0.0.2', '127.0.0.2'])
  const first = await asked(own, '127.0.0.4')
  expect(first.status).toBe(200)
  const refused = repliesIn((await silent[1]?.end()) ?? '')[0]
  expect([refused?.status, refused?.body]).toMatchObject([503, expect.stringContaining('too many connections: 4')])
  const second = await asked(own, '127.0.0.5')
  expect(second.status).toBe(200)
  await silent[2]?.end()
  expect([silent[0], silent[3]].map((raw) => raw?.text)).toEqual(['', ''])
  disposeAll([...silent, first.raw, second.raw])
})

test('connections at rest make room for an address with fewer, and not for one of their own', async () => {
  await using own = await serveMethods(madeUp(), { config, limits })
  const resting: RawSocket[] = []
  for (let i = 0; i < 4; i++) resting.push((await asked(own, '127.0.0.2')).raw)
  const sameAddress = await asked(own, '127.0.0.2')
  expect(sameAddress.status).toBe(503)
  const other = await asked(own, '127.0.0.4')
  expect(other.status).toBe(200)
  expect(repliesIn((await resting[0]?.end()) ?? '').map(({ status }) => status)).toEqual([200, 503])
  disposeAll([...resting, sameAddress.raw, other.raw])
})

test('a connection at rest makes no room for an address that would have as many then', async () => {
  await using own = await serveMethods(madeUp(), { config, limits: { ...limits, connections: 3 } })
  const resting = [await asked(own, '127.0.0.2'), await asked(own, '127.0.0.2'), await asked(own, '127.0.0.4')]
  const second = await asked(own, '127.0.0.4')
  expect(second.status).toBe(503)
  const other = await asked(own, '127.0.0.5')
  expect(other.status).toBe(200)
  disposeAll([...resting, second, other].map(({ raw }) => raw))
})

test('connections that have shown a key take none of the places of their address', async () => {
  await using own = await serveMethods(madeUp(), { config, limits: { connections: 9, connectionsPerAddress: 2 } })
  const { key } = await own.newKey()
  const withKey = GET('/api/v2/fixed', `X-API-Key: ${key}\r\n`)
  const keyed = [await asked(own, '127.0.0.2', withKey), await asked(own, '127.0.0.2', withKey)]
  const keyless = [await asked(own, '127.0.0.2'), await asked(own, '127.0.0.2'), await asked(own, '127.0.0.2')]
  expect([...keyed, ...keyless].map(({ status }) => status)).toEqual([200, 200, 200, 200, 503])
  disposeAll([...keyed, ...keyless].map(({ raw }) => raw))
})

test('of an address with the most, one that has shown a key stays, also as the earliest', async () => {
  await using own = await serveMethods(madeUp(), { config, limits })
  const { key } = await own.newKey()
  const keyed = await asked(own, '127.0.0.2', GET('/api/v2/fixed', `X-API-Key: ${key}\r\n`))
  const resting: RawSocket[] = []
  for (let i = 0; i < 3; i++) resting.push((await asked(own, '127.0.0.2')).raw)
  const other = await asked(own, '127.0.0.4')
  expect(other.status).toBe(200)
  expect(repliesIn((await resting[0]?.end()) ?? '').map(({ status }) => status)).toEqual([200, 503])
  expect(keyed.raw.socket.destroyed).toBe(false)
  disposeAll([...resting, keyed.raw, other.raw])
})

test('where every address has one, the one that was used the longest ago makes room for another address', async () => {
  let time = 0
  await using own = await serveMethods(madeUp(), { config, limits, now: () => time })
  const resting: RawSocket[] = []
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'])
    resting.push((await asked(own, address)).raw)
  const early = await asked(own, '127.0.0.6')
  expect(early.status).toBe(503)
  time += 1_000
  resting[0]?.write(GET('/healthz'))
  await resting[0]?.until(/200 OK.*200 OK.*\}/s)
  time += 1_001
  const same = await asked(own, '127.0.0.3')
  const other = await asked(own, '127.0.0.6')
  expect([same.status, other.status]).toEqual([503, 200])
  expect(repliesIn((await resting[1]?.end()) ?? '').map(({ status }) => status)).toEqual([200, 503])
  expect(resting.filter(({ socket }) => !socket.destroyed).length).toBe(3)
  disposeAll([...resting, early.raw, same.raw, other.raw])
})

test('connections of many addresses of one network make room for another network', async () => {
  await using own = await serveMethods(madeUp(), { config, limits })
  const crowd = [await asked(own, '127.0.1.2'), await asked(own, '127.0.1.3'), await asked(own, '127.0.1.4')]
  const small = await asked(own, '127.0.2.2')
  const same = await asked(own, '127.0.1.5')
  expect(same.status).toBe(503)
  const other = await asked(own, '127.0.3.2')
  expect(other.status).toBe(200)
  expect(repliesIn((await crowd[0]?.raw.end()) ?? '').map(({ status }) => status)).toEqual([200, 503])
  disposeAll([...crowd, small, same, other].map(({ raw }) => raw))
})

test('a newcomer of a large network takes the place of one of its own, not of a smaller network', async () => {
  let time = 0
  await using own = await serveMethods(madeUp(), { config, limits, now: () => time })
  const resting: RawSocket[] = []
  for (const address of ['127.0.2.2', '127.0.1.2', '127.0.1.3', '127.0.1.4']) {
    resting.push((await asked(own, address)).raw)
    time += 1
  }
  time += 2_001
  const newcomer = await asked(own, '127.0.1.5')
  expect(newcomer.status).toBe(200)
  expect(repliesIn((await resting[1]?.end()) ?? '').map(({ status }) => status)).toEqual([200, 503])
  expect(resting.map(({ socket }) => socket.destroyed)).toEqual([false, true, false, false])
  disposeAll([...resting, newcomer.raw])
})

test('while the largest network uses all it has, the next one makes room', async () => {
  const control = new Control()
  await using own = await serveMethods(madeUp(control), { config, limits: { ...limits, connections: 7 } })
  const running: RawSocket[] = []
  for (let i = 2; i < 6; i++) {
    const raw = await openFrom(own, `127.0.1.${i}`)
    raw.write(GET('/api/v2/wait'))
    running.push(raw)
  }
  await control.reached(4)
  const crowd = [await asked(own, '127.0.2.2'), await asked(own, '127.0.2.3'), await asked(own, '127.0.2.4')]
  const other = await asked(own, '127.0.3.2')
  expect(other.status).toBe(200)
  control.release()
  await running[0]?.until(/released/)
  disposeAll([...running, ...crowd.map(({ raw }) => raw), other.raw])
})

test('an address opens further connections in the place of a network that has many more', async () => {
  await using own = await serveMethods(madeUp(), { config, limits: { ...limits, connections: 7 } })
  const crowd: RawSocket[] = []
  for (let i = 2; i < 9; i++) crowd.push((await asked(own, `127.0.1.${i}`)).raw)
  const others = [await asked(own, '127.0.3.2'), await asked(own, '127.0.3.2'), await asked(own, '127.0.3.2')]
  // Of seven places: five of the crowd are no longer more than twice three.
  expect(others.map(({ status }) => status)).toEqual([200, 200, 503])
  disposeAll([...crowd, ...others.map(({ raw }) => raw)])
})

test('WebSockets of many addresses of one network make room for another network', async () => {
  await using sockets = await serveMethods(madeUp(), { config, limits: { sockets: 3 } })
  const open = (localAddress: string) => connectTo(sockets, STRICT, { localAddress })
  const many = [await open('127.0.1.2'), await open('127.0.1.3'), await open('127.0.1.4')]
  await expect(open('127.0.1.5')).rejects.toThrow('503')
  many.push(await open('127.0.2.2'))
  expect(await many[0]?.closed).toEqual({ code: 1013, reason: 'too many WebSockets: 3 at most' })
  // The network has two of three now.
  await expect(open('127.0.3.2')).rejects.toThrow('503')
  for (const socket of many) await socket[Symbol.asyncDispose]()
})

test('a WebSocket that is closed gives its place back', async () => {
  await using own = await serveMethods(madeUp(), { config, limits: { sockets: 1 } })
  const openAndClose = async () => (await connectTo(own, STRICT))[Symbol.asyncDispose]()
  await openAndClose()
  await expect.poll(openAndClose).toBeUndefined()
})

test('calls that run, and connections of a key, stay', async () => {
  const control = new Control()
  await using own = await serveMethods(madeUp(control), { config, limits })
  const { key } = await own.newKey()
  const running = await openFrom(own, '127.0.0.2')
  running.write(GET('/api/v2/wait'))
  await control.reached(1)
  const keyed: RawSocket[] = []
  for (let i = 0; i < 3; i++)
    keyed.push((await asked(own, '127.0.0.3', GET('/api/v2/fixed', `X-API-Key: ${key}\r\n`))).raw)
  const refused = await asked(own, '127.0.0.4')
  expect(refused.status).toBe(503)
  control.release()
  await running.until(/released/)
  disposeAll([running, ...keyed, refused.raw])
})

test('requests that do not end make room', async () => {
  await using own = await serveMethods(madeUp(), { config, limits })
  const half = await openMany(own, ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.2'])
  for (const raw of half) {
    raw.write('POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{')
    await raw.until(/100 Continue/)
  }
  const other = await asked(own, '127.0.0.4')
  expect(other.status).toBe(200)
  expect(await half[0]?.end()).toMatch(/ 503 Service Unavailable/)
  half[1]?.write('"id": 1}')
  expect(await half[1]?.until(/"error"/)).not.toContain(' 503 ')
  disposeAll([...half, other.raw])
})

test('answers that are not read make room', async () => {
  let time = 0
  // Budgets are full again with each call.
  await using own = await serveMethods(madeUp(), { config, limits, now: () => (time += 10_000) })
  const unread = await openMany(own, ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.2'])
  for (const raw of unread) {
    raw.write(GET('/api/v2/repeat?times=10000000').repeat(4))
    await raw.until(/ 200 OK/)
    raw.socket.pause()
  }
  const other = await asked(own, '127.0.0.4')
  expect(other.status).toBe(200)
  disposeAll([...unread, other.raw])
})

test('a WebSocket of the address with the most makes room, told why, for a caller that has fewer', async () => {
  await using own = await serveMethods(madeUp(), { config, limits: { sockets: 4 } })
  const { key } = await own.newKey()
  const open = (localAddress: string, headers = {}) => connectTo(own, STRICT, { localAddress, headers })
  const many = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.3')]
  await expect(open('127.0.0.2')).rejects.toThrow('503')
  const others = [await open('127.0.0.4'), await open('127.0.0.2', { 'X-API-Key': key })]
  for (const first of many.slice(0, 2))
    expect(await first.closed).toEqual({ code: 1013, reason: 'too many WebSockets: 4 at most' })
  // All have one now.
  await expect(open('127.0.0.5')).rejects.toThrow('503')
  for (const socket of [...many.slice(2), ...others]) {
    socket.send({ jsonrpc: '2.0', id: 7, method: 'nothing' })
    expect(await socket.next()).toMatchObject({ id: 7 })
  }
  for (const socket of [...many, ...others]) await socket[Symbol.asyncDispose]()
})
