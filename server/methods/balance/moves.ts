// What a transaction of a token contract moved, by the message it received. Only a successful one moves anything; what came
// back after a failure is added again.

import { everyday, jettons, nft } from '../../bodies/index.ts'
import { type Cell, openCell, readBoc } from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type { AccountKey, TransactionFound } from '../../store/index.ts'
import { orNull } from '../../tlb/index.ts'

const bodyOf = (boc: Uint8Array): Cell => readBoc(boc, { maxDepth: 1024 })

const readSent = jettons.transfer.reader(addressKey, 'amount')
const readMoved = jettons.internalTransfer.reader(addressKey, 'amount')
const readBurnt = jettons.burn.reader(addressKey, 'amount')
const readNotified = jettons.burnNotification.reader(addressKey, 'amount')

function jettonsIn(body: Cell): bigint {
  const slice = openCell(body)
  if (jettons.internalTransfer.begins(slice)) return readMoved(slice).amount
  if (jettons.transfer.begins(slice)) return -readSent(slice).amount
  if (jettons.burn.begins(slice)) return -readBurnt(slice).amount
  if (!everyday.bounce.begins(slice)) return 0n
  if (jettons.internalTransfer.begins(slice)) return readMoved(slice).amount
  return jettons.burnNotification.begins(slice) ? readNotified(slice).amount : 0n
}

/** A transaction with the message it received. */
type Receiver = Pick<TransactionFound, 'row' | 'inMessage'>

const received = ({ row, inMessage }: Receiver): Uint8Array | null =>
  inMessage === null || isAborted(row.description) ? null : inMessage.body

/** Jettons that came into a wallet, negative for those that left it. */
export function jettonsMoved(found: Receiver): bigint {
  const body = received(found)
  return body === null ? 0n : (orNull(() => jettonsIn(bodyOf(body))) ?? 0n)
}

export interface ItemMove {
  readonly from: AccountKey | null
  readonly to: AccountKey
}

const readNewOwner = nft.transfer.reader(addressKey, 'newOwner')

/** A change of the owner of an item; null when there was none. */
export function itemMoved(found: Receiver): ItemMove | null {
  const body = received(found)
  if (body === null) return null
  return orNull(() => {
    const slice = openCell(bodyOf(body))
    const to = nft.transfer.begins(slice) ? readNewOwner(slice).newOwner : null
    return to === null ? null : { from: found.inMessage?.source ?? null, to }
  })
}
