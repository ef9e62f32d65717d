// Peers that take nothing any more, over real connections: readers that have stopped, and networks that drop every packet.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PeerWatch } from '../../../../server/http/connections/peerWatch.ts'
import { connectionName, readSendQueues } from '../../../../server/http/connections/sendQueues.ts'
import { eventually } from '../../../setup/streams.ts'

const EVERY_MS = 30

/** Both ends of a connection. */
async function openPair({ listen = '127.0.0.1', host = '127.0.0.1' } = {}): Promise<{ ours: Socket; theirs: Socket }> {
  const server = createServer()
  server.listen(0, listen)
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const theirs = connect({ host, port: (server.address() as AddressInfo).port })
  const [ours] = (await accepted) as [Socket]
  for (const one of [ours, theirs]) one.on('error', () => undefined)
  onTestFinished(() => {
    ours.destroy()
    theirs.destroy()
    server.close()
  })
  return { ours, theirs }
}

/** Writes until the systems of both sides hold no more. */
async function fill(socket: Socket): Promise<void> {
  const chunk = Buffer.alloc(1 << 16)
  while (socket.write(chunk)) await sleep(1)
  await sleep(100)
  if (socket.writableLength === 0) await fill(socket)
}

function watched(socket: Socket) {
  const watch = new PeerWatch(EVERY_MS)
  const seen = { misses: 0, most: 0, looks: 0 }
  const stop = watch.add(socket, (misses) => {
    seen.misses = misses
    seen.most = Math.max(seen.most, misses)
    seen.looks++
  })
  onTestFinished(stop)
  return { seen, stop }
}

test('a peer that is left during a look is not looked at any more', async () => {
  const { ours } = await openPair()
  const watch = new PeerWatch(EVERY_MS)
  let looks = 0
  let later = 0
  const stop = watch.add(ours, () => {
    looks++
    stopLater()
  })
  const stopLater = watch.add(ours, () => void later++)
  onTestFinished(stop)
  await eventually(() => (looks > 0 ? true : undefined))
  expect(later).toBe(0)
})

test('without peers nothing is looked at', async () => {
  const { ours } = await openPair()
  const end = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => end.mockRestore())
  const watch = new PeerWatch(EVERY_MS)
  const stops = [watch.add(ours, () => undefined), watch.add(ours, () => undefined)]
  stops[0]?.()
  expect(end).not.toHaveBeenCalled()
  stops[1]?.()
  expect(end).toHaveBeenCalledTimes(1)
})

test('a reader that has stopped is missed until it reads again', async () => {
  const { ours, theirs } = await openPair()
  const { seen } = watched(ours)
  theirs.pause()
  await fill(ours)
  await eventually(() => (seen.misses >= 4 ? true : undefined))
  theirs.resume()
  await eventually(() => (seen.misses === 0 && ours.writableLength === 0 ? true : undefined))
})

test('a peer that is only silent, and one that reads slowly, are never missed', async () => {
  const { ours, theirs } = await openPair()
  const { seen } = watched(ours)
  await eventually(() => (seen.looks >= 10 ? true : undefined))
  expect(seen.most).toBe(0)
  theirs.pause()
  await fill(ours)
  theirs.resume()
  for (let i = 0; i < 20; i++) {
    ours.write(Buffer.alloc(1 << 16))
    await sleep(EVERY_MS)
  }
  await eventually(() => (ours.writableLength === 0 ? true : undefined))
  const { looks } = seen
  await eventually(() => (seen.looks >= looks + 3 ? true : undefined))
  expect(seen.misses).toBe(0)
})

test('nothing is looked at any more when the last peer has left', async () => {
  const { ours } = await openPair()
  const { seen, stop } = watched(ours)
  await eventually(() => (seen.looks > 0 ? true : undefined))
  stop()
  const { looks } = seen
  await sleep(5 * EVERY_MS)
  expect(seen.looks).toBe(looks)
})

test.runIf(process.platform === 'linux').each([
  { listen: '127.0.0.1', host: '127.0.0.1' },
  { listen: '::', host: '127.0.0.1' },
  { listen: '::1', host: '::1' },
])('what the system holds of a connection is found: $host over $listen', async (ends) => {
  const { ours, theirs } = await openPair(ends)
  const name = connectionName(ours) ?? ''
  expect((await readSendQueues()).get(name)).toBeUndefined()
  theirs.pause()
  await fill(ours)
  expect((await readSendQueues()).get(name)).toBeGreaterThan(0)
})

/** A network of its own for a command, in which packets can be dropped; not everywhere may one be made. */
const inNetwork = (command: string) =>
  promisify(execFile)('unshare', ['-rn', 'sh', '-c', `ip link set lo up && ${command}`])
const canDrop = await inNetwork('iptables -A OUTPUT -p tcp --sport 1 -j DROP').then(
  () => true,
  () => false,
)

test.runIf(canDrop)(
  'a network that drops every packet is noticed, though the system holds what is written',
  async () => {
    const script = join(import.meta.dirname, 'droppedPeer.mjs')
    const { stdout } = await inNetwork(`exec '${process.execPath}' '${script}' ${EVERY_MS}`)
    expect(JSON.parse(stdout)).toEqual({ wasGone: false, unsent: 0, isMissed: true, afterwards: 0 })
  },
)
