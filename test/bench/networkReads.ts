// Uncached v2 reads of three services on one chain: ours with the chain in process, ours over the lite port with proofs, and
// the public server in Python over the port, as it starts by default but for its cache: one process for HTTP and one that asks
// lite servers. Each call is made once. Processor time a call, which a busy machine changes less than the rate, is that of the
// service and of the lite server it reads from. `KINDS=lookupBlock,runGetMethod` measures some of the methods.

import { readdirSync, readFileSync } from 'node:fs'
import { type DemoChain, startDemoChain, startProxy } from '../foreign/demoChain.ts'
import { installTheirs, startTheirs } from '../foreign/httpApi/theirs.ts'
import { gatherFacts } from '../foreign/lite/facts.ts'
import { aligned, loadLine } from './compare.ts'
import { settled, timedLoad } from './timedLoad.ts'

const SEVERAL = 16
const MANY = 64
const WARM_UP_MS = 1_000
const SINGLE_MS = 800
const SEVERAL_MS = 1_500
/** How many times as fast as the public server, of both one by one and several at once. */
const MARK = 20
/** Accounts or blocks for the first calls of a service, which tell how many more it needs. */
const FIRST_STOCK = 4_000
/** Later calls are faster than the first ones. */
const STOCK_TIMES = 3
/** Of one batch of calls, and of one block. */
const ACCOUNTS_AT_ONCE = 49
const BLOCKS_AT_ONCE = 100

const MASTER = 'workchain=-1&shard=-9223372036854775808'

const addressOf = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`

async function dev(url: string, calls: readonly { readonly method: string; readonly params: object }[]): Promise<void> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const text = await (await fetch(`${url}/jsonRPC`, { method: 'POST', body })).text()
  if (text.includes('"error"')) throw new Error(text.slice(0, 400))
}

/** What calls are about, made as it is needed: a call about the same would be answered from a cache. */
class Stock {
  #count = 0
  readonly #pid: number
  readonly #make: (from: number, to: number) => Promise<void>

  constructor(pid: number, make: (from: number, to: number) => Promise<void>) {
    this.#pid = pid
    this.#make = make
  }

  has(number: number): boolean {
    return number <= this.#count
  }

  async upTo(count: number): Promise<void> {
    if (this.has(count)) return
    await this.#make(this.#count, count)
    this.#count = count
    // The index of the chain's owner follows what was made.
    await settled(this.#pid, 2)
  }
}

/** A method, with a request of its own for each number. */
interface Kind {
  readonly stock: Stock | null
  readonly requestOf: (number: number) => { readonly path: string; readonly body?: object }
}

interface Sample {
  /** Milliseconds of one call after the other. */
  readonly single: number
  /** Calls per second with so many in flight. */
  readonly several: number
  readonly many: number
  /** Milliseconds a call with several in flight, of each process. */
  readonly cpu: readonly number[]
  /** Of a processor, what those who call have used with many in flight. */
  readonly generator: number
}

function textOf(url: string, { path, body }: ReturnType<Kind['requestOf']>): string {
  const { pathname } = new URL(url)
  const target = `${pathname === '/' ? '' : pathname}/${path} HTTP/1.1\r\nHost: localhost\r\n`
  if (body === undefined) return `GET ${target}\r\n`
  const json = JSON.stringify(body)
  return `POST ${target}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}

