// How DeDust names assets, and how its vaults pay them.

import { CellError, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { hexOf, readAddress, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

/** From a pool to the vault that is to pay. */
export const PAYOUT_FROM_POOL = 0xad4eb6f5
/** From the vault of TON to whom it pays. */
export const PAYOUT = 0x474f86cf

const NATIVE = 0
const JETTON = 1

/** The master of a jetton; null for TON. */
export function readAsset(slice: Slice): string | null {
  const kind = slice.loadUint(4)
  if (kind === NATIVE) return null
  if (kind !== JETTON) throw new CellError('value', `asset of kind ${kind}`)
  const workchain = slice.loadInt(8)
  return `${workchain}:${hexOf(slice.loadBytes(32)).toUpperCase()}`
}

const readPayout = (body: Slice) => {
  body.skip(64).loadRef()
  return { amount: body.loadCoins(), recipient: readAddress(body) }
}

/** The payment of a vault on `order`, picked; null until it has paid. */
export function payoutAfter(order: Block, picked: Picked): SwapTransfer | null {
  const requested = readBody(order, readPayout)
  const transfer = picked.next(order, isTransfer)
  const jettons = JETTON_TRANSFER.of(transfer)
  if (jettons !== undefined) return legOf(jettons)
  const paid = envelopeOf(picked.next(order, isCall(PAYOUT)))
  if (paid === undefined || requested === null) return null
  const { source, destination } = paid
  return { asset: null, source, destination, sourceWallet: null, destinationWallet: null, amount: requested.amount }
}
