// The split of a reward between the validator and the nominators of a pool, to the nanoton; and the events made of it.

import { describe, expect, test } from 'vitest'
import { beginCell, hashFromBytes } from '../../../../server/cell/index.ts'
import { type Ledger, ledgerAfter, poolEvents } from '../../../../server/facts/index.ts'
import { shareReward } from '../../../../server/facts/staking/ledger.ts'
import { incoming, made, OF_ELECTOR, transactionOf } from './madeTransactions.ts'

const ids = [1, 2, 3].map((byte) => hashFromBytes(new Uint8Array(32).fill(byte)))

const PARTS: readonly (readonly [bigint, bigint])[] = [
  [1000000000007n, 0n],
  [2000000000011n, 500000000000n],
  [3000000000013n, 0n],
]
const SENT = 10_000_000_000_000n

interface Round {
  readonly share?: number
  readonly validator?: bigint
  readonly sent?: bigint
  readonly parts?: readonly (readonly [bigint, bigint])[]
}

const ledger = ({ share = 4000, validator = 5000000000000n, sent = SENT, parts = PARTS }: Round = {}): Ledger => ({
  state: 2,
  stakeAmountSent: sent,
  validatorAmount: validator,
  terms: {
    validator: new Uint8Array(32).fill(0xaa),
    validatorShare: share,
    maxNominators: 40,
    minValidatorStake: 1000n,
    minNominatorStake: 1000n,
  },
  nominators: new Map(parts.map(([amount, pending], i) => [ids[i] ?? '', { amount, pending }])),
  requests: new Set(),
  stakeAt: 1700000900,
})

interface Case extends Round {
  readonly name: string
  readonly reward: bigint
  readonly validatorAfter: bigint
  readonly after: readonly bigint[]
}

const AS_THEY_WERE = [1000000000007n, 2500000000011n, 3000000000013n]
const CASES: readonly Case[] = [
  {
    name: 'shared',
    reward: 123456789013n,
    validatorAfter: 5049382715605n,
    after: [1012345678908n, 2524691357813n, 3037037036716n],
  },
  { name: 'of nothing', reward: 0n, validatorAfter: 5000000000000n, after: AS_THEY_WERE },
  { name: 'a loss the validator bears', reward: -100999999999n, validatorAfter: 4899000000001n, after: AS_THEY_WERE },
  {
    name: 'a loss greater than the part of the validator',
    reward: -100999999999n,
    validator: 100000000000n,
    validatorAfter: 0n,
    after: [999833333340n, 2499666666677n, 2999500000013n],
  },
  {
    name: 'a loss greater than all',
    reward: -9000000000000n,
    validator: 0n,
    validatorAfter: 0n,
    after: [0n, 500000000000n, 0n],
  },
  {
    name: 'without a share of the validator',
    reward: 123456789013n,
    share: 0,
    validatorAfter: 5000000000000n,
    after: [1020576131509n, 2541152263015n, 3061728394519n],
  },
  {
    name: 'all of it the validator’s',
    reward: 123456789013n,
    share: 10000,
    validatorAfter: 5123456789013n,
    after: AS_THEY_WERE,
  },
  {
    name: 'a share above all is all',
    reward: 123456789013n,
    share: 20000,
    validatorAfter: 5123456789013n,
    after: AS_THEY_WERE,
  },
  { name: 'of three nanotons', reward: 3n, validatorAfter: 5000000000001n, after: AS_THEY_WERE },
  {
    name: 'coins that no stake was sent for',
    reward: 50000000000n,
    sent: 0n,
    validatorAfter: 5020000000000n,
    after: [1005000000007n, 2510000000011n, 3015000000012n],
  },
  {
    name: 'with nothing active',
    reward: 123456789013n,
    parts: [[0n, 500000000000n]],
    validatorAfter: 5049382715605n,
    after: [500000000000n],
  },
]

test.each(CASES)('a reward: $name', ({ reward, validatorAfter, after, ...round }) => {
  const before = ledger(round)
  const split = shareReward(before, before.stakeAmountSent + reward)
  expect(split.validatorAmount).toBe(validatorAfter)
  expect([...split.nominators.values()].map(({ amount }) => amount)).toEqual(after)
  expect([...split.nominators.values()].every(({ pending }) => pending === 0n)).toBe(true)
  expect([split.state, split.stakeAmountSent]).toEqual([0, 0n])
})

