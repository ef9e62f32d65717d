// A liquidator pays a part of the debt of a user of EVAA and takes collateral for it, if the user's contract agrees.

import { evaa } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, destinationOf, either, isCall, sourceOf } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { type Match, Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { evaaMasterOf, isKnownAsset } from './assets.ts'
import { assetName, evaaPayoutAfter, isUserCall, type Parties, pickRest, readUserCall } from './messages.ts'

const REASONS: ReadonlyMap<number, string> = new Map([
  [0x30f1, 'master_liquidating_too_much'],
  [0x31f0, 'user_withdraw_in_progress'],
  [0x31f2, 'not_liquidatable'],
  [0x31f3, 'min_collateral_not_satisfied'],
  [0x31f4, 'user_not_enough_collateral'],
  [0x31f5, 'user_liquidating_too_much'],
  [0x31f6, 'master_not_enough_liquidity'],
  [0x31f7, 'liquidation_prices_missing'],
  [0x31fe, 'execution_crashed'],
])

interface Liquidation {
  readonly liquidator: string | null
  readonly borrower: string | null
  readonly contract: string | null
  readonly assetId: string
  readonly debt: bigint
  readonly reward: bigint | null
  readonly paid: SwapTransfer | null
  readonly failReason: string | null
}

const EVAA_LIQUIDATE = new Kind<Liquidation>({
  type: 'evaa_liquidate',
  describe: ({ liquidator, borrower, contract, assetId, debt, reward, paid, failReason }) => {
    const asset = evaaMasterOf(assetId)
    return {
      roles: { source: liquidator, destination: borrower, destinationSecondary: contract, asset },
      details: {
        fail_reason: failReason,
        debt_amount: digits(debt),
        source: liquidator,
        borrower,
        borrower_contract: contract,
        collateral: paid === null ? asset : paid.asset,
        asset_id: assetId,
        asset,
        is_known_asset: isKnownAsset(assetId),
        amount: digits(reward),
      },
    }
  },
})

const readRequest = fieldsOf(evaa.liquidate, 'borrower')
const readWholeRequest = fieldsOf(evaa.liquidate)
const readNewerRequest = fieldsOf(evaa.newerLiquidate)
const readJettonRequest = fieldsOf(evaa.jettonLiquidate, 'borrower')
const readQuestion = fieldsOf(evaa.liquidateUser, 'request')
const readSatisfied = fieldsOf(evaa.liquidateSatisfied, 'answer')
const readUnsatisfied = fieldsOf(evaa.liquidateUnsatisfied, 'answer')

/** Whose debt it is. */
function borrowerOf(block: ActionBlock): string | null {
  const payload = forwardedAs(block, evaa.jettonLiquidate)
  if (payload !== null) return readJettonRequest(payload).borrower
  return isCall(evaa.liquidate.opcode)(block) ? (readBody(block, readRequest)?.borrower ?? null) : null
}

interface Outcome extends Pick<Liquidation, 'reward' | 'paid' | 'failReason'> {
  readonly liquidated: bigint | null
  readonly failed: boolean
}

/** What was paid of the collateral; a message brings TON for the way as well, so of that it is what was granted. */
function rewardOf(granted: bigint | null, paid: SwapTransfer | null): bigint | null {
  const most = paid?.amount ?? null
  return paid?.asset === null && granted !== null && most !== null && granted < most ? granted : most
}

/** What came of it, picked; null while the contract has not answered, or the master has not taken up a yes. */
function outcomeAfter(call: ActionBlock, picked: Picked, to: Parties): Outcome | null {
  const answer = picked.next(call, isCall(evaa.liquidateSatisfied.opcode, evaa.liquidateUnsatisfied.opcode))
  if (answer === null) return null
  const isSatisfied = isCall(evaa.liquidateSatisfied.opcode)(answer)
  const word = picked.next(answer, isUserCall(evaa.liquidateSuccess, evaa.liquidateFail))
  if (word !== null) picked.next(word, isCall(evaa.liquidateReportToUser.opcode))
  const failed = !isSatisfied || (word !== null && isUserCall(evaa.liquidateFail)(word))
  const paid = evaaPayoutAfter(answer, picked, {
    reports: [evaa.liquidateSuccessReport.opcode, evaa.liquidateFail.opcode],
    to,
  })
  pickRest(answer, picked, to)
  if (word !== null) pickRest(word, picked, to)
  if (isSatisfied && word === null && paid === null) return null
  if (!failed) {
    const { liquidated = null, reward = null } = readBody(answer, readSatisfied)?.answer ?? {}
    return { liquidated, reward: rewardOf(reward, paid), paid, failReason: null, failed: paid === null }
  }
  const reason = isSatisfied ? 0x31f6 : readBody(answer, readUnsatisfied)?.answer.reason
  return { liquidated: null, reward: 0n, paid: null, failReason: REASONS.get(reason ?? 0) ?? 'unknown', failed }
}

/** Bits of a request behind its operation: a number, the borrower, the collateral, its minimum, flags, the debt. */
const NEWER_BITS = 64 + 267 + 256 + 64 + 2 + 64

/** One with a liquidator is longer by an address. */
const readRefused = (body: Slice) =>
  body.remainingBits === NEWER_BITS ? readNewerRequest(body) : readWholeRequest(body)

/** What the master refuses before it has called the contract of the borrower: the request bounces. */
function refusedAtOnce(block: ActionBlock): Match | null {
  const requested = cameBack(block) ? readBody(block, readRefused) : null
  if (requested === null || !isCall(evaa.liquidate.opcode)(block)) return null
  const picked = new Picked()
  picked.add(block)
  const { borrower, collateralId, debt } = requested
  const content = EVAA_LIQUIDATE.content({
    liquidator: sourceOf(block),
    borrower,
    contract: null,
    assetId: assetName(collateralId),
    debt,
    reward: 0n,
    paid: null,
    failReason: 'immediate_rejection',
  })
  return { blocks: picked.blocks, content, failed: true }
}

/**
 * Invariant: the master queries the borrower's contract, which agrees or refuses; collateral is what the master
 * then paid.
 */
export const evaaLiquidation: Rule = {
  name: 'evaa/liquidation',
  begins: either(isTransfer, isCall(evaa.liquidate.opcode)),
  match(block) {
    const picked = new Picked(block)
    const call = picked.next(block, isUserCall(evaa.liquidateUser))
    if (call === null) return refusedAtOnce(block)
    const question = readUserCall(call, evaa.liquidateUser, readQuestion)?.request
    if (question === undefined) return null
    const liquidator = JETTON_TRANSFER.of(block)?.sender ?? sourceOf(block) ?? question.liquidator
    const borrower = borrowerOf(block)
    const found = outcomeAfter(call, picked, [liquidator, borrower])
    if (found === null) return null
    const { failed, liquidated, ...outcome } = found
    const content = EVAA_LIQUIDATE.content({
      assetId: assetName(question.collateralId),
      // No contract can pay more of a debt than came in.
      debt: liquidated !== null && liquidated < question.debt ? liquidated : question.debt,
      ...outcome,
      liquidator,
      borrower,
      contract: destinationOf(call),
    })
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
