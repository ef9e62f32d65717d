// B10 and B11: how soon the service answers, from an empty folder and from one that was used, and what it weighs when
// no one asks anything; without the demo of a new chain and with it. The compiled service, in a process of its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Bounded, boundsTable, median } from './compare.ts'
import { processorOf, residentOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
/** After its last work, for what is idle to be let go. */
const REST_MS = 8_000
const DEMO_MS = 120_000

async function answers({ port }: Started, path: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Record<string, unknown>
}

interface Boot {
  readonly ours: Started
  /** Seconds of processors, all its threads together. */
  readonly cpu: number
  /** Seconds from its start to the answer of a method of v2, and to one of v3. */
  readonly live: number
  readonly indexed: number
}

async function boot(data: string, seed: string): Promise<Boot> {
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000
  const ours = await spawnOurs(data, ['--seed', seed])
  await answers(ours, '/api/v2/getMasterchainInfo')
  const live = seconds()
  await answers(ours, '/api/v3/transactions?limit=1')
  return { ours, live, indexed: seconds(), cpu: processorOf(ours.child.pid ?? 0) / 1000 }
}

/** Until the chain stands still and the index with it. */
async function settled(ours: Started): Promise<void> {
  const end = performance.now() + DEMO_MS
  let last = -1
  for (let still = 0; still < 3 && performance.now() < end; await pause(500)) {
    const { transactions } = await answers(ours, '/api/v3/transactions?limit=1')
    const lt = Number((transactions as { lt: string }[])[0]?.lt ?? 0)
    still = lt === last ? still + 1 : 0
    last = lt
  }
}

async function footprint(seed: 'none' | 'demo'): Promise<Bounded[]> {
  const cold: Boot[] = []
  const warm: Boot[] = []
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
    try {
      const first = await boot(data, seed)
      cold.push(first)
      if (seed === 'demo') await settled(first.ours)
      await pause(REST_MS)
      memory.push(residentOf(first.ours.child.pid ?? 0))
      await stop(first.ours)
      const second = await boot(data, seed)
      warm.push(second)
      await stop(second.ours)
    } finally {
      rmSync(data, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  const what = seed === 'none' ? 'without the demo' : 'with the demo'
  const time = { unit: 's' }
  const cpu = (boots: readonly Boot[]): string => median(boots.map((one) => one.cpu)).toFixed(1)
  console.log(`${what}: ${cpu(cold)} s of processors until both answered when cold, ${cpu(warm)} s when warm`)
  return [
    { ...time, name: `B10 cold start to an answer of v2, ${what}`, atMost: 3, values: cold.map(({ live }) => live) },
    { ...time, name: `B10 the same of v3, ${what}`, atMost: 3, values: cold.map(({ indexed }) => indexed) },
    { ...time, name: `B10 warm start to an answer of v2, ${what}`, atMost: 1, values: warm.map(({ live }) => live) },
    { ...time, name: `B10 the same of v3, ${what}`, atMost: 1, values: warm.map(({ indexed }) => indexed) },
    { name: `B11 idle memory, ${what}`, unit: 'MB', atMost: 450, values: memory },
  ]
}

console.log(boundsTable([...(await footprint('none')), ...(await footprint('demo'))]))
