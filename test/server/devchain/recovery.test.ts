// What a chain is after it was closed and opened again.

import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type Devchain, LogLocked, openDevchain, removeChain } from '../../../server/devchain/index.ts'
import { diskFiles } from '../../../server/devchain/log/files.ts'
import type { Files } from '../../../server/devchain/log/index.ts'
import { hex, openChain, seedOf, stillClock, temporaryFolder, validatorKeysOf } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { watchedReads } from './log/logSetup.ts'
import { play, prepare } from './traffic.ts'
import { account, coins } from './wallets.ts'

const names = (chain: Devchain): string[] => {
  const all: string[] = []
  for (const workchain of [0, -1])
    for (let seqno = 1; ; seqno++) {
      const block = chain.reader.bySeqno(workchain, seqno)
      if (block === undefined) break
      all.push(`${workchain}:${seqno} ${hex(block.id.rootHash)} ${hex(block.id.fileHash)}`)
    }
  return all
}

/** A busy machine would end a block early, and make one more. */
const limits = { maxTransactions: 1000, maxMs: Number.POSITIVE_INFINITY }
const still = { limits, idleBlockMs: 3_600_000 }

/** Without the time of the next block, which goes on with this computer's clock. */
const stateOf = ({ control }: Devchain) => ({ ...control.state(), upcomingUtime: 0 })

describe('a chain that is opened again', () => {
  test('default: blocks, states, clock and keys are the same', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, ...still })
    const scene = await prepare(first, 6)
    await play(first, scene, { count: 20, seed: 4 })
    await first.control.increaseTime(1234)
    const before = { names: names(first), state: stateOf(first), keys: validatorKeysOf(first) }
    const roots = [first.reader.moment().master.root.hashHex(), first.reader.moment().shard.root.hashHex()]
    await first.close()

    const second = await openDevchain({ folder, ...still })
    expect(names(second)).toEqual(before.names)
    expect(stateOf(second)).toEqual(before.state)
    expect(validatorKeysOf(second)).toEqual(before.keys)
    expect([second.reader.moment().master.root.hashHex(), second.reader.moment().shard.root.hashHex()]).toEqual(roots)
    await play(second, scene, { count: 10, seed: 5 })
    await checkChain(second)
    await second.close()
  })

  test('behavior: reverts and snapshots are kept', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, ...still })
    await first.control.mine(2)
    const early = await first.control.snapshot()
    await first.control.mine(2)
    const late = await first.control.snapshot()
    await first.control.mine(2)
    await first.control.revert(late)
    await first.control.faucet(account(1), coins(2))
    const before = names(first)
    await first.close()
    const second = await openDevchain({ folder, ...still })
    expect(names(second)).toEqual(before)
    await expect(second.control.revert(late)).rejects.toThrow(/no snapshot/)
    await second.control.revert(early)
    expect(second.head().master.id.seqno).toBe(3)
    await second.control.mine(1)
    await checkChain(second)
    await second.close()
  })

  test('behavior: a folder belongs to one chain at a time', async () => {
    const folder = await temporaryFolder()
    await openChain({ folder })
    await expect(openDevchain({ folder })).rejects.toBeInstanceOf(LogLocked)
  })

  test('error: the log of another network is refused', async () => {
    const folder = await temporaryFolder()
    await (await openDevchain({ folder, ...still })).close()
    await expect(openDevchain({ folder, globalId: -777 })).rejects.toThrow(/another data folder/)
  })

  test('behavior: removing a chain leaves everything else in the folder', async () => {
    const folder = await temporaryFolder()
    await (await openDevchain({ folder, ...still })).close()
    await writeFile(join(folder, 'mine.txt'), 'mine')
    await removeChain(folder)
    expect(await readdir(folder)).toEqual(['mine.txt'])
    const again = await openDevchain({ folder, ...still })
    expect(again.head().master.id.seqno).toBe(1)
    await again.close()
  })

  test('behavior: states that are no longer available are made again', async () => {
    const folder = await temporaryFolder()
    const { chain } = await openChain({ folder, keptStates: 2 })
    const roots: string[] = []
    for (let seqno = 2; seqno < 12; seqno++) {
      await chain.control.faucet(account(seqno), coins(1))
      roots.push(chain.reader.moment().shard.root.hashHex())
    }
    for (const [index, root] of roots.entries())
      expect((await chain.reader.momentAt(index + 2)).shard.root.hashHex()).toBe(root)
    await expect(chain.reader.masterState(99)).rejects.toBeInstanceOf(RangeError)
  })
})

const snapshots = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('snapshot-')).sort()

/** Opens a chain whose newest snapshot cannot be used: it has its blocks, and says so. */
async function expectPassedOver(folder: string, blocks: readonly string[], files?: Files): Promise<void> {
  const warnings: string[] = []
  const log = (line: string) => warnings.push(line)
  const chain = await openDevchain({ folder, ...still, log, ...(files === undefined ? {} : { files }) })
  expect(names(chain)).toEqual(blocks)
  expect(warnings).toEqual(['A snapshot was passed over'])
  await checkChain(chain)
  await chain.close()
}

