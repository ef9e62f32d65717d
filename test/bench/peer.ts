// B13: pages of v3 compared with any other v3 server on the same chain: `npm run bench -- peer`. PEER_URL is the other server, without
// which only our figures are printed; PEER_PID its process and PEER_DATABASE the name of its database, for their processor time.
// Ours is started over the index that PEER_INDEX names: the address of a PostgreSQL, or the folder of an embedded database. With
// PEER_DATA, the data folder of its chain, it is the service as it ships, with WORKERS processes. Or it is OURS_URL (and OURS_PID).
// PEER_KINDS is a regular expression of kinds, PEER_CALLERS numbers of callers ("1,16,64"); PEER_MS the time of each measurement, of
// which PEER_ROUNDS are made by turns, once each of our processes has answered enough calls to be warm. A kind is compared only
// where both servers have the same number of rows to show: an empty list is quickly written. Which were not is said
// at the end. Rates of a machine with other work say little; the processor time of a call does.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { aligned, loadLine, median } from './compare.ts'
import { load, warmUp } from './load.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { peerQueries, UNREACHED } from './peerQueries.ts'
import { databaseProcessor, processorOf, takenBetween } from './processor.ts'
import { spawnOurs, stop } from './started.ts'

const MS = Number(process.env.PEER_MS ?? 2000)
const ROUNDS = Number(process.env.PEER_ROUNDS ?? 1)
const WARM_MS = MS / 2
const CALLERS = (process.env.PEER_CALLERS ?? '1,16,64').split(',').map(Number)
const WORKERS = process.env.WORKERS ?? '1'
const WARM_CALLERS = 16
/** Times the rate of the other server, and times less processor. */
const MARKS = { rate: WORKERS === '1' ? 1.2 : 2, processor: 2 }
/** No limits and next to no cached replies. */
const FLAGS = ['--mining', 'manual', '--memory-mb', '1', '--connections-per-address', '500', '--limits', 'off']

interface Server {
  readonly url: string
  readonly pid: number | null
  /** Name of its database in a PostgreSQL on this machine. */
  readonly database: string | null
  stop(): void
}

const isAddress = (place: string | undefined): place is string => /^postgres(ql)?:/.test(place ?? '')
const pidOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

async function ours(): Promise<Server> {
  const { OURS_URL: url, OURS_PID: pid, PEER_INDEX: index, PEER_DATA: data } = process.env
  const database = isAddress(index) ? new URL(index).pathname.slice(1) : null
  if (url !== undefined) return { url, database, pid: pidOf(pid), stop: () => undefined }
  if (data !== undefined) {
    const started = await spawnOurs(data, [...FLAGS, '--database', index ?? 'pglite', '--workers', WORKERS])
    const { pid = null } = started.child
    return { url: `http://127.0.0.1:${started.port}`, database, pid, stop: () => void stop(started) }
  }
  if (index === undefined) throw new Error('OURS_URL names no server and PEER_INDEX no index')
  const file = new URL('./peerServer.ts', import.meta.url)
  const child = fork(file, [index], { execArgv: [...NODE_OPTIONS] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, database, pid: child.pid ?? null, stop: () => child.disconnect() }
}

function theirs(): Server | null {
  const { PEER_URL: url, PEER_PID: pid, PEER_DATABASE: database = null } = process.env
  return url === undefined ? null : { url, database, pid: pidOf(pid), stop: () => undefined }
}

const timesOf = ({ pid, database }: Server) => ({
  server: pid === null ? 0 : processorOf(pid),
  database: database === null ? new Map<string, number>() : databaseProcessor(database),
})

const requested = (server: Server, request: () => string, connections: number) => ({
  port: Number(new URL(server.url).port),
  request,
  connections,
  restful: true,
  holds: null,
})

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor for each answer, of the server and of the database; NaN where the process is unknown. */
  readonly server: number
  readonly database: number
}