/** The first calls do not count: a service that has just started compiles its code. */
async function sample(url: string, pids: readonly number[], { stock, requestOf }: Kind, first: number) {
  const [pid = 0] = pids
  let count = first
  const next = (): string | null => {
    if (stock?.has(count + 1) === false) return null
    return textOf(url, requestOf(++count))
  }
  const run = async (callers: number, ms: number) => {
    const found = await timedLoad({ port: Number(new URL(url).port), pid, callers, ms, next })
    if (found.failed > 0) throw new Error(`${found.failed} calls of ${url} failed, up to ${requestOf(count).path}`)
    return found
  }
  await stock?.upTo(first + FIRST_STOCK)
  const { rate: early } = await run(SEVERAL, WARM_UP_MS)
  const seconds = (SINGLE_MS + 2 * SEVERAL_MS) / 1_000
  await stock?.upTo(count + Math.ceil(early * seconds * STOCK_TIMES))
  const { p50: single } = await run(1, SINGLE_MS)
  const [before, begun] = [pids.map(cpuMs), count]
  const { rate: several } = await run(SEVERAL, SEVERAL_MS)
  const calls = count - begun
  const cpu = pids.map((one, i) => (cpuMs(one) - (before[i] ?? 0)) / calls)
  const [used, began] = [process.cpuUsage(), performance.now()]
  const { rate: many } = await run(MANY, SEVERAL_MS)
  const { user, system } = process.cpuUsage(used)
  const generator = (user + system) / 1_000 / (performance.now() - began)
  return { found: { single, several, many, cpu, generator } satisfies Sample, last: count }
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

async function kindsOn({ url, pid }: DemoChain): Promise<Readonly<Record<string, Kind>>> {
  const facts = await gatherFacts(url)
  const accounts = new Stock(pid, async (from, to) => {
    for (let first = from; first < to; first += ACCOUNTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, to - first) }, (_, i) => first + i + 1)
      const paramsOf = (number: number) => ({ address: addressOf(number), balance: String(number) })
      const calls = numbers.map((number) => ({ method: 'dev.setAccount', params: paramsOf(number) }))
      await dev(url, [...calls, { method: 'dev.mine', params: { blocks: 1 } }])
    }
  })
  const blocks = new Stock(pid, async (from, to) => {
    for (let first = from; first < to; first += BLOCKS_AT_ONCE)
      await dev(url, [{ method: 'dev.mine', params: { blocks: Math.min(BLOCKS_AT_ONCE, to - first) } }])
  })
  const ofAccount = (method: string): Kind => ({
    stock: accounts,
    requestOf: (number) => ({ path: `${method}?address=${addressOf(number)}` }),
  })
  const ofBlock = (pathOf: (seqno: number) => string): Kind => ({
    stock: blocks,
    requestOf: (number) => ({ path: pathOf(number) }),
  })
  const unlimited = (requestOf: Kind['requestOf']): Kind => ({ stock: null, requestOf })
  return {
    getAddressInformation: ofAccount('getAddressInformation'),
    getWalletInformation: ofAccount('getWalletInformation'),
    getExtendedAddressInformation: ofAccount('getExtendedAddressInformation'),
    getAddressBalance: ofAccount('getAddressBalance'),
    getAddressState: ofAccount('getAddressState'),
    getTransactions: unlimited((number) => ({
      path: `getTransactions?address=${facts.wallet}&limit=5&to_lt=${number}`,
    })),
    lookupBlock: unlimited((number) => ({
      path: `lookupBlock?workchain=0&shard=-9223372036854775808&lt=${10_000_000 + number * 100}`,
    })),
    // The method leaves what is below its own result on the stack.
    runGetMethod: unlimited((number) => ({
      path: 'runGetMethod',
      body: { address: facts.wallet, method: 'seqno', stack: [['num', `0x${number.toString(16)}`]] },
    })),
    getBlockHeader: ofBlock((seqno) => `getBlockHeader?${MASTER}&seqno=${seqno}`),
    getBlockTransactions: ofBlock((seqno) => `getBlockTransactions?${MASTER}&seqno=${seqno}&count=5`),
    shards: ofBlock((seqno) => `shards?seqno=${seqno}`),
    // The newest block, which all callers share: answered from what is known already.
    getMasterchainInfo: unlimited(() => ({ path: 'getMasterchainInfo' })),
  }
}

await using chain = await startDemoChain('--mining', 'manual', '--connections-per-address', '4000')
const all = await kindsOn(chain)
const wanted = process.env.KINDS?.split(',') ?? Object.keys(all)
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
for (const kind of wanted) {
  const requests = all[kind]
  if (requests === undefined) throw new Error(`there is no kind ${kind}: ${Object.keys(all).join(', ')}`)
  const found = new Map<string, Sample>()
  let last = 0
  for (const [name, url, pids] of services) {
    const sampled = await sample(url, pids, requests, last)
    found.set(name, sampled.found)
    last = sampled.last
  }
  const public_ = found.get('ton-http-api')
  for (const [name, { single, several, many, cpu, generator }] of found) {
    const [own = '', ofServer = '-'] = cpu.map((ms) => ms.toFixed(2))
    rows.push([
      `${kind}, ${name}`,
      single.toFixed(2),
      several.toFixed(0),
      many.toFixed(0),
      own,
      ofServer,
      `${(100 * generator).toFixed(0)} %`,
    ])
    if (public_ === undefined || name === 'ton-http-api') continue
    const ratios = [public_.single / single, several / public_.several, many / public_.many]
    const byCpu = (public_.cpu[0] ?? 0) / (cpu[0] ?? 1)
    const isMet = Math.min(...ratios) >= MARK
    times.push([`${kind}, ${name}`, ...[...ratios, byCpu].map((ratio) => ratio.toFixed(1)), isMet ? 'met' : 'MISSED'])
  }
}
const HEAD = [
  '',
  'one by one, ms',
  `calls/s of ${SEVERAL}`,
  `calls/s of ${MANY}`,
  'processor, ms',
  'of the lite server, ms',
  'of those who call',
]
const TIMES_HEAD = [
  'beside ton-http-api, times',
  'one by one',
  `of ${SEVERAL}`,
  `of ${MANY}`,
  'by processor',
  `mark ${MARK}`,
]
console.log(`${aligned(HEAD, rows)}\n\n${aligned(TIMES_HEAD, times)}\n${loadLine()}`)
