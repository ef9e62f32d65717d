// WebSocket at the JSON-RPC paths: frames go through the same guard as HTTP bodies. What is added here is what a
// connection that stays open needs: reading stops while too much is being answered, a reader that does not read is
// closed, a peer that does not answer pings is dropped, a key is looked at again with every frame, and a socket whose
// frames are refused again and again is closed. Frames of all sockets share the event loop's turns by caller.

import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { ApiError } from '../../shared/errors.ts'
import type { Caller } from '../access/index.ts'
import type { Turns } from '../fairness/index.ts'
import type { ChargedCall } from '../methods/index.ts'
import { Barred, RefusalWindow } from './barred.ts'
import type { WrittenReply } from './dialect/dialect.ts'
import type { HttpLimits } from './httpOptions.ts'
import type { RpcDoor } from './parsedCall.ts'
import type { Rpc } from './rpc.ts'
import type { RpcStreams, StreamReply } from './streams/rpcStreams.ts'
import { createWebSocketServer } from './webSocketServer.ts'

type SocketLimits = Pick<
  HttpLimits,
  'frameBytes' | 'frameFragments' | 'framesInFlight' | 'refusals' | 'refusalsMs' | 'pingMs' | 'slowBytes' | 'slowMs'
>

export interface SocketParts {
  /** Streams of a socket; absent where they are not served. */
  readonly streamsOf?: ((ws: WebSocket) => RpcStreams) | undefined
  readonly rpc: Rpc
  readonly turns: Turns
  readonly limits: SocketLimits
  /** Called when a caller may not open sockets for some milliseconds. */
  readonly onBarred: (subject: string, ms: number) => void
  readonly newCall: (caller: Caller, signal: AbortSignal, whyNoControl: string | null) => ChargedCall
}

/** Who is behind a connection now; throws ApiError once the key it came with no longer holds. */
export type Identify = () => Caller | Promise<Caller>

/** What is known of the other side when it connects. */
export interface SocketPeer {
  readonly identify: Identify
  readonly door: RpcDoor
  readonly whyNoControl: string | null
}

export interface Sockets {
  /** Whole seconds for which this caller may not open another socket. */
  barredFor(caller: Caller): number
  /** The same as another process has found it. */
  bar(subject: string, ms: number): void
  /** Takes over a connection whose path is one of ours. */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, peer: SocketPeer): void
  /** Lets what is being answered finish, then closes with 1001. */
  close(): Promise<void>
  /** Hangs up on all at once. */
  terminate(): void
  readonly open: number
}

const GOING_AWAY = 1001
const TEXT_ONLY = 1003
const POLICY = 1008
const TRY_AGAIN_LATER = 1013
/** Pings that may stay unanswered. */
const MISSES = 2
/** A close frame waits behind what is not being read: after this long it has waited enough. */
const CLOSE_MS = 1000

