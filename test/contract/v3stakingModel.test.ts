// Random lives of nominator pools: after each step the lists of v3 say what the get-methods of the pool say, and their
// events lead from nothing to it without a gap, to the nanoton.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAllTests, serve } from '../setup/service.ts'
import { COIN, nominatorOf, PoolScene, type PoolView, type Sent, says } from '../setup/stakingScene.ts'

const service = forAllTests(() => serve({ withIndex: true }))

const nominator = fc.integer({ min: 1, max: 4 }).map(nominatorOf)
const amount = fc.bigInt({ min: 1n, max: 3000n * COIN })

type Order = (view: PoolView, scene: PoolScene) => readonly Sent[]

const order: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(nominator, amount).map(
      ([who, value]): Order =>
        () => [says.deposit(who, value)],
    ),
  },
  {
    weight: 3,
    arbitrary: nominator.map(
      (who): Order =>
        () => [says.withdraw(who)],
    ),
  },
  fc.integer({ min: 0, max: 3 }).map(
    (limit): Order =>
      () => [says.payRequested(limit)],
  ),
  nominator.map(
    (who): Order =>
      () => [says.payOne(who)],
  ),
  amount.map(
    (value): Order =>
      (_, scene) => [says.validatorDeposit(scene.validator, value)],
  ),
  amount.map(
    (value): Order =>
      (_, scene) => [says.validatorWithdrawal(scene.validator, value)],
  ),
  // The elector would refuse: its answer finds a stake that was accepted in the same block.
  amount.map(
    (value): Order =>
      (_, scene) => [says.stake(scene.validator, 500n * COIN + value), says.accepted()],
  ),
  // A reward, or a fine that may be greater than the part of the validator.
  fc.bigInt({ min: -2000n * COIN, max: 500n * COIN }).map(
    (reward): Order =>
      ({ sent }) => [says.recovered(sent + reward > COIN ? sent + reward : COIN)],
  ),
)

/** What is sent in one block. */
const turn = fc.array(order, { minLength: 1, maxLength: 4 })

const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b))

/** The shares of a round by nominator, worked out of what the get-methods said before it. */
function sharesOf({ sent, validatorAmount, nominators }: PoolView, value: bigint, share: number) {
  const reward = value - sent
  const own = reward > 0n ? floorDiv(reward * BigInt(share), 10_000n) : 0n
  const rest = validatorAmount + reward
  const shared = reward > 0n ? reward - own : rest < 0n ? rest : 0n
  const total = nominators.reduce((sum, [, active]) => sum + active, 0n)
  const validator = reward > 0n ? own : (rest < 0n ? 0n : rest) - validatorAmount
  return {
    validator,
    nominators: nominators.flatMap(([address, active]) => {
      const part = total === 0n ? 0n : floorDiv(shared * active, total)
      const delta = active + part < 0n ? -active : part
      return delta === 0n ? [] : [[address, delta] as const]
    }),
  }
}

async function compare(scene: PoolScene): Promise<PoolView> {
  await scene.indexed()
  const view = await scene.view()
  const { v3 } = scene.client
  const { pool } = scene
  const found = await v3.staking.nominatorPools.pool({ pool })
  expect({
    state: found.state,
    sent: BigInt(found.stake_amount_sent),
    validatorAmount: BigInt(found.validator_amount),
    nominators: found.active_nominators.map((one) => [one.address, BigInt(one.balance), BigInt(one.pending_balance)]),
  }).toEqual({ ...view, nominators: view.nominators.map(([address, active, pending]) => [address, active, pending]) })
  expect(found.nominators_count).toBe(view.nominators.length)
  for (const [address, active, pending] of view.nominators) {
    const { nominator_pools } = await v3.staking.nominatorPools.nominator({ nominator: address })
    expect(nominator_pools).toContainEqual({
      pool_address: pool,
      balance: String(active),
      pending_balance: String(pending),
    })
  }
  return view
}

