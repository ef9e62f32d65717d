// Requests to a client of Cocoon that its proxy answers with a payment, in flows as their contracts send them.

import { expect, test } from 'vitest'
import type { Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, call, type Step, typesOf } from './madeFlows.ts'

const [USER, CLIENT, PROXY, WALLET] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]

const excesses = (from: string): Step => ({ from, to: USER, body: call(0x2565934c).end(), value: 3n })
const payout: Step = { from: PROXY, to: USER, body: call(0xc59a7cd3).end(), value: 500n, bounce: false }
const passedOn = (leads: readonly Step[] = []): Step => ({
  from: CLIENT,
  to: PROXY,
  body: call(0x65448ff4).end(),
  leads,
})
const request = (body: Cell, leads: readonly Step[]): Step => ({ from: USER, to: CLIENT, body, leads })

const REFUND = call(0xfafa6cc1, 7n).end()

test('a request for a refund is one, whether there is something to pay out at once or not', () => {
  const shown = {
    type: 'cocoon_client_request_refund',
    success: true,
    details: { query_id: '7', via_wallet: false, source: USER, destination: CLIENT },
  }
  const [noted] = actionsOf(request(REFUND, [passedOn(), excesses(CLIENT)]))
  expect(noted).toMatchObject(shown)
  const paid = actionsOf(request(REFUND, [passedOn([payout, excesses(PROXY)])]))
  expect(paid[0]).toMatchObject(shown)
  expect(paid.filter(({ ancestorTypes }) => ancestorTypes.length === 0)).toHaveLength(1)
  const ordered: Step = { from: USER, to: WALLET, body: call(0x9c69f376).end() }
  const byWallet = { ...request(REFUND, [passedOn([payout, excesses(PROXY)])]), from: WALLET }
  expect(actionsOf({ ...ordered, leads: [byWallet] })[0]?.details).toMatchObject({ via_wallet: true })
  // Without an answer it is a call.
  expect(typesOf(actionsOf(request(REFUND, [passedOn()])))).toEqual(['call_contract', 'call_contract'])
})

test('a top-up that a closing proxy pays back has failed', () => {
  const topUp = call(0xf172e6c2, 7n).storeCoins(500n).end()
  const done = actionsOf(request(topUp, [passedOn([excesses(PROXY)])]))
  expect(done[0]).toMatchObject({ type: 'cocoon_client_top_up', success: true, details: { amount: '500' } })
  const back = actionsOf(request(topUp, [passedOn([payout, excesses(PROXY)])]))
  expect(back[0]).toMatchObject({ type: 'cocoon_client_top_up', success: false, details: { amount: '500' } })
})
