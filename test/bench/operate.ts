// A service of several processes while leaders are killed: `npm run bench -- operate`. Two processes answer, over a PostgreSQL and
// its replica, and two index; the one that leads is killed each minute and started again. MINUTES is how long (2), RATE how many
// requests per second (1000), CONNECTIONS how many callers (64). Needs the programs of a PostgreSQL server on this machine.

import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeBoc } from '../../server/cell/index.ts'
import { createFaucet } from '../../server/devchain/index.ts'
import { hasServer, ownPostgres } from '../setup/ownPostgres.ts'
import { type RunningService, startBuilt } from '../setup/runningService.ts'
import { type Outcome, pacedLoad } from './pacedLoad.ts'
import { processorOf } from './processor.ts'

const MINUTES = Number(process.env.MINUTES ?? 2)
const RATE = Number(process.env.RATE ?? 1000)
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 64)
const MINUTE_MS = 60_000
/** When in a minute the leader is killed: the minute shows what happens before and after. */
const KILL_AT_MS = 15_000
const LOOK_MS = 200
/** Between messages that are sent through the service. */
const SEND_MS = 200
/** Blocks that are read. */
const MOST_SEQNO = 20
const PATIENCE_MS = 120_000

const text = async (url: string, init?: RequestInit): Promise<string> => await (await fetch(url, init)).text()
const metric = async ({ url }: RunningService, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await text(`${url}/metrics`))?.[1] ?? 0)
const indexedBy = (one: RunningService): Promise<number> => metric(one, 'tonrpc_index_seqno')

