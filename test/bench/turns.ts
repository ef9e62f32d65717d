// Turns of the event loop that are longer than 10 ms, and what they are spent on: a start with the demo, then every document,
// page and method, the first time, again, and with the largest params. `npm run bench -- turns`; TURNS=long also asks each list of
// v3 by each of its params.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { createClient } from '../../client/index.ts'
import type { CallData, CallField } from '../../server/docs/browser/callData.ts'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import { aligned, loadLine } from './compare.ts'
import { heavyQueries } from './recordV3.ts'
import { TurnCauses } from './turnCauses.ts'
import type { Watched } from './turnWatch.ts'
import { untilPlayed } from './untilPlayed.ts'

const MOST_US = 10_000
/** Between two requests, so that what one leaves behind is not taken for the next one's. */
const REST_MS = 30

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const folder = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const file = join(folder, 'turns.json')
const { code } = transformSync(readFileSync(fileURLToPath(new URL('./turnWatch.ts', import.meta.url)), 'utf8'), {
  ...{ loader: 'ts', format: 'esm' },
})
const watch = `data:text/javascript,${encodeURIComponent(code)}`
const main = join(root, '.build/bin/main.js')
const service = spawn(
  process.execPath,
  ['--import', watch, main, '--port', '0', '--data', join(folder, 'data'), '--limits', 'off', '--log-level', 'warn'],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TURNS_FILE: file } },
)

interface Step {
  readonly name: string
  readonly from: number
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)
const steps: Step[] = []
const begin = (name: string): void => {
  steps.push({ name, from: nowUs() })
}

begin('start')
let text = ''
const url = await new Promise<string>((resolve, reject) => {
  service.stdout.on('data', (chunk) => {
    text += chunk
    const found = /(http:\/\/127\.0\.0\.1:\d+)\/jsonRPC/.exec(text)?.[1]
    if (found) resolve(found)
  })
  service.once('exit', () => reject(new Error(`the service did not start: ${text}`)))
})

async function step(name: string, path: string, init: RequestInit = {}): Promise<string> {
  await pause(REST_MS)
  begin(name)
  const reply = await fetch(url + path, init)
  const body = await reply.text()
  if (reply.status >= 500) console.log(`${name}: ${reply.status} ${body.slice(0, 200)}`)
  return body
}

const plainText = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

function fieldValue({ kind, item }: CallField, initial: string): unknown {
  const one = (what: string | undefined, from: string) => (what === 'number' ? Number(from) : from)
  if (kind === 'list') return initial.split('\n').map((line) => one(item, line))
  if (kind === 'boolean') return initial === 'true'
  if (kind !== 'json' && kind !== 'any') return one(kind, initial)
  try {
    return JSON.parse(initial)
  } catch {
    return initial
  }
}

/** Params that have a result, by method, as the forms of a reference page hold them. */
function examplesIn(page: string): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  // The cast: the page was written by this version of the program.
  const calls = [...page.matchAll(/data-method="([^"]+)"/g)].map(
    ([, json = '']) => JSON.parse(plainText(json)) as CallData,
  )
  return new Map(
    calls.map(({ name, fields }) => [
      name,
      Object.fromEntries(
        fields.flatMap((field) =>
          field.initial === undefined ? [] : [[field.name, fieldValue(field, field.initial)]],
        ),
      ),
    ]),
  )
}

const HTML = { headers: { accept: 'text/html' } }

/** Methods that would stop the others. */
const LAST = /^dev\.(?:revert|set|increase|mine|restart)/

