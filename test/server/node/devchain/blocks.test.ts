// Blocks of random traffic, read by somebody who did not make them.

import { describe, expect, test } from 'vitest'
import { openChain } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { play, prepare } from './traffic.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

describe('every block of a chain', () => {
  test('default: empty blocks and one transfer hold together', async () => {
    const { chain } = await openChain()
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(3) }))
    await chain.control.mine(3)
    expect(chain.reader.moment().shard.accounts.get(account(1).id)).toBeDefined()
    expect(await checkChain(chain)).toBeGreaterThan(2)
  })

  test.each([1, 2, 3])('behavior: random traffic %i balances in every block', async (seed) => {
    const { chain, warnings } = await openChain()
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 60, seed })
    await chain.control.mine(2)
    expect(await checkChain(chain)).toBeGreaterThan(150)
    expect(warnings).toEqual([])
  })

  test('behavior: a full block leaves the rest for the next, in order', async () => {
    const { chain } = await openChain({ limits: { maxTransactions: 7, maxMs: 60_000 } })
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 40, seed: 9 })
    await chain.control.mine(3)
    await checkChain(chain)
  })
})
