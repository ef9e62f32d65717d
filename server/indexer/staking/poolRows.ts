// A pool as its rows.

import { type BinaryHash, CellError, hashFromBytes, MAX_DEPTH, readingBoc } from '../../cell/index.ts'
import { type Ledger, nominatorKey, validatorKey } from '../../facts/index.ts'
import type { AccountKey, AccountRow, IndexedPool, NominatorPoolRow, PoolNominatorRow } from '../../store/index.ts'
import { loadPoolData, type PoolData } from '../../tlb/index.ts'
import type { StakingCollector } from './collector.ts'

/** A pool that the index has, with what its rows say. */
export interface KnownPool {
  readonly row: NominatorPoolRow
  readonly ledger: Ledger
}

/** The storage of an account, where it is that of a pool. Any contract may look like one, with as much data as an account may have. */
export function* readingPoolData({
  status,
  data,
}: Pick<AccountRow, 'status' | 'data'>): Generator<void, PoolData | null> {
  if (status !== 'active' || data === null) return null
  // A block may change many of them.
  yield
  try {
    return loadPoolData(yield* readingBoc(data, { maxDepth: MAX_DEPTH }))
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

export function stakingPoolRow(
  { account, codeHash, hash, lastTxLt }: AccountRow & { readonly codeHash: Uint8Array },
  data: PoolData,
  marks: Pick<NominatorPoolRow, 'firstMcSeqno' | 'brokenMcSeqno'>,
): NominatorPoolRow {
  const { state, nominatorsCount, stakeAmountSent, validatorAmount, stakeAt, terms } = data
  const { validator, ...bounds } = terms
  const amounts = { state, nominatorsCount, stakeAmountSent, validatorAmount, stakeAt }
  return {
    account,
    codeHash,
    stateHash: hash,
    lastTxLt,
    validator: validatorKey(validator),
    ...bounds,
    ...amounts,
    ...marks,
  }
}

export function knownPool({ pool, nominators }: IndexedPool): KnownPool {
  const { state, stakeAmountSent, validatorAmount, stakeAt, validator, validatorShare, maxNominators } = pool
  const { minValidatorStake, minNominatorStake } = pool
  const bounds = { validatorShare, maxNominators, minValidatorStake, minNominatorStake }
  const idOf = ({ nominator }: PoolNominatorRow): BinaryHash => hashFromBytes(nominator.subarray(1))
  const ledger: Ledger = {
    state,
    stakeAmountSent,
    validatorAmount,
    stakeAt,
    terms: { validator: validator.subarray(1), ...bounds },
    nominators: new Map(nominators.map((row) => [idOf(row), { amount: row.balance, pending: row.pending }])),
    requests: new Set(nominators.filter(({ withdrawRequested }) => withdrawRequested).map(idOf)),
  }
  return { row: pool, ledger }
}

/** Writes the nominators that are not what they were. */
export function collectNominators(
  pool: AccountKey,
  { before, after }: { readonly before: Ledger | null; readonly after: Ledger },
  to: StakingCollector,
): void {
  for (const [id, { amount, pending }] of after.nominators) {
    const was = before?.nominators.get(id)
    const withdrawRequested = after.requests.has(id)
    const isSame = was?.amount === amount && was.pending === pending && before?.requests.has(id) === withdrawRequested
    const nominator = nominatorKey(id)
    if (!isSame) to.nominator({ pool, nominator }, { pool, nominator, balance: amount, pending, withdrawRequested })
  }
  for (const id of before?.nominators.keys() ?? [])
    if (!after.nominators.has(id)) to.nominator({ pool, nominator: nominatorKey(id) }, null)
}
