// The demo in processes that are killed at random instants: the next process that opens the chain goes on from there, and what comes
// out in the end is what an undisturbed chain has.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createCast, demoStory } from '../../../server/demo/index.ts'
import { type Devchain, openDevchain } from '../../../server/devchain/index.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { openChain, seedOf, stillClock, temporaryFolder } from '../devchain/devchains.ts'
import { checkChain } from '../devchain/lightCheck.ts'
import { transactionsOf } from './readChain.ts'

const KILLS = 4
const COIN = 1_000_000_000n

// Plays, and says each step it begins.
const player = `
const { openDevchain } = await import(${JSON.stringify(childRoom('devchain'))})
const { demoStory } = await import(${JSON.stringify(childRoom('demo'))})
const chain = await openDevchain({ folder: process.argv[1], story: demoStory, idleBlockMs: 3600000 })
console.log('open', chain.player.isWaiting)
await chain.player.play(({ done, steps }) => console.log('step', done, steps))
process.exit(0)
`

/** Plays in a process that is killed so many milliseconds after a step of a number begins. Resolves with the steps it began. */
async function playAndDie(folder: string, step: number, delay: number): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', player, '--', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let began = 0
  for await (const line of createInterface(child.stdout)) {
    const [word, done] = line.split(' ')
    if (word !== 'step') continue
    began++
    if (Number(done) === step) setTimeout(() => child.kill('SIGKILL'), delay)
  }
  return began
}

const isNobody = (source: Uint8Array | null): boolean => source?.subarray(-32).every((byte) => byte === 0) === true

/** What is compared of each transaction: what has nothing to do with when it happened. */
const deeds = async (chain: Devchain): Promise<string[]> => {
  const all = await transactionsOf(chain)
  // Fees are paid out with each block, by no message, and there may be a block more here than there.
  const ordinary = all.filter(({ inMessage }) => inMessage !== null && !isNobody(inMessage.source))
  return ordinary.map(({ aborted, exitCode, inMessage, outMessages }) => {
    // From outside come signatures, which are never the same.
    const opcode = inMessage?.kind === 'internal' ? inMessage.opcode : null
    return [inMessage?.kind, opcode, aborted, exitCode, outMessages.length].join(' ')
  })
}

async function playUndisturbed() {
  const { chain } = await openChain({ story: demoStory, mining: 'manual', seed: seedOf(3), now: stillClock().now })
  await chain.player.play()
  const rootHash = Buffer.from(chain.head().master.id.rootHash).toString('hex')
  return { rootHash, deeds: (await deeds(chain)).sort() }
}

let undisturbed: ReturnType<typeof playUndisturbed> | null = null
/** Played by the first test that compares with it. */
function undisturbedOnce(): ReturnType<typeof playUndisturbed> {
  undisturbed ??= playUndisturbed()
  return undisturbed
}

test(`behavior: ${KILLS} kills, and every step was played once`, async () => {
  const folder = await temporaryFolder()
  for (let kills = 0; kills < KILLS; kills++)
    await playAndDie(folder, Math.floor(Math.random() * 5), Math.random() * 60)
  const chain = await openDevchain({ folder, stories: [demoStory], mining: 'manual', idleBlockMs: 3_600_000 })
  // It goes on whatever is requested now: half a demo is of no use.
  expect(chain.player.isWaiting).toBe(true)
  expect(await chain.player.play()).toBe(true)
  await checkChain(chain)
  expect((await deeds(chain)).sort()).toEqual((await undisturbedOnce()).deeds)
  expect(Math.abs(chain.control.state().utime - Date.now() / 1000)).toBeLessThan(3600)
  await chain.close()
  const again = await openDevchain({ folder, story: demoStory, mining: 'manual' })
  expect(again.player.isWaiting).toBe(false)
  await again.control.mine()
  expect(Math.abs(again.control.state().utime - Date.now() / 1000)).toBeLessThan(3600)
  await again.close()
})

test('behavior: closing in the middle ends it after a step, and another process goes on', async () => {
  const folder = await temporaryFolder()
  const first = await openDevchain({ folder, story: demoStory, mining: 'manual' })
  let steps = 0
  const closed = await new Promise<Promise<void>>((resolve) => {
    void first.player.play(({ done }) => {
      if (done === 3) resolve(first.close())
      steps = done
    })
  })
  await closed
  expect(steps).toBe(3)
  const second = await openDevchain({ folder, stories: [demoStory], mining: 'manual' })
  let left = 0
  await second.player.play((progress) => {
    left = progress.steps
  })
  expect(left).toBeGreaterThan(20)
  await second.close()
})

test('behavior: the same seed and clock make the same chain, to the last bit', async () => {
  const { rootHash } = await undisturbedOnce()
  expect((await playUndisturbed()).rootHash).toBe(rootHash)
})

test('behavior: a step is in one block, whatever blocks may hold; changes by callers wait for the end, and reads do not', async () => {
  const { chain, warnings } = await openChain({ story: demoStory, limits: { maxTransactions: 3, maxMs: 1 } })
  const { address } = createCast(-3).wallet(1)
  const done: string[] = []
  const waiting = Promise.all([
    chain.control.faucet({ workchain: 0, id: address.hash }, COIN).then(() => done.push('coins')),
    chain.control.increaseTime(10).then(() => done.push('time')),
  ])
  expect(chain.control.state()).toMatchObject({ mining: 'auto', clockOffset: 0 })
  expect(chain.head().master.id.seqno).toBe(1)
  const isPlayed = await chain.player.play()
  done.push('demo')
  expect([isPlayed, warnings]).toEqual([true, []])
  await waiting
  expect(done[0]).toBe('demo')
  expect(done).toHaveLength(3)
})

test('default: without a story nothing is played, and no caller waits', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  expect([chain.player.isWaiting, await chain.player.play(), chain.head().master.id.seqno]).toEqual([false, true, 1])
})
