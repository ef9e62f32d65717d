// One round of the validators on a chain, from the deposits of a pool to the TON its nominators take out. The numbers are
// those the public contracts come to for the same round, and the ten lists of v3 say the same.

import { beforeAll, describe, expect, test } from 'vitest'
import { N1, N2, N3, OWNER, PAID, POOL, playRound, SECOND, type Seen, W2, W3 } from '../setup/playedRound.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { COIN, ELECTOR } from '../setup/stakingRound.ts'

const service = forAllTests(() => serve({ withIndex: true }))

let seen: Seen

beforeAll(async () => {
  seen = await playRound(service())
})

const client = () => seen.round.client
const ID = () => seen.round.start + 900
const keyOf = (key: number): string => seen.round.publicKeys[key - 1] ?? ''
const pools = () => client().v3.staking.nominatorPools
const adnl = (key: number): string => `D${key}`.repeat(32)

describe('the elector', () => {
  test('announces the election 900 s before it', () => {
    expect(seen.announced).toEqual([ID(), seen.round.start + 600, 1000n * COIN, 0])
    expect(seen.total).toBe(19_500n * COIN)
  })

  test('elects two, and owes the third its stake at once', () => {
    expect(seen.conducted).toEqual({
      past: [[900, 2280, 17_500n * COIN, 0n]],
      credits: [2000n * COIN, 0n, 0n],
    })
    expect(seen.bonuses).toBe(123_456_789_000n)
  })

  test('takes the fine from the stake, and rewards the complaint', () => {
    expect(seen.fined).toEqual({
      past: [[900, 2280, 17_399n * COIN, 123_456_789_000n]],
      credit: 2_008_038_338_560n,
      grams: 92_961_661_440n,
    })
  })

  test('gives the next set an eighth of what belongs to no one', () => {
    expect(seen.switched.grams).toBe(81_341_453_760n)
    expect(seen.switched.past).toEqual([
      [900, 2280, 17_399n * COIN, 123_456_789_000n],
      [SECOND, SECOND + 1200 + 180, 6000n * COIN, 11_620_207_680n],
    ])
  })

  test('releases stakes with their part of the fees', () => {
    expect(seen.freed).toEqual({
      credits: [10_070_956_255_531n, 7_451_500_533_468n],
      grams: 81_341_453_761n,
      elections: [SECOND],
    })
    // Before a second set, and before the stake has been held for long enough.
    expect(seen.early).toEqual([111, 112])
  })
})

