// DeDust v2, of which no trace was recorded: what it pays, and strangers' contracts that only say so.

import { describe, expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, call, known, op, type Step, typesOf } from './madeFlows.ts'

const [USER, POOL, PLACE, OTHER] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
  string,
  string,
  string,
  string,
]
const [USER_WALLET, POOL_WALLET, OTHER_WALLET, JETTON] = ['A', 'B', 'C', '7'].map((digit) => account(digit)) as [
  string,
  string,
  string,
  string,
]
const wallet = (owner: string) => known({ jettonWallet: { owner, jetton: JETTON } })
const facts = { [USER_WALLET]: wallet(USER), [POOL_WALLET]: wallet(POOL), [OTHER_WALLET]: wallet(OTHER) }

const SAID = 500n
const HUGE = 10n ** 18n

const payload = (amount: bigint) => call(0x3216ca09).storeCoins(amount).storeInt(0, 32).end()

const paidTon = (amount: bigint, { to = USER, value = amount + 10n } = {}): Step => ({
  ...{ from: POOL, to, value },
  body: payload(amount),
})

const paidJettons = (amount: bigint, { to = USER, toWallet = USER_WALLET, aborted = false } = {}): Step => ({
  ...{ from: POOL, to: POOL_WALLET, body: transferBody(amount, to, POOL, payload(amount)) },
  leads: [
    {
      ...{ from: POOL_WALLET, to: toWallet, body: internalBody(amount, POOL, payload(amount)), aborted },
      leads: aborted ? [] : [{ from: toWallet, to, body: noticeBody(amount, POOL, payload(amount)) }],
    },
  ],
})

const fees = (amount1: bigint, amount2: bigint) => call(0x29ff1bcf).storeCoins(amount1).storeCoins(amount2).end()

/** The pool queries the place, which says what it has earned. */
const claimOf = (answer: Step['body'], payments: readonly Step[], opcodes: readonly [number, number]): Step => ({
  ...{ from: USER, to: POOL, body: call(opcodes[0]).end() },
  leads: [
    {
      ...{ from: POOL, to: PLACE, body: call(opcodes[1]).end() },
      leads: [{ from: PLACE, to: POOL, body: answer ?? beginCell().end(), leads: payments }],
    },
  ],
})

const claimFees = (answer: Step['body'], ...payments: Step[]) =>
  actionsOf(claimOf(answer, payments, [0x5652f1df, 0x25f19752]), facts)
const claimReward = (...payments: Step[]) =>
  actionsOf(claimOf(call(0x9e17fbbe).end(), payments, [0x909fdb65, 0x2e0cccba]), facts)

describe('fees of a place', () => {
  test('both sides, as they were paid', () => {
    const [action] = claimFees(fees(SAID, 7n), paidTon(SAID), paidJettons(7n))
    expect(action).toMatchObject({
      ...{ type: 'dedust_v2_claim_fees', success: true },
      details: { amount_1: '7', asset_1: JETTON, amount_2: '500', asset_2: null, source: USER, pool: POOL },
    })
  })

  test('nothing is claimed that the pool did not pay', () => {
    const [silent] = claimFees(fees(HUGE, HUGE))
    expect(silent).toMatchObject({ success: false, details: { amount_1: null, amount_2: null } })
    const [half] = claimFees(fees(7n, HUGE), paidJettons(7n))
    expect(half).toMatchObject({ success: false, details: { amount_1: '7', amount_2: null } })
    const [aside] = claimFees(fees(7n, 0n), paidJettons(7n, { to: OTHER, toWallet: OTHER_WALLET }))
    expect(aside, 'paid to another').toMatchObject({ success: false, details: { amount_1: null } })
    const [refused] = claimFees(fees(7n, 0n), paidJettons(7n, { aborted: true }))
    expect(refused?.success, 'a wallet that does not take them').toBe(false)
  })

  test('TON that no message carries is not paid', () => {
    const [action] = claimFees(fees(HUGE, 0n), paidTon(HUGE, { value: 1n }))
    expect(action).toMatchObject({ success: false, details: { amount_1: null } })
  })

  test('a pool whose place does not answer has paid nothing', () => {
    const step = claimOf(undefined, [], [0x5652f1df, 0x25f19752])
    const unanswered = { ...step, leads: step.leads?.map((query) => ({ ...query, leads: [] })) ?? [] }
    expect(typesOf(actionsOf(unanswered, facts))).toEqual(['call_contract', 'call_contract'])
  })
})

test('a reward is what was paid to the one who claimed it', () => {
  expect(claimReward(paidJettons(7n))[0]).toMatchObject({
    ...{ type: 'dedust_v2_claim_reward', success: true },
    details: { amount: '7', asset: JETTON, user_jetton_wallet: USER_WALLET },
  })
  for (const payments of [[], [paidTon(HUGE, { value: 1n })], [paidJettons(7n, { to: OTHER, toWallet: OTHER_WALLET })]])
    expect(claimReward(...payments)[0]).toMatchObject({ success: false, details: { amount: null } })
})

describe('a swap', () => {
  const purpose = op(0xc442500f).end()
  const log = (amountIn: bigint, amountOut: bigint): Step => ({
    ...{ from: POOL, to: null },
    body: op(0x78e79ba4).storeBit(false).storeCoins(amountIn).storeCoins(amountOut).end(),
  })
  const swap = (amount: bigint, value: bigint, ...leads: Step[]) =>
    actionsOf(
      {
        ...{ from: USER, to: POOL, value, leads },
        body: call(0xa5a7cbf8).storeCoins(amount).storeRef(purpose).end(),
      },
      facts,
    )

  test('of what was brought for what was paid', () => {
    expect(swap(SAID, SAID + 50n, log(SAID, 7n), paidJettons(7n))[0]).toMatchObject({
      ...{ type: 'jetton_swap', success: true },
      details: {
        dex_incoming_transfer: { asset: null, amount: '500' },
        dex_outgoing_transfer: { asset: JETTON, amount: '7', destination: USER },
      },
    })
  })

  test('not of what the message does not carry, nor for what the pool only logs', () => {
    expect(typesOf(swap(HUGE, 50n, log(HUGE, 7n), paidJettons(7n)))).not.toContain('jetton_swap')
    const [paidLess] = swap(SAID, SAID + 50n, log(SAID, HUGE), paidJettons(7n))
    expect(paidLess?.details).toMatchObject({ dex_outgoing_transfer: { amount: '7' }, peer_swaps: [] })
    expect(typesOf(swap(SAID, SAID + 50n, log(SAID, HUGE), paidTon(HUGE, { value: 1n })))).not.toContain('jetton_swap')
    expect(typesOf(swap(SAID, SAID + 50n, log(SAID, HUGE)))).not.toContain('jetton_swap')
  })
})
