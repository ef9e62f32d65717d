// One client at full speed, with each kind of heavy call in turn, while another one makes a cheap read: how long that waits, and
// which turns of the event loop the flood makes long.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aligned } from './compare.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { FLOODS } from './turnFlooder.ts'

interface Asking {
  readonly url: string
  /** Of the process that listens. */
  readonly pid: number
  readonly begin: (name: string) => void
  /** Params that have a result, by method. */
  readonly examples: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

const SECONDS = Number(process.env.SECONDS ?? 3)
/** Before the measured caller begins. */
const HEAD_START_MS = 700
const PACE_MS = 10

const at = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1)

/** Another caller than the one that floods: callers without a key are known by their addresses. */
const OWN_ADDRESS = '127.0.0.2'

function cheapRead(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const options = { agent, localAddress: OWN_ADDRESS, timeout: 10_000 }
    const asked = request(`${url}/api/v2/getMasterchainInfo`, options, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(0)).end()
  })
}

/** Milliseconds of the processor that the main thread of a process has used. */
function threadClock(pid: number): { now(): number; close(): void } {
  const file = openSync(`/proc/${pid}/task/${pid}/schedstat`, 'r')
  const text = Buffer.alloc(64)
  return {
    now: () => Number(text.toString('latin1', 0, readSync(file, text, 0, 64, 0)).split(' ')[0]) / 1e6,
    close: () => closeSync(file),
  }
}

interface CheapReads {
  /** Milliseconds of each, in order of length. */
  readonly times: readonly number[]
  /** Of the service's event loop, from the request to its answer, in order of length: whatever else the machine does. */
  readonly used: readonly number[]
  readonly failed: number
}

async function cheapReads({ url, pid }: Asking, ms: number): Promise<CheapReads> {
  const times: number[] = []
  const used: number[] = []
  let failed = 0
  const agent = new Agent({ keepAlive: true })
  const clock = threadClock(pid)
  for (const end = performance.now() + ms; performance.now() < end; await pause(PACE_MS)) {
    const began = performance.now()
    const before = clock.now()
    if ((await cheapRead(url, agent)) !== 200) failed++
    used.push(clock.now() - before)
    times.push(performance.now() - began)
  }
  clock.close()
  agent.destroy()
  const byLength = (a: number, b: number): number => a - b
  return { times: times.sort(byLength), used: used.sort(byLength), failed }
}

/** All kinds, or those that are named. */
export async function askFlooded(asking: Asking, named: string | undefined): Promise<void> {
  const { url, begin, examples } = asking
  const wanted = named?.split(',')
  const rows: string[][] = []
  const measure = async (kind: string): Promise<void> => {
    const { times, used, failed } = await cheapReads(asking, SECONDS * 1000)
    const parts = (all: readonly number[]): string[] => [0.5, 0.9, 0.99, 1].map((part) => at(all, part))
    rows.push([kind, ...parts(times), ...parts(used), String(failed)])
  }
  for (const kind of ['none', ...Object.keys(FLOODS)]) {
    if (!(wanted?.includes(kind) ?? true)) continue
    begin(`flood of ${kind}`)
    if (kind === 'none') {
      await measure(kind)
      rows.at(-1)?.push('')
      continue
    }
    const task = JSON.stringify({ kind, url, examples: [...examples] })
    const flooder = fork(fileURLToPath(new URL('./turnFlooder.ts', import.meta.url)), [], { execArgv: NODE_OPTIONS })
    let counts = {}
    flooder.on('message', (message: object) => {
      counts = message
    })
    flooder.send(task)
    await once(flooder, 'message')
    await pause(HEAD_START_MS)
    await measure(kind)
    const gone = once(flooder, 'exit')
    flooder.kill('SIGKILL')
    await gone
    rows.at(-1)?.push(JSON.stringify(counts).slice(0, 100))
    begin(`after flood of ${kind}`)
    await pause(500)
  }
  console.log(
    aligned(
      ['flood of', 'cheap read p50', 'p90', 'p99', 'most', 'of the loop p50', 'p90', 'p99', 'most', 'failed', 'flood'],
      rows,
    ),
  )
}
