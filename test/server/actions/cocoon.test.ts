// Requests to a client of Cocoon, in flows made by hand as its contracts send them.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, op, type Step, typesOf } from './madeFlows.ts'

const USER = account('1')
const CLIENT = account('2')
const PROXY = account('3')
const WALLET = account('4')
const OTHER = account('5')
const HASH = Buffer.alloc(32, 9)

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

const common = { query_id: '7', source: USER, destination: CLIENT }

test('requests to a client register it or change its secret, once it passes them on', () => {
  const register = call(0xc45f9f3b, 7n).storeUint(77n, 64).end()
  const [registered] = actionsOf(request(register, [excesses(CLIENT), passedOn()]))
  expect(registered).toMatchObject({ type: 'cocoon_client_register', details: { ...common, nonce: '77' } })
  const change = call(0xa9357034, 7n).storeBytes(HASH).end()
  const [changed] = actionsOf(request(change, [excesses(CLIENT), passedOn()]))
  const details = { ...common, new_secret_hash: HASH.toString('hex') }
  expect(changed).toMatchObject({ type: 'cocoon_client_change_secret_hash', details })
  expect(typesOf(actionsOf(request(register, [])))).toEqual(['call_contract'])
})

test('a refund that is granted: the amount is what the proxy paid', () => {
  const order = address(beginCell().storeUint(1, 32).storeUint(7n, 64).storeUint(40n, 64), CLIENT).end()
  const grant = op(0xefd711e1).storeRef(order).end()
  const payment: Step = { from: PROXY, to: OTHER, body: call(0xc59a7cd3).end(), value: 500n }
  const [granted] = actionsOf(request(grant, [excesses(CLIENT), passedOn([payment, excesses(PROXY)])]))
  const details = { query_id: '7', new_tokens_used: '40', expected_address: CLIENT, amount: '500' }
  expect(granted).toMatchObject({
    type: 'cocoon_grant_refund',
    success: true,
    details: { ...details, source: CLIENT, destination: OTHER },
    roles: { source: CLIENT, sourceSecondary: PROXY, destination: OTHER },
  })
  const cameBack = actionsOf(
    request(grant, [excesses(CLIENT), passedOn([{ ...payment, aborted: true }, excesses(PROXY)])]),
  )
  expect(cameBack[0]).toMatchObject({ type: 'cocoon_grant_refund', success: false })
  expect(typesOf(actionsOf(request(grant, [])))).toEqual(['call_contract'])
})
