// A service as a client sees it, on a real port, that does as instructed: each message takes the next step of a script,
// and is answered normally when there is none left.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ErrorKind, errorTable, errorTexts, httpStatuses } from '../../shared/errors.ts'

/** What the stub answers, as a client's table of types. */
export interface StubApi {
  echo: { params: { value?: unknown; other?: unknown }; result: { value?: unknown; other?: unknown } }
  'math.add': { params: { a: number; b: number }; result: { sum: number } }
  refused: { params: { kind: ErrorKind; data?: object }; result: never }
  'dev.mine': { params: { blocks?: number }; result: { mined: number } }
  'list.byOffset': {
    params: { limit?: number; offset?: number; total?: number }
    result: { rows: Row[]; book: object }
  }
  'list.byCursor': { params: { limit?: number; cursor?: string; total?: number }; result: CursorPage }
}
export interface Row {
  n: number
}
export interface CursorPage {
  rows: Row[]
  cursor: string | null
}

export interface Item {
  readonly jsonrpc: string
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}
export interface Message {
  readonly via: 'http' | 'ws'
  readonly items: readonly Item[]
  readonly isBatch: boolean
  readonly bytes: number
  readonly headers: IncomingHttpHeaders
  readonly url: string
}
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes out as it is, anything else as JSON. */
  readonly body: unknown
}
/** `reset` breaks the connection, `half` after part of an answer; `hang` says nothing. */
type Act = Reply | 'reset' | 'half' | 'hang'
export type Step = (message: Message) => Act | Promise<Act>

export const success = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', ok: true, result, id })

export const failure = (id: unknown, kind: ErrorKind, data: object = {}) => {
  const { rpc } = errorTable[kind]
  const text = errorTexts[kind]
  return { jsonrpc: '2.0', error: { code: rpc, message: text, data: { kind, ...data } }, id }
}

const rows = (from: number, to: number): Row[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => ({ n: from + i }))

function answer({ id, method, params }: Item): object {
  const number = (name: string, otherwise: number) => Number(params[name] ?? otherwise)
  const limit = number('limit', 10)
  const total = number('total', 25)
  switch (method) {
    case 'echo':
      return success(id, params)
    case 'math.add':
      return success(id, { sum: number('a', 0) + number('b', 0) })
    case 'dev.mine':
      return success(id, { mined: number('blocks', 1) })
    case 'refused':
      return failure(id, params.kind as ErrorKind, params.data as object)
    case 'list.byOffset': {
      const from = number('offset', 0)
      return success(id, { rows: rows(from, Math.min(total, from + limit)), book: {} })
    }
    case 'list.byCursor': {
      const from = number('cursor', 0)
      const to = Math.min(total, from + limit)
      return success(id, { rows: rows(from, to), cursor: to < total ? String(to) : null })
    }
    default:
      return failure(id, 'methodNotFound')
  }
}

/** Each item by itself; null leaves it out. */
export const perItem =
  (entry: (item: Item, index: number) => object | null = answer): Step =>
  ({ items, isBatch }) => {
    const body = items.map((item, index) => entry(item, index)).filter((one) => one !== null)
    return { body: isBatch ? body : body[0] }
  }

export const normally = answer

/** Refuses the whole message. */
export const refuse =
  (kind: ErrorKind, data: object = {}, headers: Record<string, string> = {}): Step =>
  () => ({ status: httpStatuses[kind], headers, body: failure(null, kind, data) })

export const raw =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  () => ({ status, body, headers })

export interface StubService extends AsyncDisposable {
  readonly url: string
  readonly messages: readonly Message[]
  /** Steps still to be taken. */
  readonly script: Step[]
  /** Sockets that are open now. */
  readonly sockets: ReadonlySet<WebSocket>
  /** Messages whose sender went away before the answer. */
  readonly abandoned: () => number
  /** Batches of more are refused; 1000 at first. */
  limit: number
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, x-api-key',
  'access-control-expose-headers': 'retry-after',
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

/** Listens on a free port of the loopback until it is disposed of. */
export async function startStub(...script: Step[]): Promise<StubService> {
  const messages: Message[] = []
  let abandoned = 0
  const stub = { limit: 1000 }

  const take = (via: 'http' | 'ws', text: string, { headers, url = '' }: IncomingMessage): ReturnType<Step> => {
    const body: Item | Item[] = JSON.parse(text)
    const isBatch = Array.isArray(body)
    const items = isBatch ? body : [body]
    const message: Message = { via, items, isBatch, bytes: Buffer.byteLength(text), headers, url }
    messages.push(message)
    const step = script.shift()
    if (!step && items.length > stub.limit) return refuse('batchTooLarge', { limit: stub.limit })(message)
    return (step ?? perItem())(message)
  }

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end()
    if (request.url?.split('?')[0] !== '/jsonRPC') return void response.writeHead(404).end('<h1>Not Found</h1>')
    if (request.method === 'GET') {
      const body = JSON.stringify(failure(null, 'verbNotAllowed'))
      return void response.writeHead(405, { 'content-type': 'application/json' }).end(body)
    }
    response.on('close', () => {
      if (!response.writableFinished) abandoned++
    })
    const reply = await take('http', await readBody(request), request)
    if (reply === 'hang') return
    if (reply === 'reset') return void request.socket.destroy()
    if (reply === 'half') {
      response.writeHead(200, { ...CORS, 'content-length': '1000' }).write('{"jsonrpc"')
      setTimeout(() => request.socket.destroy(), 20)
      return
    }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...CORS, ...reply.headers })
    response.end(toText(reply.body))
  }

  // No connection ends by itself: of a process that stood still for a while, it would end under the next call.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    onRequest(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const socketServer = new WebSocketServer({ server, path: '/jsonRPC', maxPayload: 1024 * 1024 })
  socketServer.on('connection', (socket, request) => {
    // A frame above the limit; the socket closes itself with 1009.
    socket.on('error', () => {})
    socket.on('message', async (data) => {
      const reply = await take('ws', String(data), request)
      if (reply === 'reset' || reply === 'half') socket.terminate()
      else if (reply !== 'hang') socket.send(toText(reply.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}`,
    messages,
    script,
    sockets: socketServer.clients,
    abandoned: () => abandoned,
    async [Symbol.asyncDispose]() {
      for (const socket of socketServer.clients) socket.terminate()
      socketServer.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  })
}
