// Blocks of random traffic, read by somebody who did not make them.

import { afterEach, describe, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/node/devchain/index.ts'
import { checkChain } from './lightCheck.ts'
import { play, prepare } from './traffic.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const open: Devchain[] = []
const start = async (options: Parameters<typeof openDevchain>[0] = {}) => {
  const warnings: string[] = []
  const chain = await openDevchain({ idleBlockMs: 3_600_000, log: (line) => warnings.push(line), ...options })
  open.push(chain)
  return { chain, warnings }
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()))
})

describe('every block of a chain', () => {
  test('default: empty blocks and one transfer hold together', async () => {
    const { chain } = await start()
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(3) }))
    await chain.control.mine(3)
    expect(chain.reader.moment().shard.accounts.get(account(1).id)).toBeDefined()
    expect(await checkChain(chain)).toBeGreaterThan(2)
  })

  test.each([1, 2, 3])('behavior: random traffic %i balances in every block', async (seed) => {
    const { chain, warnings } = await start()
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 60, seed })
    await chain.control.mine(2)
    expect(await checkChain(chain)).toBeGreaterThan(150)
    expect(warnings).toEqual([])
  })

  test('behavior: a full block leaves the rest for the next, in order', async () => {
    const { chain } = await start({ limits: { maxTransactions: 7, maxMs: 60_000 } })
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 40, seed: 9 })
    await chain.control.mine(3)
    await checkChain(chain)
  })
})
