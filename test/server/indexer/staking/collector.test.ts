// Rows of several steps that are written at once are those of steps that are written one by one.

import { expect, test } from 'vitest'
import { StakingCollector } from '../../../../server/indexer/staking/collector.ts'
import { type SqlRow, sql } from '../../../../server/store/index.ts'
import { writeStaking } from '../../../../server/store/write/staking.ts'
import { openStore } from '../indexScene.ts'

type Step = (to: StakingCollector) => void

const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const keyOf = (byte: number): Uint8Array => Uint8Array.of(127, ...hashOf(byte))

const election = (firstMcSeqno: number, totalStake: bigint): Step => {
  const row = { electionId: 100, firstMcSeqno, electClose: 90, minStake: 1n, totalStake, totalParticipants: 1 }
  return (to) => to.election({ ...row, failed: false, finished: totalStake > 5n })
}
const participant = (publicKey: number, stake: bigint): Step => {
  const row = { electionId: 100, publicKey: hashOf(publicKey), holder: keyOf(3), adnl: hashOf(4), maxFactor: 1 }
  return (to) => to.participant({ ...row, stake })
}
const past = (firstMcSeqno: number, totalStake: bigint): Step => {
  return (to) => to.past({ electionId: 50, firstMcSeqno, validatorSetHash: hashOf(5), totalStake })
}
const frozen = (publicKey: number, stake: bigint): Step => {
  return (to) => to.frozen({ electionId: 50, publicKey: hashOf(publicKey), holder: keyOf(3), stake })
}
const complaint = (firstMcSeqno: number, voters: readonly number[]): Step => {
  const said = { publicKey: hashOf(6), description: hashOf(7), createdAt: 8, severity: 1, rewardTo: keyOf(3) }
  const fine = { paid: 1n, suggestedFine: 2n, suggestedFinePart: 3 }
  const set = { validatorSetId: hashOf(9), decidingSet: hashOf(9), weightRemaining: BigInt(10 - voters.length) }
  return (to) => to.complaint({ electionId: 50, hash: hashOf(10), firstMcSeqno, ...said, ...fine, ...set, voters })
}
const nominator = (byte: number, balance: bigint | null): Step => {
  const name = { pool: keyOf(11), nominator: keyOf(byte) }
  const row = balance === null ? null : { ...name, balance, pending: 0n, withdrawRequested: false }
  return (to) => to.nominator(name, row)
}

const STEPS: readonly Step[] = [
  election(1, 3n),
  participant(1, 3n),
  past(1, 70n),
  frozen(1, 40n),
  complaint(1, []),
  nominator(12, 5n),
  nominator(13, 6n),
  election(2, 9n),
  participant(1, 4n),
  participant(2, 5n),
  // A total and a stake that grew, then fines that make both smaller.
  past(2, 80n),
  frozen(1, 50n),
  past(3, 60n),
  frozen(1, 30n),
  frozen(2, 20n),
  complaint(3, [1, 2]),
  nominator(12, 7n),
  nominator(13, null),
  nominator(14, 8n),
  nominator(14, null),
  nominator(13, 9n),
]

const TABLES = [
  'elections',
  'election_participants',
  'past_elections',
  'frozen_stakes',
  'complaints',
  'pool_nominators',
]

/** All tables once these batches are written. */
async function tablesAfter(
  batches: readonly (readonly Step[])[],
): Promise<Readonly<Record<string, readonly SqlRow[]>>> {
  const database = await openStore()
  for (const steps of batches) {
    const to = new StakingCollector()
    for (const step of steps) step(to)
    await database.transaction((on) => writeStaking(on, to.rows()))
  }
  const found: Record<string, readonly SqlRow[]> = {}
  for (const name of TABLES)
    found[name] = await database.read.query(sql`select * from ${sql.identifier(name)} of_table order by of_table::text`)
  return found
}

test('however steps are divided into batches', async () => {
  const alone = await tablesAfter(STEPS.map((step) => [step]))
  expect(alone).toMatchObject({
    elections: [{ first_mc_seqno: 1, total_stake: 9n, finished: true }],
    election_participants: [{ stake: 4n }, { stake: 5n }],
    past_elections: [{ first_mc_seqno: 1, total_stake: 80n }],
    frozen_stakes: [{ stake: 50n }, { stake: 20n }],
    complaints: [{ first_mc_seqno: 1, voters: [1, 2], weight_remaining: 8n }],
    pool_nominators: [{ balance: 7n }, { balance: 9n }],
  })
  for (const middle of [0, 9, 13, 17])
    expect(await tablesAfter([STEPS.slice(0, middle), STEPS.slice(middle)])).toEqual(alone)
})
