// How swap.coffee names assets, and how its vaults pay them.

import { CellError, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { hexOf, readAddress, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { legOf, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'

/** From a pool to the vault that is to pay. */
export const PAYOUT_ORDER = 0xc0ffee21
/** From the factory to what it brings to life. */
export const DEPLOY = 0xc0ffee22
export const DEPOSIT_LOG = 0xc0ffee33
const PAYOUT = 0xc0ffee32
const NOTIFICATION = 0xc0ffee36

const NATIVE = 0
const JETTON = 1

/** The master of a jetton; null for TON. */
export function readAsset(slice: Slice): string | null {
  const kind = slice.loadUint(2)
  if (kind === NATIVE) return null
  if (kind !== JETTON) throw new CellError('value', `asset of kind ${kind}`)
  const workchain = slice.loadInt(8)
  return `${workchain}:${hexOf(slice.loadBytes(32)).toUpperCase()}`
}

/** Both assets of a pool, in its order. */
export const readPoolAssets = (slice: Slice): [string | null, string | null] => [readAsset(slice), readAsset(slice)]

const readOrder = (body: Slice): bigint => {
  readAddress(body.skip(64))
  return body.loadCoins()
}

/** The payment of a vault on `order`, picked; null until it has paid. */
export function payoutAfter(order: Block, picked: Picked): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(picked.next(order, isTransfer))
  if (transfer !== undefined) return legOf(transfer)
  const block = picked.next(order, isCall(PAYOUT, NOTIFICATION))
  const paid = envelopeOf(block)
  const amount = readBody(order, readOrder)
  if (block === null || paid === undefined || amount === null) return null
  const common = { asset: null, destination: paid.destination, sourceWallet: null, destinationWallet: null }
  // A plain payout is the pool's; one that goes on with a message is its vault's, and all that the message carries.
  return isCall(PAYOUT)(block)
    ? { source: envelopeOf(order)?.source ?? null, amount, ...common }
    : { source: paid.source, amount: paid.value, ...common }
}

/** The operation that a transfer requests of its receiver, and the rest of the request. */
export function payloadOf(block: Block, opcode: number): Slice | null {
  const payload = JETTON_TRANSFER.of(block)?.forwardPayload?.clone()
  return payload !== undefined && payload.remainingBits >= 32 && payload.loadUint(32) === opcode ? payload : null
}
