// One client at full speed, with each kind of heavy call in turn, while another one makes a cheap read: how long that waits, and
// which turns of the event loop the flood makes long.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aligned } from './compare.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { FLOODS } from './turnFlooder.ts'

interface Asking {
  readonly url: string
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

/** Milliseconds of each cheap read, in order of length. */
async function cheapReads(url: string, ms: number): Promise<{ times: number[]; failed: number }> {
  const times: number[] = []
  let failed = 0
  const agent = new Agent({ keepAlive: true })
  for (const end = performance.now() + ms; performance.now() < end; await pause(PACE_MS)) {
    const began = performance.now()
    if ((await cheapRead(url, agent)) !== 200) failed++
    times.push(performance.now() - began)
  }
  agent.destroy()
  return { times: times.sort((a, b) => a - b), failed }
}

/** All kinds, or those that are named. */
export async function askFlooded({ url, begin, examples }: Asking, named: string | undefined): Promise<void> {
  const wanted = named?.split(',')
  const rows: string[][] = []
  const measure = async (kind: string): Promise<void> => {
    const { times, failed } = await cheapReads(url, SECONDS * 1000)
    rows.push([kind, ...[0.5, 0.9, 0.99, 1].map((part) => at(times, part)), String(failed)])
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
  console.log(aligned(['flood of', 'cheap read p50', 'p90', 'p99', 'most', 'failed', 'flood'], rows))
}