async function askAll(round: string): Promise<void> {
  const pages = new Map<string, Readonly<Record<string, unknown>>>()
  for (const path of [
    '/openapi/v2.json',
    '/openapi/v3.json',
    '/openrpc/methods.json',
    '/metrics',
    '/readyz',
    '/healthz',
  ])
    await step(`${path} ${round}`, path)
  for (const path of ['/api/v2/', '/api/v3/', '/docs/', '/docs/streams', '/docs/configuration.md', '/api/', '/nowhere'])
    for (const [name, params] of examplesIn(await step(`${path} ${round}`, path, HTML))) pages.set(name, params)
  const { transactions } = JSON.parse(await step(`v3 ${round}`, '/api/v3/transactions?limit=3')) as {
    transactions: { account: string; hash: string; trace_id: string }[]
  }
  const [one] = transactions
  const explorer = [
    '/',
    `/account/${one?.account}`,
    `/transaction/${encodeURIComponent(one?.hash ?? '')}`,
    '/status',
    '/search?q=ton',
  ]
  for (const path of [...explorer, '/lab', '/console', '/config', '/validators', '/pools', '/blocks', '/wallets'])
    await step(`page ${path.slice(0, 14)} ${round}`, path, HTML)
  const names = Object.keys(registry)
  for (const method of [...names.filter((name) => !LAST.test(name)), ...names.filter((name) => LAST.test(name))])
    await step(`${method} ${round}`, '/jsonRPC', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: pages.get(method) ?? {} }),
    })
  await stream(round)
}

/** A stream of all that happens, over a transfer. */
async function stream(round: string): Promise<void> {
  begin(`stream ${round}`)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
  await once(socket, 'open')
  socket.send(
    JSON.stringify({ operation: 'subscribe', id: '1', types: ['transactions', 'actions', 'trace'], addresses: [] }),
  )
  await pause(200)
  begin(`faucet ${round}`)
  await fetch(`${url}/jsonRPC`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'dev.faucet',
      params: { address: `0:${'12'.repeat(32)}`, amount: '1000000000' },
    }),
  })
  await pause(1500)
  socket.terminate()
}

/** Numbers at their maximum, and lists of addresses as long as they may be. */
function enlarged(spec: MethodSpec, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' })
  const larger = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (typeof schema === 'boolean') return []
    const { maximum, maxItems, type } = schema
    if (type === 'integer' && /limit|count/.test(name) && maximum !== undefined) return [[name, maximum]]
    if (type !== 'array' || !/^(?:account|address|addresses|owner_address|source)$/.test(name)) return []
    const address = (_: unknown, i: number) => `0:${createHash('sha256').update(`${i}`).digest('hex')}`
    return [[name, [...[params[name] ?? []].flat(), ...Array.from({ length: (maxItems ?? 1000) - 2 }, address)]]]
  })
  return { ...params, ...Object.fromEntries(larger) }
}

async function askLargest(): Promise<void> {
  const pages = new Map<string, Readonly<Record<string, unknown>>>()
  for (const path of ['/api/v2/', '/api/v3/'])
    for (const [name, params] of examplesIn(await step(`${path} third`, path, HTML))) pages.set(name, params)
  for (const [name, spec] of Object.entries<MethodSpec>(registry)) {
    if (LAST.test(name)) continue
    const params = enlarged(spec, pages.get(name) ?? {})
    for (const round of ['largest', 'largest again'])
      await step(`${name} ${round}`, '/jsonRPC', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }),
      })
  }
}

async function longPages(): Promise<void> {
  for await (const { name, path } of heavyQueries(url))
    await step(`${name} ${decodeURIComponent(path).slice(0, 90)}`, path)
}

begin('demo')
await untilPlayed(createClient({ url, timeoutMs: 60_000 }))
await pause(2000)
await askAll('first')
await askAll('again')
await askLargest()
if (process.env.TURNS === 'long') await longPages()
begin('idle')
await pause(3000)
begin('stop')
const gone = once(service, 'exit')
service.kill('SIGTERM')
await gone

// The cast: the watch writes it.
const { turns, profile } = JSON.parse(readFileSync(file, 'utf8')) as Watched
rmSync(folder, { recursive: true, force: true })
const causes = new TurnCauses(profile)
const stepAt = (at: number): string => steps.findLast(({ from }) => from <= at)?.name ?? 'before'
const long = turns.filter(({ cpu }) => cpu > MOST_US)
const rows = long.map(({ from, until, cpu }) => [stepAt(until), (cpu / 1000).toFixed(1), causes.of(from, until)])
console.log(`${aligned(['while', 'ms', 'spent on'], rows)}\n${loadLine()}`)
console.log(`${long.length} turns above ${MOST_US / 1000} ms of ${steps.length} steps`)
