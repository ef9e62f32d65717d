// TON that an exchange pays and that its receiver sends back: nothing was paid.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, op, type Step } from './madeFlows.ts'

const USER = account('1')
const OTHER = account('2')
const POOL = account('3')
const VAULT = account('4')
const USER_WALLET = account('5')
const VAULT_WALLET = account('6')
const LIQUIDITY = account('7')
const POSITION = account('8')
const walletOf = (owner: string, jetton = account('9')) => known({ jettonWallet: { owner, jetton } })
const facts = {
  [LIQUIDITY]: walletOf(USER, POOL),
  [USER_WALLET]: walletOf(USER),
  [VAULT_WALLET]: walletOf(VAULT),
}

const nothing = beginCell().end()

/** 600 nanotons to the user, and something for the way. */
const payment = (from: string, opcode: number): Step => ({
  from,
  to: USER,
  value: 700n,
  body: call(opcode).storeCoins(600n).storeInt(0, 32).end(),
})

/** What the receiver does with it. */
type Receive = (payment: Step) => Step

const order = (body: Cell, lead: Step): Step => ({ from: POOL, to: VAULT, body, leads: [lead] })
const log = (from: string, body: Cell): Step => ({ from, to: null, body })

const jettonsPaid: Step = {
  from: VAULT,
  to: VAULT_WALLET,
  body: transferBody(500n, USER, VAULT, nothing),
  leads: [{ from: VAULT_WALLET, to: USER_WALLET, body: internalBody(500n, VAULT, nothing) }],
}

/** Jettons of the user to the vault, which goes on with what is given. */
function jettonsGiven(payload: Cell, leads: readonly Step[]): Step {
  const notice: Step = { from: VAULT_WALLET, to: VAULT, body: noticeBody(500n, USER, payload), leads }
  const internal: Step = {
    from: USER_WALLET,
    to: VAULT_WALLET,
    body: internalBody(500n, USER, payload),
    leads: [notice],
  }
  return { from: USER, to: USER_WALLET, body: transferBody(500n, VAULT, USER, payload), leads: [internal] }
}

const burn = (...leads: readonly Step[]): Step => ({
  from: USER,
  to: LIQUIDITY,
  body: address(call(0x595f07bc).storeCoins(7n), USER).storeBit(false).end(),
  leads: [{ from: LIQUIDITY, to: POOL, body: address(call(0x7bdd97de).storeCoins(7n), USER).end(), leads }],
})

/** The pool has another contract call it back, and pays. */
const byPosition = (bodies: readonly [Cell, Cell, Cell], leads: readonly Step[]): Step => ({
  from: USER,
  to: POOL,
  body: bodies[0],
  leads: [{ from: POOL, to: POSITION, body: bodies[1], leads: [{ from: POSITION, to: POOL, body: bodies[2], leads }] }],
})

const dedustOrder = (amount: bigint, lead: Step): Step =>
  order(call(0xad4eb6f5).storeRef(nothing).storeCoins(amount).end(), lead)
const coffeeOrder = (amount: bigint, lead: Step): Step =>
  order(address(call(0xc0ffee21), USER).storeCoins(amount).end(), lead)
const jetton = () => op(0x9c610de3).storeUint(1, 4).storeInt(0, 8).storeBytes(Buffer.alloc(32, 9))

