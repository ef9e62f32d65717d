// Accounts of a forked network that are large, or many.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { ForkedAccounts } from '../../../server/devchain/fork/forkedAccounts.ts'
import { ForkedNetwork } from '../../../server/devchain/fork/forkedNetwork.ts'
import { readForkStart } from '../../../server/devchain/fork/forkPoint.ts'
import { Imports } from '../../../server/devchain/fork/imports.ts'
import { keptCells, NOT_KEPT } from '../../../server/devchain/fork/keptCells.ts'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { openChain, temporaryFolder } from './devchains.ts'
import { idOf } from './forks.ts'
import { account, coins } from './wallets.ts'

const CELLS = 40_000
const empty = beginCell().end()

test('behavior: a large account is measured, kept and read again in pieces', async () => {
  const { chain: source } = await openChain()
  const large = account(0x4c)
  await source.control.setAccount({ ...large, balance: coins(1), code: empty, data: treeOf(CELLS) })
  const there = createEmbeddedChain(source)
  const { point } = await readForkStart(there, null)
  const warn = () => undefined
  const read = (chain: Chain, kept = NOT_KEPT) =>
    turnsOf(() => new ForkedNetwork({ point, chain: async () => chain, kept, warn }).account(idOf(large)))

  const measured = await read(there)
  expect(measured.turns).toBeGreaterThan(CELLS / 2_000)
  const kept = keptCells(await temporaryFolder())
  const written = await read(there, kept)
  expect(written.turns - measured.turns).toBeGreaterThan(CELLS / 2_000)
  const away: Chain = { ...there, account: () => Promise.reject(new Error('away')) }
  const found = await read(away, kept)
  expect(found.turns - measured.turns).toBeGreaterThan(CELLS / 2_000)
  expect(found.found?.account.hash()).toBe(written.found?.account.hash())
})

test('behavior: of many accounts that messages need few are read at once, and all of them', async () => {
  const { chain: source } = await openChain()
  const { chain: own } = await openChain()
  const there = createEmbeddedChain(source)
  const { point } = await readForkStart(there, null)
  const ends: (() => void)[] = []
  let requested = 0
  const chain: Chain = {
    ...there,
    async account(block, name) {
      requested++
      await new Promise<void>((resolve) => ends.push(resolve))
      return await there.account(block, name)
    },
  }
  const accounts = new ForkedAccounts({
    network: new ForkedNetwork({ point, chain: async () => chain, kept: NOT_KEPT, warn: () => undefined }),
    imports: new Imports(),
    warn: () => undefined,
  })
  accounts.attach({
    moment: () => own.reader.moment(),
    place: async () => undefined,
    isBorn: () => false,
    wake: () => undefined,
  })
  const names = Array.from({ length: 100 }, (_, i) => account(i + 1))
  const brought = accounts.bring(names)
  let most = 0
  while (requested < names.length || ends.length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, ends.length)
    ends.shift()?.()
  }
  await brought
  expect(requested).toBe(names.length)
  expect(most).toBeLessThan(20)
})
