// Liquidity taken out of a pool of TONCO: the item of the position gives it up, in whole or in part, and the router pays.

import { tonco, toncoPlace } from '../../../bodies/index.ts'
import { openCell } from '../../../cell/index.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import type { Position } from '../exchanges/deposit.ts'
import { isUnpaidLeg, type Leg } from '../exchanges/legs.ts'
import { heldIn } from '../exchanges/routed.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { withdrawalKind } from '../exchanges/withdrawal.ts'
import { legsTo, readToncoPayTo, type ToncoPayTo } from './payTo.ts'

const GOOD_CODES: readonly number[] = [0, 201]

const TONCO_WITHDRAWAL = withdrawalKind('tonco_withdraw_liquidity')

const readRequest = fieldsOf(tonco.startBurn, 'nftIndex', 'liquidity', 'tickLower', 'tickUpper')
const readPlace = fieldsOf(toncoPlace)

/** What the router's wallet that the pool named has sent. */
const legFrom = (legs: readonly Leg[], wallet: string | null): Leg | undefined =>
  legs.find(({ block }) => block.first.transaction.account === wallet)

/**
 * What the pool pays of each asset, identified by the router's wallet it came from; also where that is zero. Where nothing was
 * paid, and the wallet is of an unknown jetton, the amount is not known either.
 */
function takenOf({ shares }: ToncoPayTo, legs: readonly Leg[], facts: AccountsFacts): SwapTransfer[] {
  return shares.map(({ wallet, amount }) => {
    const leg = legFrom(legs, wallet)
    const held = heldIn(wallet, facts)
    const owed = held === undefined && amount > 0n ? null : amount
    return {
      source: null,
      destination: null,
      sourceWallet: null,
      destinationWallet: null,
      asset: held?.asset ?? null,
      ...leg?.transfer,
      amount: leg === undefined ? owed : leg.transfer.amount,
    }
  })
}

/** Whether a side is paid more than once, which only a stranger's router does. */
const isRepeated = (legs: readonly Leg[]): boolean =>
  new Set(legs.map(({ block }) => block.first.transaction.account)).size < legs.length

/** Invariant: the owner of a position has its item give liquidity up to the pool, whose order makes the router pay. */
export const toncoWithdrawal: Rule = {
  name: 'tonco/withdrawal',
  begins: isCall(tonco.startBurn.opcode),
  match(request, facts) {
    const picked = new Picked(request)
    const toItem = picked.next(request, isCall(tonco.burnItem.opcode))
    const burn = toItem === null ? null : picked.next(toItem, isCall(tonco.burn.opcode))
    const order = burn === null ? null : picked.next(burn, isCall(tonco.payTo.opcode))
    const paid = order === null ? null : readBody(order, readToncoPayTo)
    if (toItem === null || order === null || paid === null) return null
    const sender = sourceOf(request)
    const legs = legsTo(sender, order, picked)
    if (isRepeated(legs)) return null
    // The request says the same as the order that ends it, for those that end without.
    const place = paid.burnt === null ? readBody(request, readRequest) : readPlace(openCell(paid.burnt))
    const position: Position | undefined = place === null ? undefined : { nftAddress: destinationOf(toItem), ...place }
    const content = TONCO_WITHDRAWAL.content({
      dex: 'tonco',
      sender,
      pool: destinationOf(request),
      taken: takenOf(paid, legs, facts),
      lpBurnt: place?.liquidity ?? null,
      ...(position !== undefined && { position }),
    })
    const isOwed = paid.shares.some(({ wallet, amount }) => amount > 0n && legFrom(legs, wallet) === undefined)
    const failed = !GOOD_CODES.includes(paid.exitCode) || isOwed || isUnpaidLeg(picked)
    return { blocks: picked.blocks, content, failed }
  },
}
