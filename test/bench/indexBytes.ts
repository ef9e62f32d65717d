// What a transaction of a filled chain takes in a PostgreSQL, with actions, tokens and stored texts: bytes by table and index.
// `DATABASE=postgres://... npm run bench -- indexBytes` with an empty database (TRANSACTIONS=30000).

import { openDevchain } from '../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../server/devchain/lite/index.ts'
import { startIndexer } from '../../server/indexer/index.ts'
import { keepTexts } from '../../server/methods/v3/texts/textKeeper.ts'
import { createLog } from '../../server/observe/index.ts'
import { openDatabase, sql } from '../../server/store/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { fillChain } from '../setup/load.ts'
import { loadLine } from './compare.ts'
import { printTableBytes } from './tableBytes.ts'

const WALLETS = 400
const TIMEOUT_MS = 600_000

const address = process.env.DATABASE ?? ''
if (address === '') throw new Error('DATABASE names no PostgreSQL: give one that is empty')

const chain = await openDevchain({ idleBlockMs: 3_600_000 })
await fillChain(chain, { transactions: Number(process.env.TRANSACTIONS ?? 30_000), seed: 7, wallets: WALLETS })
const pool = await createTvmPool()
const database = await openDatabase({ database: address, readTimeoutMs: TIMEOUT_MS })
const log = createLog({ format: 'json', level: 'warn' })
const cpu = process.cpuUsage()
const began = performance.now()
const indexer = startIndexer({ chain: createEmbeddedChain(chain), database, pool, network: 'devnet', log })
if (!(await indexer.waitFor(chain.head().master.id.seqno, { timeoutMs: TIMEOUT_MS })))
  throw new Error('the index does not follow')
const { user, system } = process.cpuUsage(cpu)
const seconds = (performance.now() - began) / 1000
while ((await keepTexts(database)) !== null);
await indexer.close()

const [row] = await database.read.query<{ count: bigint }>(sql`select count(*) as count from transactions`)
const count = Number(row?.count)
const bytes = await printTableBytes(database.read, count)
console.log(`${count} transactions, ${Math.round(bytes)} B each; indexed at ${Math.round(count / seconds)} per second;`)
console.log(`processor of each: ${((user + system) / 1000 / count).toFixed(2)} ms here; ${loadLine()}`)
await database.close()
await pool.close()
await chain.close()
