// Listeners and clients for tests: on a port of their own, with a clock that only tests move.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { FrameReader, FrameWriter, frameRoom, sealFrame } from '../../../../server/node/adnl/adnlFrames.ts'
import { Identity } from '../../../../server/node/adnl/adnlIdentity.ts'
import { makeHello, openHello, streamKeys } from '../../../../server/node/adnl/hello.ts'
import {
  type AdnlConnection,
  type AdnlListener,
  type ConnectOptions,
  connectAdnl,
  createAdnlListener,
  type ListenerOptions,
} from '../../../../server/node/adnl/index.ts'
import type { Clock } from '../../../../server/node/systemClock.ts'
import { decodePacket, encodePacket, type Packet } from '../../../../server/tl/index.ts'
import { Random } from '../../../setup/random.ts'

export const seed = new Uint8Array(32).fill(7)
export const HOST = '127.0.0.1'
/** Limits of a connection on a busy machine. */
export const patient = { connectMs: 60_000, helloMs: 60_000 }

/** Time moves when a test moves it. */
export class ManualClock implements Clock {
  #now = 0
  #timers: { readonly at: number; readonly run: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  /** Moves on, timer by timer. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#now = Math.max(this.#now, next.at)
      this.#timers = this.#timers.filter((one) => one !== next)
      next.run()
    }
    this.#now = end
  }
}

const reversed = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes).reverse()

/** Answers each query with its bytes in reverse, unless the test says otherwise. */
export async function listen(options: Partial<ListenerOptions> = {}): Promise<AdnlListener> {
  const onQuery = async (query: Uint8Array): Promise<Uint8Array> => reversed(query)
  const listener = await createAdnlListener({ host: HOST, port: 0, seed, onQuery, ...options })
  onTestFinished(() => listener.close())
  return listener
}

export async function connectTo(
  { port, key }: Pick<AdnlListener, 'port' | 'key'>,
  options: Partial<ConnectOptions> = {},
): Promise<AdnlConnection> {
  const limits = { ...patient, queryMs: 300_000, ...options.limits }
  const connection = await connectAdnl({ host: HOST, port, key, ...options, limits })
  onTestFinished(() => connection.close())
  return connection
}

/** Whether a listener still serves: a query of a new client is answered. */
export async function serves(listener: AdnlListener): Promise<boolean> {
  const connection = await connectAdnl({ host: HOST, port: listener.port, key: listener.key, limits: patient })
  const answer = await connection.query(Uint8Array.of(1, 2, 3), { timeoutMs: 300_000 })
  connection.close()
  return Buffer.from(answer).equals(Buffer.from([3, 2, 1]))
}

/** The far side of a connection, byte by byte in the hands of a test. */
export interface RawEnd {
  readonly socket: Socket
  send(...packets: readonly Packet[]): void
  sendPayload(bytes: Uint8Array): void
  /** Bytes that go into the stream as they are. */
  sendPlain(bytes: Uint8Array): void
  /** The next packet that comes, empty frames left out. */
  receive(): Promise<Packet>
  readonly isOver: boolean
}

export function frameOf(payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(frameRoom.before + payload.length + frameRoom.after)
  bytes.set(payload, frameRoom.before)
  return sealFrame(bytes)
}

function rawEnd(socket: Socket, writer: FrameWriter, reader: FrameReader): RawEnd {
  let isOver = false
  const payloads: Uint8Array[] = []
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isOver = true
  })
  const sendPlain = (bytes: Uint8Array): void => void socket.write(writer.encrypt(bytes))
  return {
    socket,
    sendPlain,
    sendPayload: (bytes) => sendPlain(frameOf(bytes)),
    send: (...packets) => sendPlain(Buffer.concat(packets.map((packet) => sealFrame(encodePacket(packet, frameRoom))))),
    async receive() {
      await vi.waitFor(
        () => {
          for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) reader.push(chunk)
          for (let payload = reader.next(); payload !== null; payload = reader.next()) {
            if (payload.length > 0) payloads.push(payload)
          }
          if (payloads.length === 0 && !isOver) throw new Error('no packet came')
        },
        { timeout: 300_000, interval: 1 },
      )
      const payload = payloads.shift()
      if (payload === undefined) throw new Error('the connection has ended')
      return decodePacket(payload)
    },
    get isOver() {
      return isOver
    },
  }
}

const random = new Random(5)

/** A hello and the streams that follow it. */
export function helloFor(key: Uint8Array): { hello: Uint8Array; writer: FrameWriter; reader: FrameReader } {
  const secret = random.bytes(160)
  const { toServer, toClient } = streamKeys(secret)
  const hello = makeHello(key, Identity.fromSeed(random.hash()), secret) ?? new Uint8Array()
  return { hello, writer: new FrameWriter(toServer), reader: new FrameReader(toClient, 2 ** 24) }
}

/** A client that does nothing by itself, but for a hello of so many bytes. */
export async function rawClient(
  { port, key }: AdnlListener,
  helloBytes = 256,
  localAddress: string = HOST,
): Promise<RawEnd> {
  const socket = connect({ port, host: HOST, localAddress })
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  const { hello, writer, reader } = helloFor(key)
  socket.write(hello.subarray(0, helloBytes))
  return rawEnd(socket, writer, reader)
}

/** A server that does nothing by itself but taking a hello; its first frame is optional. */
export async function rawServer(
  onClient: (end: RawEnd) => void,
  withFirstFrame = true,
): Promise<{ port: number; key: Uint8Array; server: Server }> {
  const identity = Identity.fromSeed(seed)
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.once('readable', () => {
      const keys = openHello(socket.read(256) ?? new Uint8Array(256), identity)
      if (keys === null) throw new Error('no hello')
      const end = rawEnd(socket, new FrameWriter(keys.toClient), new FrameReader(keys.toServer, 2 ** 24))
      if (withFirstFrame) end.sendPlain(sealFrame(new Uint8Array(frameRoom.before + frameRoom.after)))
      onClient(end)
    })
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, key: identity.key, server }
}
