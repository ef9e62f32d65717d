// Elections, cycles, stakes and complaints as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { cyclesV3 } from '../../../../../shared/v3/staking/cycles.ts'
import type { validatorsV3 } from '../../../../../shared/v3/staking/validators.ts'
import { base64Of } from '../../../../cell/index.ts'
import type {
  Accused,
  ComplaintRow,
  CycleMember,
  CycleRow,
  ElectedCycle,
  ElectionRow,
  ParticipantFound,
  StakeEventRow,
  Voter,
} from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { poolTransactionFields } from './pools.ts'

type StakeEvent = Result<(typeof validatorsV3)['v3.validators.events']>['events'][number]
type Election = Result<(typeof validatorsV3)['v3.validators.elections']>['elections'][number]
type Participant = NonNullable<Election['participants']>[number]
type Cycle = Result<(typeof cyclesV3)['v3.validators.cycles']>['cycles'][number]
type CycleValidator = NonNullable<Cycle['validators']>[number]
export type ComplaintView = Result<(typeof cyclesV3)['v3.validators.complaints']>['complaints'][number]

/** How keys and ADNL addresses are written. */
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

export const toStakeEvent = (row: StakeEventRow): StakeEvent => ({
  ...poolTransactionFields(row),
  type: row.type,
  stake_holder_address: rawOfKey(row.holder),
  ...(row.publicKey === null ? {} : { validator_pubkey: toHex(row.publicKey) }),
  ...(row.adnl === null ? {} : { adnl_addr: toHex(row.adnl) }),
  ...(row.electionId === null ? {} : { election_id: row.electionId }),
  ...(row.queryId === null ? {} : { query_id: toDigits(row.queryId) }),
  amount: toDigits(row.amount),
  ...(row.reason === null ? {} : { reason: row.reason }),
})

const toParticipant = ({ publicKey, index, stake, maxFactor, holder, adnl }: ParticipantFound): Participant => ({
  validator_pubkey: toHex(publicKey),
  ...(index === null ? {} : { validator_index: index }),
  stake: toDigits(stake),
  max_factor: maxFactor,
  stake_holder_address: rawOfKey(holder),
  adnl_addr: toHex(adnl),
})

/** Without participants where they are null. */
export const toElection = (row: ElectionRow, participants: readonly ParticipantFound[] | null): Election => ({
  election_id: row.electionId,
  elect_close: row.electClose,
  min_stake: toDigits(row.minStake),
  total_stake: toDigits(row.totalStake),
  total_participants: row.totalParticipants,
  failed: row.failed,
  finished: row.finished,
  ...(participants === null ? {} : { participants: participants.map(toParticipant) }),
})

/** Complaints are those about this member. */
export const toCycleValidator = (member: CycleMember, complaints: ComplaintView[]): CycleValidator => ({
  validator_index: member.index,
  validator_pubkey: toHex(member.publicKey),
  adnl_addr: toHex(member.adnl),
  weight: toDigits(member.weight),
  ...(member.holder === null ? {} : { stake_holder_address: rawOfKey(member.holder) }),
  ...(member.stake === null ? {} : { stake: toDigits(member.stake) }),
  ...(member.maxFactor === null ? {} : { max_factor: member.maxFactor }),
  complaints,
})

/** Without validators where they are null. */
export const toCycle = (
  row: CycleRow,
  elected: ElectedCycle | undefined,
  validators: CycleValidator[] | null,
): Cycle => ({
  ...(elected === undefined ? {} : { election_id: elected.electionId }),
  cycle_start: row.cycleStart,
  cycle_end: row.cycleEnd,
  total: row.total,
  main: row.main,
  total_weight: toDigits(row.totalWeight),
  ...(elected === undefined ? {} : { total_stake: toDigits(elected.totalStake) }),
  validators_elected_for: row.electedFor,
  elections_start_before: row.startBefore,
  elections_end_before: row.endBefore,
  stake_held_for: row.stakeHeldFor,
  max_validators: row.maxValidators,
  max_main_validators: row.maxMainValidators,
  min_validators: row.minValidators,
  ...(elected === undefined || elected.minStake === null ? {} : { min_stake: toDigits(elected.minStake) }),
  ...(elected === undefined || elected.maxStake === null ? {} : { max_stake: toDigits(elected.maxStake) }),
  min_stake_limit: toDigits(row.minStakeLimit),
  max_stake_limit: toDigits(row.maxStakeLimit),
  min_total_stake: toDigits(row.minTotalStake),
  max_stake_factor: row.maxStakeFactor,
  ...(validators === null ? {} : { validators }),
})

/** Members of the sets that decide, and their weight, by the hash of the set. */
export interface DecidingSet {
  readonly totalWeight: bigint
  readonly members: ReadonlyMap<number, Voter>
}

function toVoter(place: number, set: DecidingSet | undefined): ComplaintView['voted_validators'][number] {
  const { publicKey = null, adnl = null, weight = null } = set?.members.get(place) ?? {}
  return {
    validator_index: place,
    ...(publicKey === null ? {} : { validator_pubkey: toHex(publicKey) }),
    ...(adnl === null ? {} : { adnl_addr: toHex(adnl) }),
    ...(weight === null ? {} : { weight: toDigits(weight) }),
  }
}

/** In percent, with three decimals. */
const percent = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 100_000n * 2n + whole) / (whole * 2n)) / 1000

export function toComplaint(
  row: ComplaintRow,
  accused: Accused | undefined,
  set: DecidingSet | undefined,
): ComplaintView {
  const { adnl = null, holder = null, cycleStart = null } = accused ?? {}
  const totalWeight = set?.totalWeight ?? accused?.totalWeight ?? 0n
  const needed = (2n * totalWeight) / 3n
  const remaining = row.voters.length === 0 ? needed : row.weightRemaining
  return {
    cycle_start: cycleStart ?? row.electionId,
    election_id: row.electionId,
    complaint_hash: base64Of(row.hash),
    validator_pubkey: toHex(row.publicKey),
    adnl_addr: adnl === null ? null : toHex(adnl),
    ...(holder === null ? {} : { stake_holder_address: rawOfKey(holder) }),
    description_boc: base64Of(row.description),
    created_at: row.createdAt,
    severity: row.severity,
    reward_address: rawOfKey(row.rewardTo),
    paid: toDigits(row.paid),
    suggested_fine: toDigits(row.suggestedFine),
    suggested_fine_part: row.suggestedFinePart,
    voted_validators: row.voters.map((place) => toVoter(place, set)),
    vset_id: base64Of(row.validatorSetId),
    weight_remaining: toDigits(remaining),
    approved_percent: percent(needed - remaining, totalWeight),
    is_passed: row.weightRemaining < 0n,
  }
}
