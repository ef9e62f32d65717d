// DeDust v2, of which no trace was recorded: what it pays, and strangers' contracts that only say so.

import { describe, expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, op, type Step, typesOf } from './madeFlows.ts'

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
  from: POOL,
  to,
  value,
  body: payload(amount),
})

const paidJettons = (amount: bigint, { to = USER, toWallet = USER_WALLET, aborted = false } = {}): Step => ({
  from: POOL,
  to: POOL_WALLET,
  body: transferBody(amount, to, POOL, payload(amount)),
  leads: [
    {
      from: POOL_WALLET,
      to: toWallet,
      body: internalBody(amount, POOL, payload(amount)),
      aborted,
      leads: aborted ? [] : [{ from: toWallet, to, body: noticeBody(amount, POOL, payload(amount)) }],
    },
  ],
})

const fees = (amount1: bigint, amount2: bigint) => call(0x29ff1bcf).storeCoins(amount1).storeCoins(amount2).end()

/** The pool queries the place, which says what it has earned. */
const claimOf = (answer: Step['body'], payments: readonly Step[], opcodes: readonly [number, number]): Step => ({
  from: USER,
  to: POOL,
  body: call(opcodes[0]).end(),
  leads: [
    {
      from: POOL,
      to: PLACE,
      body: call(opcodes[1]).end(),
      leads: [{ from: PLACE, to: POOL, body: answer ?? beginCell().end(), leads: payments }],
    },
  ],
})

const claimFees = (answer: Step['body'], ...payments: Step[]) =>
  actionsOf(claimOf(answer, payments, [0x5652f1df, 0x25f19752]), facts)
const claimReward = (amount: bigint, ...payments: Step[]) =>
  actionsOf(claimOf(call(0x9e17fbbe).storeCoins(amount).end(), payments, [0x909fdb65, 0x2e0cccba]), facts)