describe('the lists', () => {
  test('events of validators, each with its amount', async () => {
    const { events } = await client().v3.validators.events({ limit: 1000 })
    const rows = events.map(({ type, amount, reason, stake_holder_address: holder, utime }) => [
      utime - seen.round.start,
      type,
      holder,
      amount,
      ...(reason === undefined ? [] : [reason]),
    ])
    expect(rows.toReversed()).toEqual([
      [60, 'stake_rejected', W2, '5001000000000', 1],
      [60, 'stake_rejected', W2, '5001000000000', 3],
      [60, 'stake_rejected', W2, '901000000000', 5],
      [60, 'stake_rejected', W2, '5001000000000', 6],
      [60, 'stake_accepted', W2, '5000000000000'],
      [60, 'stake_rejected', W3, '5001000000000', 4],
      [60, 'stake_accepted', W3, '2000000000000'],
      [60, 'stake_accepted', W2, '2500000000000'],
      [60, 'stake_accepted', POOL, '10000000000000'],
      [600, 'stake_rejected', W2, '5001000000000', 0],
      [1260, 'stake_accepted', W3, '6000000000000'],
      [2341, 'recover_requested', POOL, '858530000'],
      [2341, 'stake_recovered', POOL, '10071814785531'],
      [2341, 'recover_requested', W2, '1000000000'],
      [2341, 'stake_recovered', W2, '7452500533468'],
      [2341, 'recover_requested', W2, '1000000000'],
      [2341, 'recover_failed', W2, '1000000000'],
      [2341, 'recover_requested', W2.replace('-1:', '0:'), '1000000000'],
    ])
  })

  test('elections with their participants', async () => {
    const { elections } = await client().v3.validators.elections({ return_participants: true })
    expect(elections.map(({ election_id: id, total_stake: total }) => [id - seen.round.start, total])).toEqual([
      [SECOND, '6000000000000'],
      [900, '19500000000000'],
    ])
    const max_factor = 196_608
    expect(elections[1]).toEqual({
      election_id: ID(),
      elect_close: seen.round.start + 600,
      min_stake: '1000000000000',
      total_stake: '19500000000000',
      total_participants: 3,
      failed: false,
      finished: true,
      participants: [
        {
          validator_pubkey: keyOf(1),
          validator_index: 0,
          stake: '10000000000000',
          max_factor,
          stake_holder_address: POOL,
          adnl_addr: adnl(1),
        },
        {
          validator_pubkey: keyOf(2),
          validator_index: 1,
          stake: '7500000000000',
          max_factor,
          stake_holder_address: W2,
          adnl_addr: adnl(2),
        },
        {
          validator_pubkey: keyOf(3),
          stake: '2000000000000',
          max_factor,
          stake_holder_address: W3,
          adnl_addr: adnl(3),
        },
      ],
    })
  })

  test('the cycle keeps the stakes from before the fine, and names the complaint', async () => {
    const { cycles } = await client().v3.validators.cycles({ election_id: ID(), return_validators: true })
    const { complaints } = await client().v3.validators.complaints({ election_id: ID() })
    expect(complaints).toMatchObject([
      {
        validator_pubkey: keyOf(2),
        adnl_addr: adnl(2),
        stake_holder_address: W2,
        created_at: seen.round.start + 1000,
        severity: 1,
        reward_address: W3,
        paid: String(PAID),
        suggested_fine: '101000000000',
        suggested_fine_part: 0,
        description_boc: expect.any(String),
        weight_remaining: '-384307168202282325',
        approved_percent: 100,
        is_passed: true,
        voted_validators: [
          { validator_index: 0, validator_pubkey: keyOf(1), weight: '658812288346769700' },
          { validator_index: 1, validator_pubkey: keyOf(2), weight: '494109216260077275' },
        ],
      },
    ])
    expect(seen.halfVoted).toMatchObject({
      weight_remaining: '274505120144487375',
      approved_percent: 42.857,
      is_passed: false,
      voted_validators: [{ validator_index: 1 }],
    })
    expect(cycles).toMatchObject([
      {
        cycle_start: ID(),
        cycle_end: ID() + 1200,
        total: 2,
        main: 2,
        total_weight: '1152921504606846975',
        total_stake: '17500000000000',
        min_stake: '7500000000000',
        max_stake: '10000000000000',
        validators_elected_for: 1200,
        elections_start_before: 900,
        elections_end_before: 300,
        stake_held_for: 180,
        max_validators: 1000,
        max_main_validators: 100,
        min_validators: 1,
        min_stake_limit: '1000000000000',
        max_stake_limit: '100000000000000',
        min_total_stake: '3000000000000',
        max_stake_factor: 196_608,
        validators: [
          { weight: '658812288346769700', stake: '10000000000000', stake_holder_address: POOL, complaints: [] },
          { weight: '494109216260077275', stake: '7500000000000', stake_holder_address: W2, complaints },
        ],
      },
    ])
  })

  test('of a cycle, a holder sees its own members only', async () => {
    const held = await client().v3.validators.cycles({ return_validators: true, stake_holder_address: W2 })
    expect(held.cycles.map(({ election_id: id, validators }) => [id, validators?.map((one) => one.stake)])).toEqual([
      [ID(), ['7500000000000']],
    ])
  })

  test('the pool in the middle of the round, and after it', async () => {
    const balances = (all: readonly (readonly [string, string, string])[]) =>
      all.map(([address, balance, pending_balance]) => ({ address, balance, pending_balance }))
    expect(seen.pending).toMatchObject({
      state: 2,
      stake_amount_sent: '10000000000000',
      validator_amount: '5000000000000',
      active_nominators: balances([
        [N1, '1000000000007', '0'],
        [N2, '2000000000011', '500000000000'],
        [N3, '3000000000013', '0'],
      ]),
    })
    expect(await pools().pool({ pool: POOL })).toMatchObject({
      state: 0,
      stake_amount_sent: '0',
      validator_amount: '5028725914212',
      nominators_count: 2,
      active_nominators: balances([
        [N1, '1007181478560', '0'],
        [N2, '2514362957117', '0'],
      ]),
    })
  })

  test('events of nominators and of the validator', async () => {
    const { events } = await pools().nominatorEvents({ pool: POOL })
    expect(
      events.map(({ type, nominator_address: of, amount, utime }) => [utime - seen.round.start, type, of, amount]),
    ).toEqual([
      [2341, 'withdrawal', N3, '3021544435672'],
      [2341, 'reward', N3, '21544435659'],
      [2341, 'pending_deposit_activation', N2, '500000000000'],
      [2341, 'reward', N2, '14362957106'],
      [2341, 'reward', N1, '7181478553'],
      [600, 'withdrawal_request', N3, '0'],
      [600, 'deposit', N2, '500000000000'],
      [0, 'deposit', N3, '3000000000013'],
      [0, 'deposit', N2, '2000000000011'],
      [0, 'deposit', N1, '1000000000007'],
    ])
    const own = await pools().validatorEvents({ pool: POOL })
    expect(own.events).toMatchObject([
      {
        type: 'reward',
        amount: '28725914212',
        query_id: '71',
        cycle_start: ID(),
        balance_before: '5000000000000',
        balance_after: '5028725914212',
        validator_reward_share: 4000,
      },
      { type: 'deposit', amount: '5000000000000', query_id: '1' },
    ])
    const { messages } = await client().v3.messages({ source: POOL, destination: N3 })
    // And before it the coin that came with the request.
    expect(messages.map(({ value }) => value)).toEqual(['3021534435672', '1000000000'])
  })

  test('rewards', async () => {
    expect(await pools().nominatorRewards({ pool: POOL, nominator: N2 })).toMatchObject({
      total_on_page: '14362957106',
      rewards: [{ reward: '14362957106', stake_before: '2000000000011', utime: seen.round.start + 2341 }],
    })
    expect(await pools().validatorRewards({ pool: POOL, validator: OWNER })).toMatchObject({
      total_on_page: '28725914212',
      rewards: [{ reward: '28725914212', balance_before: '5000000000000', cycle_start: ID(), query_id: '71' }],
    })
    const { nominator_pools } = await pools().nominator({ nominator: N2 })
    expect(nominator_pools).toEqual([{ pool_address: POOL, balance: '2514362957117', pending_balance: '0' }])
  })
})

test('answers to complaints and votes carry the codes of the public contract', async () => {
  const { messages } = await client().v3.messages({ source: ELECTOR, limit: 1000, sort: 'asc' })
  const answers = messages.filter(({ opcode }) => /^0x(f267635|d674524)/.test(String(opcode)))
  expect(answers.map(({ opcode, value }) => [opcode, value])).toEqual([
    ['0xf2676350', '298995207680'],
    ['0xf2676359', '300000000000'],
    ['0xf2676356', '300000000000'],
    ['0xd6745241', '1000000000'],
    ['0xd6745240', '1000000000'],
    ['0xd6745242', '1000000000'],
  ])
})
