// Payment channels of the first years, as v2 reports them.

import { Address, beginCell as begin, type Cell as CoreCell } from '@ton/core'
import { expect, test } from 'vitest'
import { readBoc } from '../../../../server/cell/index.ts'
import { knownState } from '../../../../server/methods/view/extendedAccount.ts'

const CHANNEL = '0dafb2d193dc5aa5bee21eb6070510ca9475d2f0d6eb62acf9bf02923ce78e0b'
const alice = Address.parse(`0:${'AA'.repeat(32)}`)
const bob = Address.parse(`-1:${'BB'.repeat(32)}`)
const where = (address: Address) => begin().storeAddress(address).endCell()

const config = begin()
  .storeUint(600, 32)
  .storeUint(1200, 32)
  .storeBuffer(Buffer.alloc(32, 1))
  .storeBuffer(Buffer.alloc(32, 2))
  .storeRef(where(alice))
  .storeRef(where(bob))
  .storeInt(-5, 64)
  .storeCoins(0)
  .endCell()

const channelOf = (state: CoreCell) => {
  const data = begin().storeRef(config).storeRef(state).endCell()
  return knownState(CHANNEL, readBoc(data.toBoc()), { grams: 0n, utime: 0 })
}

const signed = (tag: number) =>
  begin().storeUint(tag, 3).storeBit(1).storeBit(0).storeCoins(300).storeCoins(0).storeUint(77, 32).storeCoins(5)

test('whose it is, and what both have put in so far', () => {
  expect(channelOf(signed(0).storeCoins(6).endCell())).toEqual({
    revision: -1,
    account_state: {
      '@type': 'pchan.accountState',
      config: {
        '@type': 'pchan.config',
        alice_public_key: expect.stringMatching(/^PuYB[\w-]{44}$/),
        alice_address: { '@type': 'accountAddress', account_address: alice.toString() },
        bob_public_key: expect.stringMatching(/^PuYC[\w-]{44}$/),
        bob_address: { '@type': 'accountAddress', account_address: bob.toString() },
        init_timeout: 600,
        close_timeout: 1200,
        channel_id: -5,
      },
      state: {
        '@type': 'pchan.stateInit',
        signed_A: true,
        signed_B: false,
        min_A: 300,
        min_B: 0,
        expire_at: 77,
        A: 5,
        B: 6,
      },
      description: [
        '(chan_state_init signed_A:1 signed_B:0',
        '  min_A:(nanograms',
        '    amount:(var_uint len:2 value:300))',
        '  min_B:(nanograms',
        '    amount:(var_uint len:0 value:0)) expire_at:77',
        '  A:(nanograms',
        '    amount:(var_uint len:1 value:5))',
        '  B:(nanograms',
        '    amount:(var_uint len:1 value:6)))\n',
      ].join('\n'),
    },
  })
})

test('one that is being closed, and one that has been paid out', () => {
  expect(channelOf(signed(1).storeCoins(6).endCell())?.account_state).toMatchObject({
    state: { '@type': 'pchan.stateClose', min_A: 300 },
    description: expect.stringContaining('promise_A:(nanograms'),
  })
  const paid = begin().storeUint(2, 3).storeCoins(1).storeCoins(2).endCell()
  expect(channelOf(paid)?.account_state).toMatchObject({ state: { '@type': 'pchan.statePayout', A: 1, B: 2 } })
})

test('data of another shape is shown as it is', () => {
  expect(channelOf(begin().storeUint(3, 3).endCell())).toBeNull()
  expect(channelOf(signed(0).storeCoins(6).storeBit(1).endCell())).toBeNull()
})
