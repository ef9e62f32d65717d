// Rows of a batch as they come together, step by step: of rows with one key the last counts.

import { hashFromBytes } from '../../cell/index.ts'
import type { PoolEvents } from '../../facts/index.ts'
import type {
  AccountKey,
  ComplaintRow,
  CycleRow,
  CycleValidatorRow,
  ElectionParticipantRow,
  ElectionRow,
  FrozenStakeRow,
  NominatorEventRow,
  NominatorPoolRow,
  PastElectionRow,
  PoolNominatorRow,
  PoolValidatorEventRow,
  StakeEventRow,
  StakingRows,
  StakingStartRow,
} from '../../store/index.ts'

type Gone = Pick<PoolNominatorRow, 'pool' | 'nominator'>

const keyOf = (...parts: readonly (Uint8Array | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? `${part}.` : hashFromBytes(part))).join('')

export class StakingCollector {
  start: StakingStartRow | null = null
  readonly #elections = new Map<number, ElectionRow>()
  readonly #participants = new Map<string, ElectionParticipantRow>()
  readonly #past = new Map<number, PastElectionRow>()
  readonly #frozen = new Map<string, FrozenStakeRow>()
  readonly #cycles: CycleRow[] = []
  readonly #validators: CycleValidatorRow[] = []
  readonly #complaints = new Map<string, ComplaintRow>()
  readonly #pools = new Map<string, NominatorPoolRow>()
  readonly #nominators = new Map<string, { readonly row: PoolNominatorRow | null; readonly name: Gone }>()
  readonly #gonePools = new Map<string, AccountKey>()
  readonly #stakeEvents: StakeEventRow[] = []
  readonly #nominatorEvents: NominatorEventRow[] = []
  readonly #validatorEvents: PoolValidatorEventRow[] = []

  election(row: ElectionRow): void {
    const first = this.#elections.get(row.electionId)
    this.#elections.set(row.electionId, { ...row, firstMcSeqno: first?.firstMcSeqno ?? row.firstMcSeqno })
  }

  participant(row: ElectionParticipantRow): void {
    this.#participants.set(keyOf(row.electionId, row.publicKey), row)
  }

  past(row: PastElectionRow): void {
    const before = this.#past.get(row.electionId)
    if (before === undefined) this.#past.set(row.electionId, row)
    else if (before.totalStake < row.totalStake)
      this.#past.set(row.electionId, { ...before, totalStake: row.totalStake })
  }

  frozen(row: FrozenStakeRow): void {
    const key = keyOf(row.electionId, row.publicKey)
    const before = this.#frozen.get(key)
    if (before === undefined || before.stake < row.stake) this.#frozen.set(key, row)
  }

  cycle(row: CycleRow, validators: readonly CycleValidatorRow[]): void {
    this.#cycles.push(row)
    this.#validators.push(...validators)
  }

  complaint(row: ComplaintRow): void {
    const key = keyOf(row.electionId, row.hash)
    const first = this.#complaints.get(key)
    this.#complaints.set(key, { ...row, firstMcSeqno: first?.firstMcSeqno ?? row.firstMcSeqno })
  }

  stakeEvent(row: StakeEventRow): void {
    this.#stakeEvents.push(row)
  }

  poolEvents({ nominatorEvents, poolValidatorEvents }: PoolEvents): void {
    for (const row of nominatorEvents) this.#nominatorEvents.push(row)
    for (const row of poolValidatorEvents) this.#validatorEvents.push(row)
  }

  pool(row: NominatorPoolRow): void {
    this.#pools.set(hashFromBytes(row.account), row)
  }

  nominator(name: Gone, row: PoolNominatorRow | null): void {
    this.#nominators.set(keyOf(name.pool, name.nominator), { name, row })
  }

  /** What was known of a pool is deleted; later rows are written again. */
  poolGone(account: AccountKey): void {
    const key = hashFromBytes(account)
    this.#gonePools.set(key, account)
    this.#pools.delete(key)
    for (const name of this.#nominators.keys()) if (name.startsWith(key)) this.#nominators.delete(name)
  }

  rows(): StakingRows {
    const nominators = [...this.#nominators.values()]
    return {
      stakingStart: this.start === null ? [] : [this.start],
      elections: [...this.#elections.values()],
      electionParticipants: [...this.#participants.values()],
      pastElections: [...this.#past.values()],
      frozenStakes: [...this.#frozen.values()],
      cycles: this.#cycles,
      cycleValidators: this.#validators,
      complaints: [...this.#complaints.values()],
      nominatorPools: [...this.#pools.values()],
      poolNominators: nominators.flatMap(({ row }) => (row === null ? [] : [row])),
      goneNominators: nominators.flatMap(({ name, row }) => (row === null ? [name] : [])),
      gonePools: [...this.#gonePools.values()],
      stakeEvents: this.#stakeEvents,
      nominatorEvents: this.#nominatorEvents,
      poolValidatorEvents: this.#validatorEvents,
    }
  }
}
