// B18: a thousand sockets of two hundred addresses each while 500 transactions per second are mined: from the block in the log to its
// frames at the readers, and the memory of the service. The service is this process; readers and wallets have their own.
// `npm run bench -- stream`; SOCKETS=1000, ADDRESSES=200, RATE=500, SECONDS=60, THREADS=0 in the environment.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openIndex } from '../../server/app/database/indexService.ts'
import { openIndexDatabase } from '../../server/app/database/openIndexDatabase.ts'
import { serveRegistry } from '../../server/app/serving/serveRegistry.ts'
import { openStreams } from '../../server/app/serving/streams.ts'
import { Settings } from '../../server/app/settings/settings.ts'
import { openDevchain } from '../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../server/devchain/lite/index.ts'
import { createHandlers, SentMessages } from '../../server/methods/index.ts'
import { createLog } from '../../server/observe/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { chainRegistry } from '../../shared/registry.ts'
import { Crowd, endow } from '../setup/load.ts'
import { Random } from '../setup/random.ts'
import { bareChainService } from './bareChainService.ts'
import { aligned, loadLine } from './compare.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { type Noted, type ReadersOrder, steadyMs } from './streamReaders.ts'
import type { Rounds, RoundsOrder, SendersOrder } from './streamSenders.ts'

const SOCKETS = Number(process.env.SOCKETS ?? 1000)
const ADDRESSES = Number(process.env.ADDRESSES ?? 200)
const RATE = Number(process.env.RATE ?? 500)
const SECONDS = Number(process.env.SECONDS ?? 60)
const WALLETS = Number(process.env.WALLETS ?? 500)
/** Of the chain; by default as it ships. */
const { THREADS } = process.env
/** Accounts that sockets subscribe to: each one is on a tenth of a hundredth of them. */
const POPULATION = 20_000
const TYPES = process.env.TYPES?.split(',') ?? ['transactions', 'actions', 'account_state_change']
const MOST_MS = 250
const TICK_MS = 200
const MOST_GROWTH = 0.1

const data = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
const log = createLog({ format: 'json', level: 'warn' })
const room = { connections: 2 * SOCKETS, connectionsPerAddress: 2 * SOCKETS, sockets: 2 * SOCKETS }
const settings = { port: 0, data, logLevel: 'warn', seed: 'none', metadata: 'off', limits: 'off', ...room }
const config = Settings.parse(settings)
const chain = await openDevchain({
  folder: join(data, 'chain'),
  idleBlockMs: 3_600_000,
  ...(THREADS === undefined ? {} : { ahead: { threads: Number(THREADS) } }),
})
const pool = await createTvmPool()
const node = createEmbeddedChain(chain)
const side = bareChainService({ chain: node, pool })
const index = openIndex(config, { ...side, database: openIndexDatabase(config, log) }, log)
const sent = new SentMessages()
const service = await serveRegistry(
  { config, log },
  {
    registry: chainRegistry,
    chain: side,
    index,
    streams: (metrics) => openStreams({ side, index, sent, testOnly: true, log, metrics }),
    handlers: (docs) =>
      createHandlers({
        chain: sent.watch(node),
        pool,
        store: index.store,
        index: index.view,
        newest: index.newest,
        testOnly: true,
        discover: docs.openrpc,
      }),
  },
)

const forked = (file: string) =>
  fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: NODE_OPTIONS, serialization: 'advanced' })
const readers = forked('./streamReaders.ts')
const senders = forked('./streamSenders.ts')

async function indexed(): Promise<void> {
  const { seqno } = chain.head().master.id
  if (!(await index.view.waitFor(seqno, { timeoutMs: 60_000 }))) throw new Error('the index does not follow')
}

/** When each block was in the log. */
const made = new Map<number, number>()
/** Milliseconds from there to the index. */
const indexing: number[] = []
let lastIndexed = 0
index.view.onIndexed((head) => {
  if (head === null) return
  const now = steadyMs()
  for (let seqno = lastIndexed + 1; seqno <= head.seqno; seqno++) indexing.push(now - (made.get(seqno) ?? now))
  lastIndexed = head.seqno
})
let transactions = 0
/** Of the newest block. */
let newest = 0
chain.onHead(({ master, shard }) => {
  made.set(master.id.seqno, steadyMs())
  newest = shard?.transactions ?? 0
  transactions += master.transactions + newest
})

/** All that was sent has led to what it leads to: a message counts with all of its transactions. */
async function settled(): Promise<void> {
  do await chain.control.mine(1)
  while (newest > 0)
  await indexed()
}

const load = { seed: 1, wallets: WALLETS }
const crowd = new Crowd(chain.globalId, { transactions: 0, ...load })
await endow(chain.control, crowd)
for (const message of crowd.beginnings()) await chain.send(message)
await chain.control.mine(3)
await indexed()

