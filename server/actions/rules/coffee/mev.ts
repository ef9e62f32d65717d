// Protection of swaps on swap.coffee from being run ahead of: a contract holds what is to be swapped until its turn comes,
// and gives it back when the swap failed.

import { coffee } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { CALL, either, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'

interface Held {
  readonly source: string | null
  readonly sourceWallet: string | null
  readonly contract: string | null
  readonly contractWallet: string | null
  readonly asset: string | null
  readonly amount: bigint | null
}

const COFFEE_MEV_HOLD = new Kind<Held>({
  type: 'coffee_mev_protect_hold_funds',
  describe: ({ source, sourceWallet, contract, contractWallet, asset, amount }) => ({
    roles: {
      source,
      sourceSecondary: sourceWallet,
      destination: contract,
      destinationSecondary: contractWallet,
      asset,
    },
    details: {
      source,
      source_jetton_wallet: sourceWallet,
      mev_contract: contract,
      mev_contract_jetton_wallet: contractWallet,
      asset,
      amount: digits(amount),
    },
  }),
})

function heldBy(block: ActionBlock): Held | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined)
    return forwardedAs(block, coffee.hold) === null
      ? null
      : {
          source: transfer.sender,
          sourceWallet: transfer.senderWallet,
          contract: transfer.receiver,
          contractWallet: transfer.receiverWallet,
          asset: transfer.asset,
          amount: transfer.amount,
        }
  const from = envelopeOf(block)
  if (from === undefined) return null
  const { source, destination: contract, value: amount } = from
  return { source, sourceWallet: null, contract, contractWallet: null, asset: null, amount }
}

const isFee = isCall(coffee.holdFee.opcode)

/**
 * Invariant: the contract is sent what it is requested to hold; the amount is what came. The wallet that orders
 * it pays the service's fee beside it. An order that is part of another action already stays with that one.
 */
export const coffeeMevHold: Rule = {
  name: 'coffee/mevHold',
  begins: either(isCall(coffee.hold.opcode), isTransfer),
  match(block) {
    const held = heldBy(block)
    if (held === null) return null
    const picked = new Picked(block)
    const orderedBy = picked.previous(block, (previous) => CALL.is(previous) && previous.next.some(isFee))
    if (orderedBy !== null) picked.next(orderedBy, isFee)
    return { blocks: picked.blocks, content: COFFEE_MEV_HOLD.content(held), failed: block.failed }
  },
}

/** Nothing is shown of it. */
const COFFEE_MEV_FAILED = new Kind<null>({
  type: 'coffee_mev_protect_failed_swap',
  describe: () => ({ roles: {}, details: {} }),
})

/** Invariant: the contract that held something to swap sends it back and says that the swap failed. */
export const coffeeMevFailed: Rule = {
  name: 'coffee/mevFailed',
  begins: either(isCall(coffee.heldSwapFailed.opcode), isTransfer),
  match(block) {
    if (isTransfer(block) && forwardedAs(block, coffee.heldSwapFailed) === null) return null
    return { blocks: new Set([block]), content: COFFEE_MEV_FAILED.content(null), failed: block.failed }
  },
}
