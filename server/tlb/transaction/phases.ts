// The phases of a transaction: paying for storage, crediting the value, running the code, carrying out its actions,
// bouncing.

import type { Slice } from '../../cell/index.ts'
import { loadStorageUsed, type StorageUsed } from '../account/account.ts'
import { type CurrencyCollection, loadCurrency } from '../currency.ts'
import { loadHash, loadIn, loadMaybeCoins, unknownTag } from '../fields.ts'

export type StatusChange = 'unchanged' | 'frozen' | 'deleted'

function loadStatusChange(slice: Slice): StatusChange {
  if (!slice.loadBit()) return 'unchanged'
  return slice.loadBit() ? 'deleted' : 'frozen'
}

export interface StoragePhase {
  readonly feesCollected: bigint
  readonly feesDue: bigint | null
  readonly statusChange: StatusChange
}

export const loadStoragePhase = (slice: Slice): StoragePhase => ({
  feesCollected: slice.loadCoins(),
  feesDue: loadMaybeCoins(slice),
  statusChange: loadStatusChange(slice),
})

export interface CreditPhase {
  readonly dueFeesCollected: bigint | null
  readonly credit: CurrencyCollection
}

export const loadCreditPhase = (slice: Slice): CreditPhase => ({
  dueFeesCollected: loadMaybeCoins(slice),
  credit: loadCurrency(slice),
})

export type SkipReason = 'noState' | 'badState' | 'noGas' | 'suspended'

export interface ComputedPhase {
  readonly kind: 'vm'
  readonly success: boolean
  readonly messageStateUsed: boolean
  readonly accountActivated: boolean
  readonly gasFees: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly gasCredit: number | null
  readonly mode: number
  readonly exitCode: number
  readonly exitArg: number | null
  readonly vmSteps: number
  readonly initStateHash: Uint8Array
  readonly finalStateHash: Uint8Array
}

export type ComputePhase = { readonly kind: 'skipped'; readonly reason: SkipReason } | ComputedPhase

function loadSkipReason(slice: Slice): SkipReason {
  switch (slice.loadUint(2)) {
    case 0:
      return 'noState'
    case 1:
      return 'badState'
    case 2:
      return 'noGas'
    default:
      return slice.loadBit() ? unknownTag(7, 'ComputeSkipReason') : 'suspended'
  }
}

export function loadComputePhase(slice: Slice): ComputePhase {
  if (!slice.loadBit()) return { kind: 'skipped', reason: loadSkipReason(slice) }
  const success = slice.loadBit()
  const messageStateUsed = slice.loadBit()
  const accountActivated = slice.loadBit()
  const gasFees = slice.loadCoins()
  return loadIn(slice, (inner) => ({
    kind: 'vm',
    success,
    messageStateUsed,
    accountActivated,
    gasFees,
    gasUsed: inner.loadVarUint(7),
    gasLimit: inner.loadVarUint(7),
    gasCredit: inner.loadBit() ? Number(inner.loadVarUint(3)) : null,
    mode: inner.loadInt(8),
    exitCode: inner.loadInt(32),
    exitArg: inner.loadBit() ? inner.loadInt(32) : null,
    vmSteps: inner.loadUint(32),
    initStateHash: loadHash(inner),
    finalStateHash: loadHash(inner),
  }))
}

export interface ActionPhase {
  readonly success: boolean
  readonly valid: boolean
  readonly noFunds: boolean
  readonly statusChange: StatusChange
  readonly totalFwdFees: bigint | null
  readonly totalActionFees: bigint | null
  readonly resultCode: number
  readonly resultArg: number | null
  readonly totalActions: number
  readonly specialActions: number
  readonly skippedActions: number
  readonly messagesCreated: number
  readonly actionListHash: Uint8Array
  readonly totalMessageSize: StorageUsed
}

export const loadActionPhase = (slice: Slice): ActionPhase => ({
  success: slice.loadBit(),
  valid: slice.loadBit(),
  noFunds: slice.loadBit(),
  statusChange: loadStatusChange(slice),
  totalFwdFees: loadMaybeCoins(slice),
  totalActionFees: loadMaybeCoins(slice),
  resultCode: slice.loadInt(32),
  resultArg: slice.loadBit() ? slice.loadInt(32) : null,
  totalActions: slice.loadUint(16),
  specialActions: slice.loadUint(16),
  skippedActions: slice.loadUint(16),
  messagesCreated: slice.loadUint(16),
  actionListHash: loadHash(slice),
  totalMessageSize: loadStorageUsed(slice),
})

export type BouncePhase =
  | { readonly kind: 'negativeFunds' }
  | { readonly kind: 'noFunds'; readonly messageSize: StorageUsed; readonly requiredFwdFees: bigint }
  | {
      readonly kind: 'ok'
      readonly messageSize: StorageUsed
      readonly messageFees: bigint
      readonly fwdFees: bigint
    }

export function loadBouncePhase(slice: Slice): BouncePhase {
  if (slice.loadBit())
    return {
      kind: 'ok',
      messageSize: loadStorageUsed(slice),
      messageFees: slice.loadCoins(),
      fwdFees: slice.loadCoins(),
    }
  if (!slice.loadBit()) return { kind: 'negativeFunds' }
  return { kind: 'noFunds', messageSize: loadStorageUsed(slice), requiredFwdFees: slice.loadCoins() }
}
