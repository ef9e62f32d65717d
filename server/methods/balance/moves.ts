// What a transaction of a token contract moved, by the message it received. Only a successful one moves anything; what came
// back after a failure is added again.

import { type Cell, loadAddress, openCell, readBoc, type Slice } from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type { AccountKey, TransactionFound } from '../../store/index.ts'
import { orNull } from '../../tlb/index.ts'

const BOUNCED = 0xffffffff
const TRANSFER = 0x0f8a7ea5
const INTERNAL_TRANSFER = 0x178d4519
const BURN = 0x595f07bc
const BURN_NOTIFICATION = 0x7bdd97de
const NFT_TRANSFER = 0x5fcc3d14

const QUERY_BITS = 64

const bodyOf = (boc: Uint8Array): Cell => readBoc(boc, { maxDepth: 1024 })

const amountAfterQuery = (slice: Slice): bigint => slice.skip(QUERY_BITS).loadCoins()

function jettonsIn(body: Cell): bigint {
  const slice = openCell(body)
  const op = slice.loadUint(32)
  if (op === INTERNAL_TRANSFER) return amountAfterQuery(slice)
  if (op === TRANSFER || op === BURN) return -amountAfterQuery(slice)
  if (op !== BOUNCED) return 0n
  const returned = slice.loadUint(32)
  return returned === INTERNAL_TRANSFER || returned === BURN_NOTIFICATION ? amountAfterQuery(slice) : 0n
}

const received = ({ row, inMessage }: TransactionFound): Uint8Array | null =>
  inMessage === null || isAborted(row.description) ? null : inMessage.body

/** Jettons that came into a wallet, negative for those that left it. */
export function jettonsMoved(found: TransactionFound): bigint {
  const body = received(found)
  return body === null ? 0n : (orNull(() => jettonsIn(bodyOf(body))) ?? 0n)
}

export interface ItemMove {
  readonly from: AccountKey | null
  readonly to: AccountKey
}

/** A change of the owner of an item; null when there was none. */
export function itemMoved(found: TransactionFound): ItemMove | null {
  const body = received(found)
  if (body === null) return null
  return orNull(() => {
    const slice = openCell(bodyOf(body))
    if (slice.loadUint(32) !== NFT_TRANSFER) return null
    const to = addressKey(loadAddress(slice.skip(QUERY_BITS)))
    return to === null ? null : { from: found.inMessage?.source ?? null, to }
  })
}
