// A liquidator pays a part of the debt of a user of EVAA and takes collateral for it, if the user's contract agrees.

import { openCell, type Slice } from '../../../cell/index.ts'
import { CALL, envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { isKnownAsset, masterOf } from './assets.ts'
import { isUserCall, payloadAsking, payoutAfter, pickRest, readAssetId, readUserCall } from './messages.ts'

const LIQUIDATE = 0x3
const LIQUIDATE_USER = 0x31
const SATISFIED = 0x311
const UNSATISFIED = 0x31f
const LIQUIDATE_SUCCESS = 0x311a
const LIQUIDATE_FAIL = 0x311f
const SUCCESS_REPORT = 0x311d
const REPORT_TO_USER = 0x311d1

const REASONS: ReadonlyMap<number, string> = new Map([
  [0x30f1, 'master_liquidating_too_much'],
  [0x31f0, 'user_withdraw_in_progress'],
  [0x31f2, 'not_liquidatable'],
  [0x31f3, 'min_collateral_not_satisfied'],
  [0x31f4, 'user_not_enough_collateral'],
  [0x31f5, 'user_liquidating_too_much'],
  [0x31f6, 'master_not_enough_liquidity'],
  [0x31f7, 'liquidation_prices_missing'],
  [0x31fe, 'liquidation_execution_crashed'],
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
    const asset = masterOf(assetId)
    return {
      roles: { source: liquidator, destination: borrower, destinationSecondary: contract, asset },
      details: {
        fail_reason: failReason,
        debt_amount: digits(debt),
        source: liquidator,
        borrower,
        borrower_contract: contract,
        collateral: paid?.asset ?? asset,
        asset_id: assetId,
        asset,
        is_known_asset: isKnownAsset(assetId),
        amount: digits(reward),
      },
    }
  },
})

/** Whose debt it is. */
function borrowerOf(block: Block): string | null {
  const payload = payloadAsking(block, LIQUIDATE)
  if (payload !== null) return readAddress(payload)
  return isCall(LIQUIDATE)(block) ? readBody(block, (body) => readAddress(body.skip(64))) : null
}

/** The request to the user's contract, after its parameters. */
const readQuestion = (body: Slice) => {
  body.skip(64).loadMaybeRef()
  body.loadMaybeRef()
  const slice = openCell(body.loadRef())
  const assetId = readAssetId(slice)
  const liquidator = readAddress(slice.skip(64))
  return { assetId, liquidator, debt: slice.skip(256).loadUintBig(64) }
}

/** The answer: two addresses and the asset that was paid, then the rest in a reference. */
const openAnswer = (body: Slice): Slice => {
  readAddress(body.skip(64))
  readAddress(body)
  return openCell(body.loadRef())
}

const readReward = (body: Slice): bigint =>
  openAnswer(body)
    .skip(4 * 64 + 256 + 64)
    .loadUintBig(64)

const readReason = (body: Slice): number =>
  openAnswer(body)
    .skip(64 + 256 + 2 * 64)
    .loadUint(32)

type Outcome = Pick<Liquidation, 'reward' | 'paid' | 'failReason'> & { readonly failed: boolean }

/** What came of it, picked. */
function outcomeAfter(call: Block, picked: Picked): Outcome {
  const answer = picked.next(call, isCall(SATISFIED, UNSATISFIED))
  if (answer === null) return { reward: null, paid: null, failReason: null, failed: true }
  const isSatisfied = isCall(SATISFIED)(answer)
  const word = picked.next(answer, isUserCall(LIQUIDATE_SUCCESS, LIQUIDATE_FAIL))
  if (word !== null) picked.next(word, isCall(REPORT_TO_USER))
  const failed = !isSatisfied || (word !== null && isUserCall(LIQUIDATE_FAIL)(word))
  const paid = payoutAfter(answer, picked, [SUCCESS_REPORT, LIQUIDATE_FAIL])
  pickRest(answer, picked)
  if (word !== null) pickRest(word, picked)
  if (!failed) return { reward: readBody(answer, readReward), paid, failReason: null, failed }
  const reason = isSatisfied ? 0x31f6 : readBody(answer, readReason)
  return { reward: null, paid: null, failReason: REASONS.get(reason ?? 0) ?? null, failed }
}

export const evaaLiquidation: Rule = {
  name: 'evaa/liquidation',
  begins: (block) => isTransfer(block) || (CALL.is(block) && isCall(LIQUIDATE)(block)),
  match(block) {
    const picked = new Picked(block)
    const call = picked.next(block, isUserCall(LIQUIDATE_USER))
    const question = call === null ? null : readUserCall(call, LIQUIDATE_USER, readQuestion)
    if (call === null || question === null) return null
    const { failed, ...outcome } = outcomeAfter(call, picked)
    const content = EVAA_LIQUIDATE.content({
      ...question,
      ...outcome,
      liquidator: JETTON_TRANSFER.of(block)?.sender ?? envelopeOf(block)?.source ?? question.liquidator,
      borrower: borrowerOf(block),
      contract: envelopeOf(call)?.destination ?? null,
    })
    return { blocks: picked.blocks, content, failed }
  },
}
