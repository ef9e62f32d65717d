// A process that mines is killed at a random instant, over and over. Whatever it had told anybody of must be there
// afterwards, the same to the last bit.

import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openDevchain } from '../../../../server/node/devchain/index.ts'
import { temporaryFolder } from './devchains.ts'
import { checkChain } from './lightCheck.ts'

const KILLS = 100
const BUDGET_MS = 55_000
/** A process takes so much longer to be born and open a chain than it is given to live. */
const YOUNGER = 8

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = pathToFileURL(join(root, '.build/server/node/devchain/index.js')).href

// Prints the chain it found, then every block it is told of, while it mines as fast as it can.
const miner = `
const { openDevchain } = await import(${JSON.stringify(built)})
const chain = await openDevchain({ folder: process.argv[1], idleBlockMs: 3600000, snapshotEvery: 15 })
const say = (word, block) => block && console.log(word, block.id.workchain + ':' + block.id.seqno, Buffer.from(block.id.rootHash).toString('hex'))
for (const workchain of [0, -1])
  for (let seqno = 1, block; (block = chain.reader.bySeqno(workchain, seqno)); seqno++) say('found', block)
console.log('open')
chain.onHead(({ master, shard }) => { say('acked', shard); say('acked', master) })
const account = (byte) => ({ workchain: byte % 2 ? 0 : -1, id: new Uint8Array(32).fill(byte) })
for (let n = 0; ; n++) {
  if (n % 5 === 0) await chain.control.faucet(account(n % 7), 1000000000n)
  else if (n % 17 === 0) { const name = await chain.control.snapshot(); await chain.control.mine(); await chain.control.increaseTime(3) }
  else await chain.control.mine()
}
`

interface Life {
  readonly found: Map<string, string>
  readonly acked: Map<string, string>
  /** Whether it lived to see its chain open. */
  isOpen: boolean
}

function start(folder: string): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', miner, '--', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts a miner, kills it so many milliseconds after its chain is open (or after its birth), and tells what it said. */
async function liveAndDie(folder: string, delay: number, isYoung: boolean): Promise<Life> {
  const child = start(folder)
  if (isYoung) setTimeout(() => child.kill('SIGKILL'), delay * YOUNGER)
  const life: Life = { found: new Map(), acked: new Map(), isOpen: false }
  for await (const line of createInterface(child.stdout)) {
    const [word, name, hash] = line.split(' ')
    if (word === 'open') life.isOpen = true
    if (word === 'open') setTimeout(() => child.kill('SIGKILL'), delay)
    // The last line may have been cut short by the kill.
    if (name !== undefined && hash?.length === 64) (word === 'found' ? life.found : life.acked).set(name, hash)
  }
  return life
}

test(`behavior: ${KILLS} kills lose nothing that was acknowledged`, { timeout: 2 * BUDGET_MS }, async () => {
  const folder = await temporaryFolder()
  const acked = new Map<string, string>()
  const deadline = performance.now() + BUDGET_MS
  let kills = 0
  for (; kills < KILLS && performance.now() < deadline; kills++) {
    const life = await liveAndDie(folder, Math.random() * 60, kills % 5 === 0)
    // Who died before having told what there was tells nothing.
    if (!life.isOpen) continue
    for (const [name, hash] of acked) expect(life.found.get(name), `${name} after ${kills} kills`).toBe(hash)
    // Beside what was acknowledged there may be one step that was safe before its listener could say so.
    expect(life.found.size).toBeLessThanOrEqual(acked.size + 2)
    for (const [name, hash] of [...life.found, ...life.acked]) acked.set(name, hash)
  }
  expect(kills).toBeGreaterThan(20)
  const chain = await openDevchain({ folder, mining: 'manual' })
  for (const [name, hash] of acked) {
    const [workchain, seqno] = name.split(':').map(Number)
    const block = chain.reader.bySeqno(workchain ?? 0, seqno ?? 0)
    expect(Buffer.from(block?.id.rootHash ?? []).toString('hex')).toBe(hash)
  }
  await checkChain(chain)
  await chain.close()
})
