// A server of WebSockets with our limits, for connections that others have accepted.

import { WebSocket, WebSocketServer } from 'ws'
import type { HttpLimits } from '../httpOptions.ts'
import { hangUpWith } from './brokenRequest.ts'
import { dropLate } from './socketLife.ts'

/**
 * Pieces off the wire of a frame that is not whole: each is a buffer of 250 bytes or more. A frame of a megabyte comes in 2,000
 * over the slowest networks.
 */
const MOST_PIECES = 4096

/** A refusal names the version that is spoken (RFC 6455, 4.4). */
const WEBSOCKET_VERSION = 13

/** `refusal` is the body of the answer to a bad upgrade. */
export function createWebSocketServer(
  limits: Pick<HttpLimits, 'frameBytes' | 'frameFragments'>,
  refusal: (error: string) => object,
): WebSocketServer {
  /** The library closes with a bare code; a caller is owed the limit that was met. */
  class TalkingSocket extends WebSocket {
    override close(code?: number, reason?: string | Buffer): void {
      const words: Record<number, string> = {
        1007: 'text frames must be valid UTF-8',
        1008: `message in too many fragments: ${limits.frameFragments} at most`,
        1009: `message too large: ${limits.frameBytes} bytes at most`,
      }
      super.close(code, reason ?? (code === undefined ? undefined : words[code]))
      // Closed by the library: for a broken frame, or because the peer closed. It would read and drop what still comes for 30 s.
      if (typeof reason !== 'string') dropLate(this)
    }
  }

  const server = new WebSocketServer({
    noServer: true,
    WebSocket: TalkingSocket,
    clientTracking: true,
    perMessageDeflate: false,
    // One frame a turn of the event loop: a chunk off the wire may hold ten thousand.
    allowSynchronousEvents: false,
    maxPayload: limits.frameBytes,
    maxFragments: limits.frameFragments,
    maxBufferedChunks: MOST_PIECES,
  })
  server.on('wsClientError', (_error, socket) => {
    const body = JSON.stringify(refusal('Not a valid WebSocket upgrade'))
    hangUpWith(socket, 400, body, [`Sec-WebSocket-Version: ${WEBSOCKET_VERSION}`])
  })
  return server
}
