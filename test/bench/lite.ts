// The embedded chain's lite server: `npx tsx test/bench/lite.ts [accounts]`. How many answers per second of each verb, made
// again with all proofs and out of memory, and how many of them the verifier checks in that time. On a busy machine look at
// the columns next to each other.

import { openDevchain } from '../../server/devchain/index.ts'
import { createDevchainLiteServer } from '../../server/devchain/lite/index.ts'
import { MASTERCHAIN } from '../../server/node/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { accountCases, type Case, casesAt, chainCase, historyCases } from '../server/devchain/lite/cases.ts'
import { blocksOf, type LiteScene, touchedIn } from '../server/devchain/lite/liteScene.ts'
import { play, prepare } from '../server/devchain/traffic.ts'
import { account, coins } from '../server/devchain/wallets.ts'

const ACCOUNTS = Number(process.argv[2] ?? 10_000)
const BLOCKS = 60
const ROUND_MS = 80
const ROUNDS = 3

const chain = await openDevchain({ idleBlockMs: 3_600_000, mining: 'manual' })
for (let i = 0; i < ACCOUNTS; i++) {
  const name = account(0)
  new DataView(name.id.buffer).setUint32(0, Math.imul(i, 2_654_435_761) >>> 0)
  new DataView(name.id.buffer).setUint32(28, i)
  chain.control.setAccount({ ...name, balance: coins(1) }).catch(() => undefined)
}
await chain.control.mine(1)
chain.control.setMining('auto')
const actors = await prepare(chain, 20)
await play(chain, actors, { count: 60, seed: 1 })
await chain.control.mine(BLOCKS)
await play(chain, actors, { count: 30, seed: 2 })

const pool = await createTvmPool({ workers: 1, eager: true })
const sceneWith = (keptBytes: number): LiteScene => ({
  chain,
  pool,
  lite: createDevchainLiteServer(chain, { pool, keptBytes }),
  blocks: (workchain) => blocksOf(chain, workchain),
  touched: (id) => touchedIn(chain, id),
  close: () => Promise.resolve(),
})

async function rate(work: () => unknown): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now()
    let count = 0
    while (performance.now() - start < ROUND_MS) {
      for (let i = 0; i < 10; i++) await work()
      count += 10
    }
    if (round > 0) rates.push((count * 1000) / (performance.now() - start))
  }
  return rates.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 0)
    : 0
}

/** Everything worth measuring, called on one lite server. */
async function casesOf(scene: LiteScene): Promise<Case[]> {
  const { master, shard } = chain.head()
  const masters = scene.blocks(MASTERCHAIN)
  const tenth = masters[10]
  const counted = scene.blocks(0).map((id) => ({ id, count: chain.reader.byId(id)?.transactions ?? 0 }))
  const busy = counted.sort((a, b) => b.count - a.count)[0]?.id
  if (shard === null || busy === undefined || tenth === undefined) throw new Error('Too few blocks')
  const [first] = await scene.touched(busy)
  if (first === undefined) throw new Error('No account in the block')
  return [
    ...accountCases(scene, master.id, { workchain: 0, hash: actors.wallets[0]?.address.id ?? new Uint8Array(32) }),
    ...(await historyCases(scene, master.id, first.account)),
    ...(await casesAt(scene, busy, master.id)).filter(({ name }) => !name.startsWith('account')),
    ...(await casesAt(scene, master.id, master.id)),
    chainCase(scene, tenth, null),
    chainCase(scene, master.id, tenth),
  ]
}

const uncached = sceneWith(0)
const remembering = sceneWith(64 * 1024 * 1024)
const remembered = await casesOf(remembering)
console.log(`${ACCOUNTS} accounts, ${chain.head().master.id.seqno} masterchain blocks; answers per second\n`)
console.log(
  `${'verb'.padEnd(26)}${'uncached'.padStart(9)}${'cached'.padStart(12)}${'verified'.padStart(10)}${'bytes'.padStart(9)}`,
)
const print = (name: string, ...numbers: readonly number[]): void => {
  const [made = 0, kept = 0, checked = 0, bytes = 0] = numbers.map(Math.round)
  const columns = [made.toLocaleString('en').padStart(9), kept.toLocaleString('en').padStart(12)]
  columns.push(checked.toLocaleString('en').padStart(10), bytes.toLocaleString('en').padStart(9))
  console.log(`${name.slice(0, 25).padEnd(26)}${columns.join('')}`)
}
print(
  'masterchainInfo',
  await rate(() => uncached.lite.masterchainInfo()),
  await rate(() => uncached.lite.masterchainInfo()),
)
const seen = new Set<string>()
for (const [i, { name, ask, verify }] of (await casesOf(uncached)).entries()) {
  const verb = name.replace(/ (-?\d+):[0-9a-f]+$/, '')
  const again = remembered[i]
  if (seen.has(verb) || again === undefined) continue
  seen.add(verb)
  const answer = await ask()
  print(verb, await rate(ask), await rate(again.ask), await rate(() => verify(answer)), sizeOf(answer))
}
await pool.close()
await chain.close()
