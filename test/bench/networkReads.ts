// Uncached v2 reads of services on one chain: ours over the lite port with proofs, in one process and with workers, the public
// server in Python over the port, as it starts by default but for its cache (one process for HTTP and one that asks lite
// servers), and ours with the chain in process. No call of a service is made twice at one block. Processor time a call, which a
// busy machine changes less than the rate, is that of the service with all its processes; the chain's, which is the lite server
// they read from, is shown next to it. `KINDS=lookupBlock,runGetMethod` measures some of the methods, `WORKERS=2` another number
// of workers, `WORKERS=0` one process only, `BLOCKS=20000` more blocks to read, which take longer to make.

import { availableParallelism } from 'node:os'
import { startDemoChain, startProxy } from '../foreign/demoChain.ts'
import { installTheirs, startTheirs } from '../foreign/httpApi/theirs.ts'
import { loadLine } from './compare.ts'
import { type Kind, makeKinds, nextBlock } from './networkKinds.ts'
import { processorOf } from './processor.ts'
import { settled, timedLoad } from './timedLoad.ts'

const SEVERAL = 16
const MANY = 64
const MOST_WORKERS = 4
/** How many times as fast as the public server. */
const MARK = 20
/** Of the rate in process, for one method. */
const IN_PROCESS_MARK = 0.3
const IN_PROCESS_KIND = 'getAddressInformation'
/** Of each process, before a kind is measured: its code is compiled by then. `COLD=1` measures soon after the start. */
const CALLS_TO_WARM = process.env.COLD === undefined ? 4_000 : 0
/** Where a kind has a bounded number of requests, its runs share them in these parts. */
const FIRST = { callers: SEVERAL, ms: 1_000, share: 0.05, calls: 1_500 }
const WARM_UP = { callers: MANY, ms: 10_000, share: 0.4 }
const SINGLE = { callers: 1, ms: 300, share: 0.03, calls: Number.POSITIVE_INFINITY }
const AT_ONCE = { ms: 800, share: 0.26, calls: Number.POSITIVE_INFINITY }

interface Service {
  readonly name: string
  readonly url: string
  readonly pids: readonly number[]
  /** That answer callers and compile by themselves; 0 of what is compiled from the start. */
  readonly processes: number
}

interface Sample {
  /** Milliseconds of one call after the other. */
  readonly single: number
  /** Calls per second with so many in flight. */
  readonly several: number
  readonly many: number
  /** Milliseconds a call with several in flight, and with many, of the service. */
  readonly cpu: number
  readonly cpuOfMany: number
  /** With several in flight, of the chain's process; null when that is the service. */
  readonly ofChain: number | null
}

