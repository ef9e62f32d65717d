// A service follows a demo chain over a lite port with full proofs and a fresh index, from block 1: how fast it catches up
// with existing blocks, and whether what it holds stays flat over as many that are made while it follows. The chain and its
// port are in this process: a service of their own would index the blocks as well. With SNAPSHOTS=folder, the heap is
// written there near the beginning and at the end.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { globalConfig } from '../../server/app/chain/globalConfig.ts'
import { createDevchainLiteServer, openDevchain } from '../../server/devchain/index.ts'
import { answerLiteQuery, createAdnlListener } from '../../server/node/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { Crowd, endow } from '../setup/load.ts'
import { mainFile, type Running, run } from '../setup/runningService.ts'
import { aligned, loadLine } from './compare.ts'
import { INSPECTABLE, InspectedProcess, LISTENING } from './inspected.ts'
import { processorOf, residentOf } from './processor.ts'

const [, , counts = '2000', ...parts] = process.argv
/** Made before the second service starts, and made while it follows. */
const [BLOCKS = 0, FOLLOWED = BLOCKS] = counts.split('+').map(Number)
const LEAST_RATE = 60
/** Per block; each leads to several transactions. */
const MESSAGES = 1
const WALLETS = 60
const SAMPLES = 20
/** Blocks the second service may lag while more are made. */
const MOST_LAG = 64
/** Growth over the second half of the followed blocks that counts as flat, as a share of the most. */
const NOISE = 0.05
const { SNAPSHOTS } = process.env
const POLL_MS = 50
/** A machine that is busy may need minutes from sample to sample. */
const SAID_MS = 15_000

const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const firstData = join(data, 'first')
const secondData = join(data, 'second')

const start = (...flags: readonly string[]): Running =>
  run(process.execPath, [INSPECTABLE, mainFile, '--port', '0', '--limits', 'off', '--log-level', 'warn', ...flags])

const urlOf = async (service: Running): Promise<string> =>
  (await service.says(/start page +(http:\/\/\S+?)\/\s/))[1] ?? ''

async function end(service: Running): Promise<void> {
  service.child.kill('SIGTERM')
  await service.ended
}

const residentMb = ({ child }: Running): number => residentOf(child.pid ?? 0)
const cpuSeconds = ({ child }: Running): number => processorOf(child.pid ?? 0) / 1000

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** The next few messages, without end. */
function messagesOf(crowd: Crowd): () => Uint8Array[] {
  let round: Uint8Array[] = []
  return () => {
    if (round.length === 0) round = crowd.round()
    return round.splice(0, MESSAGES)
  }
}

const makingDemo = start('--data', firstData)
await makingDemo.says(/demo played/)
await end(makingDemo)
const chain = await openDevchain({ folder: join(firstData, 'chain'), idleBlockMs: 3_600_000, sync: 'interval' })
const crowd = new Crowd(chain.globalId, { transactions: 0, seed: 1, wallets: WALLETS })
await endow(chain.control, crowd)
for (const message of crowd.beginnings()) await chain.send(message)
await chain.control.mine(3)
const nextMessages = messagesOf(crowd)
let transactions = 0
chain.onHead(({ master, shard }) => {
  transactions += master.transactions + (shard?.transactions ?? 0)
})
const headSeqno = (): number => chain.head().master.id.seqno
const addBlock = () => Promise.all(nextMessages().map((message) => chain.send(message)))

const last = headSeqno() + BLOCKS
while (headSeqno() < last) await addBlock()
const perBlock = transactions / BLOCKS
await chain.control.mine(3)

const pool = await createTvmPool({})
const lite = createDevchainLiteServer(chain, { pool })
const listener = await createAdnlListener({
  host: '127.0.0.1',
  port: 0,
  seed: randomBytes(32),
  onQuery: (query, { signal }) => answerLiteQuery(lite, query, { signal }),
})
const zerostate = chain.reader.zerostates.master.id
const begin = { zerostate, init: zerostate, hardForks: [] }
const config = join(data, 'global.config.json')
writeFileSync(config, globalConfig({ address: '127.0.0.1', port: listener.port, key: listener.key }, begin))

async function indexed(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tonrpc_index_seqno (\d+)/m.exec(text)?.[1] ?? 0)
}

const second = start('--data', secondData, '--network', 'custom', '--liteservers', config, '--index-from', '1')
const secondUrl = await urlOf(second)
const inspected = new InspectedProcess(second.child, async () => (await second.says(LISTENING))[1] ?? '')

interface Sample {
  readonly seqno: number
  readonly ms: number
  readonly mb: number
  readonly cpu: number
  readonly cpuFirst: number
}

const sample = (seqno: number): Sample => ({
  seqno,
  ms: performance.now(),
  mb: residentMb(second),
  cpu: cpuSeconds(second),
  cpuFirst: ownCpuSeconds(),
})

function rowsOf(samples: readonly Sample[]): string[][] {
  return samples.slice(1).map((now, i) => {
    const before = samples[i] ?? now
    const blocks = now.seqno - before.seqno
    const rate = (blocks * 1000) / (now.ms - before.ms)
    const each = [now.cpu - before.cpu, now.cpuFirst - before.cpuFirst].map(
      (s) => `${((s * 1000) / blocks).toFixed(1)} ms`,
    )
    return [String(now.seqno), rate.toFixed(0), ...each, now.mb.toFixed(0)]
  })
}

