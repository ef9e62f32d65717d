// The WebSocket transport and streams, an entry of its own (`tonrpc/client/ws`): the same calls over one socket, and
// notifications as they happen.
//
//   const transport = webSocketTransport({ url: 'http://localhost:8081' })
//   const client = createClient({ transport })
//
// Promises: connects when the first call is made and again when the socket broke; calls in flight when it breaks are
// sent again by the client's own retries, calls not yet sent wait for the new one. A socket that leaves calls without an
// answer for ten seconds is given up with the next that its caller gives up. The socket stays open, and keeps a Node process alive,
// until `close()`.

import { endpoint, shown } from './endpoint.ts'
import { Frames } from './frames.ts'
import { checkNames, OF_SOCKET } from './optionNames.ts'
import { givenMembers, type Transport } from './protocol.ts'
import { TransportError } from './rpcErrors.ts'
import { RECONNECT, ReconnectingSocket, type ReconnectOptions, type SocketConstructor } from './socket.ts'

export type { ReconnectOptions, SocketConstructor, SocketLike } from './socket.ts'
export { stream } from './stream.ts'
export type { StreamNotification, StreamOptions, StreamType } from './streamTypes.ts'

export interface WebSocketOptions {
  /** The service's base or its full `/jsonRPC` address; `http` and `ws` schemes are both read. */
  readonly url: string
  /** Sent in the query, as a browser's WebSocket has no headers: it may show up in the log of a proxy. */
  readonly apiKey?: string | undefined
  /** Default: the global one, which Node has since version 22. */
  readonly WebSocket?: SocketConstructor | undefined
  readonly reconnect?: ReconnectOptions | undefined
}

export interface WebSocketTransport extends Transport {
  /** Ends all calls in flight, and every later one, with a `TransportError` of reason `closed`. */
  close(): void
}

const TOO_LARGE = 1009

/** Throws TypeError for an address that cannot be one, or when there is no WebSocket. */
export function webSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { url, apiKey, reconnect } = options
  const target = new URL(endpoint(url).href.replace(/^http/, 'ws'))
  if (!/^wss?:$/.test(target.protocol)) throw new TypeError('url must begin with http(s):// or ws(s)://')
  checkNames(options, OF_SOCKET)
  if (apiKey !== undefined) target.searchParams.set('api_key', apiKey)
  const Socket: SocketConstructor | undefined = options.WebSocket ?? globalThis.WebSocket
  if (!Socket) throw new TypeError('there is no global WebSocket here: pass one, such as that of the ws package')

  const address = shown(target)
  const frames: Frames = new Frames(() => connection.drop())
  const connection = new ReconnectingSocket({
    dial: () => new Socket(target.href),
    address,
    reconnect: { ...RECONNECT, ...givenMembers(reconnect ?? {}) },
    onText: (text) => frames.receive(text),
    onBreak: (code, reason) =>
      frames.fail(({ longest }) =>
        code === TOO_LARGE && longest
          ? new TransportError({ reason: 'status', text: 'the message is too large', status: 413 })
          : new TransportError({
              reason: 'network',
              text: `the WebSocket to ${address} broke (${code}${reason ? `: ${reason}` : ''})`,
            }),
      ),
  })

  const send: Transport = async (requests, signal) => {
    const socket = await connection.open(signal)
    return frames.send((text) => socket.send(text), requests, signal)
  }
  const close = (): void => {
    connection.close()
    frames.fail(() => new TransportError({ reason: 'closed', text: 'the transport was closed' }))
  }
  return Object.assign(send, { close })
}