function textOf(url: string, { path, body }: ReturnType<Kind['requestOf']>): string {
  const { pathname } = new URL(url)
  const target = `${pathname === '/' ? '' : pathname}/${path} HTTP/1.1\r\nHost: localhost\r\n`
  if (body === undefined) return `GET ${target}\r\n`
  const json = JSON.stringify(body)
  return `POST ${target}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}

/** The first calls do not count: a service that has just started compiles its code. */
async function sample({ url, pids, processes }: Service, kind: Kind, renew: () => Promise<void>): Promise<Sample> {
  let count = 0
  const run = async ({ callers, ms, share, calls }: typeof FIRST) => {
    if (kind.isOfHead) {
      await renew()
      count = 0
    }
    const first = count
    const there = kind.isOfHead ? kind.count : Math.floor(kind.count * share)
    const most = first + Math.min(there, calls)
    const next = () => (count < most ? textOf(url, kind.requestOf(++count)) : null)
    const before = pids.map(processorOf)
    const { rate, p50, failed } = await timedLoad({
      port: Number(new URL(url).port),
      pid: pids[0] ?? 0,
      callers,
      ms,
      next,
    })
    if (failed > 0) throw new Error(`${failed} calls of ${url} failed, up to ${kind.requestOf(count).path}`)
    const [cpu = 0, ofChain = null] = pids.map((pid, i) => (processorOf(pid) - (before[i] ?? 0)) / (count - first))
    return { rate, p50, cpu, ofChain }
  }
  await run(FIRST)
  if (processes * CALLS_TO_WARM > 0) await run({ ...WARM_UP, calls: processes * CALLS_TO_WARM })
  const { p50: single } = await run(SINGLE)
  const several = await run({ ...AT_ONCE, callers: SEVERAL })
  const many = await run({ ...AT_ONCE, callers: MANY })
  return {
    single,
    several: several.rate,
    many: many.rate,
    cpu: several.cpu,
    cpuOfMany: many.cpu,
    ofChain: several.ofChain,
  }
}

const WIDTHS = [57, 12, 12, 12, 14, 14, 10]
const print = (...cells: string[]): void =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0))).join(''))

const fixed = (value: number, digits: number): string => value.toFixed(digits)

function printSample(what: string, { single, several, many, cpu, cpuOfMany, ofChain }: Sample): void {
  const rates = [fixed(single, 2), fixed(several, 0), fixed(many, 0)]
  print(what, ...rates, fixed(cpu, 3), fixed(cpuOfMany, 3), ofChain === null ? '-' : fixed(ofChain, 3))
}

/** How many times one is as good as the other. */
function timesOf(one: Sample, other: Sample) {
  return {
    single: other.single / one.single,
    several: one.several / other.several,
    many: one.many / other.many,
    cpu: other.cpu / one.cpu,
    cpuOfMany: other.cpuOfMany / one.cpuOfMany,
  }
}

function printTimes(what: string, one: Sample, other: Sample, mark: number | null): void {
  const { several, many, ...rest } = timesOf(one, other)
  const cells = [rest.single, several, many, rest.cpu, rest.cpuOfMany].map((times) => fixed(times, 2))
  const isMet = mark === null || Math.min(several, many) >= mark
  print(`  ${what}, times`, ...cells, mark === null ? '' : isMet ? 'met' : 'MISSED')
}

const workers = Number(process.env.WORKERS ?? Math.min(MOST_WORKERS, availableParallelism()))
await using chain = await startDemoChain('--mining', 'manual', '--connections-per-address', '4000')
const all = await makeKinds(chain)
const wanted = process.env.KINDS?.split(',') ?? Object.keys(all)
const tools = await installTheirs()
const skipped = { skip: (): never => process.exit(0) }
tools.require(skipped as unknown as Parameters<typeof tools.require>[0])
await using proxy = await startProxy(chain)
await using team = workers > 0 ? await startProxy(chain, '--workers', String(workers)) : null
await using theirs = await startTheirs(tools, chain.configPath)
for (const { pid } of [chain, proxy, ...(team === null ? [] : [team])]) await settled(pid)

const OVER_PORT = 'over the port'
const IN_PROCESS = 'in process'
const THEIRS = 'ton-http-api'
const ours = (name: string, processes: number, { url, pid }: typeof chain, ...others: number[]): Service => ({
  name,
  url: `${url}/api/v2`,
  pids: [pid, ...others],
  processes,
})
const WITH_WORKERS = `${OVER_PORT}, ${workers} workers`
/** The chain's own calls come last: they may fill caches that its lite server reads. */
const services: readonly Service[] = [
  ours(OVER_PORT, 1, proxy, chain.pid),
  ...(team === null ? [] : [ours(WITH_WORKERS, workers, team, chain.pid)]),
  { name: THEIRS, url: theirs.url, pids: [theirs.pid, chain.pid], processes: 0 },
  ours(IN_PROCESS, 1, chain),
]
const renew = () =>
  nextBlock(
    chain,
    services.map(({ url }) => url),
  )
print(
  '',
  'one by one,',
  ...[SEVERAL, MANY].map((callers) => `of ${callers},`),
  `processor,`,
  `of ${MANY},`,
  'of chain,',
)
print('', 'ms', 'calls/s', 'calls/s', 'ms a call', 'ms a call', 'ms a call')
// The first kind would be measured while most code of a service is not compiled yet: several thousand calls are, with workers too.
const { [IN_PROCESS_KIND]: warming } = all
if (warming !== undefined) for (const service of services) await sample(service, warming, renew)
for (const name of wanted) {
  const kind = all[name]
  if (kind === undefined) throw new Error(`there is no kind ${name}: ${Object.keys(all).join(', ')}`)
  const found = new Map<string, Sample>()
  for (const service of services) {
    const sampled = await sample(service, kind, renew)
    found.set(service.name, sampled)
    printSample(`${name}, ${service.name}`, sampled)
  }
  const [port, several, public_, inside] = [OVER_PORT, WITH_WORKERS, THEIRS, IN_PROCESS].map((one) => found.get(one))
  if (port === undefined || public_ === undefined || inside === undefined) throw new Error('a service was not measured')
  printTimes(`beside ${THEIRS} (mark ${MARK})`, port, public_, MARK)
  if (several !== undefined) printTimes(`with ${workers} workers (mark ${MARK})`, several, public_, MARK)
  const isMarked = name === IN_PROCESS_KIND
  printTimes(
    `beside ${IN_PROCESS}${isMarked ? ` (mark ${IN_PROCESS_MARK})` : ''}`,
    port,
    inside,
    isMarked ? IN_PROCESS_MARK : null,
  )
}
console.log(loadLine())
