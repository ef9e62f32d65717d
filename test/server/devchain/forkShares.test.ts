// Reads of a fork at its network are those of the caller they are made for: lite servers with few calls share them among callers.

import { expect, test } from 'vitest'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import { ownSignal } from '../../../server/fairness/index.ts'
import type { ReadOptions } from '../../../server/node/index.ts'
import { fork, idOf, network } from './forks.ts'
import { account } from './wallets.ts'

test('default: of the caller that names an account, or reads one', async () => {
  const { chain: source } = await network()
  const there = createEmbeddedChain(source)
  const shares = new Map<number | undefined, ReadOptions['share']>()
  const { chain } = await fork({
    current: {
      ...there,
      account: (id, of, options) => {
        shares.set(of.hash[0], options?.share)
        return there.account(id, of, options)
      },
    },
  })
  await chain.fork?.bring([account(0x91)], [], 'one who names')
  const here = createEmbeddedChain(chain)
  const { id } = await here.head()
  await here.account(id, idOf(account(0x92)), { share: 'one who reads' })
  const { signal } = new AbortController()
  ownSignal(signal, 'one of a call')
  await here.account(id, idOf(account(0x93)), { signal })
  expect([...shares]).toEqual([
    [0x91, 'one who names'],
    [0x92, 'one who reads'],
    [0x93, 'one of a call'],
  ])
})
