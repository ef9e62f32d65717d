// What a transaction of a token contract moved, by the message it received. Only a successful one moves anything; what came
// back after a failure is added again.

import { everyday, jettons, nft } from '../../bodies/index.ts'
import { type Cell, MAX_DEPTH, openCell, orNull, readBoc, type Slice, sameBytes } from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type { AccountKey, NftOwnersRow, TransactionFound } from '../../store/index.ts'

const bodyOf = (boc: Uint8Array): Cell => readBoc(boc, { maxDepth: MAX_DEPTH })

const readSent = jettons.transfer.reader(addressKey, 'amount')
const readMoved = jettons.internalTransfer.reader(addressKey, 'amount')
const readBurnt = jettons.burn.reader(addressKey, 'amount')
const readNotified = jettons.burnNotification.reader(addressKey, 'amount')

/** Jettons in a body that came back. */
function jettonsBack(slice: Slice): bigint {
  if (jettons.internalTransfer.begins(slice)) return readMoved(slice).amount
  return jettons.burnNotification.begins(slice) ? readNotified(slice).amount : 0n
}

function jettonsIn(body: Cell, isBounced: boolean): bigint {
  const slice = openCell(body)
  if (jettons.internalTransfer.begins(slice)) return readMoved(slice).amount
  if (jettons.transfer.begins(slice)) return -readSent(slice).amount
  if (jettons.burn.begins(slice)) return -readBurnt(slice).amount
  // Any sender can write a body that begins like a bounce.
  if (!isBounced) return 0n
  if (everyday.bounce.begins(slice)) return jettonsBack(slice)
  return everyday.newBounce.begins(slice) ? jettonsBack(openCell(slice.loadRef())) : 0n
}

/** A transaction with the message it received. */
type Receiver = Pick<TransactionFound, 'row' | 'inMessage'>

const received = ({ row, inMessage }: Receiver): Receiver['inMessage'] =>
  inMessage === null || isAborted(row.description) ? null : inMessage

/** Jettons that came into a wallet, negative for those that left it. */
export function jettonsMoved(found: Receiver): bigint {
  const message = received(found)
  if (message === null) return 0n
  return orNull(() => jettonsIn(bodyOf(message.body), message.bounced === true)) ?? 0n
}

export interface ItemMove {
  readonly from: AccountKey | null
  readonly to: AccountKey | null
}

const readNewOwner = nft.transfer.reader(addressKey, 'newOwner')

/** The change of owner that a message requested of an item; null when it requested none. */
function requestedMove(found: Receiver): (ItemMove & { readonly to: AccountKey }) | null {
  const message = received(found)
  if (message === null) return null
  return orNull(() => {
    const slice = openCell(bodyOf(message.body))
    const to = nft.transfer.begins(slice) ? readNewOwner(slice).newOwner : null
    return to === null ? null : { from: found.inMessage?.source ?? null, to }
  })
}

/** What is known of one item. */
export interface KnownItem {
  /** Whether it is one now, so that its messages count. */
  readonly isItem: boolean
  /** Whose it was before and after a transaction; or a block, by the last of its transactions there. */
  ownersOf(transaction: Uint8Array): NftOwnersRow | undefined
}

/** Transactions that are gone through in one piece. */
const AT_ONCE = 100

const isSame = (a: AccountKey | null, b: AccountKey | null): boolean =>
  a === b || (a !== null && b !== null && sameBytes(a, b))

/**
 * How an item went from owner to owner in its transactions, in their order. What the contract returned after a block counts more than
 * what was requested; messages show what happened between several transactions in one block.
 */
export function* itemMoves(
  all: readonly Receiver[],
  { isItem, ownersOf }: KnownItem,
): Generator<void, readonly ItemMove[]> {
  const moves: ItemMove[] = []
  let last: { readonly mcSeqno: number; readonly owner: AccountKey | null } | null = null
  for (const [i, found] of all.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) yield
    const { hash, mcSeqno } = found.row
    const owners = ownersOf(hash)
    const requested = isItem || owners !== undefined ? requestedMove(found) : null
    if (owners === undefined) {
      if (requested === null) continue
      moves.push(requested)
      last = { mcSeqno, owner: requested.to }
      continue
    }
    const { oldOwner, newOwner, isAlone } = owners
    const before = !isAlone && last?.mcSeqno === mcSeqno ? last.owner : oldOwner
    if (isAlone || requested === null || !isSame(requested.to, newOwner)) moves.push({ from: before, to: newOwner })
    else {
      if (before === null) moves.push({ from: null, to: requested.from })
      moves.push(requested)
    }
    last = { mcSeqno, owner: newOwner }
  }
  return moves.filter(({ from, to }) => !isSame(from, to))
}
