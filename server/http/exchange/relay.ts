// Requests that another process answers: WebSockets and streams, which are fed where the chain is. Their bytes are passed on
// as they come, and those of the answer back; the connection ends with the answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GONE_MISSES, type PeerWatch } from '../connections/peerWatch.ts'

/** Opens a way to that process, on which it reads as if it had accepted this connection. */
export type OpenRelay = (socket: Socket) => Duplex

const OF_CONNECTION = /^(?:connection|keep-alive)$/i

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, isUpgrade: boolean): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (isUpgrade || !OF_CONNECTION.test(rawHeaders[i] ?? '')) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  // With keep-alive the caller would send its next request on this connection, which nothing here reads any more.
  return `${head}${isUpgrade ? '' : 'Connection: close\r\n'}\r\n`
}

function join(socket: Duplex, other: Duplex): void {
  const end = (): void => {
    socket.destroy()
    other.destroy()
  }
  for (const one of [socket, other]) {
    one.on('error', end)
    one.once('close', end)
  }
  other.pipe(socket)
}

/**
 * That process cannot see what this connection has not acknowledged; and that it has ended is not read here, as long as the bytes
 * before that are not taken.
 */
function watch(socket: Socket, peers: PeerWatch): void {
  const unwatch = peers.add(socket, (misses) => {
    if (misses >= GONE_MISSES) socket.destroy()
  })
  socket.once('close', unwatch)
}

export function relayUpgrade(
  open: OpenRelay,
  req: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  peers: PeerWatch,
): void {
  const other = open(req.socket)
  other.write(headOf(req, true), 'latin1')
  if (head.length > 0) other.write(head)
  join(socket, other)
  socket.pipe(other)
  watch(req.socket, peers)
}

/** The answer is written to the connection itself, once those of the requests before it are. */
export function relayRequest(
  open: OpenRelay,
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  peers: PeerWatch,
): void {
  if (res.socket === null) {
    res.once('socket', () => relayRequest(open, { req, res }, peers))
    return
  }
  const { socket } = req
  const other = open(socket)
  const isChunked = req.headers['transfer-encoding'] !== undefined
  other.write(headOf(req, false), 'latin1')
  req.on('data', (chunk: Buffer) => {
    if (isChunked) other.write(`${chunk.length.toString(16)}\r\n`)
    const hasRoom = other.write(chunk)
    if (isChunked) other.write('\r\n')
    if (hasRoom) return
    req.pause()
    other.once('drain', () => req.resume())
  })
  req.on('end', () => {
    if (isChunked) other.write('0\r\n\r\n')
  })
  join(socket, other)
  watch(socket, peers)
}
