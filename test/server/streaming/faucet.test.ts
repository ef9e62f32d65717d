// TON and tokens of `dev.*` are messages to the faucet: they are pending until a block has them, as a wallet's are.

import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { faucetAccount } from '../../../server/devchain/index.ts'
import { toRaw } from '../../../shared/address.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { openSocket, shortOf } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

const faucet = toRaw(faucetAccount().address)
const RECEIVER = `0:${'AB'.repeat(32)}`

/** Contracts are deployed by what is given first: a prediction starts from the newest block. */
async function mine() {
  const { seqno } = await client().dev.mine({ blocks: 2 })
  await untilIndexed(client(), seqno)
}

test.each([
  ['dev.faucet', () => client().dev.faucet({ address: RECEIVER, amount: '5000' })],
  ['dev.jetton', () => client().dev.jetton({ address: RECEIVER, amount: '5000' })],
  ['dev.nft', () => client().dev.nft({ address: RECEIVER })],
] as const)('%s: listeners get it while it is pending, and it is listed', async (_method, give) => {
  await give()
  await mine()
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['transactions'], addresses: [faucet], min_finality: 'pending' })
  await give()
  await stream.frames.first(({ finality }) => finality === 'pending')
  const listed = await ask(service(), `/api/v3/pendingTraces?account=${faucet}`)
  expect(listed.body.traces).toHaveLength(1)
  await mine()
  await stream.frames.first(({ finality }) => finality === 'finalized')
  expect(stream.notices().map(shortOf)[0]).toBe('transactions pending')
})
