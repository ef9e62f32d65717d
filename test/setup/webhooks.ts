// Receivers of webhooks for tests: real HTTP servers on loopback, whose answers a test chooses.

import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { ask } from './calls.ts'
import { eventually, type Frame } from './streams.ts'

export interface Received {
  readonly path: string
  readonly body: Frame
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

export interface Receiver {
  readonly url: string
  readonly all: readonly Received[]
  /** Waits until so many came. */
  count(least: number): Promise<readonly Received[]>
  /** What is answered from now on. */
  answer: (res: ServerResponse, received: Received) => void
}

const ok = (res: ServerResponse): void => void res.writeHead(200).end()

export async function openReceiver(): Promise<Receiver> {
  const all: Received[] = []
  const receiver = { answer: ok as Receiver['answer'] }
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const received = { path: req.url ?? '', text, body: JSON.parse(text) as Frame, headers: req.headers }
    all.push(received)
    receiver.answer(res, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    all,
    count: (least: number) =>
      eventually(() => (all.length >= least ? all : undefined), `only ${all.map(({ text }) => text.slice(0, 120))}`),
  })
}

/** An endpoint whose answers are any bytes. */
export async function openTalker(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => talk(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Whether the signature of a delivery is that of its secret. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [, time = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? []
  return createHmac('sha256', secret).update(`${time}.${text}`).digest('hex') === given
}

/** Calls of the interface with one key. */
export const webhooksOf = (service: { readonly url: string }, key = '') => {
  const send = async (verb: string, path: string, value?: unknown) => {
    const body = value === undefined ? {} : { body: JSON.stringify(value) }
    const headers = key === '' ? {} : { 'X-API-Key': key }
    return await ask(service, path, { method: verb, headers, ...body })
  }
  return {
    send,
    async add(endpoint: string, subscription?: unknown): Promise<{ id: number; secret: string; token: string }> {
      const { body, text } = await send('POST', '/webhooks', { endpoint, ...(subscription ? { subscription } : {}) })
      if (typeof body?.webhook_id !== 'number') throw new Error(text)
      return { id: body.webhook_id, secret: String(body.secret), token: String(body.token) }
    },
    async one(id: number): Promise<Frame> {
      const { webhooks } = (await send('GET', '/webhooks')).body as unknown as { webhooks: Frame[] }
      const found = webhooks.find((one) => one.id === id)
      if (found === undefined) throw new Error(`webhook ${id} is not listed`)
      return found
    },
  }
}
