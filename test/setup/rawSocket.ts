// A TCP connection that says exactly what a test wants said, also what no HTTP library would say.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Longest wait for anything in here: a test that meets it has found a hang. */
const PATIENCE_MS = 300_000

export interface RawSocket extends Disposable {
  readonly socket: Socket
  write(data: string | Buffer): void
  /** All that came so far. */
  readonly text: string
  /** Waits until what came matches; rejects when the connection ends first. */
  until(pattern: RegExp): Promise<string>
  /** Waits for the end of the connection and gives all that came. */
  end(): Promise<string>
}

export async function openRaw(
  port: number,
  options: { readonly allowHalfOpen?: boolean; readonly localAddress?: string } = {},
): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  let text = ''
  let over = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    over = true
  })
  await once(socket, 'connect')

  async function wait(done: () => boolean): Promise<string> {
    const deadline = Date.now() + PATIENCE_MS
    while (!done()) {
      if (over) throw new Error(`the connection ended with: ${text.slice(0, 500)}`)
      if (Date.now() > deadline) throw new Error(`nothing more came after: ${text.slice(0, 500)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return text
  }

  return {
    socket,
    get text() {
      return text
    },
    write: (data) => void socket.write(data),
    until: (pattern) => wait(() => pattern.test(text)),
    async end() {
      await wait(() => over || socket.readableEnded)
      return text
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}

export interface RawReply {
  readonly status: number
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The replies in a text, each with a Content-Length or none at all. */
export function repliesIn(text: string): RawReply[] {
  const replies: RawReply[] = []
  let rest = text
  while (rest.startsWith('HTTP/')) {
    const split = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, split).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    const length = Number(headers['content-length'] ?? 0)
    replies.push({ status: Number(first.split(' ')[1]), headers, body: rest.slice(split + 4, split + 4 + length) })
    rest = rest.slice(split + 4 + length)
  }
  return replies
}

/** A refused caller has this long to send the rest: then the service hangs up, and its answer may be lost. */
const GRACE_MS = 1_000

/** The same by a caller who looks up only when all is said, as most programs do; again where a busy machine took too long for it. */
export async function sayAllThenRead(port: number, data: string | Buffer): Promise<RawReply[]> {
  for (;;) {
    const began = performance.now()
    try {
      return await saidAllThenRead(port, data)
    } catch (error) {
      if (performance.now() - began < GRACE_MS) throw error
    }
  }
}

async function saidAllThenRead(port: number, data: string | Buffer): Promise<RawReply[]> {
  using raw = await openRaw(port)
  raw.socket.pause()
  await new Promise<void>((resolve, reject) => {
    raw.socket.once('error', reject)
    raw.socket.write(data, () => resolve())
  })
  raw.socket.resume()
  const replies = repliesIn(await raw.end())
  if (replies.length === 0) throw new Error('the connection ended without a reply')
  return replies
}

/** Sends one text and waits until the service has said all it wants and hung up. */
export async function sayRaw(port: number, data: string | Buffer): Promise<RawReply[]> {
  using raw = await openRaw(port)
  raw.write(data)
  return repliesIn(await raw.end())
}