const FLOWS: Readonly<Record<string, (receive: Receive) => Step>> = {
  'a swap on DeDust': (receive) => {
    const swapped = log(POOL, jetton().storeUint(0, 4).storeCoins(500n).storeCoins(600n).end())
    const leads = [swapped, dedustOrder(600n, receive(payment(VAULT, 0x474f86cf)))]
    return jettonsGiven(op(0xe3a0d482).end(), [{ from: VAULT, to: POOL, body: call(0x61ee542d).end(), leads }])
  },
  'a withdrawal from DeDust': (receive) =>
    burn(dedustOrder(500n, jettonsPaid), dedustOrder(600n, receive(payment(VAULT, 0x474f86cf)))),
  'a swap on swap.coffee': (receive) => {
    const swapped = log(POOL, call(0xc0ffee30).storeUint(0, 2).storeCoins(500n).storeCoins(600n).end())
    const leads = [swapped, coffeeOrder(600n, receive(payment(VAULT, 0xc0ffee32)))]
    return jettonsGiven(op(0xc0ffee10).end(), [{ from: VAULT, to: POOL, body: call(0xc0ffee20).end(), leads }])
  },
  'a withdrawal from swap.coffee': (receive) => {
    const withdrawn = log(POOL, call(0xc0ffee35).storeCoins(500n).storeCoins(600n).storeCoins(7n).end())
    return burn(withdrawn, coffeeOrder(500n, jettonsPaid), coffeeOrder(600n, receive(payment(VAULT, 0xc0ffee32))))
  },
  'a swap on DeDust v2': (receive) => {
    const purpose = op(0xc442500f).storeCoins(1n).storeUint(0, 40).storeBit(0).end()
    const swapped = log(VAULT, op(0x78e79ba4).storeBit(0).storeCoins(500n).storeCoins(600n).end())
    return jettonsGiven(op(0xcbc33949).storeRef(purpose).end(), [swapped, receive(payment(VAULT, 0x3216ca09))])
  },
  'a withdrawal from DeDust v2': (receive) => {
    const request = call(0x20b5ef89).storeCoins(7n).storeCoins(0n).storeCoins(0n).storeBit(0).end()
    const withdrawn = log(POOL, op(0xc0d77b54).storeCoins(7n).storeCoins(600n).storeCoins(0n).end())
    const leads = [withdrawn, receive(payment(POOL, 0x3216ca09))]
    return byPosition([request, call(0xbc1531a9).end(), call(0xf6f6a3aa).end()], leads)
  },
  'a claim of fees of DeDust v2': (receive) => {
    const fees = call(0x29ff1bcf).storeCoins(600n).storeCoins(0n).end()
    return byPosition([call(0x5652f1df).end(), call(0x25f19752).end(), fees], [receive(payment(POOL, 0x3216ca09))])
  },
  'a claim of a reward of DeDust v2': (receive) => {
    const reward = call(0x9e17fbbe).storeCoins(600n).end()
    return byPosition([call(0x909fdb65).end(), call(0x2e0cccba).end(), reward], [receive(payment(POOL, 0x3216ca09))])
  },
  'a swap on TONCO': (receive) => {
    const shares = address(address(beginCell().storeCoins(600n), OTHER).storeCoins(0n), OTHER).end()
    const paid = address(address(call(0xa1daa96d), USER), USER)
      .storeUint(0, 32)
      .storeUint(0, 64)
      .storeBit(1)
    const terms = beginCell().storeCoins(500n).storeUint(0, 160).storeCoins(1n).end()
    const ton: Step = { ...payment(VAULT, 0), body: address(call(0x01f3835d).storeCoins(600n), USER).storeBit(0).end() }
    const leads = [order(paid.storeRef(shares).storeBit(0).end(), receive(ton))]
    const swap = address(address(call(0xa7fb58f8), USER), USER)
      .storeRef(terms)
      .end()
    return jettonsGiven(address(op(0xa7fb58f8), OTHER).end(), [{ from: VAULT, to: POOL, body: swap, leads }])
  },
  'a withdrawal from EVAA': (receive) => {
    const asset = Buffer.alloc(32, 9)
    const userCall = (operation: number) =>
      beginCell().storeCoins(1n).storeBit(false).storeUint(0, 2).storeUint(operation, 32).storeUint(0n, 64).end()
    const request = address(call(2).storeBytes(asset).storeUint(600n, 64), USER).end()
    const granted = address(call(0x211), USER).storeBytes(asset).storeUint(600n, 64).end()
    const word: Step = { from: POOL, to: POSITION, body: userCall(0x211a) }
    const paid: Step = { from: POOL, to: USER, value: 700n }
    return byPosition([request, userCall(0x21), granted], [word, receive(paid)])
  },
}

test.each(Object.entries(FLOWS))('%s whose TON comes back has failed', (_, flow) => {
  const successWhen = (receive: Receive) => actionsOf(flow(receive), facts)[0]?.success
  expect(successWhen((paid) => paid)).toBe(true)
  const back: Step = { from: USER, to: VAULT, body: op(0xffffffff).storeUint(0, 32).end(), bounced: true }
  expect(successWhen((paid) => ({ ...paid, aborted: true, leads: [back] }))).toBe(false)
  // A receiver that fails without a bounce has the TON all the same.
  expect(successWhen((paid) => ({ ...paid, aborted: true, bounce: false }))).toBe(true)
})
