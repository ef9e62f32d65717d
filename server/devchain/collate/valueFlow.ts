// The money of a block. What comes in must go out or stay; a block for which that does not hold is never finished.

import type { Dict } from '../../cell/index.ts'
import {
  type AccountBlock,
  addCurrency,
  type CurrencyCollection,
  gramsOnly,
  type ImportFees,
  type InMsg,
  isBalanced,
  type OutMsg,
  subtractCurrency,
  type ValueFlow,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import type { Accounts, ChainState } from '../state/index.ts'
import type { Draft } from './blockDraft.ts'

/** Amounts known before the block is put together. */
export interface Amounts {
  /** Received from the shard. */
  readonly feesImported: CurrencyCollection
  /** Paid out to the fee collector. */
  readonly recovered: CurrencyCollection
  /** The fee for creating the block. */
  readonly created: CurrencyCollection
}

export interface Descriptors {
  readonly inMsgs: Dict<Uint8Array, InMsg, ImportFees>
  readonly outMsgs: Dict<Uint8Array, OutMsg, CurrencyCollection>
  readonly accountBlocks: Dict<Uint8Array, AccountBlock, CurrencyCollection>
}

/** The value flow of a block fell out of balance: a mistake of ours, never of a contract. */
class ValueImbalance extends Error {
  readonly flow: ValueFlow

  constructor(text: string, flow: ValueFlow) {
    super(text)
    this.name = 'ValueImbalance'
    this.flow = flow
  }
}

const balanceOf = (accounts: Accounts): CurrencyCollection => accounts.extra?.balance ?? ZERO_CURRENCY
const isZero = (value: CurrencyCollection): boolean => value.grams === 0n && value.other.isEmpty

/** The flow of the block. Throws ValueImbalance. */
export function valueFlowOf(
  draft: Draft,
  { accounts, amounts }: { readonly accounts: Accounts; readonly amounts: Amounts },
  { inMsgs, outMsgs, accountBlocks }: Descriptors,
): ValueFlow {
  const { previous } = draft.plan
  const imported = inMsgs.extra
  const fees = [
    amounts.feesImported,
    amounts.created,
    accountBlocks.extra ?? ZERO_CURRENCY,
    gramsOnly(imported?.feesCollected ?? 0n),
  ]
  const flow: ValueFlow = {
    fromPrevious: balanceOf(previous.accounts),
    toNext: balanceOf(accounts),
    imported: imported?.valueImported ?? ZERO_CURRENCY,
    exported: outMsgs.extra ?? ZERO_CURRENCY,
    feesCollected: fees.reduce(addCurrency),
    burned: isZero(draft.burned) ? null : draft.burned,
    ...amounts,
    minted: draft.minted,
  }
  if (isBalanced(flow)) return flow
  throw new ValueImbalance(`Block ${previous.id.workchain}:${previous.id.seqno + 1} does not balance`, flow)
}

/** Fees owed to the validators after the block. */
export const validatorFeesAfter = (previous: ChainState, flow: ValueFlow): CurrencyCollection =>
  subtractCurrency(addCurrency(previous.details.totalValidatorFees, flow.feesCollected), flow.recovered)
