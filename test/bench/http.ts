// B1 to B3: what the doors cost, beside node:http answering the same bytes (headers and body) without any of the work.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileKeyStore } from '../../server/access/index.ts'
import { compare, type Row, table } from './compare.ts'
import { load } from './load.ts'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const ADDRESS = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const CALL = { jsonrpc: '2.0', id: 1, method: 'packAddress', params: { address: ADDRESS } }
const ROUND_MS = 1500
const CONNECTIONS = 32

const post = (path: string, value: unknown, key: string): string => {
  const body = JSON.stringify(value)
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', `X-API-Key: ${key}`]
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`

async function startOurs(data: string): Promise<{ child: ChildProcess; port: number }> {
  const args = [
    join(root, '.build/server/main.js'),
    '--port',
    '0',
    '--data',
    data,
    '--seed',
    'none',
    '--limits',
    'on',
    '--log-level',
    'warn',
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    const port = /http:\/\/127\.0\.0\.1:(\d+)\/jsonRPC/.exec(text)?.[1]
    if (port) return { child, port: Number(port) }
  }
  throw new Error(`the service did not start: ${text}`)
}

/** A bare server that answers what ours answered to the same request. */
async function startBare(port: number, request: string): Promise<{ child: ChildProcess; port: number }> {
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

async function benchHttp(): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
  const store = createFileKeyStore(data)
  const order = { network: 'devnet', plan: 'custom', perSecond: 1_000_000, label: 'bench', expiresAt: null } as const
  const { key } = await store.create(order)
  await store.close()
  const ours = await startOurs(data)
  const single = post('/jsonRPC', CALL, key)
  const rest = get(`/api/v2/packAddress?address=${ADDRESS}`, key)
  const batch = post(
    '/jsonRPC',
    Array.from({ length: 100 }, (_, id) => ({ ...CALL, id })),
    key,
  )
  const bareSingle = await startBare(ours.port, single)
  const bareRest = await startBare(ours.port, rest)
  const rate = (port: number, request: string) => () => load({ port, request, connections: CONNECTIONS, ms: ROUND_MS })
  const rows = [
    await compare({
      name: 'B1 single JSON-RPC call, key and limiter on',
      unit: 'calls/s',
      target: 0.65,
      ours: rate(ours.port, single),
      theirs: rate(bareSingle.port, single),
    }),
    await compare({
      name: 'B2 batch of 100 against one call per request',
      unit: 'calls/s',
      target: 6,
      ours: async () => 100 * (await rate(ours.port, batch)()),
      theirs: rate(bareSingle.port, single),
    }),
    await compare({
      name: 'B3 REST mirror of the same read',
      unit: 'calls/s',
      target: 0.6,
      ours: rate(ours.port, rest),
      theirs: rate(bareRest.port, rest),
    }),
  ]
  for (const { child } of [ours, bareSingle, bareRest]) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  rmSync(data, { recursive: true, force: true })
  return rows
}

console.log('Each row measures ours and the reference in turn, five rounds; ratios are medians.\n')
console.log(table(await benchHttp()))
