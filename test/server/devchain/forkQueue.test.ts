// Messages in the queue of a fork whose accounts were never read.

import { expect, test } from 'vitest'
import { temporaryFolder } from './devchains.ts'
import { balance, fork, idOf, network, reached } from './forks.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const MANY = 24

test('behavior: their accounts are read together, and one block has them all', async () => {
  const { chain: source } = await network()
  const to = reached(source)
  const there = to.current
  const folder = await temporaryFolder()
  const { chain: before } = await fork(to, { folder, mining: 'manual' })
  to.current = null
  const wallet = bornWallet(0)
  const names = Array.from({ length: MANY }, (_, at) => account(0x80 + at))
  for (const name of names) {
    await before.send(transfer(wallet, { to: name, value: coins(1) }))
    await before.control.mine()
  }
  await before.close()
  to.current = there
  const { chain } = await fork(to, { folder, mining: 'manual' })
  await chain.control.mine()
  expect(names.map((name) => balance(chain, idOf(name)))).toEqual(names.map(() => coins(1)))
})
