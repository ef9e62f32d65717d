// The way from a worker to the owner for connections that the owner answers: a socket of this machine, on which a line says
// whose connection it is before its bytes follow.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MOST_SOCKET_BYTES } from '../process/index.ts'
import { removeLeftSockets } from './leftSockets.ts'

/** Where the owner listens, and what shows it that a worker calls. */
export interface RelayPlace {
  readonly path: string
  readonly token: string
}

interface Preface {
  readonly token: string
  readonly worker: number
  readonly seatId: number
  readonly remote: string
}

/** Of a worker's connection. */
export type RelayedFrom = Omit<Preface, 'token'>

const MOST_PREFACE = 1024
const PREFACE_MS = 5_000

export function relayPlace(): RelayPlace {
  const name = `tonrpc-${process.pid}-${randomBytes(4).toString('hex')}`
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
  return { path, token: randomBytes(16).toString('hex') }
}

export function openRelay({ path, token }: RelayPlace, from: RelayedFrom): Socket {
  const socket = connect({ path, allowHalfOpen: true })
  socket.write(`${JSON.stringify({ ...from, token } satisfies Preface)}\n`)
  return socket
}

/** The line at the start; null for anything else, or nothing in time. */
async function prefaceOf(socket: Socket): Promise<Preface | null> {
  let read = Buffer.alloc(0)
  while (read.length < MOST_PREFACE && !read.includes('\n')) {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) await once(socket, 'readable', { signal: AbortSignal.timeout(PREFACE_MS) })
    else read = Buffer.concat([read, chunk])
  }
  const end = read.indexOf('\n')
  if (end < 0) return null
  if (end + 1 < read.length) socket.unshift(read.subarray(end + 1))
  // The cast: only a worker knows the token, which is checked next.
  return JSON.parse(read.subarray(0, end).toString()) as Preface
}

const isSame = (given: unknown, token: string): boolean =>
  typeof given === 'string' && given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token))

/** Passes on the connections that workers relay, with the address of their callers. */
export async function listenForRelays(
  { path, token }: RelayPlace,
  onRelayed: (socket: Socket, from: RelayedFrom) => void,
): Promise<() => void> {
  async function take(socket: Socket): Promise<void> {
    const preface = await prefaceOf(socket)
    if (preface === null || !isSame(preface.token, token)) return void socket.destroy()
    Object.defineProperty(socket, 'remoteAddress', { value: preface.remote })
    onRelayed(socket, preface)
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    take(socket).catch(() => socket.destroy())
  })
  if (process.platform !== 'win32' && Buffer.byteLength(path) > MOST_SOCKET_BYTES)
    throw new Error(`longer than ${MOST_SOCKET_BYTES} bytes`)
  server.listen(path)
  await once(server, 'listening')
  // In the background: no call depends on it.
  if (process.platform !== 'win32') removeLeftSockets(path).catch(() => undefined)
  return () => void server.close()
}
