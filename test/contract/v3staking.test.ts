// Nominator pools over v3: single cases of the ledger, the actions with them, pages and windows, and what is refused.

import { beforeAll, describe, expect, test } from 'vitest'
import { poolStorage } from '../server/demo/contracts/poolStorage.ts'
import { own } from '../server/devchain/actor.ts'
import { rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { COIN, nominatorOf, PoolScene, says } from '../setup/stakingScene.ts'
import { get } from '../setup/v3Ask.ts'

const service = forAllTests(() => serve({ withIndex: true }))
const [N1, N2, N3, STRANGER] = [1, 2, 3, 9].map(nominatorOf) as [string, string, string, string]

let byte = 0x10

async function freshScene(balance = 10_000n, share = 4000): Promise<PoolScene> {
  const scene = new PoolScene(service(), { byte: byte++, share })
  await scene.deploy(balance * COIN)
  return scene
}

/** Types and amounts of a pool's events, newest first. */
async function eventsOf(scene: PoolScene): Promise<readonly (readonly [string, string])[]> {
  await scene.indexed()
  const { events } = await scene.client.v3.staking.nominatorPools.nominatorEvents({ pool: scene.pool })
  return events.map(({ type, amount }) => [type, amount])
}

async function ownEventsOf(scene: PoolScene): Promise<readonly (readonly [string, string])[]> {
  await scene.indexed()
  const { events } = await scene.client.v3.staking.nominatorPools.validatorEvents({ pool: scene.pool })
  return events.map(({ type, amount }) => [type, amount])
}

describe('the ledger', () => {
  test('a deposit counts without its fee; what is refused is no event', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 101n * COIN))
    await scene.send(says.deposit(N2, COIN))
    await scene.send(says.deposit(N2.replace('0:', '-1:'), 200n * COIN))
    await scene.send(says.withdraw(STRANGER))
    expect(await eventsOf(scene)).toEqual([['deposit', '100000000000']])
  })

  test('a withdrawal without enough TON changes nothing', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 1001n * COIN))
    await scene.setBalance(500n * COIN)
    await scene.send(says.withdraw(N1))
    expect(await eventsOf(scene)).toEqual([['deposit', '1000000000000']])
    const { active_nominators } = await scene.client.v3.staking.nominatorPools.pool({ pool: scene.pool })
    expect(active_nominators).toEqual([{ address: N1, balance: '1000000000000', pending_balance: '0' }])
  })

  test('less than a coin is dropped without a message, and is a withdrawal', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 2n * COIN))
    await scene.send(says.validatorDeposit(scene.validator, 151n * COIN))
    // A loss of all of the validator's part, and half of the nominator's.
    await scene.together([says.stake(scene.validator, 501n * COIN), says.accepted()])
    await scene.send(says.recovered(500n * COIN - 150n * COIN - COIN / 2n))
    await scene.send(says.withdraw(N1))
    expect(await eventsOf(scene)).toEqual([
      ['withdrawal', '500000000'],
      ['reward', '-500000000'],
      ['deposit', '1000000000'],
    ])
    const { nominator_pools } = await scene.client.v3.staking.nominatorPools.nominator({ nominator: N1 })
    expect(nominator_pools.map(({ pool_address }) => pool_address)).not.toContain(scene.pool)
  })

  test('requests are paid in the order of accounts, as far as coins go', async () => {
    const scene = await freshScene()
    for (const [who, amount] of [
      [N1, 1001n],
      [N2, 2001n],
      [N3, 3001n],
    ] as const)
      await scene.send(says.deposit(who, amount * COIN))
    await scene.send(says.validatorDeposit(scene.validator, 1001n * COIN))
    await scene.together([says.stake(scene.validator, 501n * COIN), says.accepted()])
    for (const who of [N3, N1, N2, N2]) await scene.send(says.withdraw(who))
    await scene.setBalance(3500n * COIN)
    await scene.send(says.payRequested(100))
    expect((await eventsOf(scene)).slice(0, 5)).toEqual([
      ['withdrawal', '2000000000000'],
      ['withdrawal', '1000000000000'],
      ['withdrawal_request', '0'],
      ['withdrawal_request', '0'],
      ['withdrawal_request', '0'],
    ])
    await scene.setBalance(10_000n * COIN)
    await scene.send(says.payOne(N3))
    expect((await eventsOf(scene))[0]).toEqual(['withdrawal', '3000000000000'])
  })

  test('the validator takes out more than is in its name: the ledger counts, not the message', async () => {
    const scene = await freshScene()
    await scene.send(says.validatorDeposit(scene.validator, 11n * COIN))
    await scene.send(says.validatorWithdrawal(scene.validator, 100n * COIN))
    expect(await ownEventsOf(scene)).toEqual([
      ['withdrawal', '10000000000'],
      ['deposit', '10000000000'],
    ])
  })

  test('a stake that was refused is no event of the pool, and stays in its storage', async () => {
    const scene = await freshScene()
    await scene.send(says.validatorDeposit(scene.validator, 1001n * COIN))
    const before = await ownEventsOf(scene)
    // No election is open.
    await scene.send(says.stake(scene.validator, 501n * COIN))
    expect(await ownEventsOf(scene)).toEqual(before)
    const pool = await scene.client.v3.staking.nominatorPools.pool({ pool: scene.pool })
    expect(pool).toMatchObject({ state: 0, stake_amount_sent: '500000000000' })
    const { events } = await scene.client.v3.validators.events({ stake_holder_address: scene.pool })
    expect(events).toMatchObject([{ type: 'stake_rejected', reason: 0, amount: expect.stringMatching(/^50\d{10}$/) }])
  })

  test('storage changed by hand is taken as it is, without events', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 101n * COIN))
    const nominators = new Map([[2n, [7n * COIN, 3n] as const]])
    const storage = { state: 2, sent: 5n, validatorAmount: 9n, share: 1, nominators, requests: [], stakeAt: 4 }
    await scene.setData(own(poolStorage({ ...storage, setHash: 0n, changes: 0, changedAt: 0, heldFor: 0 })))
    await scene.send(says.recovered(4n * COIN))
    await scene.indexed()
    const pool = await scene.client.v3.staking.nominatorPools.pool({ pool: scene.pool })
    expect(pool).toMatchObject({ state: 0, stake_amount_sent: '0', validator_reward_share: 1 })
    const events = await eventsOf(scene)
    // Of what was there before nothing is lost.
    expect(events).toEqual([
      ['pending_deposit_activation', '3'],
      ['reward', String(4n * COIN - 5n - (4n * COIN - 5n) / 10_000n)],
      ['deposit', '100000000000'],
    ])
  })
})

