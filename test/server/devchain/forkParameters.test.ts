// A fork of a network whose configuration has parameters that mean nothing.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { createEmbeddedChain, type Devchain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { configParam } from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { arrived, idOf, network } from './forks.ts'
import { account, coins, transfer } from './wallets.ts'

/** The same with a cell that is none of their values in place of these parameters. */
function withSpoilt(source: Devchain, numbers: readonly number[]): Chain {
  const there = createEmbeddedChain(source)
  return {
    ...there,
    config: async (...about) => {
      const found = await there.config(...about)
      const spoilt = numbers.reduce((params, number) => params.set(number, beginCell().end()), found.config.params)
      return { ...found, config: { ...found.config, params: spoilt } }
    },
  }
}

test('behavior: in place of parameters that cannot be read there are those of a devnet, and the log names them', async () => {
  const { chain: source, scene } = await network()
  const said: (readonly [string, unknown])[] = []
  const spoilt = withSpoilt(source, [18, 20, 21, 22, 23, 24, 25, 43, 45])
  const log = (line: string, facts: unknown) => said.push([line, facts])
  const { chain } = await openChain({ fork: { chain: async () => spoilt }, log })
  const { config } = chain.reader.moment().master.extra
  for (const number of [18, 20, 21, 22, 23, 24, 25] as const) expect(configParam(config, number)).not.toBeNull()
  const [wallet] = scene.wallets
  if (wallet === undefined) throw new Error('No wallet')
  await chain.send(transfer(wallet, { to: account(0x77), value: coins(1) }))
  await arrived(chain, idOf(account(0x77)), coins(1) - 1n)
  expect(said).toEqual([
    [
      'Parameters of the forked network cannot be read: the chain has those of a devnet',
      { parameters: [18, 20, 21, 22, 23, 24, 25, 43, 45] },
    ],
  ])
})

test('error: without a network id that can be read it is refused', async () => {
  const { chain: source } = await openChain()
  const spoilt = withSpoilt(source, [19])
  await expect(openChain({ fork: { chain: async () => spoilt } })).rejects.toThrow(
    'the configuration of the network has no global id (parameter 19)',
  )
})
