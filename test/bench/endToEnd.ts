// B5 and B6: messages sent to the service over HTTP, mined, indexed and seen in v3, beside a bare TVM that executes the
// same messages and what they lead to. The service runs in this process, its chain and its index in a folder, on the disk.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../client/index.ts'
import type { ChainSide } from '../../server/chain.ts'
import { openIndex } from '../../server/indexSide.ts'
import { createLog } from '../../server/log.ts'
import { createHandlers } from '../../server/methods/index.ts'
import { openDevchain } from '../../server/node/devchain/index.ts'
import { createDevchainLiteServer } from '../../server/node/devchain/lite/index.ts'
import { startServiceOf } from '../../server/service.ts'
import { Settings } from '../../server/settings.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { chainRegistry } from '../../shared/registry.ts'
import { Crowd, endow } from '../setup/load.ts'
import { bareExecutor } from './bareExecutor.ts'
import { boundsTable, compare, median, table } from './compare.ts'

const WALLETS = Number(process.env.WALLETS ?? 200)
const SINGLE = 60

const data = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
const log = createLog({ format: 'json', level: 'warn' })
const config = Settings.parse({ port: 0, data, logLevel: 'warn', seed: 'none', metadata: 'off' })
const chain = await openDevchain({ folder: join(data, 'chain'), idleBlockMs: 3_600_000 })
const pool = await createTvmPool()
const node = createDevchainLiteServer(chain, { pool })
const side: ChainSide = {
  ...{ node, pool, controlled: null, demo: null },
  readiness: () => ({ ready: true, words: 'a benchmark' }),
  close: () => Promise.resolve(),
}
const index = openIndex(config, side, log)
const service = await startServiceOf(
  { config, log },
  {
    ...{ registry: chainRegistry, chain: side, index },
    handlers: (docs) =>
      createHandlers({
        ...{ node, pool, store: index.store, testOnly: true },
        discover: docs.openrpc as Parameters<typeof createHandlers>[0]['discover'],
      }),
  },
)
const client = createClient({ url: service.url })

let transactions = 0
chain.onHead(({ master, shard }) => {
  transactions += master.transactions + (shard?.transactions ?? 0)
})

async function indexed(): Promise<void> {
  const { seqno } = chain.head().master.id
  if (!(await index.view.waitFor(seqno, { timeoutMs: 60_000 }))) throw new Error('the index does not follow')
}

/** The transaction a message from outside led to, as soon as v3 shows it. */
async function seen(hash: string): Promise<void> {
  for (;;) {
    const found = await client.v3.transactionsByMessage({ msg_hash: [hash] })
    if (found.transactions.length > 0) return
  }
}

const crowd = new Crowd(chain.globalId, { transactions: 0, seed: 1, wallets: WALLETS })
await endow(chain.control, crowd)
for (const message of crowd.beginnings()) await chain.send(message)
await chain.control.mine(3)
await indexed()
const bare = await bareExecutor(chain.reader)

const ROUNDS = 3
/** Both take the same messages in the same order, each once; signed before, which is nobody's work here. */
const rounds = Array.from({ length: ROUNDS + 1 }, () => crowd.round())
const queues = { ours: [...rounds], theirs: [...rounds] }
const next = (whose: keyof typeof queues): Uint8Array[] => queues[whose].shift() ?? []

async function ours(): Promise<number> {
  const messages = next('ours').map(toBase64)
  const before = transactions
  const began = performance.now()
  const sent = await Promise.all(messages.map((boc) => client.sendBocReturnHash({ boc })))
  await indexed()
  await seen(sent.at(-1)?.hash ?? '')
  return ((transactions - before) * 1000) / (performance.now() - began)
}

async function theirs(): Promise<number> {
  const messages = next('theirs')
  const began = performance.now()
  let count = 0
  for (const message of messages) count += bare.run(message)
  return (count * 1000) / (performance.now() - began)
}

async function single(): Promise<{ visible: number[]; emulated: number[] }> {
  const [visible, emulated]: [number[], number[]] = [[], []]
  const messages = crowd.round().slice(0, SINGLE)
  for (const message of messages) {
    const began = performance.now()
    const { hash } = await client.sendBocReturnHash({ boc: toBase64(message) })
    await seen(hash)
    const middle = performance.now()
    bare.run(message)
    visible.push(middle - began)
    emulated.push(performance.now() - middle)
  }
  return { visible, emulated }
}

try {
  const load = { name: 'B5 sent, mined, indexed and seen', unit: 'tx/s', target: 0.7, here: true }
  console.log(table([await compare({ ...load, ours, theirs }, ROUNDS)]))
  const { visible, emulated } = await single()
  const times = visible.map((ms, i) => ms / (emulated[i] ?? Number.NaN))
  console.log(`\nemulated in ${median(emulated).toFixed(1)} ms`)
  console.log(
    boundsTable([
      { name: 'B6 sent to seen', unit: 'ms', atMost: 25, values: visible },
      { name: 'B6 the same by what its emulation takes', unit: 'times', atMost: 3, values: times },
    ]),
  )
} finally {
  await service.close()
  await index.close()
  node.close()
  await chain.close()
  await pool.close()
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
}