describe('together with actions', () => {
  test('deposits, requests and withdrawals are there once each, and fees are what they differ by', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 101n * COIN))
    await scene.send(says.validatorDeposit(scene.validator, 1001n * COIN))
    await scene.together([says.stake(scene.validator, 501n * COIN), says.accepted()])
    await scene.send(says.deposit(N2, 51n * COIN))
    await scene.send(says.withdraw(N1))
    await scene.send(says.recovered(500n * COIN))
    await scene.send(says.withdraw(N1))
    await scene.indexed()
    const { actions } = await scene.client.v3.actions({ account: scene.pool, limit: 100 })
    const of = (type: string) => actions.filter((action) => action.type === type)
    const { events } = await scene.client.v3.staking.nominatorPools.nominatorEvents({ pool: scene.pool })
    const hashes = (type: string) => events.filter((event) => event.type === type).map(({ tx_hash }) => tx_hash)
    const inside = (type: string) => of(type).flatMap(({ transactions }) => transactions ?? [])
    expect(of('stake_deposit')).toHaveLength(2)
    expect(hashes('deposit').every((hash) => inside('stake_deposit').includes(hash))).toBe(true)
    expect(of('stake_withdrawal_request')).toHaveLength(hashes('withdrawal_request').length)
    expect(hashes('withdrawal_request').every((hash) => inside('stake_withdrawal_request').includes(hash))).toBe(true)
    expect(of('stake_withdrawal')).toHaveLength(hashes('withdrawal').length)
    expect(hashes('withdrawal').every((hash) => inside('stake_withdrawal').includes(hash))).toBe(true)
  })
})

