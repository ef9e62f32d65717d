// Turns of the event loop that are longer than 10 ms, and what they are spent on: a start with the demo, then every document,
// page and method, the first time, again, and with the largest params. `npm run bench -- turns`; TURNS=long also asks each list of
// v3 by each of its params, TURNS=hostile sends what strangers may, TURNS=many opens streams and webhooks by the thousand, TURNS=flood
// measures a cheap read beside one client at full speed, TURNS=all all of these; with `only` among the words the usual requests are
// left out. HOSTILE=bags,queries, MANY=readers,webhooks and FLOOD=none,emulate name parts.
// DATABASE=postgres://..., WORKERS=4 and LITE=1 watch such services.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { createClient } from '../../client/index.ts'
import type { CallData, CallField } from '../../server/docs/browser/callData.ts'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import { aligned, loadLine } from './compare.ts'
import { heavyQueries } from './recordV3.ts'
import { TurnCauses } from './turnCauses.ts'
import { askFlooded } from './turnFlood.ts'
import { askHostile } from './turnHostile.ts'
import { askMany } from './turnMany.ts'
import { startWatched } from './turnService.ts'
import { untilPlayed } from './untilPlayed.ts'

const MOST_US = 10_000
/** Between two requests, so that what one leaves behind is not taken for the next one's. */
const REST_MS = 30

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
const { url, chainUrl, pid, stop } = await startWatched()

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

async function allExamples(): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  for (const path of ['/api/v2/', '/api/v3/'])
    for (const [name, params] of examplesIn(await step(`${path} third`, path, HTML))) found.set(name, params)
  return found
}

async function askLargest(): Promise<void> {
  const pages = await allExamples()
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
await untilPlayed(createClient({ url: chainUrl, timeoutMs: 60_000 }))
if (chainUrl !== url) await untilPlayed(createClient({ url, timeoutMs: 60_000 }))
await pause(2000)
const { TURNS = '' } = process.env
if (!/only/.test(TURNS)) {
  await askAll('first')
  await askAll('again')
  await askLargest()
}
if (/long|all/.test(TURNS)) await longPages()
if (/hostile|all/.test(TURNS))
  await askHostile({ url, step, begin, examples: await allExamples() }, process.env.HOSTILE)
if (/many|all/.test(TURNS)) await askMany({ url, step, begin, examples: await allExamples() }, process.env.MANY)
if (/flood|all/.test(TURNS)) await askFlooded({ url, pid, begin, examples: await allExamples() }, process.env.FLOOD)
begin('idle')
await pause(3000)
begin('stop')
const watched = await stop()
const stepAt = (at: number): string => steps.findLast(({ from }) => from <= at)?.name ?? 'before'
const rows = watched.flatMap(({ program, turns, profile }) => {
  const causes = new TurnCauses(profile)
  const long = turns.filter(({ cpu }) => cpu > MOST_US)
  return long.map(({ from, until, cpu }) => [
    ...(watched.length > 1 ? [program] : []),
    stepAt(until),
    (cpu / 1000).toFixed(1),
    causes.of(from, until),
  ])
})
const head = [...(watched.length > 1 ? ['process'] : []), 'while', 'ms', 'spent on']
console.log(`${aligned(head, rows)}\n${loadLine()}`)
console.log(`${rows.length} turns above ${MOST_US / 1000} ms of ${steps.length} steps`)
