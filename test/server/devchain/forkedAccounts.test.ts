// What messages to one account need of a forked network, while it is being read.

import { expect, test } from 'vitest'
import { type BinaryHash, beginCell } from '../../../server/cell/index.ts'
import { ForkedAccounts } from '../../../server/devchain/fork/forkedAccounts.ts'
import { ForkedNetwork } from '../../../server/devchain/fork/forkedNetwork.ts'
import { readForkStart } from '../../../server/devchain/fork/forkPoint.ts'
import { Imports } from '../../../server/devchain/fork/imports.ts'
import { NOT_KEPT } from '../../../server/devchain/fork/keptCells.ts'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import { openChain } from './devchains.ts'
import { libraryCode, network, publish, referenceTo } from './forks.ts'
import { account } from './wallets.ts'

test('a message that comes while what another one to its account needs is being read is waited for, too', async () => {
  const { chain: source, scene } = await network()
  const other = beginCell().storeUint(7, 8).storeRef(libraryCode).end()
  for (const library of [libraryCode, other]) await publish(source, scene, library)
  const { chain: own } = await openChain()
  const read = createEmbeddedChain(source)
  const { point } = await readForkStart(read, null)
  const brought = new Set<BinaryHash>()
  const fork = new ForkedAccounts({
    network: new ForkedNetwork({ point, chain: async () => read, kept: NOT_KEPT, warn: () => undefined }),
    imports: new Imports(),
    warn: () => undefined,
  })
  fork.attach({
    moment: () => own.reader.moment(),
    async place(select) {
      for (const { libraries = [] } of select()) for (const one of libraries) brought.add(one.hash())
    },
    isBorn: () => true,
    wake: () => undefined,
  })
  const message = (library: typeof other) => beginCell().storeRef(referenceTo(library)).end()
  fork.need(account(0x5e), message(libraryCode))
  fork.need(account(0x5e), message(other))
  await fork.readBefore(async () => undefined)
  expect(brought).toEqual(new Set([libraryCode.hash(), other.hash()]))
})