describe('pages', () => {
  let scene: PoolScene
  beforeAll(async () => {
    scene = await freshScene(100_000n)
    for (let i = 0; i < 7; i++) await scene.together([says.deposit(N1, 101n * COIN), says.deposit(N2, 51n * COIN)])
    await scene.indexed()
  })
  const ask = (path: string, query: Record<string, unknown>) =>
    get(service(), `staking/nominatorPools/${path}`, { pool: scene.pool, ...query })

  test('by cursor every event comes once, in the order of the whole list', async () => {
    const { body } = await ask('nominatorEvents', {})
    const whole = body.events as unknown[]
    expect(whole).toHaveLength(14)
    const found: unknown[] = []
    for (let cursor: unknown; cursor !== null; ) {
      const page = (await ask('nominatorEvents', { limit: 3, ...(cursor === undefined ? {} : { cursor }) })).body
      found.push(...(page.events as unknown[]))
      cursor = page.cursor
    }
    expect(found).toEqual(whole)
  })

  test('a window has both its ends in it, and is repeated', async () => {
    const { body } = await ask('nominatorEvents', {})
    const times = (body.events as { utime: number }[]).map(({ utime }) => utime)
    const end = times[2] ?? 0
    const start = times[9] ?? 0
    const within = (await ask('nominatorEvents', { start_utime: start, end_utime: end })).body
    expect((within.events as unknown[]).length).toBe(times.filter((at) => at >= start && at <= end).length)
    expect(within).toMatchObject({ start_utime: start, end_utime: end })
    expect(body).not.toHaveProperty('start_utime')
  })

  test('a limit below 1 counts as 1; an offset and an order are ignored', async () => {
    for (const limit of [0, -5]) expect((await ask('nominatorEvents', { limit })).body.events).toHaveLength(1)
    const first = (await ask('nominatorEvents', { limit: 1 })).body.events
    expect((await ask('nominatorEvents', { limit: 1, offset: 3, sort: 'asc' })).body.events).toEqual(first)
  })

  test('rewards add up to what their page has', async () => {
    await scene.send(says.recovered(70n * COIN))
    await scene.send(says.recovered(140n * COIN))
    await scene.indexed()
    const all = (await ask('nominatorRewards', { nominator: N1 })).body
    const rewards = all.rewards as { reward: string }[]
    expect(rewards).toHaveLength(2)
    expect(BigInt(String(all.total_on_page))).toBe(rewards.reduce((sum, { reward }) => sum + BigInt(reward), 0n))
    const one = (await ask('nominatorRewards', { nominator: N1, limit: 1 })).body
    expect(one).toMatchObject({ total_on_page: rewards[0]?.reward, rewards: [rewards[0]] })
    const own = (await ask('validatorRewards', { validator: scene.validator })).body
    expect(own).toMatchObject({ total_on_page: '84000000000' })
  })
})

