// Connections to a lite server over loopback, both ends in this process: `npx tsx test/bench/adnl.ts`. Queries per second of
// one connection one after another and pipelined, answers as large as a busy block, and what a new connection costs.

import { randomBytes } from 'node:crypto'
import { connectAdnl, createAdnlListener } from '../../server/node/adnl/index.ts'
import { encodeAnswer, encodeRequest, wrapQuery } from '../../server/tl/index.ts'
import { aligned, loadLine, median } from './compare.ts'

const ROUNDS = 5
const ROUND_MS = 400
const BLOCK_BYTES = 500_000

const answers = new Map<string, Uint8Array>()
const queryOf = (name: string, request: Uint8Array, answer: Uint8Array): { name: string; query: Uint8Array } => {
  const query = wrapQuery(request)
  answers.set(Buffer.from(query).toString('latin1'), answer)
  return { name, query }
}

const hash = new Uint8Array(randomBytes(32))
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 7, root_hash: hash, file_hash: hash }
const small = queryOf('getTime', encodeRequest('getTime', {}), encodeAnswer('getTime', { now: 1 }))
const large = queryOf(
  `getBlock of ${BLOCK_BYTES / 1000} kB`,
  encodeRequest('getBlock', { id }),
  encodeAnswer('getBlock', { id, data: new Uint8Array(randomBytes(BLOCK_BYTES)) }),
)

const listener = await createAdnlListener({
  host: '127.0.0.1',
  port: 0,
  seed: randomBytes(32),
  onQuery: async (query) => answers.get(Buffer.from(query).toString('latin1')) ?? null,
})
const target = { host: '127.0.0.1', port: listener.port, key: listener.key }

/** Medians of turns per second and of processor time per turn, after one round that warms up. */
async function measure(
  work: () => Promise<unknown>,
  lanes: number,
): Promise<readonly [rate: number, cpuMicros: number]> {
  const rounds: { rate: number; cpu: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now()
    const before = process.cpuUsage()
    let count = 0
    const lane = async (): Promise<void> => {
      for (; performance.now() - began < ROUND_MS; count++) await work()
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    const { user, system } = process.cpuUsage(before)
    if (round > 0) rounds.push({ rate: (count * 1000) / (performance.now() - began), cpu: (user + system) / count })
  }
  return [median(rounds.map(({ rate }) => rate)), median(rounds.map(({ cpu }) => cpu))]
}

const connection = await connectAdnl(target)
const rows: string[][] = []
const add = async (name: string, work: () => Promise<unknown>, lanes: number): Promise<void> => {
  const [rate, cpu] = await measure(work, lanes)
  rows.push([name, String(lanes), Math.round(rate).toLocaleString('en'), `${cpu.toFixed(cpu < 100 ? 1 : 0)} us`])
}
for (const { name, query } of [small, large]) {
  for (const lanes of [1, 16, 128]) await add(name, () => connection.query(query, { timeoutMs: 60_000 }), lanes)
}
connection.close()
await add('connect and close', async () => (await connectAdnl(target)).close(), 4)
await listener.close()
console.log(aligned(['what', 'in flight', 'per second', 'processor time each, both ends'], rows))
console.log(loadLine())
