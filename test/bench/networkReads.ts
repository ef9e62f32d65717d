// Uncached v2 reads of three services on one chain: ours with the chain in process, ours over the lite port with proofs, and
// the public server in Python over the port, as it starts by default but for its cache: one process for HTTP and one that asks
// lite servers. Processor time a call, which a busy machine changes less than the rate, is that of the service and of the lite
// server it reads from.

import { readdirSync, readFileSync } from 'node:fs'
import { type DemoChain, startDemoChain, startProxy } from '../foreign/demoChain.ts'
import { installTheirs, startTheirs } from '../foreign/httpApi/theirs.ts'
import { gatherFacts } from '../foreign/lite/facts.ts'
import { aligned, loadLine } from './compare.ts'
import { timedLoad } from './timedLoad.ts'

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 24_000)
const AT_ONCE = 16
const WARM_UP_MS = 1_000
const SINGLE_MS = 800
const SEVERAL_MS = 1_500
/** How many times as fast as the public server, of both one by one and several at once. */
const MARK = 20

const addressOf = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`

interface Sample {
  /** Milliseconds of one call after the other. */
  readonly single: number
  /** Calls per second with several in flight. */
  readonly rate: number
  /** Milliseconds a call with several in flight, of each process. */
  readonly cpu: readonly number[]
}

/** Each path is called once. The first calls do not count: a service that has just started compiles its code. */
async function sample(url: string, pids: readonly number[], pathOf: (number: number) => string): Promise<Sample> {
  const { port, pathname } = new URL(url)
  let count = 0
  const next = (): string =>
    `GET ${pathname === '/' ? '' : pathname}/${pathOf(++count)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const run = async (callers: number, ms: number) => {
    const found = await timedLoad({ port: Number(port), pid: pids[0] ?? 0, callers, ms, next })
    if (found.failed > 0) throw new Error(`${found.failed} calls of ${url} failed`)
    return found
  }
  await run(AT_ONCE, WARM_UP_MS)
  const { p50: single } = await run(1, SINGLE_MS)
  const [before, begun] = [pids.map(cpuMs), count]
  const { rate } = await run(AT_ONCE, SEVERAL_MS)
  const calls = count - begun
  return { single, rate, cpu: pids.map((pid, i) => (cpuMs(pid) - (before[i] ?? 0)) / calls) }
}

const TICKS_PER_SECOND = 100

/** Of all its threads, and of the processes it has started: the public server asks lite servers in one of its own. */
function cpuMs(pid: number): number {
  const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) | /)
  const own = ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
  return childrenOf(pid).reduce((sum, child) => sum + cpuMs(child), own)
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter((child) => child !== '')
    .map(Number)

async function fill({ url }: DemoChain): Promise<void> {
  const calls = Array.from({ length: ACCOUNTS }, (_, number) => ({
    ...{ jsonrpc: '2.0', id: number, method: 'dev.setAccount' },
    params: { address: addressOf(number + 1), balance: String(number + 1) },
  }))
  for (let from = 0; from < calls.length; from += 50) {
    const answer = await fetch(`${url}/jsonRPC`, { method: 'POST', body: JSON.stringify(calls.slice(from, from + 50)) })
    await answer.arrayBuffer()
  }
}

await using chain = await startDemoChain('--mining', 'manual', '--connections-per-address', '4000')
await fill(chain)
const facts = await gatherFacts(chain.url)
const KINDS: Readonly<Record<string, (number: number) => string>> = {
  getAddressInformation(number) {
    if (number > ACCOUNTS) throw new Error('all accounts were read: more of them are needed (ACCOUNTS)')
    return `getAddressInformation?address=${addressOf(number)}`
  },
  getTransactions: (number) => `getTransactions?address=${facts.wallet}&limit=5&to_lt=${number}`,
  lookupBlock: (number) => `lookupBlock?workchain=0&shard=-9223372036854775808&lt=${10_000_000 + number * 100}`,
}

await using proxy = await startProxy(chain)
const tools = await installTheirs()
const skipped = { skip: (): never => process.exit(0) }
tools.require(skipped as unknown as Parameters<typeof tools.require>[0])
await using theirs = await startTheirs(tools, chain.configPath)

const services = [
  ['in process', `${chain.url}/api/v2`, [chain.pid]],
  ['over the port', `${proxy.url}/api/v2`, [proxy.pid, chain.pid]],
  ['ton-http-api', theirs.url, [theirs.pid, chain.pid]],
] as const
const rows: string[][] = []
const times: string[][] = []
for (const [kind, pathOf] of Object.entries(KINDS)) {
  const found = new Map<string, Sample>()
  for (const [name, url, pids] of services) found.set(name, await sample(url, pids, pathOf))
  const public_ = found.get('ton-http-api')
  for (const [name, { single, rate, cpu }] of found) {
    const [own = '', ofServer = '-'] = cpu.map((ms) => ms.toFixed(2))
    rows.push([`${kind}, ${name}`, single.toFixed(2), rate.toFixed(0), own, ofServer])
    if (public_ === undefined || name === 'ton-http-api') continue
    const [byTime, byRate] = [public_.single / single, rate / public_.rate]
    const isMet = Math.min(byTime, byRate) >= MARK
    const ofTheirs = (cpu[0] ?? 0) / (public_.cpu[0] ?? 1)
    times.push([
      `${kind}, ${name}`,
      byTime.toFixed(1),
      byRate.toFixed(1),
      ofTheirs.toFixed(2),
      isMet ? 'met' : 'MISSED',
    ])
  }
}
const HEAD = ['', 'one by one, ms', `calls/s of ${AT_ONCE}`, 'processor, ms', 'of the lite server, ms']
const TIMES_HEAD = [
  'beside ton-http-api',
  'one by one, times',
  `of ${AT_ONCE}, times`,
  'processor, its share',
  `mark ${MARK}`,
]
console.log(`${aligned(HEAD, rows)}\n\n${aligned(TIMES_HEAD, times)}\n${loadLine()}`)
