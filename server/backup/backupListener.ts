// How a command of the same user reaches a running service: a port of this machine, and a secret in a file of the data folder.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { failureText, hasCode, replaceFile } from '../process/index.ts'
import { BackupFault } from './fault.ts'

export const CONTROL_FILE = 'control.json'
/** Content type of an answer, by which it is known to be that of a service. */
export const COPY_LINES = 'application/x-ndjson'

/** What is copied: everything, or the embedded index alone. */
const COPIES = ['data', 'index'] as const
export const CopyOrder = z.strictObject({ copy: z.enum(COPIES), to: z.string().min(1).max(4_000) })

/** Makes a copy and resolves with what the command prints of it. */
export type CopyWork = (
  order: z.output<typeof CopyOrder>,
  how: { readonly signal: AbortSignal; readonly onProgress: (part: string) => void },
) => Promise<unknown>

export interface BackupListener {
  close(): Promise<void>
}

const MOST_BODY_BYTES = 16_384

/** The second is for machines whose loopback has IPv6 alone. */
export const LOOPBACKS = ['127.0.0.1', '::1'] as const

/** Resolves with the first of these addresses that this machine has. */
async function listenAtFirst(server: Server, [host, ...others]: readonly string[]): Promise<string> {
  try {
    server.listen({ host, port: 0, exclusive: true })
    await once(server, 'listening')
    return host ?? ''
  } catch (error) {
    if (others.length === 0 || !hasCode(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) throw error
    return await listenAtFirst(server, others)
  }
}

export async function listenForBackups(
  data: string,
  work: CopyWork,
  hosts: readonly string[] = LOOPBACKS,
): Promise<BackupListener> {
  const token = randomBytes(32)
  const stopping = new AbortController()
  let running: Promise<void> | null = null

  const isAllowed = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(/^Bearer ([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1] ?? '', 'hex')
    return given.length === token.length && timingSafeEqual(given, token)
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!isAllowed(req)) return void res.writeHead(403).end()
    if (Number(req.headers['content-length'] ?? Number.NaN) > MOST_BODY_BYTES) return void res.writeHead(413).end()
    const order = CopyOrder.safeParse(JSON.parse(await text(req)))
    if (!order.success) return void res.writeHead(400).end()
    const line = (value: unknown): void => void res.write(`${JSON.stringify(value)}\n`)
    res.writeHead(200, { 'Content-Type': COPY_LINES }).flushHeaders()
    if (running !== null)
      return void res.end(`${JSON.stringify({ error: 'another copy is being made: try again later' })}\n`)
    const left = new AbortController()
    res.on('close', () => left.abort(new BackupFault('the command was ended')))
    const run = work(order.data, {
      signal: AbortSignal.any([left.signal, stopping.signal]),
      onProgress: (part) => line({ part }),
    }).then(
      (done) => line({ done }),
      (error: unknown) => line({ error: failureText(error) }),
    )
    running = run
    await run
    running = null
    res.end()
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy())
  })
  const host = await listenAtFirst(server, hosts)
  server.unref()
  // The cast: it listens on a port, and not on a path.
  const { port } = server.address() as AddressInfo
  await replaceFile(join(data, CONTROL_FILE), `${JSON.stringify({ host, port, token: token.toString('hex') })}\n`)
  return {
    async close() {
      stopping.abort(new BackupFault('the service was stopped before the copy was finished'))
      await running
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
      // On a disk that became read-only it stays, and names a port where nothing listens.
      await rm(join(data, CONTROL_FILE), { force: true }).catch(() => undefined)
    },
  }
}
