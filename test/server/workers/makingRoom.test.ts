// All seats are taken, and connections of a worker may have to make room: what the owner has to know of them by then.

import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectionSeats, portEntrance, SeatedConnections } from '../../../server/http/index.ts'
import { openRaw, type RawSocket } from '../../setup/rawSocket.ts'
import { CHANNEL, teamOf } from '../../setup/scriptedTeam.ts'

const built = (path: string): string => JSON.stringify(new URL(path, CHANNEL).href)

/** It answers at once what comes on a connection, and then is busy for a while. */
const SLOW_WORKER = `
  import { Socket } from 'node:net'
  import { HandedConnections } from ${built('../http/connections/handedConnections.js')}
  import { createChannel } from ${built('workerChannel.js')}
  import { countedByOwner } from ${built('ownerSeats.js')}
  const still = new Int32Array(new SharedArrayBuffer(4))
  process.once('message', () => {
    const takes = { event: () => undefined, refuse: ({ seatId, why }) => connections.refuse(seatId, why) }
    const answers = { counts: () => ({ methods: [], gauges: [], totals: [] }) }
    const channel = createChannel({ stream: new Socket({ fd: 4 }), answers, takes, onError: () => undefined })
    const connections = new HandedConnections(countedByOwner(channel))
    process.on('message', (handed, socket) => {
      connections.seat(socket, handed)
      channel.notify('taken', handed.seatId)
      socket.write('taken ')
      socket.on('data', () => {
        connections.claim(socket, null)
        socket.write('answered')
        Atomics.wait(still, 0, 0, 1_000)
      })
      socket.resume()
    })
    process.send('ready')
  })`

/** Has room for so many connections. Of each `onHanded` hears when it has left the owner. */
async function slowService(connections: number, onHanded: (remote: string) => void = () => undefined) {
  let time = 0
  const seats = new ConnectionSeats(
    { connections, connectionsPerAddress: 10, sockets: 10 },
    () => false,
    () => time,
  )
  const { team } = await teamOf(SLOW_WORKER, undefined, seats)
  await expect.poll(() => team.ready).toBe(1)
  const entrance = portEntrance({
    host: '127.0.0.1',
    port: 0,
    connections: new SeatedConnections(seats, 16),
    handOver(socket, seat) {
      const isHanded = team.handOver(socket, seat)
      onHanded(seat.remote)
      return isHanded
    },
  })
  onTestFinished(() => entrance.close())
  // Connections of the owner.
  const url = await entrance.open((socket) => void entrance.connections.claim(socket, null))
  const port = Number(new URL(url).port)
  const opened: RawSocket[] = []
  onTestFinished(() => {
    for (const one of opened) one[Symbol.dispose]()
  })
  return {
    port,
    pass(ms: number): void {
      time += ms
    },
    async open(localAddress: string): Promise<RawSocket> {
      const one = await openRaw(port, { localAddress })
      opened.push(one)
      return one
    },
  }
}

test('one that was just answered makes no room for an address with as many, however late its worker is', async () => {
  const { open } = await slowService(3)
  await open('127.0.0.2')
  const answered = [await open('127.0.0.3'), await open('127.0.0.4')]
  for (const one of answered) {
    one.write('a request')
    await one.until(/answered/)
  }
  const other = await open('127.0.0.5')
  other.write('a request')
  expect(await other.until(/answered| 503 .*too many connections/s)).toContain(' 503 ')
  expect(answered.map(({ text }) => text)).toEqual(['taken answered', 'taken answered'])
})

test('one that is at rest for more than two seconds makes room for an address that has none', async () => {
  const { open, pass } = await slowService(3)
  await open('127.0.0.2')
  const answered = [await open('127.0.0.3'), await open('127.0.0.4')]
  for (const one of answered) {
    one.write('a request')
    await one.until(/answered/)
    pass(2_001)
  }
  const again = await open('127.0.0.3')
  expect(await again.until(/ 503 .*too many connections/s)).toContain(' 503 ')
  const other = await open('127.0.0.5')
  other.write('a request')
  await other.until(/answered/)
})

/** A caller who opens a second connection, uses the first one, and opens a third; then it wakes the owner. */
const QUICK_CALLER = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const texts = {}
  const open = (name, localAddress) => {
    texts[name] = ''
    const socket = connect({ port: workerData.port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      texts[name] += data
      socket.emit('text', texts[name])
      parentPort.postMessage(texts)
    })
    return socket
  }
  const used = open('used', '127.0.0.3')
  used.on('text', (text) => {
    if (text === 'taken ') open('silent', '127.0.0.4').once('connect', () => used.write('a request'))
    if (text !== 'taken answered') return
    open('newest', '127.0.0.5').once('connect', () => {
      Atomics.store(workerData.isOver, 0, 1)
      Atomics.notify(workerData.isOver, 0)
    })
  })`

test('nor does one that was answered while its owner did something else', async () => {
  const isOver = new Int32Array(new SharedArrayBuffer(4))
  const { open, port } = await slowService(3, (remote) => {
    // The owner is busy until the third connection of the caller has come.
    if (remote.endsWith('127.0.0.4')) Atomics.wait(isOver, 0, 0, 60_000)
  })
  await open('127.0.0.2')
  const caller = new Worker(QUICK_CALLER, { eval: true, workerData: { port, isOver } })
  onTestFinished(async () => void (await caller.terminate()))
  let texts: Readonly<Record<string, string>> = {}
  caller.on('message', (heard: Readonly<Record<string, string>>) => {
    texts = heard
  })
  await expect.poll(() => Object.values(texts).join()).toContain('too many connections')
  expect(texts).toMatchObject({ used: 'taken answered', silent: expect.stringContaining(' 503 ') })
})
