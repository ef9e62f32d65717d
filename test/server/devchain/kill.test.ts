// A process that mines is killed at a random instant, over and over. Whatever it had reported must be there
// afterwards, the same to the last bit.

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { openDevchain } from '../../../server/devchain/index.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { temporaryFolder } from './devchains.ts'
import { checkChain } from './lightCheck.ts'

const KILLS = 40
/** Half a second a life is usual. */
const PATIENCE_MS = 1_800_000
/** A life is as long as what it says, so that a slow machine kills as late in it, and then somewhere before the next line. */
const MOST_LINES = 40
const LAST_MOMENT_MS = 5
/** Of those that are killed while they are still being born, or opening their chain. */
const YOUNG_MS = 500

// Prints the chain it found, then every block it is notified of, while it mines as fast as it can.
const miner = `
const { openDevchain } = await import(${JSON.stringify(childRoom('devchain'))})
const chain = await openDevchain({ folder: process.argv[1], idleBlockMs: 3600000, snapshotEvery: 15 })
const say = (word, block) => block && console.log(word, block.id.workchain + ':' + block.id.seqno, Buffer.from(block.id.rootHash).toString('hex'))
for (const workchain of [0, -1])
  for (let seqno = 1, block; (block = chain.reader.bySeqno(workchain, seqno)); seqno++) say('found', block)
console.log('open')
chain.onHead(({ master, shard }) => { say('acked', shard); say('acked', master) })
const account = (byte) => ({ workchain: byte % 2 ? 0 : -1, id: new Uint8Array(32).fill(byte) })
for (let n = 0; ; n++) {
  if (n % 5 === 0) await chain.control.faucet(account(n % 7), 1000000000n)
  else if (n % 17 === 0) await chain.control.increaseTime(3)
  else if (n % 11 === 0) {
    const name = await chain.control.snapshot()
    const { master, shard } = chain.head()
    await chain.control.mine(2)
    console.log('reverting', '-1:' + master.id.seqno, '0:' + shard.id.seqno)
    await chain.control.revert(name)
  }
  else await chain.control.mine()
}
`

interface Life {
  /** By name, as found when it began. */
  readonly found: Map<string, string>
  /** What it said of its own doings, in order. */
  readonly deeds: (readonly [word: string, name: string, last: string])[]
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

/** Starts a miner, kills it so many lines after its chain is open (or soon after its birth), and returns what it said. */
async function liveAndDie(folder: string, isYoung: boolean): Promise<Life> {
  const child = start(folder)
  const kill = () => void child.kill('SIGKILL')
  if (isYoung) setTimeout(kill, Math.random() * YOUNG_MS)
  let left = Math.floor(Math.random() * MOST_LINES)
  const life: Life = { found: new Map(), deeds: [], isOpen: false }
  for await (const line of createInterface(child.stdout)) {
    const [word, name, last] = line.split(' ')
    if (word === 'open') life.isOpen = true
    if (life.isOpen && left-- === 0) setTimeout(kill, Math.random() * LAST_MOMENT_MS)
    if (name === undefined || last === undefined) continue
    // The last line may have been cut short by the kill.
    if (word === 'reverting' && /^0:\d+$/.test(last)) life.deeds.push([word, name, last])
    if (word === 'acked' && last.length === 64) life.deeds.push([word, name, last])
    if (word === 'found' && last.length === 64) life.found.set(name, last)
  }
  return life
}

const seqnoOf = (name: string): number => Number(name.split(':')[1])

/** What must be there after a life: what was acknowledged, less what it was about to undo. */
class Owed {
  readonly blocks = new Map<string, string>()
  /** Blocks that were being undone when the life ended: they may be there or not. */
  doubtful = 0

  take({ found, deeds }: Life): void {
    this.blocks.clear()
    this.doubtful = 0
    for (const [name, hash] of found) this.blocks.set(name, hash)
    for (const [word, name, last] of deeds) {
      if (word === 'acked') this.blocks.set(name, last)
      this.doubtful = word === 'acked' ? 0 : this.#undo([seqnoOf(name), seqnoOf(last)])
    }
  }

  #undo([master, shard]: readonly [number, number]): number {
    const before = this.blocks.size
    for (const name of [...this.blocks.keys()])
      if (seqnoOf(name) > (name.startsWith('-1') ? master : shard)) this.blocks.delete(name)
    return before - this.blocks.size
  }
}

test(`behavior: ${KILLS} kills lose nothing that was acknowledged`, { timeout: PATIENCE_MS }, async () => {
  const folder = await temporaryFolder()
  const owed = new Owed()
  for (let kills = 0; kills < KILLS; kills++) {
    const life = await liveAndDie(folder, kills % 5 === 0)
    // A child killed before it printed its chain proves nothing.
    if (!life.isOpen) continue
    for (const [name, hash] of owed.blocks) expect(life.found.get(name), `${name} after ${kills} kills`).toBe(hash)
    // Besides what was acknowledged there may be one step that was safe before its listener could say so.
    expect(life.found.size).toBeLessThanOrEqual(owed.blocks.size + Math.max(2, owed.doubtful))
    owed.take(life)
  }
  const chain = await openDevchain({ folder, mining: 'manual' })
  for (const [name, hash] of owed.blocks) {
    const block = chain.reader.bySeqno(name.startsWith('-1') ? -1 : 0, seqnoOf(name))
    expect(Buffer.from(block?.id.rootHash ?? []).toString('hex')).toBe(hash)
  }
  await checkChain(chain)
  await chain.close()
})