test('a message whose body is an exotic cell, of which a contract sees nothing, changes nothing', () => {
  const library = beginCell().storeUint(2, 8).storeUint(5n, 256).end(true)
  const before = ledger()
  for (const source of [OF_ELECTOR, new Uint8Array(33).fill(5)]) {
    const transaction = transactionOf(made({ source, value: 5n, body: library }))
    const after = ledgerAfter(before, transaction, { elector: OF_ELECTOR, paysSmall: true })
    expect(after).toEqual(before)
    expect(poolEvents({ transaction, elector: OF_ELECTOR, before, after })).toEqual({
      nominatorEvents: [],
      poolValidatorEvents: [],
    })
  }
})

test('a stake that comes back from the elector is free again, in both forms of a bounce', () => {
  const sent: Ledger = { ...ledger(), state: 1 }
  const stake = beginCell().storeUint(0x4e73744b, 32).storeUint(7n, 64)
  const old = beginCell().storeUint(0xffffffff, 32).storeUint(0x4e73744b, 32).end()
  const whole = beginCell().storeUint(0xfffffffe, 32).storeRef(stake.end()).storeRef(beginCell().end()).end()
  const cut = beginCell().storeUint(0xfffffffe, 32).end()
  const stateAfter = (body: typeof old) => {
    const transaction = transactionOf(made({ value: 5n, body, bounced: true }))
    return ledgerAfter(sent, transaction, { elector: OF_ELECTOR, paysSmall: true }).state
  }
  expect([old, whole, cut].map(stateAfter)).toEqual([0, 0, 1])
})

describe('events', () => {
  const eventsOf = (round: Round, reward: bigint) => {
    const before = ledger(round)
    const value = before.stakeAmountSent + reward
    const transaction = transactionOf(incoming({ op: 0xf96f7324, queryId: 71n, value, source: OF_ELECTOR }))
    const { nominatorEvents, poolValidatorEvents } = poolEvents({
      transaction,
      elector: OF_ELECTOR,
      before,
      after: shareReward(before, value),
    })
    return {
      nominators: nominatorEvents.map(({ nominator, type, amount }) => [nominator[1], type, amount]),
      validator: poolValidatorEvents.map(({ type, balanceBefore, balanceAfter, queryId, cycleStart }) => [
        type,
        balanceAfter - balanceBefore,
        queryId,
        cycleStart,
      ]),
      places: nominatorEvents.map(({ eventIndex }) => eventIndex),
    }
  }

  test('of a reward: each nominator’s share, then what waited, then the validator’s', () => {
    expect(eventsOf({}, 123456789013n)).toEqual({
      nominators: [
        [1, 'reward', 12345678901n],
        [2, 'reward', 24691357802n],
        [2, 'pending_deposit_activation', 500000000000n],
        [3, 'reward', 37037036703n],
      ],
      validator: [['reward', 49382715605n, 71n, 1700000900]],
      places: [0, 1, 2, 3],
    })
  })

  test('of nothing: only what waited', () => {
    expect(eventsOf({}, 0n)).toMatchObject({
      nominators: [[2, 'pending_deposit_activation', 500000000000n]],
      validator: [],
    })
  })

  test('of a loss: shares below zero, and a penalty', () => {
    expect(eventsOf({ validator: 100000000000n }, -100999999999n)).toMatchObject({
      nominators: [
        [1, 'reward', -166666667n],
        [2, 'reward', -333333334n],
        [2, 'pending_deposit_activation', 500000000000n],
        [3, 'reward', -500000000n],
      ],
      validator: [['penalty', -100000000000n, 71n, 1700000900]],
    })
  })

  test('of a reward that is all the validator’s', () => {
    expect(eventsOf({ share: 10000 }, 123456789013n)).toMatchObject({
      nominators: [[2, 'pending_deposit_activation', 500000000000n]],
      validator: [['reward', 123456789013n, 71n, 1700000900]],
    })
  })

  test('before a part that was active, what it was; behind it, with the reward and what waited', () => {
    const before = ledger()
    const value = SENT + 123456789013n
    const transaction = transactionOf(incoming({ op: 0xf96f7324, queryId: 71n, value, source: OF_ELECTOR }))
    const { nominatorEvents } = poolEvents({
      transaction,
      elector: OF_ELECTOR,
      before,
      after: shareReward(before, value),
    })
    const second = nominatorEvents.filter(({ nominator }) => nominator[1] === 2)
    expect(second).toMatchObject([
      {
        balanceBefore: 2000000000011n,
        balanceAfter: 2024691357813n,
        pendingBefore: 500000000000n,
        pendingAfter: 500000000000n,
      },
      { balanceBefore: 2024691357813n, balanceAfter: 2524691357813n, pendingBefore: 500000000000n, pendingAfter: 0n },
    ])
  })
})
