// A chain plays whatever script it is handed, and remembers which it was begun for.

import { expect, test } from 'vitest'
import { openCell, writeBoc } from '../../../server/cell/index.ts'
import { createFaucet, type Devchain, LogFull, type Story } from '../../../server/devchain/index.ts'
import { loadAccount } from '../../../server/tlb/index.ts'
import { openChain, stillClock, temporaryFolder } from './devchains.ts'
import { faultyFiles } from './log/logSetup.ts'

const NOW = 1_900_000_000
const TO = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
const AMOUNT = 3_000_000_000n

/** One payment, half an hour after the chain began. */
const payment: Story = {
  name: 'payment 1',
  title: 'payment',
  seconds: 3600,
  episodes: ({ start }) => {
    const utime = start + 1800
    const faucet = createFaucet({ now: () => utime })
    return [{ utime, title: 'one payment', messages: () => [writeBoc(faucet.request([{ to: TO, amount: AMOUNT }]))] }]
  },
}

/** The same and four more, of which each has its own blocks. */
const payments: Story = {
  ...payment,
  name: 'payments 1',
  episodes: ({ start }) =>
    [1800, 1810, 1820, 1830, 1840].map((second) => {
      const utime = start + second
      const faucet = createFaucet({ now: () => utime })
      return { utime, title: 'payment', messages: () => [writeBoc(faucet.request([{ to: TO, amount: AMOUNT }]))] }
    }),
}

test('default: any script is played once, at its own times', async () => {
  const { chain } = await openChain({ story: payment, mining: 'manual', now: stillClock(NOW).now })
  expect(chain.player.isWaiting).toBe(true)
  const titles: string[] = []
  expect(await chain.player.play(({ title }) => titles.push(title))).toBe(true)
  expect(titles).toEqual(['one payment', 'done'])
  const found = chain.reader.moment().shard.accounts.get(TO.hash)
  expect(found && loadAccount(openCell(found.account))?.storage.balance.grams).toBe(AMOUNT)
  const block = chain.reader.byUtime(0, NOW - 1800)
  expect(block?.utime).toBe(NOW - 1800)
})

test('error: a chain started for a script that is not given continues without it, and warns', async () => {
  const folder = await temporaryFolder()
  const { chain: first } = await openChain({ folder, story: payment, mining: 'manual' })
  await first.close()
  const { chain: second, warnings } = await openChain({ folder, mining: 'manual' })
  expect(second.player.isWaiting).toBe(false)
  expect(warnings).toEqual([expect.stringContaining('a script of another version')])
  await second.control.mine()
  await second.close()
  const { chain: third } = await openChain({ folder, stories: [payment], mining: 'manual' })
  expect(third.player.isWaiting).toBe(false)
})

test.each([true, false])(
  'behavior: a newer version has nothing to say of one that was played to its end: %s',
  async (isPlayed) => {
    const folder = await temporaryFolder()
    const { now } = stillClock(NOW)
    const { chain: first } = await openChain({ folder, story: payment, mining: 'manual', now })
    if (isPlayed) await first.player.play()
    await first.close()
    const newer: Story = { ...payment, name: 'payment 2', former: [{ name: payment.name, seconds: 1800 }] }
    const { chain, warnings } = await openChain({ folder, story: newer, mining: 'manual', now })
    expect(chain.player.isWaiting).toBe(false)
    expect(warnings).toEqual(isPlayed ? [] : [expect.stringContaining('a script of another version')])
  },
)

test('behavior: its steps wait for the disk once, before others may change the chain, and each of theirs does', async () => {
  let syncs = 0
  const files = faultyFiles((step) => {
    if (step === 'sync') syncs++
    return null
  })
  const folder = await temporaryFolder()
  const { chain } = await openChain({ folder, files, story: payments, mining: 'manual', now: stillClock(NOW).now })
  const atFirst = syncs
  const waiting = chain.control.mine().then(() => syncs)
  expect([await chain.player.play(), syncs - atFirst]).toEqual([true, 1])
  expect((await waiting) - atFirst).toBe(2)
  await chain.control.mine()
  expect(syncs - atFirst).toBe(3)
})

test('error: of one that fails what was played is on the disk before others may change the chain', async () => {
  const failing: Story = {
    ...payments,
    episodes: (ground) => [
      ...payments.episodes(ground),
      { utime: ground.start + 1900, title: 'nothing', messages: () => [new Uint8Array(1)] },
    ],
  }
  let syncs = 0
  const files = faultyFiles((step) => {
    if (step === 'sync') syncs++
    return null
  })
  const folder = await temporaryFolder()
  const { chain } = await openChain({ folder, files, story: failing, mining: 'manual', now: stillClock(NOW).now })
  const atFirst = syncs
  expect([await chain.player.play(), syncs - atFirst]).toEqual([false, 1])
  await chain.control.mine()
  expect(syncs - atFirst).toBe(2)
})

async function onFullDisk() {
  const disk = { isFull: false, isBroken: false }
  const fault = () => (disk.isFull ? 'ENOSPC' : disk.isBroken ? 'EIO' : null)
  const files = faultyFiles((step) => (step === 'write' ? fault() : null))
  const folder = await temporaryFolder()
  const options = { folder, files, story: payment, mining: 'auto', now: stillClock(NOW).now } as const
  const { chain, warnings } = await openChain(options)
  disk.isFull = true
  const playing = chain.player.play()
  await expect.poll(() => warnings).toContain('The payment waits for room on the disk')
  // Those who would change the chain are refused at once.
  await expect(chain.send(new Uint8Array([1]))).rejects.toThrow(LogFull)
  await expect(chain.control.mine()).rejects.toThrow(LogFull)
  return { chain, disk, playing, options }
}

const isPaid = ({ reader }: Devchain): boolean => reader.moment().shard.accounts.get(TO.hash) !== undefined

test('behavior: one that a full disk interrupts goes on when there is room', async () => {
  const { chain, disk, playing } = await onFullDisk()
  disk.isFull = false
  expect(await playing).toBe(true)
  expect([isPaid(chain), chain.reader.byUtime(0, NOW - 1800)?.utime]).toEqual([true, NOW - 1800])
  await chain.control.mine()
  expect(chain.head().master.utime).toBe(NOW)
})

test('behavior: so does the next start, when it was stopped meanwhile', async () => {
  const { chain: first, disk, playing, options } = await onFullDisk()
  await first.player.stop()
  expect(await playing).toBe(false)
  await first.close()
  disk.isFull = false
  const { chain } = await openChain(options)
  expect([chain.player.isWaiting, isPaid(chain)]).toEqual([true, false])
  expect([await chain.player.play(), isPaid(chain)]).toEqual([true, true])
})

test('error: one that ends while it waits for room refuses nobody for a full disk afterwards', async () => {
  const { chain, disk, playing } = await onFullDisk()
  disk.isBroken = true
  disk.isFull = false
  expect(await playing).toBe(false)
  await expect(chain.control.mine()).rejects.toThrow(/takes nothing more/)
})

test('error: one that is stopped says what was not over', async () => {
  const { chain } = await openChain({ story: payment, mining: 'manual' })
  const refused = expect(chain.send(new Uint8Array([1]))).rejects.toThrow(
    'the chain is closing before its payment was over',
  )
  await chain.player.stop()
  await refused
})
