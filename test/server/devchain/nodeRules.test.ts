// Rules of the public node that only unusual work of control methods comes near.

import { describe, expect, test } from 'vitest'
import { beginCell, buildDict, openCell } from '../../../server/cell/index.ts'
import type { AccountName, Devchain } from '../../../server/devchain/index.ts'
import { libraryKind, loadAccount, storeStateInit, toCell } from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const balance = ({ reader }: Devchain, { workchain, id }: AccountName): bigint => {
  const { master, shard } = reader.moment()
  const found = (workchain === -1 ? master : shard).accounts.get(id)
  return found === undefined ? 0n : (loadAccount(openCell(found.account))?.storage.balance.grams ?? 0n)
}

describe('a block that made-up messages fill', () => {
  const limits = { maxTransactions: 8, maxMs: 60_000 }
  const fill = async (chain: Devchain, workchain: number): Promise<void> => {
    for (let i = 0; i < limits.maxTransactions; i++)
      await chain.control.sendInternal({
        from: account(9),
        to: account(0x20 + i, workchain),
        value: coins(1),
        bounce: false,
      })
  }

  test('behavior: what the masterchain has sent to the basechain waits for the next block', async () => {
    const { chain } = await openChain({ mining: 'manual', limits })
    const { address } = bornWallet(0)
    await chain.send(transfer(bornWallet(0), { to: account(0x30, -1), value: coins(3), bounce: true }))
    await chain.control.mine()
    const before = balance(chain, address)
    await fill(chain, 0)
    await chain.control.mine()
    expect(balance(chain, address)).toBe(before)
    await chain.control.mine()
    expect(balance(chain, address) - before).toBeGreaterThan(coins(2.9))
    await checkChain(chain)
  })

  test('behavior: what the basechain has sent to the masterchain waits for two', async () => {
    const { chain } = await openChain({ mining: 'manual', limits })
    const to = account(0x30, -1)
    await chain.send(transfer(bornWallet(0), { to, value: coins(3) }))
    for (const _ of [1, 2]) {
      await fill(chain, -1)
      await chain.control.mine()
      expect(balance(chain, to)).toBe(0n)
    }
    await chain.control.mine()
    expect(balance(chain, to)).toBe(coins(3))
    await checkChain(chain)
  })
})

test('behavior: what an account of the masterchain is deployed with under the key of another library is not public', async () => {
  const { chain } = await openChain()
  const empty = beginCell().end()
  const key = new Uint8Array(32).fill(7)
  const library = buildDict(libraryKind, [
    [key, { isPublic: true, root: beginCell().storeUint(0xf205, 16).end() }],
  ]).root
  const init = { fixedPrefixLength: null, special: null, code: empty, data: empty, library }
  const id = toCell(init, storeStateInit).hashBytes()
  await chain.control.sendInternal({
    from: account(9),
    to: { workchain: -1, id },
    value: coins(5),
    bounce: false,
    init,
  })
  const { accounts, details } = chain.reader.moment().master
  const found = accounts.get(id)
  const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
  expect(state?.kind === 'active' && state.init.library?.hash()).toBe(library?.hash())
  expect(details.libraries.isEmpty).toBe(true)
})
