// An asset is supplied to EVAA: the master has the contract of the recipient take it in, or gives it back.

import { evaa } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, either, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { isTon } from './assets.ts'
import { assetName, evaaPayoutAfter, isUserCall, pickRest, readUserCall } from './messages.ts'

const REPORTS: readonly number[] = [evaa.supplyExcess.opcode, evaa.supplyExcessReport.opcode]

interface Supply {
  readonly given: SwapTransfer
  readonly assetId: string
  readonly amount: bigint
  readonly recipient: string | null
  readonly contract: string | null
}

const EVAA_SUPPLY = new Kind<Supply>({
  type: 'evaa_supply',
  describe: ({ given, assetId, amount, recipient, contract }) => ({
    roles: {
      source: given.source,
      sourceSecondary: given.sourceWallet,
      destination: recipient,
      destinationSecondary: contract,
      asset: given.asset,
    },
    details: {
      sender_jetton_wallet: given.sourceWallet,
      // Where it goes back to when it is not taken.
      recipient_jetton_wallet: given.source === recipient ? given.sourceWallet : null,
      master_jetton_wallet: given.destinationWallet,
      master: given.destination,
      asset_id: assetId,
      is_ton: isTon(assetId),
      source: given.source,
      source_wallet: given.sourceWallet,
      recipient,
      recipient_contract: contract,
      asset: given.asset,
      amount: digits(amount),
    },
  }),
})

interface Entry {
  readonly given: SwapTransfer
  readonly recipient: string | null
}

/** Query id, two flags, amount. */
const HEAD_BITS = 64 + 2 + 64
/** The tag of an address, and what is behind that of the usual form. */
const TAG_BITS = 2
const STD = 2
const STD_BITS = 1 + 8 + 256

const readSupply = fieldsOf(evaa.supply, 'amount', 'recipient')
const readJettonSupply = fieldsOf(evaa.jettonSupply, 'recipient')
const readTaken = fieldsOf(evaa.supplyUser, 'assetId', 'amount')

function readTonSupply(body: Slice) {
  // Opcode 1 is common: a block may have hundreds of other calls with it, and each failed read captures a stack.
  const rest = body.remainingBits - HEAD_BITS - TAG_BITS
  if (rest < 0) return null
  const tag = body.clone().skip(HEAD_BITS).loadUint(TAG_BITS)
  return tag === STD && rest < STD_BITS ? null : readSupply(body)
}

function entryOf(block: ActionBlock): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = forwardedAs(block, evaa.jettonSupply)
    return payload && { given: legOf(transfer), recipient: readJettonSupply(payload).recipient }
  }
  const requested = readBody(block, readTonSupply)
  const from = envelopeOf(block)
  if (requested === null || from === undefined || !carries(block, requested.amount)) return null
  return { given: tonLeg(from, requested.amount), recipient: requested.recipient }
}

/** What of the jettons given did not come back; of TON, which pays for the way too, what the contract took. */
function keptOf({ given }: Entry, taken: bigint, back: SwapTransfer | null): bigint {
  if (given.asset === null || given.amount === null) return taken
  return given.amount - (back?.asset === given.asset ? (back.amount ?? 0n) : 0n)
}

/**
 * Invariant: what came in makes the master query the recipient's contract, which accepts or refuses it; the amount
 * is what came in and did not go back.
 */
export const evaaSupply: Rule = {
  name: 'evaa/supply',
  begins: either(isTransfer, isCall(evaa.supply.opcode)),
  match(block) {
    const entry = entryOf(block)
    if (entry === null || (entry.given.asset !== null && block.failed)) return null
    const picked = new Picked(block)
    const call = picked.next(block, isUserCall(evaa.supplyUser))
    const taken = call === null ? null : readUserCall(call, evaa.supplyUser, readTaken)
    // More than came in is taken by no honest contract.
    if (call === null || taken === null || taken.amount > (entry.given.amount ?? 0n)) return null
    const answer = picked.next(call, isCall(evaa.supplySuccess.opcode, evaa.supplyFail.opcode))
    if (answer === null) return null
    const isTaken = isCall(evaa.supplySuccess.opcode)(answer)
    const to = [entry.given.source, entry.recipient]
    // What was not taken comes back by a transfer of its own.
    const back = isTaken ? evaaPayoutAfter(answer, picked, { reports: REPORTS, to }) : null
    pickRest(answer, picked, to)
    const content = EVAA_SUPPLY.content({
      contract: destinationOf(call),
      ...entry,
      assetId: assetName(taken.assetId),
      amount: isTaken ? keptOf(entry, taken.amount, isUnpaidLeg(picked) ? null : back) : taken.amount,
    })
    return { blocks: picked.blocks, content, failed: !isTaken }
  },
}