/** Every event begins with what the one before it left, and the last leaves what there is. */
async function checkHistory(scene: PoolScene, view: PoolView): Promise<void> {
  const { staking } = scene.client.v3
  const { pool } = scene
  const { events } = await staking.nominatorPools.nominatorEvents({ pool, limit: 1000 })
  const ledger = new Map<string, readonly [bigint, bigint, boolean]>()
  for (const event of [...events].reverse()) {
    const [active, pending, requested] = ledger.get(event.nominator_address) ?? [0n, 0n, false]
    expect(event).toMatchObject({
      balance_before: String(active),
      pending_balance_before: String(pending),
      withdraw_request_before: requested,
    })
    const after = BigInt(event.balance_after)
    const waiting = BigInt(event.pending_balance_after)
    expect([BigInt(event.balance_delta), BigInt(event.pending_balance_delta)]).toEqual([
      after - active,
      waiting - pending,
    ])
    const left = event.type === 'withdrawal'
    ledger.set(event.nominator_address, [after, waiting, left ? false : event.withdraw_request_after])
  }
  const there = [...ledger]
    .filter(([address]) => view.nominators.some(([one]) => one === address))
    .map(([address, [active, pending, requested]]) => [address, active, pending, requested])
  expect(there.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(view.nominators)
  const gone = [...ledger].filter(([address]) => !view.nominators.some(([one]) => one === address))
  expect(gone.every(([, [active, pending]]) => active === 0n && pending === 0n)).toBe(true)

  const own = await staking.nominatorPools.validatorEvents({ pool, limit: 1000 })
  let balance = 0n
  for (const event of [...own.events].reverse()) {
    expect(BigInt(event.balance_before)).toBe(balance)
    balance += BigInt(event.balance_delta)
    expect(BigInt(event.balance_after)).toBe(balance)
  }
  expect(balance).toBe(view.validatorAmount)
}

/** A round by itself, whose every share is worked out before. */
async function checkRound(scene: PoolScene, value: bigint): Promise<void> {
  const { pool, validator } = scene
  const expected = sharesOf(await scene.view(), value, scene.share)
  await scene.send(says.recovered(value))
  await compare(scene)
  const { staking } = scene.client.v3
  const { events } = await staking.nominatorPools.nominatorEvents({ pool, limit: 1000 })
  const [newest] = (await staking.nominatorPools.validatorEvents({ pool, validator, limit: 1 })).events
  const { transactions } = await scene.client.v3.transactions({ account: [pool], limit: 1 })
  const hash = transactions[0]?.hash
  const rewards = events.filter(({ type, tx_hash }) => type === 'reward' && tx_hash === hash)
  expect(rewards.map(({ nominator_address, amount: share }) => [nominator_address, BigInt(share)]).reverse()).toEqual(
    expected.nominators,
  )
  if (expected.validator === 0n) expect(newest?.tx_hash).not.toBe(hash)
  else
    expect(newest).toMatchObject({
      tx_hash: hash,
      type: expected.validator > 0n ? 'reward' : 'penalty',
      balance_delta: String(expected.validator),
    })
  for (const [address, share] of expected.nominators) {
    const list = await staking.nominatorPools.nominatorRewards({ nominator: address, pool, limit: 1 })
    expect(list).toMatchObject({ total_on_page: String(share), rewards: [{ reward: String(share), tx_hash: hash }] })
  }
}

let byte = 0x40

test('pools of random lives', { timeout: 600_000 }, async () => {
  const life = fc.record({
    turns: fc.array(turn, { minLength: 4, maxLength: 8 }),
    share: fc.constantFrom(0, 4000, 10_000),
    // With little of their own, pools cannot pay all.
    balance: fc.bigInt({ min: 20n, max: 2000n }),
    // Less would not pay for gas.
    round: fc.bigInt({ min: COIN, max: 3000n * COIN }),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ turns, share, balance, round }) => {
      const scene = new PoolScene(service(), { byte: byte++, share })
      await scene.deploy(balance * COIN)
      let view = await scene.view()
      for (const orders of turns) {
        await scene.together(orders.flatMap((one) => one(view, scene)))
        view = await compare(scene)
        await checkHistory(scene, view)
      }
      await checkRound(scene, round)
      await checkHistory(scene, await scene.view())
    }),
    { numRuns: 8, seed: 20261121, endOnFailure: true },
  )
})
