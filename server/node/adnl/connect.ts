// Opens a connection to a lite server: TCP, hello, and the server's first frame.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { placeText } from '../placeText.ts'
import { type Clock, systemClock } from '../systemClock.ts'
import { AdnlError, type AdnlErrorCode } from './adnlError.ts'
import { MAX_FRAME } from './adnlFrames.ts'
import { Identity } from './adnlIdentity.ts'
import { type ClientLimits, clientLimits } from './adnlLimits.ts'
import { Channel } from './channel.ts'
import { type AdnlConnection, OpenAdnlConnection } from './connection.ts'
import { makeHello, SECRET_BYTES, streamKeys } from './hello.ts'

export interface ConnectOptions {
  readonly host: string
  readonly port: number
  /** The server's Ed25519 key, 32 bytes. */
  readonly key: Uint8Array
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<ClientLimits>
  readonly clock?: Clock
}

type Place = Pick<ConnectOptions, 'host' | 'port'>

/** The system's reason for a failed connection, as text. */
function connectWords({ host, port }: Place, cause: NodeJS.ErrnoException): string {
  const place = placeText(host, port)
  switch (cause.code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${place}`
    case 'ENOTFOUND':
      return `there is no host ${host}`
    case 'EAI_AGAIN':
      return `the name ${host} cannot be looked up now`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${host} cannot be reached from this machine`
    case 'ETIMEDOUT':
      return `${place} does not answer`
    default:
      return `no connection to ${place}: ${cause.message}`
  }
}

/** Of all connections: what one reads is decrypted into other memory before the next one reads. */
const arrivals = new Uint8Array(64 * 1024)

/** `take` gets what arrives, valid until it returns: bytes of their own for each read, in Node's streams, take longer than to decrypt them. */
function openSocket(
  { host, port, signal }: ConnectOptions,
  { limits, clock }: { readonly limits: ClientLimits; readonly clock: Clock },
  take: (bytes: Uint8Array) => void,
): Promise<Socket> {
  const { connectMs: ms, addressMs } = limits
  const onread = {
    buffer: arrivals,
    callback(count: number) {
      take(arrivals.subarray(0, count))
      return true
    },
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, autoSelectFamilyAttemptTimeout: addressMs, onread })
    const settle = (error: AdnlError | null): void => {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      if (error !== null) socket.destroy()
      if (error === null) resolve(socket)
      else reject(error)
    }
    const refuse = (cause: NodeJS.ErrnoException): void =>
      settle(new AdnlError('connect', connectWords({ host, port }, cause), { cause }))
    const onAbort = (): void => settle(new AdnlError('aborted', 'connecting was aborted'))
    const stopTimer = clock.after(ms, () =>
      settle(new AdnlError('connect', `${placeText(host, port)} does not answer: no connection within ${ms} ms`)),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.on('error', refuse)
    socket.once('connect', () => {
      socket.off('error', refuse)
      settle(null)
    })
    if (signal?.aborted) onAbort()
  })
}

/** How a server with another key, and something that is no lite server, reply. */
const HELLO_WORDS: Readonly<Partial<Record<AdnlErrorCode, string>>> = {
  closed: 'closed the connection at',
  protocol: 'sent bytes that are no frame in answer to',
}

/** What came of a server that did not show its key in time. */
function lateWords(bytes: number, ms: number): string {
  if (bytes === 0) return `the server takes connections and says nothing: no hello within ${ms} ms`
  const sent = `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  return `the server answered the hello with ${sent} in ${ms} ms, not a whole frame: it is too slow, or no lite server`
}

/** Resolves once the server has shown that it has its key. Rejects with AdnlError `connect`, `key`, `hello` or `aborted`. */
export async function connectAdnl(options: ConnectOptions): Promise<AdnlConnection> {
  const limits = { ...clientLimits, ...options.limits }
  const clock = options.clock ?? systemClock
  const identity = Identity.throwaway()
  const secret = randomBytes(SECRET_BYTES)
  const hello = options.key.length === 32 ? makeHello(options.key, identity, secret) : null
  if (hello === null) throw new AdnlError('key', 'this is no key of a lite server')
  let taker: OpenAdnlConnection | null = null
  const socket = await openSocket(options, { limits, clock }, (bytes) => taker?.receive(bytes))
  const { toServer, toClient } = streamKeys(secret)
  const channel = new Channel(socket, { send: toServer, receive: toClient, maxFrame: MAX_FRAME, clock })
  return new Promise((resolve, reject) => {
    const onReady = (): void => {
      dispose()
      resolve(connection)
    }
    const connection = new OpenAdnlConnection(socket, channel, { identity, limits, clock, onReady })
    taker = connection
    const dispose = (): void => {
      stopTimer()
      options.signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = (): void => connection.fail('aborted', 'connecting was aborted')
    const stopTimer = clock.after(limits.helloMs, () =>
      connection.fail('hello', lateWords(socket.bytesRead, limits.helloMs)),
    )
    options.signal?.addEventListener('abort', onAbort, { once: true })
    connection.onClose((reason) => {
      dispose()
      const did = HELLO_WORDS[reason.code]
      const text = `the server ${did} the hello: it has another key, or is no lite server`
      reject(did === undefined ? reason : new AdnlError('hello', text, { cause: reason }))
    })
    if (options.signal?.aborted) onAbort()
    else socket.write(hello)
  })
}
