// WebSockets of streams, all together: a seat for each, and an orderly stop.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Watched } from '../../streaming/index.ts'
import { chargeOne } from '../callers/chargeOne.ts'
import { CLOSE, closeSocket } from '../connections/socketLife.ts'
import { createWebSocketServer } from '../connections/webSocketServer.ts'
import type { HttpLimits } from '../httpOptions.ts'
import { type StreamPeer, StreamSocket, type StreamSocketParts } from './streamSocket.ts'
import { WatchSocket } from './watchSocket.ts'

export interface StreamSocketsParts extends StreamSocketParts {
  readonly limits: StreamSocketParts['limits'] & Pick<HttpLimits, 'frameBytes' | 'frameFragments'>
}

/** What a watcher of blocks is sent; absent where the socket subscribes. */
interface Watching {
  readonly watched?: Watched | undefined
}

export interface StreamSockets {
  /** Throws ApiError for a caller who may not have another stream. */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, peer: StreamPeer & Watching): Promise<void>
  /** Says goodbye to all. */
  close(): void
  terminate(): void
  readonly open: number
}

export function createStreamSockets(parts: StreamSocketsParts): StreamSockets {
  const { streams, access, limits } = parts
  const server = createWebSocketServer(limits, (error) => ({ error }))
  return {
    get open() {
      return server.clients.size
    },
    async take(req, socket, head, peer) {
      // A caller without a free seat is refused before the upgrade.
      streams.seats.demandFree(peer.caller)
      await chargeOne(access, { caller: peer.caller }, 'stream')
      server.handleUpgrade(req, socket, head, (ws) => {
        let stream: { end(): void } | null = null
        ws.on('close', () => stream?.end())
        try {
          const { watched } = peer
          stream =
            watched === undefined
              ? new StreamSocket(ws, socket, peer, parts)
              : new WatchSocket(ws, socket, { ...peer, watched }, parts)
        } catch {
          // Another connection of the caller has taken the last seat meanwhile.
          closeSocket(ws, CLOSE.tryAgainLater, 'connection limit reached')
        }
      })
    },
    close() {
      for (const ws of server.clients) ws.close(CLOSE.restart, 'the service is stopping: connect again and resume')
      server.close()
    },
    terminate() {
      for (const ws of server.clients) ws.terminate()
    },
  }
}
