// What telling contracts apart costs the index: the same chain of jetton transfers, one in each masterchain block, indexed
// with it and without, in turn: `npm run bench -- assets`.

import {
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  offChainContent,
} from '../../server/demo/contracts/index.ts'
import { createEmbeddedChain, openDevchain } from '../../server/devchain/index.ts'
import { type IndexerOptions, startIndexer } from '../../server/indexer/index.ts'
import { createLog } from '../../server/observe/index.ts'
import { openDatabase } from '../../server/store/index.ts'
import { createTvmPool } from '../../server/tvm/index.ts'
import { compare, table } from './compare.ts'

const TRANSFERS = 100
const COIN = 1_000_000_000n
const person = (byte: number) => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })
const named = ({ workchain, hash }: ReturnType<typeof person>) => ({ workchain, id: hash })

const chain = await openDevchain({ idleBlockMs: 3_600_000 })
const pool = await createTvmPool()
const node = createEmbeddedChain(chain)
const log = createLog({ format: 'json', level: 'silent' })

const admin = person(1)
const alice = person(2)
const master = jettonMasterInit({ admin, content: offChainContent('https://jetton.test/') })
const { code, data } = master
const from = named(admin)
await chain.control.sendInternal({
  from,
  to: { workchain: 0, id: master.address.hash },
  value: COIN,
  init: { code, data, library: null, special: null, fixedPrefixLength: null },
})
const mint = { queryId: 1n, to: alice, amount: 10n ** 9n, responseTo: admin, value: COIN / 5n }
await chain.control.sendInternal({
  from,
  to: { workchain: 0, id: master.address.hash },
  value: COIN,
  body: jettonMintBody(mint),
})
const wallet = { workchain: 0, id: jettonWalletInit(master.address, alice).address.hash }
for (let i = 0; i < TRANSFERS; i++) {
  const body = jettonTransferBody({ queryId: 2n, amount: 1n, to: person(3 + (i % 100)), responseTo: alice })
  await chain.control.sendInternal({ from: named(alice), to: wallet, value: COIN / 2n, body })
}
const { seqno } = chain.head().master.id

/** Masterchain blocks per second, into an empty database. */
async function indexed(options: Pick<IndexerOptions, 'pool'>): Promise<number> {
  const database = await openDatabase({ database: 'pglite' })
  const start = performance.now()
  const indexer = startIndexer({ chain: node, database, network: 'devnet', log, ...options })
  while ((indexer.indexed()?.seqno ?? 0) < seqno) await indexer.waitFor(seqno)
  const seconds = (performance.now() - start) / 1000
  await indexer.close()
  await database.close()
  return seqno / seconds
}

const row = await compare(
  {
    name: 'blocks of one jetton transfer each',
    unit: 'blocks/s',
    target: 0.4,
    ours: () => indexed({ pool }),
    theirs: () => indexed({}),
  },
  3,
)
console.log(table([row]))
console.log(`telling contracts apart: ${((1 / row.ours - 1 / row.theirs) * 1000).toFixed(1)} ms a block`)
await pool.close()
await chain.close()