/** Requests of a server for one kind, from the first path to the last and again. */
function requestsOf({ url }: Server, paths: readonly string[]): () => string {
  const { host } = new URL(url)
  let count = 0
  return () => {
    const [path = '', again] = [paths[count % paths.length], Math.floor(count / paths.length)]
    count++
    // Another limit that no list reaches: the same answer, and none that is cached.
    const limited = path.replace(new RegExp(`limit=${UNREACHED}$`), `limit=${UNREACHED - (again % (UNREACHED / 2))}`)
    return `GET ${limited} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  }
}

async function measure(server: Server, request: () => string, connections: number): Promise<Measured> {
  const all = requested(server, request, connections)
  await load({ ...all, ms: WARM_MS })
  const times: number[] = []
  const before = timesOf(server)
  const rate = await load({ ...all, ms: MS, onAnswer: (ms) => times.push(ms) })
  const after = timesOf(server)
  const each = (ms: number, isKnown: boolean): number => (isKnown ? ms / times.length : Number.NaN)
  const sorted = times.sort((a, b) => a - b)
  return {
    rate,
    p50: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    server: each(after.server - before.server, server.pid !== null),
    database: each(takenBetween(before.database, after.database), server.database !== null),
  }
}

/** The median of each figure. */
function middleOf(all: readonly Measured[]): Measured {
  const of = (what: keyof Measured): number => median(all.map((each) => each[what]))
  return { rate: of('rate'), p50: of('p50'), p99: of('p99'), server: of('server'), database: of('database') }
}

const number = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))

const milliseconds = (value: number): string => (Number.isNaN(value) ? '?' : value.toFixed(2))

const cellsOf = ({ rate, p50, p99, server, database }: Measured): string[] => [
  number(rate),
  `${number(p50)} / ${number(p99)}`,
  `${milliseconds(server)} + ${milliseconds(database)}`,
]

/** Of rates and of processor time, and which of the marks are missed. */
function comparedCells(own: Measured, other: Measured): string[] {
  const rate = own.rate / other.rate
  const processor = (other.server + other.database) / (own.server + own.database)
  const missed = [...(rate < MARKS.rate ? ['rate'] : []), ...(processor < MARKS.processor ? ['cpu'] : [])]
  const served = (other.server / own.server).toFixed(1)
  return [rate.toFixed(2), served, processor.toFixed(1), missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`]
}

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

const we = await ours()
const they = theirs()
const rows: string[][] = []
const apart: string[] = []
const wanted = new RegExp(process.env.PEER_KINDS ?? '')
for (const [kind, paths] of await peerQueries(we.url)) {
  if (!wanted.test(kind)) continue
  if (paths.length === 0) {
    apart.push(`not measured: ${kind}: the index has none`)
    continue
  }
  const why = they === null ? null : await unlike(we.url, they.url, paths)
  if (why !== null) apart.push(`not compared: ${kind}: ${why}`)
  const compared = why === null ? they : null
  const asked = requestsOf(we, paths)
  const askedOther = requestsOf(compared ?? we, paths)
  await warmUp(requested(we, asked, WARM_CALLERS), Number(WORKERS))
  if (compared !== null) await load({ ...requested(compared, askedOther, WARM_CALLERS), ms: MS })
  for (const callers of CALLERS) {
    const own: Measured[] = []
    const other: Measured[] = []
    for (let round = 0; round < ROUNDS; round++) {
      own.push(await measure(we, asked, callers))
      if (compared !== null) other.push(await measure(compared, askedOther, callers))
    }
    const middle = middleOf(own)
    const theirMiddle = middleOf(other)
    const ofOther = compared === null ? [] : [...cellsOf(theirMiddle), ...comparedCells(middle, theirMiddle)]
    rows.push([kind, String(callers), ...cellsOf(middle), ...ofOther])
  }
}
const head = (whose: string): string[] => [`${whose} per s`, 'p50 / p99 ms', 'cpu ms: server + database']
const ratios = ['times the rate', 'their cpu / ours: server', 'and database', 'marks']
const titles = ['what', 'callers', ...head('ours'), ...(they === null ? [] : [...head('theirs'), ...ratios])]
console.log(`${aligned(titles, rows)}\n${loadLine()}`)
const kinds = new Set(rows.map(([kind]) => kind))
console.log([`${kinds.size} kinds measured`, ...apart].join('\n'))
we.stop()