describe('what is refused, or empty', () => {
  const pools = 'staking/nominatorPools'
  const NOT_THERE = `-1:${'0F'.repeat(32)}`
  const EITHER = 'provide either stake_holder_address or adnl_address, not both'

  test.each([
    [`${pools}/pool`, {}, 'pool parameter is required'],
    [`${pools}/nominator`, {}, 'nominator parameter is required'],
    [`${pools}/nominatorEvents`, {}, 'pool parameter is required'],
    [`${pools}/nominatorRewards`, { pool: NOT_THERE }, 'nominator and pool parameters are required'],
    [`${pools}/validatorEvents`, {}, 'validator or pool parameter is required'],
    [`${pools}/validatorRewards`, { validator: NOT_THERE }, 'validator and pool parameters are required'],
    [`${pools}/pool`, { pool: 'nonsense' }, 'nonsense'],
    [
      `${pools}/nominatorEvents`,
      { pool: NOT_THERE, start_utime: 5, end_utime: 4 },
      'start_utime must be less than or equal to end_utime',
    ],
    [`${pools}/nominatorEvents`, { pool: NOT_THERE, start_utime: -1 }, 'start_utime'],
    [`${pools}/nominatorEvents`, { pool: NOT_THERE, start_utime: 'soon' }, 'start_utime'],
    [`${pools}/nominatorEvents`, { pool: NOT_THERE, limit: 1001 }, '1000'],
    [`${pools}/validatorEvents`, { pool: NOT_THERE, type: 'gift' }, 'type'],
    ['validators/events', { stake_holder_address: NOT_THERE, adnl_address: '11'.repeat(32) }, EITHER],
    ['validators/events', { type: 'deposit' }, 'type'],
    ['validators/events', { validator_pubkey: '12' }, 'validator_pubkey'],
    ['validators/events', { offset: -1 }, 'offset'],
    ['validators/elections', { finished: 'perhaps' }, 'finished'],
    [
      'validators/elections',
      { return_participants: true, limit: 101 },
      'limit must not exceed 100 when return_participants is true',
    ],
    ['validators/elections', { limit: 1001 }, '1000'],
    ['validators/cycles', { return_validators: true, limit: 101 }, '100'],
    ['validators/cycles', { start_utime: 2, end_utime: 1 }, 'start_utime'],
    ['validators/complaints', { election_id: 'x' }, 'election_id'],
  ])('%s %j', async (path, query, words) => {
    const { status, body } = await get(service(), path, query)
    expect([status, body]).toEqual([422, { error: expect.stringContaining(words) }])
  })

  test('an account that is no pool is not found', async () => {
    const scene = await freshScene()
    await scene.send(says.deposit(N1, 101n * COIN))
    await scene.indexed()
    for (const pool of [NOT_THERE, N1, scene.validator, `-1:${'33'.repeat(32)}`]) {
      const { status, body } = await get(service(), `${pools}/pool`, { pool })
      expect([pool, status, body]).toEqual([pool, 404, { error: 'Pool not found' }])
      const strict = await rpc(service(), STRICT, 'v3.staking.nominatorPools.pool', { pool })
      expect(strict.body.error).toMatchObject({ code: -32010 })
    }
  })

  test.each([
    [`${pools}/nominator`, { nominator: NOT_THERE }, 'nominator_pools'],
    [`${pools}/nominator`, { nominator: STRANGER }, 'nominator_pools'],
    [`${pools}/nominatorEvents`, { pool: NOT_THERE }, 'events'],
    [`${pools}/nominatorRewards`, { pool: NOT_THERE, nominator: N1 }, 'rewards'],
    [`${pools}/validatorEvents`, { validator: NOT_THERE }, 'events'],
    [`${pools}/validatorRewards`, { validator: NOT_THERE, pool: NOT_THERE }, 'rewards'],
    ['validators/events', { stake_holder_address: NOT_THERE }, 'events'],
    ['validators/elections', { election_id: 5 }, 'elections'],
    ['validators/cycles', { cycle_start: 5 }, 'cycles'],
    ['validators/complaints', { validator_pubkey: '11'.repeat(32) }, 'complaints'],
  ])('%s %j matches nothing', async (path, query, list) => {
    const { status, body } = await get(service(), path, query)
    expect([status, body]).toMatchObject([200, { [list]: [], cursor: null }])
    // Accounts of the request are named.
    const named = Object.values(query).filter((value) => typeof value === 'string' && value.includes(':'))
    expect(Object.keys(body.address_book as object).sort()).toEqual([...new Set(named)].sort())
  })
})
