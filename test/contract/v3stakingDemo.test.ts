// Staking on a new demo chain: every list has rows, and they agree with each other, with actions, with the configuration and
// with the get-methods of the elector.

import { Cell } from '@ton/core'
import { configParseValidatorSet, ElectorContract } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../client/index.ts'
import { createTon } from '../../client/ton/index.ts'
import { servePlayed } from '../setup/playedDemo.ts'
import { forAllTests } from '../setup/service.ts'

const ELECTOR = `-1:${'33'.repeat(32)}`
const COIN = 1_000_000_000n
/** No block is made: some minutes after the demo the next election opens, and validators would stake in it between two calls. */
const service = forAllTests(() => servePlayed({ config: { mining: 'manual' } }))

let client: Client
let pool = ''

beforeAll(async () => {
  client = createClient({ url: service().url, timeoutMs: 120_000 })
  const { accounts } = await client.v3.accountStates({ address: await holders() })
  pool = accounts.find(({ interfaces }) => interfaces?.includes('tv_pool'))?.address ?? ''
})

const stakes = async () => (await client.v3.validators.events({ limit: 1000 })).events
const holders = async () => [...new Set((await stakes()).map(({ stake_holder_address: holder }) => holder))]
const pools = () => client.v3.staking.nominatorPools

test('each of the ten has rows', async () => {
  const { active_nominators, validator_address: validator } = await pools().pool({ pool })
  expect(active_nominators.length).toBeGreaterThan(0)
  const { events } = await pools().nominatorEvents({ pool, limit: 1000 })
  const rewarded = events.find(({ type }) => type === 'reward')?.nominator_address ?? ''
  const lists: readonly (readonly unknown[])[] = [
    events,
    (await pools().nominator({ nominator: active_nominators[0]?.address ?? '' })).nominator_pools,
    (await pools().nominatorRewards({ nominator: rewarded, pool })).rewards,
    (await pools().validatorEvents({ pool })).events,
    (await pools().validatorRewards({ validator, pool })).rewards,
    await stakes(),
    (await client.v3.validators.elections({})).elections,
    (await client.v3.validators.cycles({})).cycles,
    (await client.v3.validators.complaints({})).complaints,
  ]
  expect(lists.map((rows) => rows.length > 0)).toEqual(lists.map(() => true))
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThanOrEqual(4)
})

describe('a pool', () => {
  test('its parts are the sums of their events', async () => {
    const { active_nominators, validator_amount: amount } = await pools().pool({ pool })
    const sums = new Map<string, bigint>()
    for (const event of (await pools().nominatorEvents({ pool, limit: 1000 })).events) {
      const delta = BigInt(event.balance_delta) + BigInt(event.pending_balance_delta)
      sums.set(event.nominator_address, (sums.get(event.nominator_address) ?? 0n) + delta)
    }
    const parts = active_nominators.map(
      (one) => [one.address, BigInt(one.balance) + BigInt(one.pending_balance)] as const,
    )
    expect([...sums].filter(([, sum]) => sum !== 0n).sort()).toEqual([...parts].sort())
    const own = (await pools().validatorEvents({ pool, limit: 1000 })).events
    expect(own.reduce((sum, { balance_delta: delta }) => sum + BigInt(delta), 0n)).toBe(BigInt(amount))
  })

  test('what came back of a stake is shared without a rest but dust', async () => {
    const recovered = (await stakes()).filter(
      ({ type, stake_holder_address: holder }) => type === 'stake_recovered' && holder === pool,
    )
    expect(recovered.length).toBeGreaterThan(0)
    const sent = (await stakes()).filter(
      ({ type, stake_holder_address: holder }) => type === 'stake_accepted' && holder === pool,
    )
    for (const { tx_hash, amount, tx_lt } of recovered) {
      const { events } = await pools().nominatorEvents({ pool, limit: 1000 })
      const shares = events.filter((event) => event.type === 'reward' && event.tx_hash === tx_hash)
      const own = (await pools().validatorEvents({ pool, limit: 1000 })).events.filter(
        (event) => event.tx_hash === tx_hash,
      )
      const [stake] = sent.filter((one) => BigInt(one.tx_lt) < BigInt(tx_lt))
      const reward = BigInt(amount) - BigInt(stake?.amount ?? 0)
      const shared = [...shares, ...own].reduce((sum, { balance_delta: delta }) => sum + BigInt(delta), 0n)
      expect(reward - shared >= 0n && reward - shared < BigInt(shares.length + 1)).toBe(true)
    }
  })
})