describe('snapshots of the states', () => {
  test('behavior: a start goes on from the newest one, and states before it can still be had', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 5, keptStates: 2, ...still })
    const scene = await prepare(first, 6)
    await play(first, scene, { count: 40, seed: 8 })
    await first.control.mine(8)
    const roots = await Promise.all(
      [...Array(12).keys()].map(async (at) => (await first.reader.momentAt(at)).master.root.hashHex()),
    )
    await first.close()
    expect((await snapshots(folder)).length).toBeGreaterThanOrEqual(2)
    const second = await openDevchain({ folder, keptStates: 2, ...still })
    await play(second, scene, { count: 5, seed: 9 })
    for (const [at, root] of roots.entries())
      expect((await second.reader.momentAt(at)).master.root.hashHex()).toBe(root)
    await checkChain(second)
    await second.close()
  })

  test('behavior: a state in the middle of a long chain is made from the nearest one, not from the first block', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 100, ...still })
    await first.control.mine(450)
    await first.close()
    const before = names(first).length
    let reads = 0
    const files = watchedReads((path) => {
      if (path.endsWith('.log')) reads++
    })
    const second = await openDevchain({ folder, files, keptStates: 2, ...still })
    const readsFor = async (seqno: number): Promise<number> => {
      reads = 0
      await second.reader.momentAt(seqno)
      return reads
    }
    const toTheFirst = await readsFor(100)
    expect(toTheFirst).toBeGreaterThan(50)
    expect(await readsFor(350)).toBeLessThan(2 * toTheFirst)
    expect(before).toBeGreaterThan(450)
    await second.close()
  })

  test('behavior: a chain that is closed has one when much happened since, and is opened from it', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, ...still })
    await first.control.mine(10)
    const before = names(first)
    await first.close()
    expect(await snapshots(folder)).toEqual([])
    // What is made again counts.
    const second = await openDevchain({ folder, ...still })
    expect(names(second)).toEqual(before)
    await second.control.mine(30)
    const after = names(second)
    await second.close()
    expect((await snapshots(folder)).length).toBe(1)
    const third = await openDevchain({ folder, ...still })
    expect(names(third)).toEqual(after)
    await checkChain(third)
    await third.close()
  })

  test('behavior: one of a branch that was undone is not used, nor a damaged one', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 4, ...still })
    const name = await first.control.snapshot()
    await first.control.mine(9)
    await first.control.revert(name)
    await first.control.faucet(account(1), coins(1))
    await first.control.mine(12)
    const before = names(first)
    await first.close()
    const newest = (await snapshots(folder)).at(-1) ?? ''
    await truncate(join(folder, newest), 2000)
    await expectPassedOver(folder, before)
  })

  test('behavior: those of a branch that was undone take no room once the next one is written', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 4, ...still })
    const name = await first.control.snapshot()
    await first.control.mine(9)
    await first.close()
    const undone = await snapshots(folder)
    const second = await openDevchain({ folder, snapshotEvery: 4, ...still })
    await second.control.revert(name)
    await second.control.faucet(account(1), coins(1))
    await second.control.mine(4)
    await second.close()
    const left = await snapshots(folder)
    expect(left.length).toBeGreaterThan(0)
    expect(left.filter((file) => undone.includes(file))).toEqual([])
  })
})

describe('a snapshot that is removed', () => {
  test('behavior: between two reads of it is passed over', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 5, ...still })
    await first.control.mine(12)
    const before = names(first)
    await first.close()
    const newest = (await snapshots(folder)).at(-1) ?? ''
    let opened = 0
    const files: Files = {
      ...diskFiles,
      async open(path, mode) {
        if (path.endsWith(newest) && ++opened === 2) await rm(path)
        return await diskFiles.open(path, mode)
      },
    }
    await expectPassedOver(folder, before, files)
  })
})

describe('an old block that was damaged', () => {
  test('error: is reported after a start that did not read it, and others are read', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, snapshotEvery: 5, ...still })
    await first.control.mine(12)
    const blocks = names(first)
    const { reader } = first
    const shown = reader.bySeqno(-1, 9)
    const old = reader.bySeqno(-1, 3)
    if (shown === undefined || old === undefined) throw new Error('too few blocks')
    const block = await reader.block(old)
    await first.close()
    const path = join(folder, 'chain-00000001.log')
    const bytes = await readFile(path)
    const at = bytes.indexOf(block.boc)
    bytes.writeUInt8(bytes.readUInt8(at + 40) ^ 1, at + 40)
    await writeFile(path, bytes)

    const alarms: (readonly [string, Readonly<Record<string, unknown>>])[] = []
    const alarm = (line: string, facts: Readonly<Record<string, unknown>>) => void alarms.push([line, facts])
    const second = await openDevchain({ folder, ...still, alarm })
    expect(names(second)).toEqual(blocks)
    await vi.waitFor(() => expect(second.damage()).not.toBeNull(), { timeout: 300_000 })
    expect(second.damage()).toMatch(/^masterchain block 3 .*damaged on the disk: see the log/)
    const line = expect.stringMatching(/^chain: masterchain block 3 .*is damaged and cannot be read$/)
    const error = expect.stringContaining('Put the folder back from a copy')
    expect(alarms).toEqual([[line, expect.objectContaining({ file: path, error })]])
    expect((await second.reader.block(shown)).boc).toBeDefined()
    await expect(second.reader.block(old)).rejects.toThrow(/damaged/)
    await expect(second.reader.masterState(4)).rejects.toThrow(/damaged/)
    await second.control.mine(2)
    await second.close()
  })
})

describe('equal chains', () => {
  test('behavior: the same seed, clock and messages make the same blocks', async () => {
    const make = async () => {
      const clock = stillClock()
      const { chain } = await openChain({ seed: seedOf(7), now: clock.now, limits })
      const scene = await prepare(chain, 8)
      clock.move(5)
      await play(chain, scene, { count: 30, seed: 6 })
      await chain.control.mine(2)
      return names(chain)
    }
    expect(await make()).toEqual(await make())
  })

  test('behavior: other seeds make other keys and other blocks', async () => {
    const { chain: one } = await openChain()
    const { chain: two } = await openChain()
    expect(validatorKeysOf(one)).toHaveLength(3)
    expect(new Set([...validatorKeysOf(one), ...validatorKeysOf(two)].map(hex)).size).toBe(6)
  })
})
