// One process that answers callers compared with several: `npm run bench -- workers`. WORKERS is the number of the several, DATABASE
// the address of an empty PostgreSQL or one with the index of the same chain, by default the embedded database answers;
// TRANSACTIONS and LONG_CHAIN are those of the chain, as for `history`. No request is repeated but the first kind. Rates of a
// machine with other work say little; the processor time of a call, of all processes of the service together, does.
// CORE_SHARE=25 holds each process to a quarter of a core, so that four of them leave room for the database and the callers.
// KINDS=3,5 measures the third and the fifth kind alone; ROUNDS and ROUND_MS say how often and how long.

import { aligned, loadLine, median } from './compare.ts'
import { holdEach } from './coreShare.ts'
import { load, warmUp } from './load.ts'
import { indexed, longChain } from './longChain.ts'
import { familyOf, processorOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const MS = Number(process.env.ROUND_MS ?? 1000)
/** A single caller has one answer made at a time, whoever makes it. */
const CALLERS = [16, 64]
const MOST_CALLERS = 64
const SEVERAL = process.env.WORKERS ?? '4'
const DATABASE = process.env.DATABASE ?? 'pglite'
const PAGE = 1000
const CORE_SHARE = Number(process.env.CORE_SHARE ?? 0)
const KINDS = process.env.KINDS?.split(',') ?? null

interface Seen {
  readonly account: string
  readonly lt: string
  readonly hash: string
}

type Kind = (i: number) => string

interface Measured {
  readonly rate: number
  /** Milliseconds of processor for each call. */
  readonly cpu: number
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

function post(path: string, value: unknown): string {
  const body = JSON.stringify(value)
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

async function seen({ port }: Started): Promise<Seen[]> {
  const pages = Array.from({ length: 4 }, (_, i) =>
    fetch(`http://127.0.0.1:${port}/api/v3/transactions?exclude_system=true&limit=${PAGE}&offset=${PAGE * i}`),
  )
  const bodies = await Promise.all(pages.map(async (page) => (await page).json() as Promise<{ transactions: Seen[] }>))
  return bodies.flatMap(({ transactions }) => transactions)
}

function kindsOf(found: readonly Seen[]): ReadonlyMap<string, Kind> {
  const at = (i: number): Seen => found[i % found.length] ?? { account: '', lt: '', hash: '' }
  const text = encodeURIComponent
  const page = (limit: number) => (i: number) =>
    get(
      `/api/v3/transactions?account=${text(at(i).account)}&limit=${limit}&end_lt=${BigInt(at(i).lt) + BigInt(i)}&sort=desc`,
    )
  return new Map<string, Kind>([
    ['getMasterchainInfo, cached', () => get('/api/v2/getMasterchainInfo')],
    [
      'getTransactions, 5',
      (i) =>
        get(
          `/api/v2/getTransactions?address=${text(at(i).account)}&lt=${at(i).lt}&hash=${text(at(i).hash)}&limit=5&to_lt=${i}`,
        ),
    ],
    ['v3 transactions, 10', page(10)],
    ['v3 transactions, 100', page(100)],
    [
      'v3 messages, 50',
      (i) => get(`/api/v3/messages?source=${text(at(i).account)}&limit=50&end_lt=${BigInt(at(i).lt) + BigInt(i)}`),
    ],
    [
      'runGetMethod',
      (i) =>
        post('/api/v2/runGetMethod', {
          address: at(i).account,
          method: 'seqno',
          stack: [['num', `0x${i.toString(16)}`]],
        }),
    ],
  ])
}

const count = Number(SEVERAL)
/** Of each kind to warm up the one process and the several: less than all are held to, so that the run has an end on a busy machine. */
const WARM_MS = Number(process.env.WARM_MS ?? 5_000)
let requested = 0

interface Service extends Started {
  readonly workers: number
  readonly pid: number
}

async function started(data: string, workers: number): Promise<Service> {
  const flags = ['--mining', 'manual', '--database', DATABASE, '--workers', `${workers}`, '--memory-mb', '4']
  const service = await spawnOurs(data, [...flags, '--connections-per-address', '500', '--limits', 'off'])
  await indexed(service)
  return { ...service, workers, pid: service.child.pid ?? 0 }
}

/** Both in turn, so that what else runs on the machine hinders them alike. */
async function measured(services: readonly Service[], kind: Kind): Promise<Measured[][][]> {
  const request = () => kind(requested++)
  const loadOf = ({ port }: Service, connections: number) => ({
    port,
    request,
    restful: true,
    holds: null,
    connections,
  })
  for (const service of services)
    await warmUp(loadOf(service, MOST_CALLERS), service.workers, WARM_MS * Math.sqrt(service.workers))
  const release =
    CORE_SHARE > 0
      ? holdEach(
          services.flatMap(({ pid }) => familyOf(pid)),
          CORE_SHARE,
        )
      : () => {}
  const found = CALLERS.map(() => services.map((): Measured[] => []))
  try {
    for (const [row, connections] of CALLERS.entries()) {
      for (let i = 0; i < ROUNDS; i++) {
        for (const [column, service] of services.entries()) {
          const all = loadOf(service, connections)
          await load({ ...all, ms: MS / 4 })
          const before = processorOf(service.pid)
          let answered = 0
          const rate = await load({ ...all, ms: MS, onAnswer: () => answered++ })
          const cpu = (processorOf(service.pid) - before) / answered
          found[row]?.[column]?.push({ rate, cpu })
        }
      }
    }
  } finally {
    release()
  }
  return found
}

const whole = (rate: number): string => Math.round(rate).toLocaleString('en')

function cellsOf([one = [], several = []]: readonly (readonly Measured[])[]): string[] {
  const of = (all: readonly Measured[], what: keyof Measured): number => median(all.map((each) => each[what]))
  const rates = [of(one, 'rate'), of(several, 'rate')] as const
  const ratio = median(one.map(({ rate }, i) => (several[i]?.rate ?? Number.NaN) / rate))
  return [whole(rates[0]), whole(rates[1]), ratio.toFixed(2), of(one, 'cpu').toFixed(2), of(several, 'cpu').toFixed(2)]
}

// The embedded database is of one process, and so is a chain: each service has its own.
const chains = [await longChain(), await longChain()]
const services: Service[] = []
try {
  for (const [i, { data }] of chains.entries()) services.push(await started(data, i === 0 ? 1 : count))
  const [first] = services
  if (first === undefined) throw new Error('no service was started')
  const kinds = [...kindsOf(await seen(first))].filter(
    ([name], i) => KINDS === null || KINDS.includes(`${i + 1}`) || KINDS.includes(name),
  )
  const rows: string[][] = []
  for (const [name, kind] of kinds) {
    const found = await measured(services, kind)
    for (const [row, connections] of CALLERS.entries())
      rows.push([name, `${connections}`, ...cellsOf(found[row] ?? [])])
  }
  const titles = ['1 process', `${SEVERAL} processes`, 'ratio', 'cpu ms: 1', `${SEVERAL}`]
  console.log(aligned(['what', 'callers', ...titles], rows))
  console.log(`${DATABASE === 'pglite' ? 'embedded database' : 'PostgreSQL'}; ${loadLine()}`)
} finally {
  for (const service of services) await stop(service)
  for (const { remove } of chains) await remove()
}