async function until(what: () => Promise<boolean>, ms = PATIENCE_MS): Promise<number> {
  const began = performance.now()
  while (!(await what().catch(() => false))) {
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms: ${what}`)
    await sleep(LOOK_MS)
  }
  return performance.now() - began
}

/** Seconds of processor time so far. */
const secondsOf = ({ child }: RunningService): number => processorOf(child.pid ?? 0) / 1000

/** Of the machine: seconds of all processors, and those of them without work. */
function processorsOfMachine(): readonly [all: number, idle: number] {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/).map(Number)
    const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
    return [ticks.reduce((sum, one) => sum + one, 0) / 100, idle / 100]
  } catch {
    return [0, 0]
  }
}

interface Message {
  readonly hash: string
}

const faucet = createFaucet()

/** Sends a message through a process; null when it was not acknowledged. */
async function sendThrough({ url }: RunningService, n: number): Promise<Message | null> {
  const to = { workchain: 0, hash: Buffer.from((n + 1).toString(16).padStart(64, '0'), 'hex') }
  const boc = Buffer.from(writeBoc(faucet.request([{ to, amount: 1_000_000n }]))).toString('base64')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendBocReturnHash', params: { boc } })
  const headers = { 'Content-Type': 'application/json' }
  const reply = JSON.parse(await text(`${url}/jsonRPC`, { method: 'POST', headers, body }))
  return typeof reply.result?.hash === 'string' ? { hash: reply.result.hash } : null
}

const isIndexed = async ({ url }: RunningService, { hash }: Message): Promise<boolean> => {
  const found = JSON.parse(await text(`${url}/api/v3/transactionsByMessage?msg_hash=${encodeURIComponent(hash)}`))
  return Array.isArray(found.transactions) && found.transactions.length > 0
}

/** What callers read, and whether an answer is right: its newest block is at least that of all answers before the call. */
function readsOf() {
  const newest = { v2: 0, v3: 0 }
  let n = 0
  const grows = (name: keyof typeof newest, seqnoIn: (body: string) => unknown) => {
    const known = newest[name]
    return (body: string): boolean => {
      const seqno = seqnoIn(body)
      newest[name] = Math.max(newest[name], Number(seqno))
      return typeof seqno === 'number' && seqno >= known
    }
  }
  const numbers = (body: string, name: string): number[] =>
    [...body.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, digits]) => Number(digits))
  const reads = [
    () => ({ path: '/api/v3/masterchainInfo', isRight: grows('v3', (body) => JSON.parse(body).last.seqno) }),
    () => {
      const seqno = 1 + (n % MOST_SEQNO)
      const path = `/api/v3/blocks?workchain=-1&seqno=${seqno}`
      return { path, isRight: (body: string) => numbers(body, 'seqno').includes(seqno) && body.includes('"root_hash"') }
    },
    () => {
      const seqno = 1 + (n % MOST_SEQNO)
      const limit = 1 + (n % 10)
      const isRight = (body: string): boolean => {
        const found = numbers(body, 'mc_block_seqno')
        return found.length > 0 && found.length <= limit && found.every((one) => one === seqno)
      }
      return { path: `/api/v3/transactions?limit=${limit}&mc_seqno=${seqno}`, isRight }
    },
    () => ({
      path: '/api/v2/getMasterchainInfo',
      isRight: grows('v2', (body) => JSON.parse(body).result.last.seqno),
    }),
  ] as const
  return () => {
    const read = reads[n++ % reads.length] ?? reads[0]
    return read()
  }
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

async function measure(): Promise<boolean> {
  const top = await mkdtemp(join(tmpdir(), 'tonrpc-operate-'))
  await using own = await ownPostgres()
  const replica = await own.replica()
  const address = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`
  const database = ['--database', address(own.primary.port)]
  await using chain = await startBuilt(['--data', join(top, 'chain'), '--lite-port', '0', '--block-time', '1s'])
  const network = ['--network', 'custom', '--liteservers', `${chain.url}/global.config.json`, '--index-from', '1']
  const started = new Set<RunningService>()
  const start = async (name: string, ...more: readonly string[]): Promise<RunningService> => {
    const one = await startBuilt(['--data', join(top, name), '--limits', 'off', ...network, ...database, ...more])
    started.add(one)
    return one
  }
  try {
    const index = [await start('index1', '--role', 'index'), await start('index2', '--role', 'index')]
    const read = ['--role', 'api', '--database-read', address(replica.port)]
    const apis = [await start('api1', ...read), await start('api2', ...read)] as const
    for (const one of apis) {
      await until(async () => (await indexedBy(one)) > MOST_SEQNO)
      await until(async () => (await fetch(`${one.url}/readyz`)).status === 200)
    }

    const acknowledged: Message[] = []
    const total = { answered: 0, failed: 0, wrong: 0, refusedWrites: 0, longest: 0 }
    const samples: string[] = []
    const reads = apis.map(readsOf)
    let sent = 0
    for (let minute = 1; minute <= MINUTES; minute++) {
      const began = performance.now()
      const use = () => ({
        api1: secondsOf(apis[0]),
        api2: secondsOf(apis[1]),
        chain: secondsOf(chain),
        callers: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      })
      const before = use()
      const machine = processorsOfMachine()
      const loads = apis.map(({ url }, i) =>
        pacedLoad({ url, rate: RATE / 2, connections: CONNECTIONS / 2, ms: MINUTE_MS, next: reads[i] ?? readsOf() }),
      )
      const send = async () => {
        while (performance.now() - began < MINUTE_MS) {
          const message = await sendThrough(apis[sent % 2] ?? apis[0], sent++).catch(() => null)
          if (message === null) total.refusedWrites++
          else acknowledged.push(message)
          await sleep(SEND_MS)
        }
      }
      const kill = async () => {
        await sleep(KILL_AT_MS)
        const leader = (await Promise.all(index.map((one) => metric(one, 'tonrpc_index_leads')))).indexOf(1)
        const victim = index[leader]
        if (victim === undefined) throw new Error('no process leads')
        const at = Math.max(...(await Promise.all(apis.map(indexedBy))))
        victim.child.kill('SIGKILL')
        const stalled = await until(async () => (await indexedBy(apis[0])) > at + 1)
        started.delete(victim)
        index[leader] = await start(`index${leader + 1}`, '--role', 'index')
        return stalled / 1000
      }
      const [outcomes, stalled] = await Promise.all([Promise.all(loads), kill(), send()])
      const sum = (of: (one: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0)
      const seconds = (performance.now() - began) / 1000
      total.answered += sum((one) => one.answered)
      total.failed += sum((one) => one.failed)
      total.wrong += sum((one) => one.wrong)
      total.longest = Math.max(total.longest, stalled)
      samples.push(...outcomes.flatMap((one) => one.samples))
      const after = use()
      const [all, idle] = processorsOfMachine()
      const busy = 1 - (idle - machine[1]) / (all - machine[0])
      const shares = (['api1', 'api2', 'chain', 'callers'] as const)
        .map((name) => `${name} ${percent((after[name] - before[name]) / seconds)}`)
        .join(', ')
      console.log(
        `minute ${minute}: ${Math.round(sum((one) => one.answered / one.seconds))} requests per second of ${RATE}, ` +
          `half within ${outcomes.map(({ ms }) => ms.half.toFixed(1)).join(' and ')} ms, ` +
          `99 % within ${outcomes.map(({ ms }) => ms.most.toFixed(0)).join(' and ')} ms; ` +
          `leader killed, two blocks later after ${stalled.toFixed(1)} s; ` +
          `of a processor: ${shares}; machine ${percent(busy)} busy, load ${loadavg()[0]?.toFixed(1)}`,
      )
    }

    const lost: Message[] = []
    for (const message of acknowledged)
      for (const one of apis) await until(() => isIndexed(one, message), 30_000).catch(() => lost.push(message))
    for (const sample of samples.slice(0, 5)) console.log(`  ${sample}`)
    console.log(
      `verdict: ${total.answered} requests answered in ${MINUTES} min, ${total.failed} failed, ${total.wrong} wrong; ` +
        `${acknowledged.length} writes acknowledged, ${lost.length} lost, ${total.refusedWrites} refused; ` +
        `longest time without a new block ${total.longest.toFixed(1)} s`,
    )
    return lost.length === 0 && total.wrong === 0 && total.failed === 0
  } finally {
    for (const one of started) await one[Symbol.asyncDispose]()
    await rm(top, { recursive: true, force: true, maxRetries: 5 })
  }
}

if (!hasServer) console.log('not run here: there are no programs of a PostgreSQL server')
else if (!(await measure())) process.exitCode = 1