/** Each socket has its own choice out of all accounts, those that are active among them. */
function subscriptions(): string[][] {
  const random = new Random(1)
  const own = crowd.owners.map(({ address }) => `${address.workchain}:${Buffer.from(address.hash).toString('hex')}`)
  const others = Array.from({ length: POPULATION - own.length }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  const all = [...own, ...others]
  return Array.from({ length: SOCKETS }, () =>
    Array.from({ length: ADDRESSES }, () => all[random.below(all.length)] ?? ''),
  )
}

async function ask(): Promise<Noted> {
  const answer = once(readers, 'message')
  readers.send('report')
  return (await answer)[0] as Noted
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** Sends messages so that about RATE transactions are made each second. */
async function drive(rounds: Rounds, perMessage: number, onTick: () => void): Promise<void> {
  const perTick = Math.max(1, Math.round((RATE * TICK_MS) / 1000 / perMessage))
  let next = steadyMs()
  for (const round of rounds) {
    const running: Promise<unknown>[] = []
    for (let i = 0; i < round.length; i += perTick, next += TICK_MS) {
      running.push(Promise.all(round.slice(i, i + perTick).map((boc) => chain.send(boc))))
      onTick()
      await pause(Math.max(0, next + TICK_MS - steadyMs()))
    }
    // A wallet's next message is refused before the one before it is in a block.
    await Promise.all(running)
  }
}

async function signed(count: RoundsOrder): Promise<Rounds> {
  const answer = once(senders, 'message')
  senders.send(count)
  return (await answer)[0] as Rounds
}

const roundsOf = (seconds: number, perMessage: number): number => Math.ceil((seconds * RATE) / perMessage / WALLETS)

try {
  const ready = Promise.all([once(readers, 'message'), once(senders, 'message')])
  senders.send({ globalId: chain.globalId, ...load } satisfies SendersOrder)
  readers.send({
    url: service.url,
    types: TYPES,
    subscriptions: subscriptions(),
  } satisfies ReadersOrder)
  await ready
  console.log(`${SOCKETS} sockets of ${ADDRESSES} addresses are open`)

  const [first = []] = await signed(1)
  const before = transactions
  await Promise.all(first.map((boc) => chain.send(boc)))
  await settled()
  const perMessage = (transactions - before) / first.length
  // Code is compiled and caches are filled before.
  await drive(await signed(roundsOf(Math.min(15, SECONDS / 2), perMessage)), perMessage, () => undefined)
  await settled()
  await ask()
  indexing.length = 0

  const rounds = await signed(roundsOf(SECONDS, perMessage))
  const memory: number[] = []
  const began = steadyMs()
  const start = transactions
  const cpu = process.cpuUsage()
  const loop = performance.eventLoopUtilization()
  await drive(rounds, perMessage, () => void memory.push(process.memoryUsage().rss / 1e6))
  await indexed()
  const count = transactions - start
  const rate = (count * 1000) / (steadyMs() - began)
  const { user, system } = process.cpuUsage(cpu)
  const busy = performance.eventLoopUtilization(loop).utilization
  await pause(1000)
  const { seqnos, times, closed } = await ask()
  const delays = seqnos
    .map((seqno, i) => (times[i] ?? Number.NaN) - (made.get(seqno) ?? Number.NaN))
    .filter((ms) => !Number.isNaN(ms))
    .sort((a, b) => a - b)
  const toIndex = [...indexing].sort((a, b) => a - b)
  const part = Math.max(1, Math.floor(memory.length / 4))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const growth = mean(memory.slice(-part)) / mean(memory.slice(0, part)) - 1
  const p99 = quantile(delays, 0.99)
  const rows = [
    ['transactions per second', rate.toFixed(0), `≥ ${RATE * 0.9}`, rate >= RATE * 0.9 ? 'met' : 'MISSED'],
    ['processor per transaction', `${((user + system) / 1000 / count).toFixed(2)} ms`, '', ''],
    ['main thread busy', `${(busy * 100).toFixed(0)} %`, '', ''],
    ['frames per second', (delays.length / ((steadyMs() - began) / 1000)).toFixed(0), '', ''],
    ['block to index, p50', `${quantile(toIndex, 0.5).toFixed(0)} ms`, '', ''],
    ['block to index, p99', `${quantile(toIndex, 0.99).toFixed(0)} ms`, '', ''],
    ['block to frame, p50', `${quantile(delays, 0.5).toFixed(0)} ms`, '', ''],
    ['block to frame, p99', `${p99.toFixed(0)} ms`, `< ${MOST_MS} ms`, p99 < MOST_MS ? 'met' : 'MISSED'],
    ['readers cut off', String(closed.length), '0', closed.length === 0 ? 'met' : 'MISSED'],
    [
      'memory, last quarter by first',
      `${(growth * 100).toFixed(1)} % of ${mean(memory.slice(0, part)).toFixed(0)} MB`,
      `≤ ${MOST_GROWTH * 100} %`,
      growth <= MOST_GROWTH ? 'met' : 'MISSED',
    ],
  ]
  console.log(`\n${aligned(['what', 'measured', 'mark', ''], rows)}\n${loadLine()}`)
  if (closed.length > 0) console.log(`cut off with: ${[...new Set(closed)].join('; ')}`)
  if (rows.some((row) => row[3] === 'MISSED')) process.exitCode = 1
} finally {
  for (const child of [readers, senders]) child.kill('SIGKILL')
  await service.close()
  await index.close()
  await chain.close()
  await pool.close()
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
}
