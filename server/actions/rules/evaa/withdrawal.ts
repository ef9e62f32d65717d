// An asset is taken out of EVAA, or borrowed: the master has the user's contract approve it, and pays.

import { evaa } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import type { SwapTransfer } from '../exchanges/swap.ts'
import { assetName, evaaPayoutAfter, isUserCall, type Parties, pickRest } from './messages.ts'

/** The refusal sent to the user, with its reason. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
  [0x211fe8, 'withdraw_no_funds_excess'],
])

interface Withdrawal {
  readonly owner: string | null
  readonly recipient: string | null
  readonly contract: string | null
  readonly master: string | null
  readonly assetId: string
  readonly amount: bigint
  readonly paid: SwapTransfer | null
  readonly failReason: string | null
}

const EVAA_WITHDRAW = new Kind<Withdrawal>({
  type: 'evaa_withdraw',
  describe: ({ owner, recipient, contract, master, assetId, amount, paid, failReason }) => ({
    roles: {
      source: owner,
      destination: recipient,
      destinationSecondary: contract,
      asset: paid?.asset ?? null,
    },
    details: {
      recipient_jetton_wallet: paid?.destinationWallet ?? null,
      master_jetton_wallet: paid?.sourceWallet ?? null,
      master,
      fail_reason: failReason,
      asset_id: assetId,
      source: owner,
      recipient,
      owner_contract: contract,
      asset: paid?.asset ?? null,
      amount: digits(amount),
    },
  }),
})

const readRequest = fieldsOf(evaa.withdraw, 'assetId', 'amount', 'recipient')
const readGranted = fieldsOf(evaa.withdrawCollateralized, 'amount')

/** Why a user's contract refused, picked. */
function reasonAfter(block: ActionBlock, picked: Picked): string | null {
  const refusal = picked.next(block, isCall(...REASONS.keys()))
  return REASONS.get(envelopeOf(refusal)?.opcode ?? 0) ?? null
}

interface Outcome {
  readonly granted: bigint | null
  readonly paid: SwapTransfer | null
  readonly failReason: string | null
}

/** What came of it, picked. */
function outcomeAfter(call: ActionBlock, picked: Picked, to: Parties): Outcome {
  const collateralized = picked.next(call, isCall(evaa.withdrawCollateralized.opcode))
  if (collateralized === null) return { granted: null, paid: null, failReason: reasonAfter(call, picked) }
  const granted = readBody(collateralized, readGranted)?.amount ?? null
  const answer = picked.next(collateralized, isUserCall(evaa.withdrawSuccess, evaa.withdrawFail))
  if (answer === null) return { granted: null, paid: null, failReason: null }
  const failReason = reasonAfter(answer, picked)
  const isGranted = isUserCall(evaa.withdrawSuccess)(answer)
  const payout = isGranted
    ? evaaPayoutAfter(collateralized, picked, { reports: [evaa.withdrawSuccess.opcode], to })
    : null
  pickRest(collateralized, picked, to)
  pickRest(answer, picked, to)
  const paid = granted !== null && (payout?.amount ?? 0n) >= granted ? payout : null
  // A message brings TON for the way as well.
  return { granted: paid?.asset ? paid.amount : granted, paid, failReason }
}

/**
 * Invariant: the master queries the owner's contract, which grants an amount or refuses; a granted one counts once that
 * much was paid.
 */
export const evaaWithdrawal: Rule = {
  name: 'evaa/withdrawal',
  begins: isCall(evaa.withdraw.opcode),
  match(request) {
    const picked = new Picked(request)
    const call = picked.next(request, isUserCall(evaa.withdrawUser))
    const from = envelopeOf(request)
    const requested = call === null ? null : readBody(request, readRequest)
    if (requested === null || call === null || from === undefined) return null
    const { granted, paid, failReason } = outcomeAfter(call, picked, [requested.recipient, from.source])
    // Neither paid nor refused: no contract has said what came of it.
    if (paid === null && failReason === null) return null
    const content = EVAA_WITHDRAW.content({
      paid,
      failReason,
      assetId: assetName(requested.assetId),
      recipient: paid?.destination ?? requested.recipient,
      owner: from.source,
      contract: destinationOf(call),
      master: from.destination,
      amount: granted ?? requested.amount,
    })
    return { blocks: picked.blocks, content, failed: paid === null || isUnpaidLeg(picked) }
  },
}
