// Starts of a service whose chain has 120,000 transactions, all of them indexed: after it was stopped, and after it was
// killed, with the page cache warm. Milliseconds from the start of the process until a page of v2 and one of v3 is answered.
// `npm run bench -- restart`; LONG_CHAIN=folder keeps the chain, which takes minutes to fill.

import { once } from 'node:events'
import { type Bounded, boundsTable } from './compare.ts'
import { longChain } from './longChain.ts'
import { residentOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const V2 = '/api/v2/getTransactions?address=-1:3333333333333333333333333333333333333333333333333333333333333333&limit=1'
const V3 = '/api/v3/transactions?limit=1'

async function answers({ port }: Started, path: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`)
    if (status === 200) return
  }
}

interface Start {
  readonly v2: number
  readonly v3: number
  readonly megabytes: number
}

async function kill({ child }: Started): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** One start, ended in this way. */
async function start(data: string, end: (service: Started) => Promise<void>): Promise<Start> {
  const began = performance.now()
  const since = () => performance.now() - began
  const service = await spawnOurs(data, ['--mining', 'manual'])
  const [v2, v3] = await Promise.all([answers(service, V2).then(since), answers(service, V3).then(since)])
  const megabytes = residentOf(service.child.pid ?? 0)
  await end(service)
  return { v2, v3, megabytes }
}

async function starts(data: string, end: (service: Started) => Promise<void>): Promise<Start[]> {
  const all: Start[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await start(data, end))
  return all
}

const row = (name: string, unit: string, atMost: number | null, values: readonly number[]): Bounded => ({
  name,
  unit,
  atMost,
  values,
})

const chain = await longChain()
// The first brings the archive up to date.
await start(chain.data, stop)
const stopped = await starts(chain.data, stop)
const killed = await starts(chain.data, kill)
await chain.remove()
console.log(
  boundsTable([
    row(
      'stopped, to v2',
      'ms',
      null,
      stopped.map(({ v2 }) => v2),
    ),
    row(
      'stopped, to v3',
      'ms',
      1000,
      stopped.map(({ v3 }) => v3),
    ),
    row(
      'killed, to v2',
      'ms',
      null,
      killed.map(({ v2 }) => v2),
    ),
    row(
      'killed, to v3',
      'ms',
      null,
      killed.map(({ v3 }) => v3),
    ),
    row(
      'resident',
      'MB',
      null,
      [...stopped, ...killed].map(({ megabytes }) => megabytes),
    ),
  ]),
)
