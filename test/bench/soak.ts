// B17: resident memory under mixed reads, writes and sockets. The service as it ships with the demo's chain; its callers are
// a process of their own. At the end all heaps are collected: what is resident then is held, what it is less was garbage.
// `npm run bench -- soak`; MINUTES=1, FLAGS=--memory=2000 and SNAPSHOTS=folder in the environment, which collects them when it is
// warm as well, and keeps the main thread's heap of both moments.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFileKeyStore } from '../../server/access/index.ts'
import { aligned, loadLine } from './compare.ts'
import { InspectedProcess } from './inspected.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { type ResidentParts, residentParts } from './residentParts.ts'
import { spawnOurs, stop } from './started.ts'

export interface SoakOrder {
  readonly port: number
  readonly key: string
}

/** Since the callers began. */
export interface SoakCounts {
  readonly reads: number
  readonly writes: number
  readonly frames: number
  readonly failed: number
}

const MINUTES = Number(process.env.MINUTES ?? 5)
const FLAGS = process.env.FLAGS?.split(' ') ?? []
const SAMPLE_MS = 5_000
const PRINT_MS = 30_000
/** Caches fill and code is compiled before; of a short run half. */
const WARM_MS = Math.min(120_000, MINUTES * 30_000)
const MOST_MB = 900
/** Growth over the rest of the run that counts as none, as a part of what is resident. */
const NOISE = 0.05

interface Sample {
  readonly ms: number
  readonly mb: number
  readonly parts: ResidentParts
  /** Of the main thread's heap, after its last full collection. */
  readonly liveMb: number
}

const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const store = createFileKeyStore(data)
const order = { network: 'devnet', plan: 'custom', perSecond: 1_000_000, label: 'bench', expiresAt: null } as const
const { key } = await store.create(order)
await store.close()
const processes: InspectedProcess[] = []
const service = await spawnOurs(data, ['--limits', 'on', ...FLAGS], {
  spawned(args) {
    const inspected = InspectedProcess.spawned(args)
    processes.push(inspected)
    return inspected.child
  },
})

const PARTS = ['heaps', 'malloc', 'wasm', 'files'] as const

