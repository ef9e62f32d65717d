// WebSocket at the JSON-RPC paths: frames go through the same guard as HTTP bodies. What is added here is what a
// connection that stays open needs: reading stops while too much is being answered, a reader that does not read is
// closed, a peer that does not answer pings is dropped.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Caller } from '../access/index.ts'
import type { Call } from '../methods/index.ts'
import type { HttpLimits } from './options.ts'
import type { Rpc, RpcDoor } from './rpc.ts'

type SocketLimits = Pick<
  HttpLimits,
  'frameBytes' | 'frameFragments' | 'framesInFlight' | 'pingMs' | 'slowBytes' | 'slowMs'
>

export interface SocketParts {
  readonly rpc: Rpc
  readonly limits: SocketLimits
  readonly newCall: (caller: Caller, signal: AbortSignal) => Call
}

export interface Sockets {
  /** Takes over a connection whose caller is known and whose path is one of ours. */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller, door: RpcDoor): void
  /** Lets what is being answered finish, then closes with 1001. */
  close(): Promise<void>
  readonly open: number
}

const GOING_AWAY = 1001
const TEXT_ONLY = 1003
const TRY_AGAIN_LATER = 1013
/** Pings that may stay unanswered. */
const MISSES = 2

export function createSockets({ rpc, limits, newCall }: SocketParts): Sockets {
  /** The library closes with a bare code; a caller is owed the limit that was met. */
  class TalkingSocket extends WebSocket {
    override close(code?: number, reason?: string | Buffer): void {
      const words: Record<number, string> = {
        1007: 'text frames must be valid UTF-8',
        1008: `message in too many fragments: ${limits.frameFragments} at most`,
        1009: `message too large: ${limits.frameBytes} bytes at most`,
      }
      super.close(code, reason ?? (code === undefined ? undefined : words[code]))
    }
  }

  const server = new WebSocketServer({
    noServer: true,
    WebSocket: TalkingSocket,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    maxFragments: limits.frameFragments,
  })
  let draining = false

  function attend(ws: WebSocket, caller: Caller, door: RpcDoor): void {
    const gone = new AbortController()
    let inFlight = 0
    let unanswered = 0
    let slowSince: NodeJS.Timeout | null = null

    const clogged = () => ws.bufferedAmount > limits.slowBytes
    function settleFlow(): void {
      if (ws.readyState !== WebSocket.OPEN) return
      if (draining && inFlight === 0) ws.close(GOING_AWAY, 'the service is stopping: connect again')
      else if (draining || clogged() || inFlight >= limits.framesInFlight) ws.pause()
      else ws.resume()
    }

    function watchReader(): void {
      if (!clogged() || slowSince) return
      slowSince = setTimeout(() => {
        slowSince = null
        if (!clogged()) return settleFlow()
        ws.close(TRY_AGAIN_LATER, `read faster: over ${limits.slowBytes} bytes unread for ${limits.slowMs} ms`)
        // The close frame waits behind what is not being read.
        setTimeout(() => ws.terminate(), 1000).unref()
      }, limits.slowMs)
    }

    ws.on('message', (data, isBinary) => {
      if (isBinary) return ws.close(TEXT_ONLY, 'text frames only')
      inFlight++
      settleFlow()
      Promise.resolve(rpc(String(data), door, newCall(caller, gone.signal)))
        .then((said) => {
          if (said && ws.readyState === WebSocket.OPEN) ws.send(said.text, settleFlow)
          watchReader()
        })
        .finally(() => {
          inFlight--
          settleFlow()
        })
        .catch(() => ws.terminate())
    })

    const pings = setInterval(() => {
      if (unanswered++ >= MISSES) ws.terminate()
      else ws.ping()
    }, limits.pingMs)
    ws.on('pong', () => {
      unanswered = 0
    })
    ws.on('error', () => {})
    ws.on('close', () => {
      clearInterval(pings)
      if (slowSince) clearTimeout(slowSince)
      gone.abort(new Error('the caller is gone'))
    })
    settles.set(ws, settleFlow)
  }

  const settles = new WeakMap<WebSocket, () => void>()
  return {
    get open() {
      return server.clients.size
    },
    take(req, socket, head, caller, door) {
      server.handleUpgrade(req, socket, head, (ws) => attend(ws, caller, door))
    },
    async close() {
      draining = true
      const closed = [...server.clients].map((ws) => new Promise((resolve) => ws.once('close', resolve)))
      for (const ws of server.clients) settles.get(ws)?.()
      await Promise.all(closed)
      server.close()
    },
  }
}
