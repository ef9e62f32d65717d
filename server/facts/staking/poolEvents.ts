// What a transaction changed on the ledger of a pool, as rows of its lists.

import { type BinaryHash, hashToBytes } from '../../cell/index.ts'
import type {
  AccountKey,
  LedgerEventType,
  NominatorEventRow,
  NominatorEventType,
  PoolValidatorEventRow,
} from '../../store/index.ts'
import { accountKey } from '../parse/accountKey.ts'
import type { TransactionFacts } from '../parse/facts.ts'
import { isFrom, type Ledger } from './ledger.ts'
import { OPS, requestOf, type StakingRequest } from './stakingRequest.ts'

interface PoolChange {
  readonly transaction: TransactionFacts
  readonly elector: AccountKey
  readonly before: Ledger
  readonly after: Ledger
}

export interface PoolEvents {
  readonly nominatorEvents: readonly NominatorEventRow[]
  readonly poolValidatorEvents: readonly PoolValidatorEventRow[]
}

interface Part {
  readonly amount: bigint
  readonly pending: bigint
}

const NOTHING: Part = { amount: 0n, pending: 0n }

interface Change {
  readonly type: NominatorEventType
  readonly amount: bigint
  readonly before: Part
  readonly after: Part
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** With the stake: what was earned comes before what waited is added. */
function returned(before: Part, after: Part): Change[] {
  const events: Change[] = []
  const delta = after.amount + after.pending - before.amount - before.pending
  const rewarded = { amount: before.amount + delta, pending: before.pending }
  if (delta !== 0n) events.push({ type: 'reward', amount: delta, before, after: rewarded })
  if (after.pending < before.pending) {
    const amount = before.pending - after.pending
    events.push({ type: 'pending_deposit_activation', amount, before: rewarded, after })
  }
  return events
}

function moved(before: Part, after: Part, hasRequested: boolean): Change[] {
  const events: Change[] = []
  const delta = after.amount + after.pending - before.amount - before.pending
  if (delta !== 0n)
    events.push({ type: delta > 0n ? 'deposit' : 'withdrawal', amount: magnitude(delta), before, after })
  if (hasRequested) events.push({ type: 'withdrawal_request', amount: 0n, before: after, after })
  return events
}

const isReturn = (request: StakingRequest | null, elector: AccountKey): boolean =>
  request !== null && !request.isBounced && request.op === OPS.stakeRecovered && isFrom(request, elector)

const head = ({ hash, lt, now, mcSeqno }: TransactionFacts) => ({ txHash: hash, txLt: lt, utime: now, mcSeqno })

function nominatorRows({ transaction, before, after }: PoolChange, isStakeBack: boolean): NominatorEventRow[] {
  const rows: NominatorEventRow[] = []
  const ids = [...new Set([...before.nominators.keys(), ...after.nominators.keys()])].sort()
  for (const id of ids) {
    const was = before.nominators.get(id) ?? NOTHING
    const is = after.nominators.get(id) ?? NOTHING
    const requestBefore = before.requests.has(id)
    const requestAfter = after.requests.has(id)
    const changes = isStakeBack ? returned(was, is) : moved(was, is, requestAfter && !requestBefore)
    for (const one of changes)
      rows.push({
        ...head(transaction),
        eventIndex: rows.length,
        pool: transaction.account,
        nominator: nominatorKey(id),
        type: one.type,
        amount: one.amount,
        balanceBefore: one.before.amount,
        balanceAfter: one.after.amount,
        pendingBefore: one.before.pending,
        pendingAfter: one.after.pending,
        requestBefore,
        requestAfter,
      })
  }
  return rows
}

export const nominatorKey = (id: BinaryHash): AccountKey => accountKey(0, hashToBytes(id))
export const validatorKey = (id: Uint8Array): AccountKey => accountKey(-1, id)

function ledgerType(delta: bigint, isStakeBack: boolean): LedgerEventType {
  if (isStakeBack) return delta > 0n ? 'reward' : 'penalty'
  return delta > 0n ? 'deposit' : 'withdrawal'
}

/** Events in their order: by nominator, then the validator's. */
export function poolEvents(change: PoolChange): PoolEvents {
  const { transaction, elector, before, after } = change
  const request = requestOf(transaction)
  const isStakeBack = isReturn(request, elector)
  const delta = after.validatorAmount - before.validatorAmount
  const ofValidator: PoolValidatorEventRow = {
    ...head(transaction),
    pool: transaction.account,
    validator: validatorKey(after.terms.validator),
    type: ledgerType(delta, isStakeBack),
    balanceBefore: before.validatorAmount,
    balanceAfter: after.validatorAmount,
    queryId: request?.queryId ?? null,
    cycleStart: isStakeBack && before.stakeAt !== 0 ? before.stakeAt : null,
    validatorShare: after.terms.validatorShare,
  }
  return {
    nominatorEvents: nominatorRows(change, isStakeBack),
    poolValidatorEvents: delta === 0n ? [] : [ofValidator],
  }
}
