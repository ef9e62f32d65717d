// Accounts that do not exist still have transactions: bounces, and payments that are used up. Nothing is left of such an
// account afterwards, so its next transaction starts from nothing.

import { expect, test } from 'vitest'
import { openCell } from '../../../server/cell/index.ts'
import { type AccountName, BASECHAIN, type Devchain, MASTERCHAIN } from '../../../server/devchain/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  loadBlock,
  loadTransaction,
  type Transaction,
} from '../../../server/tlb/index.ts'
import { hex, openChain, seedOf, stillClock, temporaryFolder } from './devchains.ts'
import { account, coins } from './wallets.ts'

/** Transactions of an account in all blocks of its chain, oldest first. */
async function transactionsOf({ reader }: Devchain, { workchain, id }: AccountName): Promise<Transaction[]> {
  const found: Transaction[] = []
  for (let seqno = 1; ; seqno++) {
    const facts = reader.bySeqno(workchain, seqno)
    if (facts === undefined) return found
    const root = await (await reader.block(facts)).root()
    const entry = accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))).get(id)
    for (const cell of entry?.transactions.values() ?? []) found.push(loadTransaction(openCell(cell)))
  }
}

const previous = ({ prevLt, prevHash }: Transaction) => [prevLt, hex(prevHash)]
const NONE = [0n, '00'.repeat(32)]

const bounce = (chain: Devchain, workchain = 0): Promise<unknown> =>
  chain.control.sendInternal({
    from: account(0x66),
    to: account(0x77, workchain),
    value: coins(0.1),
    bounce: true,
  })

test.each([BASECHAIN, MASTERCHAIN])(
  'behavior: each bounce off an absent account of workchain %i has no predecessor',
  async (workchain) => {
    const { chain } = await openChain()
    for (let i = 0; i < 3; i++) await bounce(chain, workchain)
    const list = await transactionsOf(chain, account(0x77, workchain))
    expect(list.map(({ origStatus, endStatus }) => [origStatus, endStatus])).toEqual(
      Array(3).fill(['nonexist', 'nonexist']),
    )
    expect(list.map(previous)).toEqual([NONE, NONE, NONE])
  },
)

test('behavior: within one block the second follows the first', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  for (let i = 0; i < 2; i++) await bounce(chain)
  await chain.control.mine()
  const [first, second] = await transactionsOf(chain, account(0x77))
  if (first === undefined || second === undefined) throw new Error('two transactions are expected')
  expect(previous(first)).toEqual(NONE)
  expect(second.prevLt).toBe(first.lt)
})

test('behavior: nor has it one after a revert', async () => {
  const { chain } = await openChain()
  const name = await chain.control.snapshot()
  await bounce(chain)
  await chain.control.revert(name)
  for (let i = 0; i < 2; i++) await bounce(chain)
  expect((await transactionsOf(chain, account(0x77))).map(previous)).toEqual([NONE, NONE])
})

/** Bounces, payments and a revert on a chain that is reopened between any two of them, or never. */
async function life(folder: string, reopens: boolean): Promise<string[]> {
  const clock = stillClock()
  const open = () => openChain({ folder, seed: seedOf(5), now: clock.now, mining: 'manual' })
  let { chain } = await open()
  const deeds: ((chain: Devchain) => Promise<unknown>)[] = [
    bounce,
    bounce,
    (it) => it.control.sendInternal({ from: account(1), to: account(2), value: coins(1), bounce: false }),
    (it) => it.control.snapshot(),
    (it) => it.control.sendInternal({ from: account(1), to: account(2), value: coins(1), bounce: false }),
    bounce,
    async (it) => {
      const { master } = it.head()
      expect(master.id.seqno).toBeGreaterThan(4)
      await it.control.revert(snapshot)
    },
    (it) => it.control.sendInternal({ from: account(1), to: account(2), value: coins(1), bounce: false }),
    bounce,
  ]
  let snapshot = ''
  for (const deed of deeds) {
    const result = await deed(chain)
    if (typeof result === 'string') snapshot = result
    await chain.control.mine()
    if (!reopens) continue
    await chain.close()
    chain = (await open()).chain
  }
  const { master, shard } = chain.head()
  await chain.close()
  return [hex(master.id.rootHash), hex(master.id.fileHash), hex(shard?.id.fileHash)]
}

test('behavior: what a chain had in its caches shows in no block', async () => {
  expect(await life(await temporaryFolder(), false)).toEqual(await life(await temporaryFolder(), true))
})
