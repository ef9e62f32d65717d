// B13: pages of v3 compared with any other v3 server on the same chain: `npm run bench -- peer`. PEER_URL is the other server, without
// which only our figures are printed; PEER_PID its process, for its processor time. Ours is OURS_URL (and OURS_PID), or is
// started over the index that PEER_INDEX names: the address of a PostgreSQL, or the folder of an embedded database.
// PEER_KINDS picks kinds by a part of their names, PEER_MS is the time of each measurement. A kind is compared only where both
// servers have the same number of rows to show: an empty list is quickly written. Which kinds were not is said at the end.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { aligned, loadLine, median } from './compare.ts'
import { load } from './load.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { peerQueries } from './peerQueries.ts'

const MS = Number(process.env.PEER_MS ?? 2000)
const WARM_MS = MS / 2
const CALLERS = [1, 16, 64]
/** Of `/proc`: hundredths of a second. */
const TICK_MS = 10

interface Server {
  readonly url: string
  readonly pid: number | null
  stop(): void
}

async function ours(): Promise<Server> {
  const { OURS_URL: url, OURS_PID: pid, PEER_INDEX: index } = process.env
  if (url !== undefined) return { url, pid: pid === undefined ? null : Number(pid), stop: () => undefined }
  if (index === undefined) throw new Error('OURS_URL names no server and PEER_INDEX no index')
  const file = new URL('./peerServer.ts', import.meta.url)
  const child = fork(file, [index], { execArgv: [...NODE_OPTIONS] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? null, stop: () => child.disconnect() }
}

function theirs(): Server | null {
  const { PEER_URL: url, PEER_PID: pid } = process.env
  return url === undefined ? null : { url, pid: pid === undefined ? null : Number(pid), stop: () => undefined }
}

/** Milliseconds of processor that a process has used; 0 for one that has ended. */
function processorOf(pid: number | string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/** The processes of PostgreSQL on this machine, all of them. */
function databaseProcesses(): string[] {
  const isDatabase = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isDatabase(name))
}

const databaseTime = (): number => databaseProcesses().reduce((sum, pid) => sum + processorOf(pid), 0)

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor for each answer, of the server and of the database; null where the process is unknown. */
  readonly server: number | null
  readonly database: number
}

async function measure({ url, pid }: Server, paths: readonly string[], connections: number): Promise<Measured> {
  const { port, host } = new URL(url)
  let next = 0
  const request = () => `GET ${paths[next++ % paths.length] ?? ''} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const run = (ms: number, onAnswer: (ms: number) => void) =>
    load({ port: Number(port), request, connections, ms, restful: true, holds: null, onAnswer })
  await run(WARM_MS, () => undefined)
  const times: number[] = []
  const [own, database] = [pid === null ? 0 : processorOf(pid), databaseTime()]
  const rate = await run(MS, (ms) => times.push(ms))
  const each = (spent: number) => spent / times.length
  const sorted = times.sort((a, b) => a - b)
  return {
    rate,
    p50: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    server: pid === null ? null : each(processorOf(pid) - own),
    database: each(databaseTime() - database),
  }
}

const number = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))

const cellsOf = ({ rate, p50, p99, server, database }: Measured): string[] => [
  number(rate),
  `${number(p50)} / ${number(p99)}`,
  `${server === null ? '?' : server.toFixed(1)} + ${database.toFixed(1)}`,
]

/** Rows in all lists of an answer; null for a failure. */
async function rowsIn(url: string, path: string): Promise<number | null> {
  const response = await fetch(url + path)
  if (!response.ok) return null
  // The cast: that is what JSON is.
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  return Object.values(body).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
}

const LOOKED_AT = 10

/** Why a kind is not measured against the other server; null when both have the same to show. */
async function unlike(mine: string, other: string, paths: readonly string[]): Promise<string | null> {
  let differing = 0
  for (const path of paths.slice(0, LOOKED_AT)) {
    const [here, there] = await Promise.all([rowsIn(mine, path), rowsIn(other, path)])
    if (here === null || there === null) return `${there === null ? 'theirs' : 'ours'} fails`
    if (here > 0 && there === 0) return 'theirs is empty'
    differing += here === there ? 0 : 1
  }
  return differing === 0
    ? null
    : `${differing} of ${Math.min(LOOKED_AT, paths.length)} answers differ in their number of rows`
}

const [we, they] = [await ours(), theirs()]
const rows: string[][] = []
const apart: string[] = []
for (const [kind, paths] of await peerQueries(we.url)) {
  if (!kind.includes(process.env.PEER_KINDS ?? '')) continue
  if (paths.length === 0) {
    apart.push(`not measured: ${kind}: the index has none`)
    continue
  }
  const why = they === null ? null : await unlike(we.url, they.url, paths)
  if (why !== null) apart.push(`not compared: ${kind}: ${why}`)
  for (const callers of CALLERS) {
    const own = await measure(we, paths, callers)
    const other = they === null || why !== null ? null : await measure(they, paths, callers)
    const ofOther = other === null ? [] : [...cellsOf(other), (own.rate / other.rate).toFixed(2)]
    rows.push([kind, String(callers), ...cellsOf(own), ...ofOther])
  }
}
const head = (whose: string): string[] => [`${whose} per s`, 'p50 / p99 ms', 'cpu ms: server + database']
const titles = ['what', 'callers', ...head('ours'), ...(they === null ? [] : [...head('theirs'), 'ratio'])]
console.log(`${aligned(titles, rows)}\n${loadLine()}`)
const kinds = new Set(rows.map(([kind]) => kind))
console.log([`${kinds.size} kinds measured`, ...apart].join('\n'))
we.stop()
