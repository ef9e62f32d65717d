// A second service follows a demo chain over the lite port with full proofs and a fresh index, from block 1: how fast it
// catches up with existing blocks, and whether its memory stays flat over as many that are made while it follows.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Devchain, openDevchain } from '../../server/devchain/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { Crowd, endow } from '../setup/load.ts'
import { mainFile, type Running, run } from '../setup/runningService.ts'
import { aligned, loadLine } from './compare.ts'

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
/** Growth over the followed blocks that counts as flat, as a share of resident memory. */
const NOISE = 0.05
const POLL_MS = 50
const TICKS_PER_SECOND = 100

const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const [firstData, secondData] = [join(data, 'first'), join(data, 'second')]

const start = (...flags: readonly string[]): Running =>
  run(process.execPath, [mainFile, '--port', '0', '--limits', 'off', '--log-level', 'warn', ...flags])

const urlOf = async (service: Running): Promise<string> =>
  (await service.says(/start page +(http:\/\/\S+?)\/\s/))[1] ?? ''

async function end(service: Running): Promise<void> {
  service.child.kill('SIGTERM')
  await service.ended
}

const statusOf = ({ child }: Running, file: string): string => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
const residentMb = (service: Running): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(statusOf(service, 'status'))?.[1]) / 1000

/** Of all its threads. */
function cpuSeconds(service: Running): number {
  const fields = statusOf(service, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The next few messages, without end. */
function messagesOf(crowd: Crowd): () => Uint8Array[] {
  let round: Uint8Array[] = []
  return () => {
    if (round.length === 0) round = crowd.round()
    return round.splice(0, MESSAGES)
  }
}

/** Adds so many masterchain blocks, and no more than a few on top. */
async function addBlocks(chain: Devchain, next: () => Uint8Array[]): Promise<number> {
  let transactions = 0
  const forget = chain.onHead(({ master, shard }) => {
    transactions += master.transactions + (shard?.transactions ?? 0)
  })
  const last = chain.head().master.id.seqno + BLOCKS
  while (chain.head().master.id.seqno < last) await Promise.all(next().map((message) => chain.send(message)))
  forget()
  return transactions / BLOCKS
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
const perBlock = await addBlocks(chain, nextMessages)
await chain.control.mine(3)
await chain.close()

const first = start('--data', firstData, '--lite-port', '0', '--block-time', '1h')
const firstUrl = await urlOf(first)
const config = join(firstData, 'global.config.json')

async function headOf(url: string): Promise<number> {
  const { result } = (await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as {
    result: { last: { seqno: number } }
  }
  return result.last.seqno
}

async function indexed(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tonrpc_index_seqno (\d+)/m.exec(text)?.[1] ?? 0)
}

// Indexing in the first service is not part of the measurement.
const firstHead = await headOf(firstUrl)
while ((await indexed(firstUrl)) < firstHead) await pause(POLL_MS)
const second = start('--data', secondData, '--network', 'custom', '--liteservers', config, '--index-from', '1')
const secondUrl = await urlOf(second)

interface Sample {
  readonly seqno: number
  readonly ms: number
  readonly mb: number
  readonly cpu: number
  readonly cpuFirst: number
}

const sample = (seqno: number): Sample => ({
  ...{ seqno, ms: performance.now(), mb: residentMb(second) },
  ...{ cpu: cpuSeconds(second), cpuFirst: cpuSeconds(first) },
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
async function followTo(last: number, onPoll: (seqno: number) => Promise<void> = async () => {}): Promise<Sample[]> {
  let seqno = await indexed(secondUrl)
  const samples = [sample(seqno)]
  const every = Math.max(1, Math.floor((last - seqno) / SAMPLES))
  while (seqno < last) {
    await onPoll(seqno)
    await pause(POLL_MS)
    seqno = await indexed(secondUrl)
    if (seqno >= last || seqno >= (samples.at(-1)?.seqno ?? 0) + every) samples.push(sample(seqno))
  }
  return samples
}

async function send(list: readonly Uint8Array[]): Promise<void> {
  const calls = list.map((boc, id) => ({ jsonrpc: '2.0', id, method: 'sendBoc', params: { boc: toBase64(boc) } }))
  const text = await (await fetch(`${firstUrl}/jsonRPC`, { method: 'POST', body: JSON.stringify(calls) })).text()
  if (text.includes('"error"')) throw new Error(text.slice(0, 400))
}

async function catchUp(): Promise<void> {
  const samples = await followTo(await headOf(firstUrl))
  const [begin, done] = [samples[0], samples.at(-1)]
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

/** MB per 1,000 blocks, by the line that fits best. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ seqno }) => seqno)), mean(samples.map(({ mb }) => mb))]
  const spread = samples.reduce((sum, { seqno }) => sum + (seqno - x) ** 2, 0)
  return (1000 * samples.reduce((sum, { seqno, mb }) => sum + (seqno - x) * (mb - y), 0)) / spread
}

async function memory(): Promise<void> {
  const last = (await headOf(firstUrl)) + FOLLOWED
  let made = last - FOLLOWED
  const samples = await followTo(last, async (seqno) => {
    while (made < last && made < seqno + MOST_LAG) {
      await send(nextMessages())
      made = await headOf(firstUrl)
    }
  })
  console.log(`memory, blocks as they are made\n\n${aligned(HEAD, rowsOf(samples))}\n${loadLine()}\n`)
  // Caches fill in the first half.
  const late = samples.slice(samples.length >> 1)
  const slope = slopeOf(late)
  const grown = (slope * ((late.at(-1)?.seqno ?? 0) - (late[0]?.seqno ?? 0))) / 1000
  const most = Math.max(...samples.map(({ mb }) => mb))
  const isFlat = grown < NOISE * most
  console.log(
    `most ${most.toFixed(0)} MB; over the second half ${slope.toFixed(1)} MB per 1,000 blocks, ${grown.toFixed(0)} MB in all: ${isFlat ? 'flat' : 'GROWS'}`,
  )
  if (!isFlat) process.exitCode = 1
}

try {
  await catchUp()
  if (parts.includes('memory')) await memory()
} finally {
  await end(second)
  await end(first)
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
