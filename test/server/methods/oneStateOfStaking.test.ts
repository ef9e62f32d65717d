// An election with its participants and a pool with its nominators: totals are those of what is listed with them, although a block may
// be written between any two statements of an answer.

import { expect, test } from 'vitest'
import { StakingCollector } from '../../../server/indexer/staking/collector.ts'
import { type Call, NO_MODIFIERS } from '../../../server/methods/index.ts'
import { createSideObjects } from '../../../server/methods/v3/names/sideObjects.ts'
import { stakingHandlers } from '../../../server/methods/v3/staking/staking.ts'
import type { Database, Sql } from '../../../server/store/index.ts'
import { type StakingRows, writeStaking } from '../../../server/store/write/staking.ts'
import { stakingMethods } from '../../../shared/v3/staking/staking.ts'
import { drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'

const call: Call = {
  caller: { subject: 'test', keyId: null, tier: null },
  requestId: 'test',
  signal: new AbortController().signal,
  timeoutMs: 600_000,
  modifiers: NO_MODIFIERS,
}

const bytes = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const account = (workchain: number, number: number): Uint8Array => new Uint8Array([workchain + 128, ...bytes(number)])
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
const sumOf = (count: number): bigint => BigInt((count * (count + 1)) / 2)
const pool = account(-1, 0xbb)

/** After so many have staked, and put coins into the pool. */
const rowsOf = (count: number): Partial<StakingRows> => ({
  elections: [
    {
      electionId: 1_700_000_000,
      firstMcSeqno: 1,
      electClose: 1_700_000_000,
      minStake: 1n,
      failed: false,
      finished: false,
      totalStake: sumOf(count),
      totalParticipants: count,
    },
  ],
  electionParticipants: numbers(count).map((number) => ({
    electionId: 1_700_000_000,
    publicKey: bytes(number),
    holder: account(-1, number),
    adnl: bytes(number),
    stake: BigInt(number),
    maxFactor: 65_536,
  })),
  nominatorPools: [
    {
      account: pool,
      codeHash: bytes(1),
      stateHash: bytes(count),
      lastTxLt: BigInt(count),
      firstMcSeqno: 1,
      brokenMcSeqno: null,
      state: 0,
      nominatorsCount: count,
      stakeAmountSent: 0n,
      validatorAmount: 1n,
      validator: account(-1, 0xaa),
      validatorShare: 4000,
      maxNominators: 40,
      minValidatorStake: 1n,
      minNominatorStake: 1n,
      stakeAt: 0,
    },
  ],
  poolNominators: numbers(count).map((number) => ({
    pool,
    nominator: account(0, number),
    balance: BigInt(number),
    pending: 0n,
    withdrawRequested: false,
  })),
})

const NONE = new StakingCollector().rows()

const write = (store: Pick<Database, 'transaction'>, count: number): Promise<void> =>
  store.transaction((to) => writeStaking(to, { ...NONE, ...rowsOf(count) }))

const answers = {
  elections: (store: Sql) => {
    const params = stakingMethods['v3.validators.elections'].params.parse({ return_participants: true })
    return handlersOf(store)['v3.validators.elections'](params, call)
  },
  pool: (store: Sql) => handlersOf(store)['v3.staking.nominatorPools.pool']({ pool }, call),
}
const handlersOf = (store: Sql) => stakingHandlers(store, createSideObjects({ store, testOnly: false }))

const cases = drivers.flatMap((driver) => Object.entries(answers).map(([what, ask]) => [driver, what, ask] as const))

test.each(cases)('%s: %s of one state, whenever a block is written', async (driver, _, ask) => {
  const states: unknown[] = []
  {
    await using store = await emptyStore(driver)
    for (const count of [0, 3]) {
      await write(store, count)
      states.push(await ask(store.read))
    }
  }
  let writtenAt = 0
  let statements = 1
  while (writtenAt++ < statements) {
    await using store = await emptyStore(driver)
    await write(store, 0)
    statements = 0
    const query: Sql['query'] = async (statement, options) => {
      if (++statements === writtenAt) await write(store, 3)
      return store.read.query(statement, options)
    }
    expect(states, `written before statement ${writtenAt}`).toContainEqual(await ask({ query }))
  }
  expect(statements).toBeGreaterThan(1)
})
