// B5 and B6: messages sent to the service over HTTP, mined, indexed and seen in v3, compared with a bare TVM that executes the
// same messages and what they lead to: by the executor of @ton/sandbox, against which the marks are set, and by that of
// this project, which is more than twice as fast and shows what could be won yet. The service runs in this process, its chain and its index in a folder, on the disk;
// its client is another process, whose work is not the service's.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openIndex } from '../../server/app/database/indexService.ts'
import { openIndexDatabase } from '../../server/app/database/openIndexDatabase.ts'
import { serveRegistry } from '../../server/app/serving/serveRegistry.ts'
import { Settings } from '../../server/app/settings/settings.ts'
import { scriptCoins } from '../../server/demo/index.ts'
import { commentBody } from '../../server/devchain/contracts/index.ts'
import { openDevchain } from '../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../server/devchain/lite/index.ts'
import { createHandlers } from '../../server/methods/index.ts'
import { createLog } from '../../server/observe/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { chainRegistry } from '../../shared/registry.ts'
import { Crowd, endow } from '../setup/load.ts'
import { bareChainService } from './bareChainService.ts'
import { type BareExecutor, bareExecutor, ownExecutor, packageExecutor } from './bareExecutor.ts'
import { boundsTable, compare, type Row, table } from './compare.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import type { Order, Seen } from './sender.ts'

const WALLETS = Number(process.env.WALLETS ?? 200)
const SINGLE = 60

const data = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
const log = createLog({ format: 'json', level: 'warn' })
const config = Settings.parse({ port: 0, data, logLevel: 'warn', seed: 'none', metadata: 'off' })
const chain = await openDevchain({ folder: join(data, 'chain'), idleBlockMs: 3_600_000 })
const pool = await createTvmPool()
const node = createEmbeddedChain(chain)
const side = bareChainService({ chain: node, pool })
const index = openIndex(config, { ...side, database: openIndexDatabase(config, log) }, log)
const service = await serveRegistry(
  { config, log },
  {
    registry: chainRegistry,
    chain: side,
    index,
    handlers: (docs) =>
      createHandlers({
        chain: node,
        pool,
        store: index.store,
        index: index.view,
        newest: index.newest,
        testOnly: true,
        discover: docs.openrpc,
      }),
  },
)
const sender = fork(fileURLToPath(new URL('./sender.ts', import.meta.url)), { execArgv: NODE_OPTIONS })
const gone = once(sender, 'exit').then(() => Promise.reject(new Error('the client is gone')))
gone.catch(() => undefined)

/** Milliseconds until v3 shows what the last of these messages led to. */
async function send(messages: readonly Uint8Array[]): Promise<number> {
  const seen = once(sender, 'message')
  sender.send({ url: service.url, messages: messages.map(toBase64) } satisfies Order)
  const [{ ms }] = (await Promise.race([seen, gone])) as [Seen]
  return ms
}

let transactions = 0
chain.onHead(({ master, shard }) => {
  transactions += master.transactions + (shard?.transactions ?? 0)
})

async function indexed(): Promise<void> {
  const { seqno } = chain.head().master.id
  if (!(await index.view.waitFor(seqno, { timeoutMs: 60_000 }))) throw new Error('the index does not follow')
}

const crowd = new Crowd(chain.globalId, { transactions: 0, seed: 1, wallets: WALLETS })
await endow(chain.control, crowd)
for (const message of crowd.beginnings()) await chain.send(message)
await chain.control.mine(3)
await indexed()
const bare = await bareExecutor(chain.reader, ownExecutor)
const usual = await bareExecutor(chain.reader, packageExecutor)

const ROUNDS = 3
/** Signed before they are sent, which is no one's work here. */
const makeRounds = (): Uint8Array[][] => Array.from({ length: ROUNDS + 1 }, () => crowd.round())

async function runAll(executor: BareExecutor, messages: readonly Uint8Array[]): Promise<number> {
  let count = 0
  for (const message of messages) count += await executor.run(message)
  return count
}

interface Contestant {
  readonly executor: BareExecutor
  readonly target: number | null
}

/** Both take the same messages in the same order, each once. */
function contest(name: string, rounds: readonly Uint8Array[][], { executor, target }: Contestant): Promise<Row> {
  const queues = { ours: [...rounds], theirs: [...rounds] }
  const next = (whose: keyof typeof queues): Uint8Array[] => queues[whose].shift() ?? []
  async function ours(): Promise<number> {
    const messages = next('ours')
    const before = transactions
    const began = performance.now()
    await send(messages)
    await indexed()
    return ((transactions - before) * 1000) / (performance.now() - began)
  }
  async function theirs(): Promise<number> {
    const messages = next('theirs')
    const began = performance.now()
    return ((await runAll(executor, messages)) * 1000) / (performance.now() - began)
  }
  return compare({ name, unit: 'tx/s', target, here: true, ours, theirs }, ROUNDS)
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Milliseconds a message took until it was seen, and in the executors. */
interface Single {
  readonly message: Uint8Array
  readonly visible: number
  readonly own: number
  usual: number
}

async function sendEach(messages: readonly Uint8Array[]): Promise<Single[]> {
  const singles: Single[] = []
  for (const message of messages) {
    const visible = await send([message])
    singles.push({ message, visible, own: await msOf(() => bare.run(message)), usual: Number.NaN })
  }
  return singles
}

const transfers = (): Uint8Array[] =>
  crowd.owners.slice(0, SINGLE).map((owner, i) => {
    const { address: to } = crowd.owner(i + 1)
    return crowd.signed(owner, [{ to, value: scriptCoins(0.01), bounce: false, body: commentBody('A transfer') }])
  })

try {
  const first = makeRounds()
  const own = await contest('B5 the same compared with our executor', first, { executor: bare, target: null })

  const lone = crowd.round()
  const mixed = await sendEach(lone.slice(0, SINGLE))
  await send(lone.slice(SINGLE))
  const plain = await sendEach(transfers())

  // The executor of the package begins where ours did, and is quiet while ours is measured.
  for (const messages of first) await runAll(usual, messages)
  for (const single of mixed) single.usual = await msOf(() => runAll(usual, [single.message]))
  await runAll(usual, lone.slice(SINGLE))
  for (const single of plain) single.usual = await msOf(() => runAll(usual, [single.message]))
  const others = await contest('B5 sent, mined, indexed and seen', makeRounds(), { executor: usual, target: 0.7 })
  console.log(table([others, own]))

  const bounds = (what: string, singles: readonly Single[], most: number | null) => [
    { name: `B6 ${what}, sent to seen`, unit: 'ms', atMost: 25, values: singles.map(({ visible }) => visible) },
    {
      name: '   by what @ton/sandbox takes',
      unit: 'times',
      atMost: most,
      values: singles.map(({ visible, usual }) => visible / usual),
    },
    {
      name: '   by what our executor takes',
      unit: 'times',
      atMost: null,
      values: singles.map(({ visible, own }) => visible / own),
    },
    { name: '   @ton/sandbox', unit: 'ms', atMost: null, values: singles.map(({ usual }) => usual) },
  ]
  console.log(`\n${boundsTable([...bounds('up to six sends of a mix', mixed, 3), ...bounds('a transfer', plain, 3)])}`)
} finally {
  sender.kill()
  await service.close()
  await index.close()
  await chain.close()
  await pool.close()
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
}