const HEAD = ['block', 'blocks/s', 'processor a block', 'of the server', 'resident MB']

/** Follows to `last`, with a sample every so many blocks. */
async function followTo(last: number): Promise<Sample[]> {
  let seqno = await indexed(secondUrl)
  const samples = [sample(seqno)]
  const every = Math.max(1, Math.floor((last - seqno) / SAMPLES))
  while (seqno < last) {
    await pause(POLL_MS)
    seqno = await indexed(secondUrl)
    if (seqno >= last || seqno >= (samples.at(-1)?.seqno ?? 0) + every) samples.push(sample(seqno))
  }
  return samples
}

async function catchUp(): Promise<void> {
  const samples = await followTo(headSeqno())
  const begin = samples[0]
  const done = samples.at(-1)
  if (begin === undefined || done === undefined) throw new Error('no block to follow')
  const rate = ((done.seqno - begin.seqno) * 1000) / (done.ms - begin.ms)
  const cpu = ((done.cpu - begin.cpu) * 1000) / (done.seqno - begin.seqno)
  if (!parts.includes('catchUp')) return
  console.log(
    `catch-up, ${perBlock.toFixed(1)} transactions a block\n\n${aligned(HEAD, rowsOf(samples))}\n${loadLine()}\n`,
  )
  console.log(
    `${rate.toFixed(0)} blocks/s of ${done.seqno - begin.seqno}, ${cpu.toFixed(1)} ms of processor a block, ≥ ${LEAST_RATE}: ${rate >= LEAST_RATE ? 'met' : 'MISSED'}\n`,
  )
  if (rate < LEAST_RATE) process.exitCode = 1
}

/** What is held by then: sizes after a collection. */
interface Held {
  readonly seqno: number
  readonly heap: number
  readonly external: number
  readonly resident: number
}

async function held(seqno: number): Promise<Held> {
  const heaps = await inspected.heapsCollected()
  const sum = (field: 'used' | 'external') => heaps.reduce((all, one) => all + one[field], 0)
  return { seqno, heap: sum('used'), external: sum('external'), resident: residentMb(second) }
}

async function writeSnapshot(name: string): Promise<void> {
  if (SNAPSHOTS !== undefined) writeFileSync(join(SNAPSHOTS, `${name}.heapsnapshot`), await inspected.snapshot())
}

/** Growth over the second half, by the line that fits best: caches fill in the first half. */
function growthOf(points: readonly (readonly [x: number, y: number])[]): number {
  const late = points.slice(points.length >> 1)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(late.map(([at]) => at))
  const y = mean(late.map(([, value]) => value))
  const spread = late.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  const slope = late.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread
  return slope * ((late.at(-1)?.[0] ?? 0) - (late[0]?.[0] ?? 0))
}

function judge(name: string, list: readonly Held[], field: 'heap' | 'external' | 'resident'): boolean {
  const grown = growthOf(list.map((one) => [one.seqno, one[field]]))
  const most = Math.max(...list.map((one) => one[field]))
  const isFlat = grown < NOISE * most
  console.log(
    `${name}: most ${most.toFixed(1)} MB; over the second half ${grown.toFixed(1)} MB: ${isFlat ? 'flat' : 'GROWS'}`,
  )
  return isFlat
}

/** Makes blocks up to `last`, at most so many ahead of the index that follows. */
async function makeBlocks(last: number, followed: () => number): Promise<void> {
  while (headSeqno() < last) {
    if (headSeqno() < followed() + MOST_LAG) await addBlock()
    else await pause(POLL_MS)
  }
}

async function memory(): Promise<void> {
  const from = headSeqno()
  const every = Math.max(1, Math.floor(FOLLOWED / SAMPLES))
  const all = [await held(from)]
  const begun = performance.now()
  let saidAt = begun
  const say = (seqno: number, sizes: string): void => {
    saidAt = performance.now()
    const rate = ((seqno - from) * 1000) / (saidAt - begun)
    console.log(`${seqno - from} followed: ${sizes} MB; ${rate.toFixed(0)} blocks/s`)
  }
  console.log('memory, blocks as they are made; what is held after a collection, with no block on its way')
  for (let count = 1; count <= SAMPLES; count++) {
    let seqno = await indexed(secondUrl)
    const made = makeBlocks(from + count * every, () => seqno).then(() => true)
    while (!(await Promise.race([made, pause(POLL_MS, false)])) || seqno < headSeqno()) {
      await pause(POLL_MS)
      seqno = await indexed(secondUrl)
      if (performance.now() - saidAt > SAID_MS) say(seqno, `resident ${residentMb(second).toFixed(0)}`)
    }
    const now = await held(seqno)
    all.push(now)
    const [heap, outside] = [now.heap, now.external].map((mb) => mb.toFixed(1))
    say(seqno, `heap ${heap}, outside ${outside}, resident ${now.resident.toFixed(0)}`)
    if (count === SAMPLES / 10 || count === SAMPLES) await writeSnapshot(`${seqno - from}-followed`)
  }
  console.log(`\n${loadLine()}\n`)
  const flat = [judge('heap', all, 'heap'), judge('outside', all, 'external'), judge('resident', all, 'resident')]
  if (flat.includes(false)) process.exitCode = 1
}

try {
  await catchUp()
  if (parts.includes('memory')) await memory()
} finally {
  await inspected.close()
  await end(second)
  await listener.close()
  lite.close()
  await pool.close()
  await chain.close()
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
