// What benchmarks over HTTP start: our service as it ships, and node:http answering the same bytes (headers and body)
// without any of the work.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileKeyStore } from '../../server/access/index.ts'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

export interface Started {
  readonly child: ChildProcess
  readonly port: number
}

/** A whole request with its key. */
export const post = (path: string, value: unknown, key: string): string => {
  const body = JSON.stringify(value)
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', `X-API-Key: ${key}`]
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`

interface SpawnOptions {
  readonly logLevel?: string
  /** Starts Node with these arguments; its output must be a pipe. */
  readonly spawned?: (args: readonly string[]) => ChildProcess
}

const spawnNode = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })

/** The compiled service as `npm start` runs it, on a free port; resolves when it says where it listens. */
export async function spawnOurs(
  data: string,
  flags: readonly string[],
  { logLevel = 'warn', spawned = spawnNode }: SpawnOptions = {},
): Promise<Started> {
  const args = [join(root, '.build/bin/main.js'), '--port', '0', '--data', data, '--log-level', logLevel, ...flags]
  const child = spawned(args)
  let text = ''
  const port = await new Promise<number>((resolve, reject) => {
    // Read to its end: what is said later must not wait until it is read.
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)\/jsonRPC/.exec(text)?.[1]
      if (found) resolve(Number(found))
    })
    child.once('exit', () => reject(new Error(`the service did not start: ${text}`)))
  })
  return { child, port }
}

/** A bare server that answers what ours answered to the same request. */
export async function startBare({ port }: Started, request: string): Promise<Started> {
  const [head = '', body = ''] = (await exchange(port, request)).split('\r\n\r\n')
  const byNode = /^(date|connection|keep-alive):/i
  const headers = head
    .split('\r\n')
    .slice(1)
    .filter((line) => !byNode.test(line))
  const pairs = headers.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  const child = fork(fileURLToPath(new URL('./bareServer.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  child.send({ headers: pairs, body })
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { child, port: address.port }
}

async function exchange(port: number, request: string): Promise<string> {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  socket.write(request.replace('\r\nHost', '\r\nConnection: close\r\nHost'))
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** The service with an empty data folder and one key that no limit stops, until `close`. */
export async function startOurs(
  ...flags: string[]
): Promise<Started & { readonly key: string; close(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
  const store = createFileKeyStore(data)
  const order = { network: 'devnet', plan: 'custom', perSecond: 1_000_000, label: 'bench', expiresAt: null } as const
  const { key } = await store.create(order)
  await store.close()
  const ours = await spawnOurs(data, ['--seed', 'none', '--limits', 'on', ...flags])
  const close = async () => {
    await stop(ours)
    rmSync(data, { recursive: true, force: true })
  }
  return { ...ours, key, close }
}

export async function stop({ child }: Started): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
