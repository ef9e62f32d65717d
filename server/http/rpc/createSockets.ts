// WebSockets at the JSON-RPC paths, all together: who may open one, and an orderly stop. Frames of all sockets share the
// event loop's turns by caller.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Caller } from '../../access/index.ts'
import { Barred } from '../callers/barred.ts'
import { bareRefusal } from '../connections/brokenRequest.ts'
import { createWebSocketServer } from '../connections/webSocketServer.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { RpcStreams } from '../streams/rpcStreams.ts'
import { RpcSocket, type RpcSocketParts, type SocketPeer } from './rpcSocket.ts'

export interface SocketParts extends Omit<RpcSocketParts, 'onTooManyRefusals' | 'limits'> {
  /** Streams of a socket; absent where they are not served. */
  readonly streamsOf?: ((ws: WebSocket) => RpcStreams) | undefined
  readonly limits: RpcSocketParts['limits'] & Pick<HttpLimits, 'frameBytes' | 'frameFragments'>
  /** Called when a caller may not open sockets for some milliseconds. */
  readonly onBarred: (subject: string, ms: number) => void
}

export interface Sockets {
  /** Whole seconds for which this caller may not open another socket. */
  barredFor(caller: Caller): number
  /** The same as another process has found it. */
  bar(subject: string, ms: number): void
  /** Takes over a connection whose path is one of ours; not any more after `close`. */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, peer: SocketPeer): void
  /** Lets what is being answered finish, then closes with 1001. */
  close(): Promise<void>
  /** Hangs up on all at once. */
  terminate(): void
  readonly open: number
}

export function createSockets({ onBarred, streamsOf, ...parts }: SocketParts): Sockets {
  const { limits } = parts
  const barred = new Barred()
  const server = createWebSocketServer(limits, (error) => bareRefusal(400, error))
  const sockets = new Map<WebSocket, RpcSocket>()

  function bar(subject: string, ms: number): void {
    barred.add(subject, performance.now() + ms)
  }

  function onTooManyRefusals({ subject }: Caller): void {
    bar(subject, limits.refusalsMs)
    onBarred(subject, limits.refusalsMs)
  }

  const socketParts: RpcSocketParts = { ...parts, onTooManyRefusals }

  function attend(ws: WebSocket, peer: SocketPeer): void {
    const socket = new RpcSocket(ws, peer, peer.door === 'strict' ? streamsOf?.(ws) : undefined, socketParts)
    sockets.set(ws, socket)
    ws.on('close', () => sockets.delete(ws))
  }

  return {
    get open() {
      return server.clients.size
    },
    bar,
    barredFor: ({ subject }) => barred.secondsFor(subject, performance.now()),
    take(req, socket, head, peer) {
      server.handleUpgrade(req, socket, head, (ws) => attend(ws, peer))
    },
    async close() {
      const closed = [...server.clients].map((ws) => new Promise((resolve) => ws.once('close', resolve)))
      for (const ws of server.clients) sockets.get(ws)?.drain()
      await Promise.all(closed)
      server.close()
    },
    terminate() {
      for (const ws of server.clients) ws.terminate()
    },
  }
}
