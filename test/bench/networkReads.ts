// Uncached v2 reads of three services on one chain: ours with the chain in process, ours over the lite port with proofs, and
// the public server in Python over the port, as it starts by default but for its cache. Processor time a call, which a busy
// machine changes less than the rate, is that of the service and of the lite server it reads from.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type DemoChain, startDemoChain, startProxy } from '../foreign/demoChain.ts'
import { installTheirs, startTheirs } from '../foreign/httpApi/theirs.ts'
import { gatherFacts } from '../foreign/lite/facts.ts'
import { loadLine, median } from './compare.ts'

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 2000)
const AT_ONCE = 16
/** Calls of each service before the first that counts. */
const WARM_UP = 400

const addressOf = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`

interface Sample {
  /** Milliseconds of one call after the other. */
  readonly single: number
  /** Calls per second with several in flight. */
  readonly rate: number
  /** Milliseconds a call with several in flight, of each process. */
  readonly cpu: readonly number[]
}

/** Leaner than \`fetch\`, which takes longer for a call than the faster services do. */
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

async function call(url: string, path: string): Promise<void> {
  const [answer] = (await once(get(`${url}/${path}`, { agent }), 'response')) as [IncomingMessage]
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${path} is refused with ${answer.statusCode}: ${body}`)
}

/** A quarter to warm up, a quarter one by one, the others several at once; each path is called once. */
async function sample(url: string, pids: readonly number[], paths: readonly string[]): Promise<Sample> {
  const quarter = paths.length >> 2
  const times: number[] = []
  await Promise.all(paths.slice(0, quarter).map((path) => call(url, path)))
  for (const path of paths.slice(quarter, 2 * quarter)) {
    const began = performance.now()
    await call(url, path)
    times.push(performance.now() - began)
  }
  const waiting = paths.slice(2 * quarter)
  const count = waiting.length
  const before = pids.map(cpuMs)
  const began = performance.now()
  const lane = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await call(url, path)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const rate = (count * 1000) / (performance.now() - began)
  // Services close connections that are idle for some seconds, which may be when the next call begins.
  agent.destroy()
  return { single: median(times), rate, cpu: pids.map((pid, i) => (cpuMs(pid) - (before[i] ?? 0)) / count) }
}

const TICKS_PER_SECOND = 100

/** Of all its threads. */
function cpuMs(pid: number): number {
  const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) | /)
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

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
const numbers = Array.from({ length: ACCOUNTS }, (_, number) => number + 1)
const KINDS: Readonly<Record<string, readonly string[]>> = {
  getAddressInformation: numbers.map((number) => `getAddressInformation?address=${addressOf(number)}`),
  getTransactions: numbers.map((number) => `getTransactions?address=${facts.wallet}&limit=5&to_lt=${number}`),
  lookupBlock: numbers.map(
    (number) => `lookupBlock?workchain=0&shard=-9223372036854775808&lt=${10_000_000 + number * 1000}`,
  ),
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
// A service that has just started compiles its code: what is measured first would measure that.
for (const [, url, pids] of services) {
  const paths = numbers.map((number) => `getTransactions?address=${facts.wallet}&limit=5&to_lt=${ACCOUNTS + number}`)
  await sample(url, pids, paths.slice(0, WARM_UP))
}
const rows: Record<string, Record<string, string>> = {}
for (const [kind, paths] of Object.entries(KINDS))
  for (const [name, url, pids] of services) {
    const { single, rate, cpu } = await sample(url, pids, paths)
    const [own = '', ofServer] = cpu.map((ms) => ms.toFixed(2))
    rows[`${kind}, ${name}`] = {
      ...{ 'one by one, ms': single.toFixed(2), 'calls/s': rate.toFixed(0), 'processor, ms': own },
      'of the lite server, ms': ofServer ?? '-',
    }
  }
console.table(rows)
console.log(loadLine())
