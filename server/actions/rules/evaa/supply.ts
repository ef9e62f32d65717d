// An asset is supplied to EVAA: the master has the contract of the recipient take it in, or gives it back.

import type { Slice } from '../../../cell/index.ts'
import { CALL, envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { isTon } from './assets.ts'
import { isUserCall, payloadAsking, payoutAfter, pickRest, readAssetId, readUserCall } from './messages.ts'

const SUPPLY = 0x1
const SUPPLY_USER = 0x11
const SUPPLY_SUCCESS = 0x11a
const SUPPLY_FAIL = 0x11f
const REPORTS: readonly number[] = [0x11ae, 0x11ae1]

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

/** Query id, two flags, amount, and an address that may be none. */
const LEAST_BITS = 64 + 2 + 64 + 2

function readTonSupply(body: Slice) {
  // Opcode 1 is common: a block may have hundreds of other calls with it, and each failed read captures a stack.
  if (body.remainingBits < LEAST_BITS) return null
  const amount = body.skip(64 + 2).loadUintBig(64)
  return { amount, recipient: readAddress(body) }
}

function entryOf(block: Block): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = payloadAsking(block, SUPPLY)
    return payload && { given: legOf(transfer), recipient: readAddress(payload.skip(2)) }
  }
  const requested = readBody(block, readTonSupply)
  const from = envelopeOf(block)
  if (requested === null || from === undefined) return null
  const { source, destination } = from
  const given = {
    asset: null,
    source,
    destination,
    sourceWallet: null,
    destinationWallet: null,
    amount: requested.amount,
  }
  return { given, recipient: requested.recipient }
}

const readTaken = (body: Slice) => ({ assetId: readAssetId(body.skip(64)), amount: body.loadUintBig(64) })

export const evaaSupply: Rule = {
  name: 'evaa/supply',
  begins: (block) => isTransfer(block) || (CALL.is(block) && isCall(SUPPLY)(block)),
  match(block) {
    const entry = entryOf(block)
    if (entry === null) return null
    const picked = new Picked(block)
    const call = picked.next(block, isUserCall(SUPPLY_USER))
    const taken = call === null ? null : readUserCall(call, SUPPLY_USER, readTaken)
    if (call === null || taken === null) return null
    const answer = picked.next(call, isCall(SUPPLY_SUCCESS, SUPPLY_FAIL))
    if (answer === null) return null
    const isTaken = isCall(SUPPLY_SUCCESS)(answer)
    // What was not taken comes back by a transfer of its own.
    if (isTaken) payoutAfter(answer, picked, REPORTS)
    pickRest(answer, picked)
    const content = EVAA_SUPPLY.content({ contract: envelopeOf(call)?.destination ?? null, ...entry, ...taken })
    return { blocks: picked.blocks, content, failed: !isTaken }
  },
}
