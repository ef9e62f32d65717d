// What a fork has kept of its network, and is not what it was kept as.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { ForkedNetwork } from '../../../server/devchain/fork/forkedNetwork.ts'
import { readForkStart } from '../../../server/devchain/fork/forkPoint.ts'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import { idOf, network } from './forks.ts'

test('behavior: a kept file that is no account is read from the network again, and replaced', async () => {
  const { chain: source, scene } = await network()
  const there = createEmbeddedChain(source)
  const { point } = await readForkStart(there, null)
  const [wallet] = scene.wallets
  if (wallet === undefined) throw new Error('No wallet')
  let kept = beginCell().storeUint(7, 8).end()
  const cells = {
    read: async () => kept,
    write: async (_: string, cell: typeof kept) => {
      kept = cell
    },
  }
  const at = idOf(wallet.address)
  const wanted = (await there.account(point.block, at)).shardAccount
  const forked = () => new ForkedNetwork({ point, chain: async () => there, kept: cells })
  expect((await forked().account(at))?.account.hash()).toBe(wanted?.account.hash())
  const away = new ForkedNetwork({ point, chain: () => Promise.reject(new Error('away')), kept: cells })
  expect((await away.account(at))?.account.hash()).toBe(wanted?.account.hash())
})