export function createSockets({ rpc, turns, limits, newCall, onBarred, streamsOf }: SocketParts): Sockets {
  const barred = new Barred()

  const server = createWebSocketServer(limits, (error) => ({ ok: false, error, code: 400 }))
  const settles = new WeakMap<WebSocket, () => void>()
  let draining = false

  function attend(ws: WebSocket, { identify, door, whyNoControl }: SocketPeer): void {
    const streams = door === 'strict' ? streamsOf?.(ws) : undefined
    const gone = new AbortController()
    // All calls of the connection may listen to it.
    setMaxListeners(0, gone.signal)
    const refusals = new RefusalWindow(limits.refusals, limits.refusalsMs)
    // What was off the wire when reading stopped: one chunk at most.
    const waiting: string[] = []
    let inFlight = 0
    let unanswered = 0
    let slowSince: NodeJS.Timeout | null = null

    const clogged = () => ws.bufferedAmount > limits.slowBytes
    const full = () => inFlight >= limits.framesInFlight || clogged()

    /** Reading has to go on, or the other side's part of the goodbye is never seen. */
    function leave(code: number, reason: string): void {
      waiting.length = 0
      ws.close(code, reason)
      ws.resume()
      // Of a service that stops, what was answered is still read.
      if (code !== GOING_AWAY) setTimeout(() => ws.terminate(), CLOSE_MS).unref()
    }

    function settleFlow(): void {
      if (ws.readyState !== WebSocket.OPEN) return
      while (!full()) {
        const text = waiting.shift()
        if (text === undefined) break
        answer(text)
      }
      if (draining && inFlight === 0 && waiting.length === 0)
        leave(GOING_AWAY, 'the service is stopping: connect again')
      else if (draining || full()) ws.pause()
      else ws.resume()
    }

    function watchReader(): void {
      if (!clogged() || slowSince) return
      slowSince = setTimeout(() => {
        slowSince = null
        if (!clogged()) return settleFlow()
        leave(TRY_AGAIN_LATER, `read faster: over ${limits.slowBytes} bytes unread for ${limits.slowMs} ms`)
      }, limits.slowMs)
    }

    /** Refused again and again: neither this socket nor the caller's next one is listened to for a while. */
    function countRefusal({ subject }: Caller): void {
      const now = performance.now()
      if (!refusals.isTooMany(now) || ws.readyState !== WebSocket.OPEN) return
      const { refusals: most, refusalsMs } = limits
      barred.add(subject, now + refusalsMs)
      onBarred(subject, refusalsMs)
      leave(POLICY, `too many refused frames: ${most} within ${refusalsMs} ms at most; heed retryAfter`)
    }

    function send(said: WrittenReply | null, caller: Caller): void {
      if (said && ws.readyState === WebSocket.OPEN) ws.send(said.text, settleFlow)
      if (said?.refused) countRefusal(caller)
      watchReader()
      finish()
    }

    function finish(): void {
      inFlight--
      settleFlow()
    }

    function fail(error: unknown): void {
      if (error instanceof ApiError) leave(POLICY, error.message)
      else ws.terminate()
      finish()
    }

    function say(text: string, caller: Caller): void {
      if (ws.readyState !== WebSocket.OPEN) {
        finish()
        return
      }
      try {
        const streaming = streams?.(text, caller) ?? null
        if (streaming !== null) {
          const sendReply = ({ said, begin }: StreamReply): void => {
            send(said, caller)
            begin?.()
          }
          streaming.then(sendReply).catch(fail)
          return
        }
        const saying = rpc(text, door, newCall(caller, gone.signal, whyNoControl))
        if (saying instanceof Promise) saying.then((said) => send(said, caller)).catch(fail)
        else send(saying, caller)
      } catch (error) {
        fail(error)
      }
    }

    function answer(text: string): void {
      inFlight++
      const inTurn = (caller: Caller) => turns.run(caller.subject, () => say(text, caller))
      try {
        const caller = identify()
        if (caller instanceof Promise) caller.then(inTurn).catch(fail)
        else inTurn(caller)
      } catch (error) {
        fail(error)
      }
    }

    ws.on('message', (data, isBinary) => {
      if (ws.readyState !== WebSocket.OPEN) return
      if (isBinary) return leave(TEXT_ONLY, 'text frames only')
      waiting.push(String(data))
      settleFlow()
    })

    const pings = setInterval(() => {
      // While nothing is read no pong is seen either.
      if (ws.isPaused) unanswered = 0
      if (unanswered++ >= MISSES) ws.terminate()
      else ws.ping()
    }, limits.pingMs)
    ws.on('pong', () => {
      unanswered = 0
    })
    ws.on('error', () => {})
    ws.on('close', () => {
      waiting.length = 0
      clearInterval(pings)
      if (slowSince) clearTimeout(slowSince)
      gone.abort(new Error('the caller is gone'))
    })
    settles.set(ws, settleFlow)
  }

  return {
    get open() {
      return server.clients.size
    },
    bar: (subject, ms) => barred.add(subject, performance.now() + ms),
    barredFor: ({ subject }) => barred.secondsFor(subject, performance.now()),
    take(req, socket, head, peer) {
      server.handleUpgrade(req, socket, head, (ws) => attend(ws, peer))
    },
    async close() {
      draining = true
      const closed = [...server.clients].map((ws) => new Promise((resolve) => ws.once('close', resolve)))
      for (const ws of server.clients) settles.get(ws)?.()
      await Promise.all(closed)
      server.close()
    },
    terminate() {
      for (const ws of server.clients) ws.terminate()
    },
  }
}