describe('validators', () => {
  test('stakes are there as actions, too', async () => {
    const events = await stakes()
    const { actions } = await client.v3.actions({ account: ELECTOR, limit: 1000, exclude_system: true })
    for (const [type, words] of [
      ['election_deposit', ['stake_accepted', 'stake_rejected']],
      ['election_recover', ['recover_requested']],
    ] as const) {
      const found = actions.filter((action) => action.type === type)
      const ours = events.filter((event) => words.some((word) => word === event.type))
      const inside = new Set(found.flatMap(({ transactions }) => transactions ?? []))
      expect([type, ours.length > 0, ours.every(({ tx_hash }) => inside.has(tx_hash))]).toEqual([type, true, true])
      expect(found).toHaveLength(ours.length)
    }
  })

  test('elections add up to what was accepted', async () => {
    const accepted = (await stakes()).filter(({ type }) => type === 'stake_accepted')
    const { elections } = await client.v3.validators.elections({ return_participants: true, limit: 100 })
    for (const { election_id: id, total_stake: total, total_participants: count, participants = [] } of elections) {
      expect(participants).toHaveLength(count)
      const own = accepted.filter(({ election_id: of }) => of === id)
      expect(own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(BigInt(total))
      expect(participants.reduce((sum, { stake }) => sum + BigInt(stake), 0n)).toBe(BigInt(total))
    }
  })

  test('the cycle in charge is the set of the configuration', async () => {
    const { bytes } = (await client.getConfigParam({ param: 34 })).config
    const set = configParseValidatorSet(Cell.fromBase64(bytes).beginParse())
    const { cycles } = await client.v3.validators.cycles({ return_validators: true, cycle_start: set?.timeSince ?? 0 })
    expect(cycles).toMatchObject([
      { cycle_end: set?.timeUntil, total: set?.total, main: set?.main, total_weight: String(set?.totalWeight) },
    ])
    const members = [...(set?.list.values() ?? [])]
    expect(cycles[0]?.validators).toMatchObject(
      members.map(({ publicKey, weight, adnlAddress }, place) => ({
        validator_index: place,
        validator_pubkey: publicKey.toString('hex').toUpperCase(),
        weight: String(weight),
        adnl_addr: adnlAddress?.toString('hex').toUpperCase(),
      })),
    )
  })

  test('what the elector still has of elections is what is indexed', async () => {
    const elector = createTon(client).open(ElectorContract.create())
    const past = await elector.getPastElections()
    expect(past.length).toBeGreaterThan(0)
    for (const { id, totalStake, frozen } of past) {
      const { cycles } = await client.v3.validators.cycles({ election_id: id, return_validators: true })
      const [cycle] = cycles
      expect(cycle?.validators?.length).toBe(frozen.size)
      // Fines are taken of what the elector has.
      expect(BigInt(cycle?.total_stake ?? 0) >= totalStake).toBe(true)
      for (const { stake, address } of frozen.values())
        expect(
          cycle?.validators?.some(
            (one) =>
              one.stake_holder_address === address.toRawString().toUpperCase() && BigInt(one.stake ?? 0) >= stake,
          ),
        ).toBe(true)
    }
  })

  test('a complaint that was passed is with the accused, and outlives the stakes of its election', async () => {
    const { complaints } = await client.v3.validators.complaints({})
    const [complaint] = complaints
    expect(complaint).toMatchObject({ is_passed: true, weight_remaining: expect.stringMatching(/^-\d+$/) })
    const found = complaint ?? { election_id: 0, cycle_start: 0, validator_pubkey: '' }
    const { cycles } = await client.v3.validators.cycles({
      cycle_start: found.cycle_start,
      validator_pubkey: found.validator_pubkey,
      return_validators: true,
    })
    expect(cycles[0]?.validators).toMatchObject([{ complaints: [complaint] }])
    expect((complaint?.approved_percent ?? 0) > 66.6).toBe(true)
    const weights = complaint?.voted_validators.reduce((sum, { weight }) => sum + BigInt(weight ?? 0), 0n) ?? 0n
    const whole = BigInt(cycles[0]?.total_weight ?? 0)
    expect((2n * whole) / 3n - weights).toBe(BigInt(complaint?.weight_remaining ?? 0))
  })

  test('a pool’s stake is accepted without the coin for its confirmation', async () => {
    const own = (await stakes()).filter(({ stake_holder_address: holder }) => holder === pool)
    const [stake] = own.filter(({ type }) => type === 'stake_accepted')
    const { messages } = await client.v3.messages({ source: pool, destination: ELECTOR, limit: 100 })
    expect(messages.some(({ value }) => BigInt(value ?? 0) === BigInt(stake?.amount ?? 0) + COIN)).toBe(true)
  })
})
