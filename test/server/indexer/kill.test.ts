// A process that makes blocks and indexes them is killed at a random instant, over and over. In the end its index is that
// of a chain no one disturbed.

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../server/store/index.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { PATIENT } from '../../setup/memoryStore.ts'
import { temporaryFolder } from '../devchain/devchains.ts'
import { cleanDigests, digests, headSeqno, index, openNode, upToDate } from './indexScene.ts'

const KILLS = 10
/** A bound for a machine that does much else; two seconds a life are usual. */
const PATIENCE_MS = 1_800_000
/** The index moves so often in a life, and then there is a moment left. */
const MOST_MOVES = 8
const LAST_MOMENT_MS = 50
/** Of those that are killed while they are still opening what there is. */
const YOUNG_MS = 2_500

const room = (name: Parameters<typeof childRoom>[0]): string => JSON.stringify(childRoom(name))

// Makes blocks as fast as it can, and says of each how far the index is.
const worker = `
const { openDevchain, createEmbeddedChain } = await import(${room('devchain')})
const { createTvmPool } = await import(${room('tvm')})
const { openDatabase } = await import(${room('store')})
const { startIndexer } = await import(${room('indexer')})
const [, folder] = process.argv
const chain = await openDevchain({ folder: folder + '/blocks', idleBlockMs: 3600000, snapshotEvery: 20 })
const node = createEmbeddedChain(chain)
const database = await openDatabase({ database: 'pglite', folder: folder + '/index' })
const log = { info() {}, warn() {}, error(facts) { console.error(facts.err); process.exit(1) } }
const indexer = startIndexer({ chain: node, database, network: 'devnet', log })
indexer.onIndexed((head) => console.log('indexed', head?.seqno))
const name = (byte) => ({ workchain: byte % 2 ? 0 : -1, id: new Uint8Array(32).fill(byte) })
for (let n = 0; ; n++) {
  const byte = Math.floor(Math.random() * 12)
  if (n % 3 === 0) await chain.control.sendInternal({ from: name(200), to: name(byte), value: 5000000000n, bounce: n % 2 === 0 })
  else if (n % 7 === 0) await chain.control.setAccount({ ...name(byte), balance: BigInt(n) * 1000000000n })
  else if (n % 11 === 0) {
    const mark = await chain.control.snapshot()
    await chain.control.faucet(name(byte), 1000000n)
    await chain.control.revert(mark)
  }
  else await chain.control.faucet(name(byte), 1000000000n)
}
`

/** Starts a process and kills it; resolves with how far its index was when it died, 0 when it had not begun. */
async function liveAndDie(folder: string, isYoung: boolean): Promise<number> {
  const child: ChildProcess & { stdout: NodeJS.ReadableStream } = spawn(
    process.execPath,
    ['--input-type=module', '-e', worker, '--', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const kill = (): void => void child.kill('SIGKILL')
  if (isYoung) setTimeout(kill, Math.random() * YOUNG_MS)
  let seqno = 0
  let moves = Math.ceil(Math.random() * MOST_MOVES)
  for await (const line of createInterface(child.stdout)) {
    seqno = Number(line.split(' ')[1])
    if (moves-- === 0) setTimeout(kill, Math.random() * LAST_MOMENT_MS)
  }
  expect(child.exitCode, 'it did not end by itself').toBe(null)
  return seqno
}

test(`behavior: ${KILLS} kills lose nothing and write nothing twice`, { timeout: PATIENCE_MS }, async () => {
  const folder = await temporaryFolder()
  let furthest = 0
  for (let kills = 0; kills < KILLS; kills++) furthest = Math.max(furthest, await liveAndDie(folder, kills % 4 === 3))
  expect(furthest).toBeGreaterThan(10)
  const { chain, node } = await openNode({ folder: `${folder}/blocks`, mining: 'manual' })
  const database = await openDatabase({ ...PATIENT, database: 'pglite', folder: `${folder}/index` })
  onTestFinished(() => database.close())
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  expect(indexer.indexed()?.seqno).toBe(headSeqno(chain))
  const rewound = { rewound: true }
  expect(await digests(database.read, rewound)).toEqual(await cleanDigests(chain, node, rewound))
})
