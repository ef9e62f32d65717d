// Liquidity deposited to a DeDust v2 pool, one asset at a time: the pool credits each asset to a collector contract of the
// depositor, which calls the pool back when it has both.

import { dedustV2 } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, either, isCall, sourceOf } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import {
  type AssetAmount,
  type Deposit,
  type DepositedAsset,
  depositKind,
  NOTHING_DEPOSITED,
} from '../exchanges/deposit.ts'
import { hasNotArrived, isTransfer } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { broughtBy, openPurpose } from './broughtV2.ts'
import { payoutV2Of } from './payoutV2.ts'

/** Amounts of the pool's first and second asset. */
export type BothAmounts = readonly [bigint, bigint]

export interface DepositV2 extends Deposit {
  /** The asset of the pool that this deposit is of: 0 for the first, 1 for the second. */
  readonly side: 0 | 1
  /** Amount credited to the collector. */
  readonly credited: bigint
  readonly wanted: BothAmounts
  /** Amounts the collector sent to the pool, including deposits of earlier traces; null while it waits. */
  readonly collected: BothAmounts | null
  /** Amounts the pool returned because it did not need them. */
  readonly returned: readonly AssetAmount[]
}

/** Both sides are there. */
export const DEDUST_V2_DEPOSIT = depositKind<DepositV2>('dedust_v2_deposit_liquidity')
/** One side waits for the other. */
export const DEDUST_V2_DEPOSIT_PARTIAL = depositKind<DepositV2>('dedust_v2_deposit_liquidity_partial')

const readPurpose = fieldsOf(dedustV2.depositPurpose)
const readCredit = fieldsOf(dedustV2.creditAsset, 'isFirst', 'amount')
const readJoin = fieldsOf(dedustV2.joinLiquidity, 'amount1', 'amount2')
const readLog = fieldsOf(dedustV2.depositLog)
const readPositionCredit = fieldsOf(dedustV2.creditLiquidity, 'liquidity')

const pairOf = ({ amount1, amount2 }: { amount1: bigint; amount2: bigint }): BothAmounts => [amount1, amount2]

/** The two values in the pool's order of assets. */
export const inSides = <T>(side: 0 | 1, own: T, other: T): [T, T] => (side === 0 ? [own, other] : [other, own])

interface Completion extends Pick<DepositV2, 'collected' | 'returned' | 'lpMinted'> {
  readonly failed: boolean
  readonly excesses: readonly AssetAmount[]
}

/** The pool's answer to the collector, picked; null while there is none. */
function completionOf(join: ActionBlock, { sender, pool, side, given }: DepositV2, picked: Picked): Completion | null {
  picked.blocks.add(join)
  const joined = readBody(join, readJoin)
  if (joined === null) return null
  const logged = picked.next(join, isCall(dedustV2.depositLog.opcode))
  const credit = picked.next(join, isCall(dedustV2.creditLiquidity.opcode))
  const log = logged === null ? null : readBody(logged, readLog)
  const taken = log ?? { amount1: 0n, amount2: 0n }
  const paid = [joined.amount1 - taken.amount1, joined.amount2 - taken.amount2].flatMap((left, at) => {
    if (left <= 0n) return []
    const isOwn = at === side
    const test = ({ asset, amount }: SwapTransfer) => amount === left && (asset === given[side].asset) === isOwn
    return payoutV2Of({ pool, receiver: sender }, join, picked, test) ?? []
  })
  if (log === null && paid.length === 0) return null
  picked.absorb(join)
  const minted = credit === null || log === null ? null : readBody(credit, readPositionCredit)
  return {
    collected: pairOf(joined),
    returned: log === null ? [] : paid.filter(({ block }) => !hasNotArrived(block)).map(({ transfer }) => transfer),
    lpMinted: minted?.liquidity ?? null,
    excesses: paid.map(({ transfer }) => transfer),
    failed: minted === null || credit?.failed === true,
  }
}

function depositOf(brought: SwapTransfer, credit: ActionBlock, wanted: BothAmounts): DepositV2 | null {
  const said = readBody(credit, readCredit)
  if (said === null || said.amount !== brought.amount) return null
  const side = said.isFirst ? 0 : 1
  const given = { asset: brought.asset, amount: said.amount, wallet: brought.sourceWallet }
  return {
    dex: 'dedust_v2',
    sender: brought.source,
    pool: sourceOf(credit),
    collector: destinationOf(credit),
    goesToCollector: true,
    given: inSides(side, given, NOTHING_DEPOSITED),
    targets: inSides(side, { asset: brought.asset, amount: wanted[side] }, { asset: null, amount: null }),
    lpMinted: null,
    side,
    credited: said.amount,
    wanted,
    collected: null,
    returned: [],
  }
}

/** The credited amount minus what the pool returned of that asset. */
export function keptOf({ side, given, credited }: DepositV2, returned: readonly AssetAmount[]): DepositedAsset {
  const { asset, wallet } = given[side]
  const back = returned.find((one) => one.asset === asset)?.amount ?? 0n
  return { asset, wallet, amount: credited > back ? credited - back : 0n }
}

function completed(deposit: DepositV2, { failed: _, ...completion }: Completion): DepositV2 {
  const given = inSides(deposit.side, keptOf(deposit, completion.returned), NOTHING_DEPOSITED)
  return { ...deposit, ...completion, given }
}

/**
 * Invariant: a payment with the purpose of a deposit makes the pool credit a collector. With both assets the collector calls
 * the pool, which logs the amounts it took and credits a position contract, or returns everything.
 */
export const dedustDepositV2: Rule = {
  name: 'dedust/depositV2',
  begins: either(isCall(dedustV2.payNative.opcode), isTransfer),
  match(block) {
    const purpose = block.failed ? null : openPurpose(block, dedustV2.depositPurpose)
    const brought = purpose === null ? null : broughtBy(block)
    const credit = block.next.find(isCall(dedustV2.creditAsset.opcode))
    if (purpose === null || brought === null || credit === undefined) return null
    const deposit = depositOf(brought, credit, pairOf(readPurpose(purpose)))
    if (deposit === null) return null
    const picked = new Picked()
    picked.add(block)
    picked.add(credit)
    const join = credit.next.find(isCall(dedustV2.joinLiquidity.opcode))
    if (join === undefined)
      return { blocks: picked.blocks, content: DEDUST_V2_DEPOSIT_PARTIAL.content(deposit), failed: credit.failed }
    const completion = completionOf(join, deposit, picked)
    if (completion === null) return null
    const content = DEDUST_V2_DEPOSIT.content(completed(deposit, completion))
    return { blocks: picked.blocks, content, failed: completion.failed }
  },
}