/** What the main thread's heap and its buffers take, by the service's own metrics. */
async function heapMb(): Promise<{ live: number; total: number; external: number }> {
  const text = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^tonrpc_${name}_bytes (\\S+)$`, 'm').exec(text)?.[1]) / 1e6
  return {
    live: read('memory_live_heap'),
    total: read('nodejs_heap_size_total'),
    external: read('nodejs_external_memory'),
  }
}

/** Growth by the line that fits best, over all samples, and how sure its slope is: by how many standard errors above 0. */
function growth(samples: readonly { readonly ms: number; readonly mb: number }[]): {
  readonly mb: number
  readonly errors: number
} {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(samples.map(({ ms }) => ms))
  const y = mean(samples.map(({ mb }) => mb))
  const spread = samples.reduce((sum, { ms }) => sum + (ms - x) ** 2, 0)
  const slope = samples.reduce((sum, { ms, mb }) => sum + (ms - x) * (mb - y), 0) / spread
  const rest = samples.reduce((sum, { ms, mb }) => sum + (mb - y - slope * (ms - x)) ** 2, 0)
  const error = Math.sqrt(rest / Math.max(1, samples.length - 2) / spread)
  return { mb: slope * ((samples.at(-1)?.ms ?? 0) - (samples[0]?.ms ?? 0)), errors: slope / error }
}

const callers = fork(
  fileURLToPath(new URL('./soakCallers.ts', import.meta.url)),
  [JSON.stringify({ port: service.port, key } satisfies SoakOrder)],
  { execArgv: NODE_OPTIONS },
)
let counts: SoakCounts = { reads: 0, writes: 0, frames: 0, failed: 0 }
callers.on('message', (latest: SoakCounts) => {
  counts = latest
})
// Without its callers there is nothing to measure.
let isOver = false
callers.once('exit', () => {
  if (isOver) return
  console.error('the callers of the benchmark ended')
  service.child.kill('SIGKILL')
  process.exit(1)
})
await once(callers, 'message')

const { SNAPSHOTS } = process.env

const residentMb = (parts: ResidentParts): number => PARTS.reduce((sum, part) => sum + parts[part], 0)

/** What is resident and in the heaps of all threads once nothing but what is held is left; in megabytes of the whole. */
async function collect(when: string): Promise<number> {
  const [inspected] = processes
  const before = residentParts(service.child.pid ?? 0)
  const heaps = (await inspected?.heapsCollected()) ?? []
  const after = residentParts(service.child.pid ?? 0)
  const each = heaps.map(({ thread, used, total }) => `${thread} ${used.toFixed(0)} of ${total.toFixed(0)}`).join(', ')
  const parts = PARTS.map((part) => `${part} ${before[part].toFixed(0)} to ${after[part].toFixed(0)}`).join(', ')
  console.log(
    `collected ${when}: ${residentMb(before).toFixed(0)} to ${residentMb(after).toFixed(0)} MB (${parts}); held of heaps: ${each}`,
  )
  if (SNAPSHOTS !== undefined && inspected !== undefined)
    writeFileSync(join(SNAPSHOTS, `${when.replaceAll(' ', '-')}.heapsnapshot`), await inspected.snapshot())
  return residentMb(after)
}

let isWarm = SNAPSHOTS === undefined
let heldMb = 0
const samples: Sample[] = []
const rows: string[][] = []
const began = performance.now()
try {
  for (let printed = 0; performance.now() - began < MINUTES * 60_000; ) {
    await pause(SAMPLE_MS)
    const ms = performance.now() - began
    const { live, total, external } = await heapMb()
    const parts = residentParts(service.child.pid ?? 0)
    const mb = residentMb(parts)
    samples.push({ ms, mb, parts, liveMb: live })
    if (!isWarm && ms >= WARM_MS) {
      isWarm = true
      await collect('warm')
    }
    if (ms - printed < PRINT_MS - SAMPLE_MS / 2) continue
    printed = ms
    const figures = [mb, ...PARTS.map((part) => parts[part]), live, total, external].map((one) => one.toFixed(0))
    const row = [`${Math.round(ms / 1000)} s`, ...figures, ...Object.values(counts).map(String)]
    console.log(row.join('  '))
    rows.push(row)
  }
  heldMb = await collect('at the end')
} finally {
  isOver = true
  const gone = once(callers, 'exit')
  callers.kill('SIGKILL')
  await gone
  for (const inspected of processes) await inspected.close()
  await stop(service)
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
const ofMain = ['live heap', 'heap', 'buffers']
const head = ['after', 'resident MB', ...PARTS, ...ofMain, 'reads', 'writes', 'frames', 'failed']
console.log(`\n${aligned(head, rows)}\n${loadLine()}\n`)
const late = samples.filter(({ ms }) => ms >= WARM_MS)
const most = Math.max(...samples.map(({ mb }) => mb))
const { mb, errors } = growth(late)
const isFlat = mb < NOISE * most || errors < 3
console.log(`most ${most.toFixed(0)} MB, ≤ ${MOST_MB}: ${most <= MOST_MB ? 'met' : 'MISSED'}`)
console.log(
  `growth after ${WARM_MS / 1000} s: ${mb.toFixed(0)} MB, ${errors.toFixed(1)} standard errors: ${isFlat ? 'met' : 'MISSED'}`,
)
const warmMb = late[0]?.mb ?? 0
console.log(
  `collected, ${heldMb.toFixed(0)} MB are held: ${(heldMb - warmMb).toFixed(0)} MB more than were resident after ${WARM_MS / 1000} s, the rest was garbage`,
)
for (const part of PARTS) {
  const grown = growth(late.map(({ ms, parts }) => ({ ms, mb: parts[part] })))
  console.log(`of that ${part}: ${grown.mb.toFixed(0)} MB, ${grown.errors.toFixed(1)} standard errors`)
}
const alive = growth(late.map(({ ms, liveMb }) => ({ ms, mb: liveMb })))
console.log(
  `of that alive in the main thread's heap: ${alive.mb.toFixed(0)} MB, ${alive.errors.toFixed(1)} standard errors`,
)
if (most > MOST_MB || !isFlat) process.exitCode = 1
