// What balance changes add up to over a chain of random operations: coins, jettons and items going round, refusals among them.

import { join } from 'node:path'
import { describe } from 'vitest'
import { createClient } from '../../client/index.ts'
import { openDevchain } from '../../server/devchain/index.ts'
import { fillChain } from '../setup/load.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'
import { balanceSumTests } from './balanceSumTests.ts'

const service = forAllTests(async () => {
  const made = { seqno: 0 }
  const begin = async (data: string): Promise<void> => {
    const chain = await openDevchain({ folder: join(data, 'chain'), idleBlockMs: 3_600_000 })
    await fillChain(chain, { transactions: 2_500, seed: 11, wallets: 60 })
    made.seqno = chain.head().master.id.seqno
    await chain.close()
  }
  const own = await serve({ withIndex: true, config: { mining: 'manual' }, begin })
  await untilIndexed(createClient({ url: own.url, timeoutMs: 300_000 }), made.seqno)
  return own
})

describe('over random operations', () => {
  balanceSumTests(() => createClient({ url: service().url, timeoutMs: 600_000 }), {
    traces: 250,
    compared: 30,
    holders: 50,
    items: 20,
  })
})
