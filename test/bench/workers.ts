// One process that answers callers compared with several: `npm run bench -- workers`. WORKERS is the number of the several, DATABASE
// the address of an empty PostgreSQL or one with the index of the same chain, by default the embedded database answers;
// TRANSACTIONS and LONG_CHAIN are those of the chain, as for `history`. No request is repeated but the first kind. Rates of a
// machine with other work say little; the processor time of a call, of all processes of the service together, does.
// CORE_SHARE=25 holds each process to a quarter of a core, so that four of them leave room for the database and the callers.
// KINDS=3 measures the first three kinds alone.

import { aligned, loadLine, median } from './compare.ts'
import { holdEach } from './coreShare.ts'
import { load, warmUp } from './load.ts'
import { indexed, longChain } from './longChain.ts'
import { familyOf, processorOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'

const ROUNDS = 2
const MS = Number(process.env.ROUND_MS ?? 1500)
const CALLERS = [1, 16, 64]
const MOST_CALLERS = 64
const SEVERAL = process.env.WORKERS ?? '4'
const DATABASE = process.env.DATABASE ?? 'pglite'
const PAGE = 1000
const CORE_SHARE = Number(process.env.CORE_SHARE ?? 0)
const KINDS = Number(process.env.KINDS ?? Number.POSITIVE_INFINITY)

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

const { data, remove } = await longChain()
let count = 0

async function round(workers: string): Promise<Map<string, Measured>> {
  const flags = ['--mining', 'manual', '--database', DATABASE, '--workers', workers, '--memory-mb', '4']
  const service = await spawnOurs(data, [...flags, '--connections-per-address', '500', '--limits', 'off'])
  const measured = new Map<string, Measured>()
  const pid = service.child.pid ?? 0
  const cpuNow = () => processorOf(pid)
  let release = () => {}
  try {
    await indexed(service)
    const found = await seen(service)
    for (const [name, kind] of [...kindsOf(found)].slice(0, KINDS)) {
      const request = () => kind(count++)
      const all = { port: service.port, request, restful: true, holds: null }
      await warmUp({ ...all, connections: MOST_CALLERS }, Number(workers))
      if (CORE_SHARE > 0) release = holdEach(familyOf(pid), CORE_SHARE)
      for (const connections of CALLERS) {
        const requested = { ...all, connections }
        await load({ ...requested, ms: MS / 3 })
        const before = cpuNow()
        const rate = await load({ ...requested, ms: MS })
        measured.set(`${name}\t${connections}`, { rate, cpu: (cpuNow() - before) / ((rate * MS) / 1000) })
      }
      release()
      release = () => {}
    }
  } finally {
    release()
    await stop(service)
  }
  return measured
}

try {
  const rounds: { readonly one: Measured[]; readonly several: Measured[] }[] = []
  const names: string[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const [one, several] = [await round('1'), await round(SEVERAL)]
    for (const [row, [name, measured]] of [...one].entries()) {
      names[row] = name
      const both = rounds[row] ?? { one: [], several: [] }
      rounds[row] = both
      both.one.push(measured)
      both.several.push(several.get(name) ?? { rate: Number.NaN, cpu: Number.NaN })
    }
  }
  const whole = (rate: number): string => Math.round(rate).toLocaleString('en')
  const rows = names.map((name, row) => {
    const { one = [], several = [] } = rounds[row] ?? {}
    const of = (all: readonly Measured[], what: keyof Measured): number => median(all.map((each) => each[what]))
    const rates = [of(one, 'rate'), of(several, 'rate')] as const
    const cpus = [of(one, 'cpu'), of(several, 'cpu')] as const
    const [what = '', callers = ''] = name.split('\t')
    const cells = [what, callers, whole(rates[0]), whole(rates[1]), (rates[1] / rates[0]).toFixed(2)]
    return [...cells, cpus[0].toFixed(2), cpus[1].toFixed(2)]
  })
  const titles = ['1 process', `${SEVERAL} processes`, 'ratio', 'cpu ms: 1', `${SEVERAL}`]
  console.log(aligned(['what', 'callers', ...titles], rows))
  console.log(`${DATABASE === 'pglite' ? 'embedded database' : 'PostgreSQL'}; ${loadLine()}`)
} finally {
  await remove()
}