describe('fees of a place', () => {
  test('both sides in the order of the pool, whichever was paid first', () => {
    for (const payments of [
      [paidTon(SAID), paidJettons(7n)],
      [paidJettons(7n), paidTon(SAID)],
    ])
      expect(claimFees(fees(SAID, 7n), ...payments)[0]).toMatchObject({
        type: 'dedust_v2_claim_fees',
        success: true,
        details: { amount_1: '500', asset_1: null, amount_2: '7', asset_2: JETTON, source: USER, position: PLACE },
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
  expect(claimReward(7n, paidJettons(7n))[0]).toMatchObject({
    type: 'dedust_v2_claim_reward',
    success: true,
    details: { amount: '7', asset: JETTON, user_jetton_wallet: USER_WALLET },
  })
  for (const payments of [[], [paidTon(HUGE, { value: 1n })], [paidJettons(7n, { to: OTHER, toWallet: OTHER_WALLET })]])
    expect(claimReward(HUGE, ...payments)[0]).toMatchObject({ success: false, details: { amount: null } })
})

describe('a swap', () => {
  const purpose = op(0xc442500f).end()
  const log = (amountIn: bigint, amountOut: bigint): Step => ({
    from: POOL,
    to: null,
    body: op(0x78e79ba4).storeBit(false).storeCoins(amountIn).storeCoins(amountOut).end(),
  })
  const swap = (amount: bigint, value: bigint, ...leads: Step[]) =>
    actionsOf(
      { from: USER, to: POOL, value, leads, body: call(0xa5a7cbf8).storeCoins(amount).storeRef(purpose).end() },
      facts,
    )

  test('of what was brought for what was paid', () => {
    expect(swap(SAID, SAID + 50n, log(SAID, 7n), paidJettons(7n))[0]).toMatchObject({
      type: 'jetton_swap',
      success: true,
      details: {
        dex_incoming_transfer: { asset: null, amount: '500' },
        dex_outgoing_transfer: { asset: JETTON, amount: '7', destination: USER },
      },
    })
  })

  test('for what the pool logged, whatever else is sent behind it', () => {
    const [other] = swap(SAID, SAID + 50n, log(SAID, 7n), paidJettons(3n), paidTon(7n))
    expect(other?.details).toMatchObject({ dex_outgoing_transfer: { asset: null, amount: '7', source: POOL } })
    const own: Step = {
      from: USER,
      to: USER_WALLET,
      body: transferBody(3n, OTHER, USER, payload(3n)),
      leads: [{ from: USER_WALLET, to: OTHER_WALLET, body: internalBody(3n, USER, payload(3n)) }],
    }
    expect(typesOf(swap(SAID, SAID + 50n, log(SAID, 7n), own)), 'paid by the user').not.toContain('jetton_swap')
  })

  test('not of what the message does not carry, nor for what the pool only logs', () => {
    expect(typesOf(swap(HUGE, 50n, log(HUGE, 7n), paidJettons(7n)))).not.toContain('jetton_swap')
    const [paidLess] = swap(SAID, SAID + 50n, log(SAID, HUGE), paidJettons(7n))
    expect(paidLess?.details).toMatchObject({ dex_outgoing_transfer: { amount: '7' }, peer_swaps: [] })
    expect(typesOf(swap(SAID, SAID + 50n, log(SAID, HUGE), paidTon(HUGE, { value: 1n })))).not.toContain('jetton_swap')
    expect(typesOf(swap(SAID, SAID + 50n, log(SAID, HUGE)))).not.toContain('jetton_swap')
  })
})

describe('a deposit', () => {
  const COLLECTOR = OTHER
  const purpose = op(0xc9a015da).storeCoins(100n).storeCoins(9n).end()
  const credit = (isFirst: boolean, amount: bigint, leads: Step[] = []): Step => ({
    from: POOL,
    to: COLLECTOR,
    leads,
    body: call(0xdc5ddba1).storeBit(isFirst).storeCoins(amount).end(),
  })
  const ton = (amount: bigint, leads: Step[]): Step => ({
    from: USER,
    to: POOL,
    value: amount + 50n,
    leads,
    body: call(0xa5a7cbf8).storeCoins(amount).storeRef(purpose).end(),
  })
  const jettons = (amount: bigint, leads: Step[]): Step => {
    const payload = op(0xcbc33949).storeRef(purpose).end()
    return {
      from: USER,
      to: USER_WALLET,
      body: transferBody(amount, POOL, USER, payload),
      leads: [
        {
          from: USER_WALLET,
          to: POOL_WALLET,
          body: internalBody(amount, USER, payload),
          leads: [{ from: POOL_WALLET, to: POOL, body: noticeBody(amount, USER, payload), leads }],
        },
      ],
    }
  }
  const join = (amounts: readonly [bigint, bigint], leads: Step[]): Step => ({
    from: COLLECTOR,
    to: POOL,
    leads,
    body: address(
      call(0x25251ee0).storeRef(beginCell().end()).storeCoins(amounts[0]).storeCoins(amounts[1]),
      USER,
    ).end(),
  })
  const taken = (amount1: bigint, amount2: bigint): Step[] => [
    { from: POOL, to: null, body: op(0x35df2e12).storeCoins(amount1).storeCoins(amount2).storeCoins(30n).end() },
    { from: POOL, to: PLACE, body: call(0x855afcbd).storeCoins(30n).end() },
  ]
  const both = (...steps: Step[]) => actionsOf({ from: null, to: USER, body: op(7).end(), leads: steps }, facts)
  const deposits = (...steps: Step[]) => both(...steps).filter(({ type }) => type === 'dex_deposit_liquidity')

  test('of both sides is one action, without what came back', () => {
    const joined = join([100n, 9n], [...taken(100n, 7n), paidJettons(2n)])
    const found = deposits(ton(100n, [credit(true, 100n)]), jettons(9n, [credit(false, 9n, [joined])]))
    expect(found).toMatchObject([
      {
        success: true,
        details: {
          dex: 'dedust_v2',
          amount_1: '100',
          asset_1: null,
          amount_2: '7',
          asset_2: JETTON,
          target_amount_1: '100',
          target_amount_2: '9',
          lp_tokens_minted: '30',
          pool: POOL,
          destination_liquidity: COLLECTOR,
          vault_excesses: [{ asset: JETTON, amount: '2' }],
        },
      },
    ])
  })

  test('whose other side waited before the trace shows this side alone', () => {
    expect(deposits(ton(100n, [credit(true, 100n)]))).toMatchObject([
      { success: true, details: { amount_1: '100', amount_2: null, lp_tokens_minted: null, target_amount_2: null } },
    ])
    const joined = join([100n, 9n], taken(100n, 9n))
    expect(deposits(jettons(9n, [credit(false, 9n, [joined])]))).toMatchObject([
      { success: true, details: { amount_1: null, amount_2: '9', asset_2: JETTON, lp_tokens_minted: '30' } },
    ])
  })

  test('that the pool sends back has failed', () => {
    const joined = join([100n, 9n], [paidTon(100n), paidJettons(9n)])
    const found = deposits(ton(100n, [credit(true, 100n)]), jettons(9n, [credit(false, 9n, [joined])]))
    expect(found).toMatchObject([
      { success: false, details: { amount_1: '100', amount_2: '9', asset_2: JETTON, lp_tokens_minted: null } },
    ])
  })

  test('is none where the pool credits what nobody brought, or has not answered', () => {
    expect(deposits(ton(100n, [credit(true, HUGE)]))).toEqual([])
    expect(deposits({ ...ton(HUGE, [credit(true, HUGE)]), value: 50n })).toEqual([])
    expect(deposits(ton(100n, [credit(true, 100n, [join([100n, 9n], [])])]))).toEqual([])
  })
})

describe('a withdrawal', () => {
  const log = (amount1: bigint, amount2: bigint): Step => ({
    from: POOL,
    to: null,
    body: op(0xc0d77b54).storeCoins(30n).storeCoins(amount1).storeCoins(amount2).end(),
  })
  const withdraw = (claimsFees: boolean, ...leads: Step[]) =>
    actionsOf(
      {
        from: USER,
        to: POOL,
        body: call(0x20b5ef89).storeCoins(30n).storeCoins(0n).storeCoins(0n).storeBit(claimsFees).end(),
        leads: [
          {
            from: POOL,
            to: PLACE,
            body: call(0xbc1531a9).end(),
            leads: [{ from: PLACE, to: POOL, body: call(0xf6f6a3aa).end(), leads }],
          },
        ],
      },
      facts,
    )

  test('is what the pool paid its owner', () => {
    expect(withdraw(false, log(SAID, 7n), paidTon(SAID), paidJettons(7n))[0]).toMatchObject({
      type: 'dex_withdraw_liquidity',
      success: true,
      details: { amount_1: '500', asset_1: null, amount_2: '7', asset_2: JETTON, lp_tokens_burnt: '30' },
    })
  })

  test('is none of what was not paid, or to somebody else', () => {
    for (const payments of [
      [log(HUGE, 7n), paidTon(HUGE, { value: 1n }), paidJettons(7n)],
      [log(0n, 7n), paidJettons(7n, { to: OTHER, toWallet: OTHER_WALLET })],
    ])
      expect(typesOf(withdraw(false, ...payments))).not.toContain('dex_withdraw_liquidity')
  })

  test('whose jettons a wallet did not take has failed', () => {
    const [refused] = withdraw(false, log(0n, 7n), paidJettons(7n, { aborted: true }))
    expect(refused).toMatchObject({ type: 'dex_withdraw_liquidity', success: false })
  })

  test('is none with fees among the payments, which look alike', () => {
    expect(typesOf(withdraw(true, log(SAID, 7n), paidTon(SAID), paidJettons(7n)))).not.toContain(
      'dex_withdraw_liquidity',
    )
  })
})

test('a swap that was sent back gave nothing of what was wanted, by the last pool of its order', () => {
  const place = beginCell()
  const step = address(place, OTHER).storeCoins(12n).storeUint(0, 40).storeBit(false).end()
  const purpose = op(0xc442500f).storeCoins(1n).storeUint(0, 40).storeBit(true).storeRef(step).end()
  const pools = {
    [POOL]: known({ dedustPool: { assets: [null, JETTON] } }),
    [OTHER]: known({ dedustPool: { assets: [JETTON, account('8')] } }),
  }
  const [swap] = actionsOf(
    {
      from: USER,
      to: POOL,
      value: 200n,
      body: call(0xa5a7cbf8).storeCoins(100n).storeRef(purpose).end(),
      leads: [{ from: POOL, to: USER, value: 100n, body: call(0x3216ca09).storeCoins(100n).storeInt(7, 32).end() }],
    },
    { ...facts, ...pools },
  )
  expect(swap).toMatchObject({
    type: 'jetton_swap',
    success: false,
    details: {
      asset_in: null,
      asset_out: account('8'),
      min_out_amount: '12',
      dex_outgoing_transfer: { asset: account('8'), amount: '0', source: POOL, destination: USER },
    },
  })
})
