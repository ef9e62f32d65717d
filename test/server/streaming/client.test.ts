// The client's iterator against a service that goes away in between.

import { expect, test } from 'vitest'
import { type StreamNotification, stream } from '../../../client/ws.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const RECEIVER = `0:${'AB'.repeat(32)}`

test('notifications one after the other, resumed by cursor, until the signal ends them', async () => {
  const wallet = await openWallet(service())
  const end = new AbortController()
  const wish = { url: service().url, types: ['account_state_change'], addresses: [RECEIVER], signal: end.signal }
  const take = async (after: string | undefined, count: number): Promise<StreamNotification[]> => {
    const found: StreamNotification[] = []
    for await (const one of stream({ ...wish, ...(after === undefined ? {} : { after }) })) {
      found.push(one)
      if (found.length === count) break
    }
    return found
  }
  const first = take(undefined, 1)
  let isTaken = false
  void first.then(() => {
    isTaken = true
  })
  // Until the subscription is there, transfers pass it by.
  while (!isTaken) {
    await wallet.send(RECEIVER)
    await wallet.mine()
  }
  const [begun] = await first
  expect(begun).toMatchObject({ type: 'account_state_change', finality: 'finalized', account: RECEIVER })
  for (let i = 0; i < 2; i++) {
    await wallet.send(RECEIVER)
    await wallet.mine()
  }
  const balances = (await take(begun?.cursor, 2)).map(({ state }) => BigInt((state as { balance: string }).balance))
  // One TON, less the rent of an account without code.
  expect((balances[1] ?? 0n) - (balances[0] ?? 0n)).toBeGreaterThan(999_999_000n)
  const silent = take(undefined, 100)
  end.abort()
  expect((await silent).length).toBeLessThan(100)
})

test('a subscription that is refused ends it with the reason', async () => {
  const refused = stream({ url: service().url, types: ['nothing'] }).next()
  await expect(refused).rejects.toThrow('invalid event type: nothing')
})
