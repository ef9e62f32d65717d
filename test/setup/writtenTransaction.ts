// Writes transactions as cells. The service only reads those that the TVM has made.

import { type Builder, storeDict } from '../../server/cell/index.ts'
import { storeStorageUsed } from '../../server/tlb/account/account.ts'
import { storeHash, storeIn, storeMaybe, storeMaybeCoins } from '../../server/tlb/fields.ts'
import {
  type AccountStatus,
  type ActionPhase,
  type BouncePhase,
  type ComputedPhase,
  type ComputePhase,
  type CreditPhase,
  type SkipReason,
  type SplitMergeInfo,
  type StatusChange,
  type StoragePhase,
  storeCurrency,
  storeHashUpdate,
  type Transaction,
  type TransactionDescription,
} from '../../server/tlb/index.ts'

const TRANSACTION = 7
const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist']

function storeStatusChange(builder: Builder, value: StatusChange): Builder {
  if (value === 'unchanged') return builder.storeBit(0)
  return builder.storeBit(1).storeBit(value === 'deleted')
}

const storeStoragePhase = (builder: Builder, value: StoragePhase): Builder =>
  storeStatusChange(storeMaybeCoins(builder.storeCoins(value.feesCollected), value.feesDue), value.statusChange)

const storeCreditPhase = (builder: Builder, value: CreditPhase): Builder =>
  storeCurrency(storeMaybeCoins(builder, value.dueFeesCollected), value.credit)

function storeSkipReason(builder: Builder, reason: SkipReason): Builder {
  if (reason === 'suspended') return builder.storeUint(6, 3)
  return builder.storeUint(reason === 'noState' ? 0 : reason === 'badState' ? 1 : 2, 2)
}

function storeComputePhase(builder: Builder, value: ComputePhase): Builder {
  if (value.kind === 'skipped') return storeSkipReason(builder.storeBit(0), value.reason)
  builder.storeBit(1).storeBit(value.success).storeBit(value.messageStateUsed).storeBit(value.accountActivated)
  return storeIn(builder.storeCoins(value.gasFees), value, storeComputed)
}

function storeComputed(builder: Builder, value: ComputedPhase): Builder {
  builder.storeVarUint(value.gasUsed, 7).storeVarUint(value.gasLimit, 7)
  storeMaybe(builder, value.gasCredit, (b, credit) => b.storeVarUint(BigInt(credit), 3))
  builder.storeInt(value.mode, 8).storeInt(value.exitCode, 32)
  storeMaybe(builder, value.exitArg, (b, arg) => b.storeInt(arg, 32)).storeUint(value.vmSteps, 32)
  return storeHash(storeHash(builder, value.initStateHash), value.finalStateHash)
}

function storeActionPhase(builder: Builder, value: ActionPhase): Builder {
  storeStatusChange(builder.storeBit(value.success).storeBit(value.valid).storeBit(value.noFunds), value.statusChange)
  storeMaybeCoins(storeMaybeCoins(builder, value.totalFwdFees), value.totalActionFees).storeInt(value.resultCode, 32)
  storeMaybe(builder, value.resultArg, (b, arg) => b.storeInt(arg, 32))
  builder.storeUint(value.totalActions, 16).storeUint(value.specialActions, 16)
  builder.storeUint(value.skippedActions, 16).storeUint(value.messagesCreated, 16)
  return storeStorageUsed(storeHash(builder, value.actionListHash), value.totalMessageSize)
}

function storeBouncePhase(builder: Builder, value: BouncePhase): Builder {
  switch (value.kind) {
    case 'ok':
      return storeStorageUsed(builder.storeBit(1), value.messageSize)
        .storeCoins(value.messageFees)
        .storeCoins(value.fwdFees)
    case 'noFunds':
      return storeStorageUsed(builder.storeUint(1, 2), value.messageSize).storeCoins(value.requiredFwdFees)
    case 'negativeFunds':
      return builder.storeUint(0, 2)
  }
}

const storeAction = (builder: Builder, value: ActionPhase | null): Builder =>
  storeMaybe(builder, value, (b, action) => storeIn(b, action, storeActionPhase))

const storeSplitInfo = (builder: Builder, value: SplitMergeInfo): Builder =>
  storeHash(
    storeHash(builder.storeUint(value.shardPrefixLength, 6).storeUint(value.splitDepth, 6), value.account),
    value.sibling,
  )

export function storeDescription(builder: Builder, value: TransactionDescription): Builder {
  switch (value.kind) {
    case 'ordinary':
      storeMaybe(builder.storeUint(0, 4).storeBit(value.creditFirst), value.storage, storeStoragePhase)
      storeMaybe(builder, value.credit, storeCreditPhase)
      storeAction(storeComputePhase(builder, value.compute), value.action).storeBit(value.aborted)
      return storeMaybe(builder, value.bounce, storeBouncePhase).storeBit(value.destroyed)
    case 'storage':
      return storeStoragePhase(builder.storeUint(1, 4), value.storage)
    case 'tickTock':
      storeStoragePhase(builder.storeUint(1, 3).storeBit(value.isTock), value.storage)
      storeAction(storeComputePhase(builder, value.compute), value.action)
      return builder.storeBit(value.aborted).storeBit(value.destroyed)
    case 'splitPrepare':
      storeMaybe(storeSplitInfo(builder.storeUint(4, 4), value.split), value.storage, storeStoragePhase)
      storeAction(storeComputePhase(builder, value.compute), value.action)
      return builder.storeBit(value.aborted).storeBit(value.destroyed)
    case 'splitInstall':
      storeSplitInfo(builder.storeUint(5, 4), value.split).storeRef(value.prepareTransaction)
      return builder.storeBit(value.installed)
    case 'mergePrepare':
      return storeStoragePhase(storeSplitInfo(builder.storeUint(6, 4), value.split), value.storage).storeBit(
        value.aborted,
      )
    case 'mergeInstall':
      storeSplitInfo(builder.storeUint(7, 4), value.split).storeRef(value.prepareTransaction)
      storeMaybe(builder, value.storage, storeStoragePhase)
      storeMaybe(builder, value.credit, storeCreditPhase)
      storeAction(storeComputePhase(builder, value.compute), value.action)
      return builder.storeBit(value.aborted).storeBit(value.destroyed)
  }
}

const storeAccountStatus = (builder: Builder, value: AccountStatus): Builder =>
  builder.storeUint(STATUSES.indexOf(value), 2)

export function storeTransaction(builder: Builder, value: Transaction): Builder {
  storeHash(builder.storeUint(TRANSACTION, 4), value.account).storeUint(value.lt, 64)
  storeHash(builder, value.prevHash).storeUint(value.prevLt, 64).storeUint(value.now, 32).storeUint(value.outCount, 15)
  storeAccountStatus(storeAccountStatus(builder, value.origStatus), value.endStatus)
  storeIn(builder, value, (inner) => storeDict(inner.storeMaybeRef(value.inMessage), value.outMessages))
  storeCurrency(builder, value.totalFees)
  storeIn(builder, value.stateUpdate, storeHashUpdate)
  return storeIn(builder, value.description, storeDescription)
}
