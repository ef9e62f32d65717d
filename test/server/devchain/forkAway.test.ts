// A fork whose network cannot be read: what callers get, and what a person can do.

import { expect, test } from 'vitest'
import { ForkedNetwork } from '../../../server/devchain/fork/forkedNetwork.ts'
import { readForkStart } from '../../../server/devchain/fork/forkPoint.ts'
import { NOT_KEPT } from '../../../server/devchain/fork/keptCells.ts'
import { createEmbeddedChain } from '../../../server/devchain/index.ts'
import { LiteError } from '../../../server/node/index.ts'
import { openChain } from './devchains.ts'
import { idOf } from './forks.ts'
import { account } from './wallets.ts'

test('error: that it is the network of the fork is in every refusal, and that it may be read later', async () => {
  const { chain: source } = await openChain()
  const { point } = await readForkStart(createEmbeddedChain(source), null)
  const refusal = (cause: LiteError) => {
    const chain = () => Promise.reject(cause)
    return new ForkedNetwork({ point, chain, kept: NOT_KEPT, warn: () => undefined }).account(idOf(account(1)))
  }
  await expect(refusal(new LiteError('cancelled', 'no lite server is connected'))).rejects.toMatchObject({
    kind: 'cancelled',
    message: 'the network of the fork cannot be read: no lite server is connected',
  })
  await expect(refusal(new LiteError('timeout', 'it did not answer within 5000 ms'))).rejects.toMatchObject({
    kind: 'timeout',
    message: 'the network of the fork cannot be read: it did not answer within 5000 ms',
  })
  await expect(refusal(new LiteError(228, 'too many calls'))).rejects.toMatchObject({
    isRateLimit: true,
    message: 'the network of the fork cannot be read: too many calls',
  })
})
