// B15: everything at once over a chain of 120,000 transactions: 200 connections of cheap reads, small and large pages of v3, v2
// history, batches and WebSockets. What counts is the cheap read next to the heavy ones, and that no call is refused or late.
// `npm run bench -- mixed`; LONG_CHAIN=folder keeps the chain, DATABASE and WORKERS are those of `workers`, MS is the time.

import { WebSocket } from 'ws'
import { aligned, loadLine } from './compare.ts'
import { indexed, longChain } from './longChain.ts'
import { processorOf, residentOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'
import { percentilesOf, settled, timedLoad } from './timedLoad.ts'

const MS = Number(process.env.MS ?? 20_000)
const WARM_MS = 3000
const DATABASE = process.env.DATABASE ?? 'pglite'
const WORKERS = process.env.WORKERS ?? '1'
const PAGE = 1000
const BATCH = 20
const SOCKETS = 20
/** Milliseconds for the 99th of a hundred cheap reads, and small pages. */
const MARKS = { cheap: 50, small: 300 }

interface Seen {
  readonly account: string
  readonly lt: string
  readonly hash: string
}

interface Group {
  readonly name: string
  readonly callers: number
  readonly request: (i: number) => string
  /** Most milliseconds for the 99th of a hundred. */
  readonly mark?: number
}

interface Answered {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  readonly failed: number
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

function post(value: unknown): string {
  const body = JSON.stringify(value)
  const head = 'POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

async function seen({ port }: Started): Promise<Seen[]> {
  const found: Seen[] = []
  for (let offset = 0; offset < 4 * PAGE; offset += PAGE) {
    const page = `exclude_system=true&limit=${PAGE}&offset=${offset}`
    const reply = await fetch(`http://127.0.0.1:${port}/api/v3/transactions?${page}`)
    found.push(...((await reply.json()) as { transactions: Seen[] }).transactions)
  }
  return found
}

const text = encodeURIComponent

function groupsOf(found: readonly Seen[]): Group[] {
  const at = (i: number): Seen => found[i % found.length] ?? { account: '', lt: '', hash: '' }
  // A bound that differs each time, so that no reply is cached.
  const pageOf = (kind: string, name: string, limit: number) => (i: number) =>
    get(
      `/api/v3/${kind}?${name}=${text(at(i).account)}&limit=${limit}&end_lt=${BigInt(at(i).lt) + BigInt(i)}&sort=desc`,
    )
  const history = (i: number) => {
    const { account, lt, hash } = at(i)
    return get(`/api/v2/getTransactions?address=${text(account)}&lt=${lt}&hash=${text(hash)}&limit=10&to_lt=${i}`)
  }
  const params = (i: number) => ({ address: at(i).account })
  const batch = (i: number) =>
    post(
      Array.from({ length: BATCH }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'getAddressInformation',
        params: params(i + id),
      })),
    )
  return [
    { name: 'getMasterchainInfo', callers: 4, request: () => get('/api/v2/getMasterchainInfo'), mark: MARKS.cheap },
    { name: 'v3 transactions, 10', callers: 76, request: pageOf('transactions', 'account', 10), mark: MARKS.small },
    { name: 'v3 transactions, 100', callers: 15, request: pageOf('transactions', 'account', 100) },
    { name: 'v3 messages, 100', callers: 15, request: pageOf('messages', 'source', 100) },
    { name: 'getTransactions, 10', callers: 25, request: history },
    { name: 'getAddressInformation', callers: 25, request: (i) => post({ id: i, ...calling(params(i)) }) },
    { name: `batches of ${BATCH}`, callers: 20, request: batch },
  ]
}

const calling = (params: unknown) => ({ jsonrpc: '2.0', method: 'getAddressInformation', params })

/** Sockets that each send one frame after the other. */
async function sockets({ port }: Started, found: readonly Seen[], ms: number): Promise<Answered> {
  const until = performance.now() + ms
  const times: number[] = []
  let failed = 0
  const one = (first: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/jsonRPC`)
      let id = first
      let began = 0
      const send = () => {
        began = performance.now()
        if (began >= until) return socket.close()
        id += SOCKETS
        socket.send(JSON.stringify({ id, ...calling({ address: found[id % found.length]?.account }) }))
      }
      socket.on('open', send)
      socket.on('message', (frame: Buffer) => {
        times.push(performance.now() - began)
        if (!frame.includes('"result"')) failed++
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => {
        if (performance.now() < until) failed++
        resolve()
      })
    })
  await Promise.all(Array.from({ length: SOCKETS }, (_, i) => one(i)))
  return { rate: times.length / (ms / 1000), failed, ...percentilesOf(times) }
}

/** All groups at once. */
async function together(service: Started, found: readonly Seen[], ms: number): Promise<[Group | null, Answered][]> {
  const pid = service.child.pid ?? 0
  let count = 0
  const measured = groupsOf(found).map(async (group): Promise<[Group, Answered]> => {
    const next = () => group.request(count++)
    return [group, await timedLoad({ port: service.port, pid, callers: group.callers, ms, next })]
  })
  const overSockets = sockets(service, found, ms).then((answered): [null, Answered] => [null, answered])
  return Promise.all([...measured, overSockets])
}

function row(group: Group | null, { rate, p50, p99, slowest, failed }: Answered): string[] {
  const { name, callers, mark } = group ?? { name: 'over WebSocket', callers: SOCKETS }
  const figures = [Math.round(rate).toLocaleString('en'), p50.toFixed(1), p99.toFixed(1), slowest.toFixed(0)]
  const verdict = mark === undefined ? '' : `p99 ≤ ${mark}: ${p99 <= mark ? 'met' : 'MISSED'}`
  return [name, String(callers), ...figures, failed === 0 ? '' : `${failed} failed`, verdict]
}

const chain = await longChain()
const flags = ['--mining', 'manual', '--database', DATABASE, '--workers', WORKERS, '--limits', 'off']
const service = await spawnOurs(chain.data, [...flags, '--connections-per-address', '500'])
try {
  await indexed(service)
  await settled(service.child.pid ?? 0)
  const found = await seen(service)
  await together(service, found, WARM_MS)
  const before = processorOf(service.child.pid ?? 0)
  const all = await together(service, found, MS)
  const used = (processorOf(service.child.pid ?? 0) - before) / MS
  const head = ['what', 'callers', 'calls/s', 'p50 ms', 'p99 ms', 'max ms', '', 'mark']
  console.log(
    aligned(
      head,
      all.map(([group, answered]) => row(group, answered)),
    ),
  )
  const failed = all.reduce((sum, [, one]) => sum + one.failed, 0)
  console.log(`failed: ${failed} (0 wanted: ${failed === 0 ? 'met' : 'MISSED'})`)
  console.log(`${used.toFixed(2)} processors, ${residentOf(service.child.pid ?? 0).toFixed(0)} MB\n${loadLine()}`)
} finally {
  await stop(service)
  await chain.remove()
}
