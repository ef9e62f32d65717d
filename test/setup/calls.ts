// Calls over real HTTP and WebSocket, and their answers as plain values.

import { WebSocket } from 'ws'
import type { TestService } from './service.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, undefined when there is none. */
  readonly body: Body
}

/** Everything any dialect may say. */
export interface Body {
  readonly ok?: boolean
  readonly result?: unknown
  /** Text in two dialects, an object in the third. */
  readonly error?: unknown
  readonly code?: number
  readonly jsonrpc?: string
  readonly id?: unknown
  readonly '@extra'?: string
  readonly [name: string]: unknown
}

export const TONCENTER = '/api/v2/jsonRPC'
export const STRICT = '/jsonRPC'

type Where = Pick<TestService, 'url'>

export async function ask({ url }: Where, path: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url + path, init)
  const text = await response.text()
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    body = undefined
  }
  return { status: response.status, headers: response.headers, text, body: body as Body }
}

/** POSTs text as it is, anything else as JSON. */
export const post = (where: Where, path: string, value: unknown, headers: Record<string, string> = {}) =>
  ask(where, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  })

export const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

/** Sends a message and waits for its end by as many calls as that takes: a call waits for half a minute. */
export async function sendAndWait(where: Where, params: object): Promise<Answered> {
  for (;;) {
    const answered = await post(where, '/api/v3/sendAndWait', { timeout_ms: 30_000, ...params })
    if (answered.status !== 408) return answered
  }
}

/** One JSON-RPC call over HTTP. */
export const rpc = (where: Where, path: string, method: string, params?: unknown) =>
  post(where, path, call(method, params))

export const queryOf = (params: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  return query.size === 0 ? '' : `?${query}`
}

export interface Socket extends AsyncDisposable {
  readonly ws: WebSocket
  /** Sends text as it is, anything else as JSON. */
  send(value: unknown): void
  /** The next frame that was not taken yet. */
  next(): Promise<Body>
  /** Code and reason of the end. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** A WebSocket that is open. Rejects with the HTTP status and body of a refusal. */
export async function connectTo(
  { url }: Where,
  path = STRICT,
  options: ConstructorParameters<typeof WebSocket>[2] = {},
): Promise<Socket> {
  const ws = new WebSocket(url.replace(/^http/, 'ws') + path, { perMessageDeflate: false, ...options })
  const frames: Body[] = []
  const waiting: ((body: Body) => void)[] = []
  ws.on('message', (data) => {
    const body = JSON.parse(String(data)) as Body
    const waiter = waiting.shift()
    if (waiter) waiter(body)
    else frames.push(body)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.on('error', reject)
    ws.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => reject(new Refused(response.statusCode ?? 0, text)))
    })
  })
  return {
    ws,
    closed,
    send: (value) => ws.send(typeof value === 'string' ? value : JSON.stringify(value)),
    next: () => {
      const frame = frames.shift()
      return frame ? Promise.resolve(frame) : new Promise((resolve) => waiting.push(resolve))
    },
    async [Symbol.asyncDispose]() {
      ws.terminate()
      await closed
    },
  }
}

/** The service did not take the upgrade. */
class Refused extends Error {
  readonly status: number
  readonly text: string

  constructor(status: number, text: string) {
    super(`upgrade refused with ${status}`)
    this.status = status
    this.text = text
  }

  get body(): Body {
    return JSON.parse(this.text) as Body
  }
}

export const refusalOf = (attempt: Promise<unknown>): Promise<Refused> =>
  attempt.then(
    () => {
      throw new Error('the upgrade was taken')
    },
    (error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    },
  )
