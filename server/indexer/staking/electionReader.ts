// The storage of the elector and the sets of validators as rows. What did not change since it was read last is left out.

import { type BinaryHash, type Cell, hashToBytes, orNull, sameBytes, writeBoc } from '../../cell/index.ts'
import { validatorKey } from '../../facts/index.ts'
import type { CycleValidatorRow } from '../../store/index.ts'
import {
  type Complaint,
  complaintsOf,
  type ElectionMember,
  type ElectorData,
  frozenStakes,
  loadElectorData,
  type PastElection,
  readElection,
} from '../../tlb/index.ts'
import type { StakingCollector } from './collector.ts'
import type { KnownSet, StakingConfig } from './stakingConfig.ts'

const WITH_CRC = 2
const NO_SET = new Uint8Array(32)

/** What was read of a past election. */
interface ReadPast {
  readonly frozen: BinaryHash | null
  readonly complaints: BinaryHash | null
  readonly totalStake: bigint
}

/** An election that is gone from the storage was read; more than so many are not kept in mind. */
const MOST_PAST = 1000
const MOST_CYCLES = 10_000

const rootOf = ({ root }: { readonly root: Cell | null }): BinaryHash | null => root?.hash() ?? null

const sameMember = (a: ElectionMember | undefined, b: ElectionMember): boolean =>
  a !== undefined &&
  a.stake === b.stake &&
  a.maxFactor === b.maxFactor &&
  sameBytes(a.holder, b.holder) &&
  sameBytes(a.adnl, b.adnl)

export class ElectionReader {
  #election: BinaryHash | null = null
  #electionId = 0
  #members: ReadonlyMap<BinaryHash, ElectionMember> = new Map()
  readonly #past = new Map<number, ReadPast>()
  readonly #cycles = new Set<number>()

  /** Data that is not the elector's gives no rows. */
  read(data: Cell, config: StakingConfig, mcSeqno: number, to: StakingCollector): ElectorData | null {
    return orNull(() => {
      const found = loadElectorData(data)
      if (found.election !== null) this.#readElection(found.election, mcSeqno, to)
      for (const [electionId, past] of found.past) this.#readPast(electionId, past, { config, mcSeqno, to })
      return found
    })
  }

  #readElection(cell: Cell, mcSeqno: number, to: StakingCollector): void {
    if (cell.hash() === this.#election) return
    const { electAt: electionId, members, ...election } = readElection(cell)
    const before = this.#electionId === electionId ? this.#members : new Map<BinaryHash, ElectionMember>()
    const { electClose, minStake, totalStake, failed, finished } = election
    const totals = { totalStake, totalParticipants: members.size, failed, finished }
    to.election({ electionId, firstMcSeqno: mcSeqno, electClose, minStake, ...totals })
    for (const [key, member] of members) {
      if (sameMember(before.get(key), member)) continue
      const { stake, maxFactor, adnl } = member
      const holder = validatorKey(member.holder)
      to.participant({ electionId, publicKey: hashToBytes(key), holder, adnl, stake, maxFactor })
    }
    this.#election = cell.hash()
    this.#electionId = electionId
    this.#members = members
  }

  #readPast(
    electionId: number,
    past: PastElection,
    { config, mcSeqno, to }: { config: StakingConfig; mcSeqno: number; to: StakingCollector },
  ): void {
    const before = this.#past.get(electionId)
    const { validatorSetHash, totalStake } = past
    const now = { frozen: rootOf(past.frozen), complaints: rootOf(past.complaints), totalStake }
    if (before?.totalStake !== totalStake) to.past({ electionId, firstMcSeqno: mcSeqno, validatorSetHash, totalStake })
    if (before?.frozen !== now.frozen)
      for (const [key, { holder, stake }] of frozenStakes(past))
        to.frozen({ electionId, publicKey: hashToBytes(key), holder: validatorKey(holder), stake })
    if (before?.complaints !== now.complaints)
      for (const complaint of complaintsOf(past))
        to.complaint({ electionId, firstMcSeqno: mcSeqno, ...complaintFields(complaint, config) })
    this.#past.set(electionId, now)
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= MOST_PAST) break
      this.#past.delete(oldest)
    }
  }

  /** The sets of a configuration. Before a vote, the current set decides on complaints: those are read again. */
  readConfig(config: StakingConfig, mcSeqno: number, to: StakingCollector): void {
    for (const known of config.sets) {
      if (this.#cycles.has(known.set.utimeSince)) continue
      this.#cycles.add(known.set.utimeSince)
      this.#cycle(known, config, { mcSeqno, to })
    }
    for (const oldest of this.#cycles) {
      if (this.#cycles.size <= MOST_CYCLES) break
      this.#cycles.delete(oldest)
    }
    for (const [electionId, past] of this.#past) this.#past.set(electionId, { ...past, complaints: '' })
  }

  #cycle(
    { hash, set }: KnownSet,
    { times, counts, stakes }: StakingConfig,
    { mcSeqno, to }: { mcSeqno: number; to: StakingCollector },
  ): void {
    const cycleStart = set.utimeSince
    const validators: CycleValidatorRow[] = [...set.list].map(([index, { publicKey, adnlAddress, weight }]) => ({
      cycleStart,
      index,
      publicKey,
      adnl: adnlAddress ?? NO_SET,
      weight,
    }))
    const totalWeight = set.totalWeight ?? validators.reduce((sum, { weight }) => sum + weight, 0n)
    to.cycle(
      {
        cycleStart,
        firstMcSeqno: mcSeqno,
        cycleEnd: set.utimeUntil,
        validatorSetHash: hash,
        total: set.total,
        main: set.main,
        totalWeight,
        ...times,
        maxValidators: counts.max,
        maxMainValidators: counts.maxMain,
        minValidators: counts.min,
        minStakeLimit: stakes.min,
        maxStakeLimit: stakes.max,
        minTotalStake: stakes.minTotal,
        maxStakeFactor: stakes.maxFactor,
      },
      validators,
    )
  }
}

function complaintFields(complaint: Complaint, { current }: StakingConfig) {
  const { hash, description, rewardTo, validatorSetId, voters, ...rest } = complaint
  return {
    ...rest,
    voters,
    validatorSetId,
    hash: hashToBytes(hash),
    description: writeBoc(description, WITH_CRC),
    rewardTo: validatorKey(rewardTo),
    decidingSet: voters.length === 0 ? (current?.hash ?? NO_SET) : validatorSetId,
  }
}
