// What a stake with JVault is counted as.

import { expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { internalBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, call, known, op, type Step } from './madeFlows.ts'
import { readTraceFixture } from './traceFixtures.ts'

test.each([
  // 33303403955 less the commission.
  ['jvault-01', '33203493744'],
  ['jvault-02', '12266000000000'],
  ['jvault-03', '3000000000000'],
])('%s: what the pool takes in is behind its list of stakers', (name, minted) => {
  const { trace, facts } = readTraceFixture(name)
  const stakes = classifyTrace(trace, facts).actions.filter(({ type }) => type === 'jvault_stake')
  expect(stakes.map(({ details }) => details.minted_stake_jettons)).toEqual([minted])
})

const USER = account('1')
const POOL = account('2')
const STAKE_WALLET = account('3')
const JETTON = account('4')
const USER_WALLET = account('5')
const POOL_WALLET = account('6')

const facts = {
  [USER_WALLET]: known({ jettonWallet: { owner: USER, jetton: JETTON } }),
  [POOL_WALLET]: known({ jettonWallet: { owner: POOL, jetton: JETTON } }),
}

function staked(received: Cell): Step {
  const payload = op(0xe3a06989).storeUint(86_400, 32).end()
  const news: Step = { from: POOL, to: STAKE_WALLET, body: call(0xae9307ce).storeBit(false).end() }
  const update: Step = { from: STAKE_WALLET, to: POOL, body: call(0xf5c5baa3).end(), leads: [news] }
  const receive: Step = { from: POOL, to: STAKE_WALLET, body: received, leads: [update] }
  const notice: Step = { from: POOL_WALLET, to: POOL, body: call(0x7362d09c).end(), leads: [receive] }
  const internal = { from: USER_WALLET, to: POOL_WALLET, body: internalBody(500n, USER, payload), leads: [notice] }
  return { from: USER, to: USER_WALLET, body: transferBody(500n, POOL, USER, payload), leads: [internal] }
}

test('a pool for some stakers only has a list of them', () => {
  const terms = call(0xd68a4ac1).storeCoins(1n).storeCoins(1000n).storeUint(50, 16).storeCoins(3n)
  const received = terms.storeBit(true).storeRef(beginCell().end()).storeCoins(490n).storeCoins(10n).end()
  expect(actionsOf(staked(received), facts)[0]).toMatchObject({
    type: 'jvault_stake',
    success: true,
    details: { amount: '500', minted_stake_jettons: '490' },
  })
})
