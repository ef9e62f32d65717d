// How an item went from owner to owner inside a block. A contract may take a request and do nothing, so requests count by the
// owners before the block and after it.

import { bytesKey } from '../read/bytesKey.ts'
import type { AccountKey } from '../tables/column.ts'
import type { NftOwnersRow } from '../tables/events.ts'

/** A request to hand on an item, in a transaction that did not fail. */
export interface ItemRequest {
  readonly txHash: Uint8Array
  readonly sender: AccountKey
  readonly to: AccountKey
}

/** What transactions of an item in one block requested, in their order. */
export interface ItemRequests {
  readonly requests: readonly ItemRequest[]
  /** The first transaction that did not fail: of an item that is new, the one that made it. */
  readonly firstTx: Uint8Array | null
}

/** The change of a whole block. */
type Whole = Pick<NftOwnersRow, 'oldOwner' | 'newOwner'>

type Owner = AccountKey | null

const isSameOwner = (a: Owner, b: Owner): boolean =>
  a === b || (a !== null && b !== null && bytesKey(a) === bytesKey(b))

/** Where requests lead when each behind the first counts if its sender is the owner by then. */
interface Paths {
  /** The first request of each sender. */
  readonly firstOf: ReadonlyMap<string, number>
  /** Of each request the next that counts. */
  readonly next: readonly (number | undefined)[]
  /** Of each request the owner at the end. */
  readonly ends: readonly AccountKey[]
}

function pathsOf(requests: readonly ItemRequest[]): Paths {
  const firstOf = new Map<string, number>()
  const next: (number | undefined)[] = []
  const ends: AccountKey[] = []
  for (const [back, { sender, to }] of requests.toReversed().entries()) {
    const i = requests.length - 1 - back
    const following = firstOf.get(bytesKey(to))
    next[i] = following
    ends[i] = following === undefined ? to : (ends[following] ?? to)
    firstOf.set(bytesKey(sender), i)
  }
  return { firstOf, next, ends }
}

/** The first request that counts: null when none does, undefined when none leads to the owner after the block. */
function beginOf({ oldOwner, newOwner }: Whole, { firstOf, ends }: Paths): number | null | undefined {
  const isRight = (i: number): boolean => isSameOwner(ends[i] ?? null, newOwner)
  const byOwner = oldOwner === null ? undefined : firstOf.get(bytesKey(oldOwner))
  if (byOwner !== undefined && isRight(byOwner)) return byOwner
  if (isSameOwner(oldOwner, newOwner)) return null
  // Sent by one who may do so without owning it; or the item is new, or its owner before is not known.
  const first = ends.findIndex((_, i) => isRight(i))
  return first < 0 ? undefined : first
}

/** A row for each request; where none leads to the owner after the block, all of the change is that of the last. */
export function itemSteps(whole: NftOwnersRow, { requests, firstTx }: ItemRequests): NftOwnersRow[] {
  const paths = pathsOf(requests)
  const begin = beginOf(whole, paths)
  const row = (txHash: Uint8Array, oldOwner: Owner, newOwner: Owner) => ({
    ...whole,
    txHash,
    oldOwner,
    newOwner,
    isAlone: true,
  })
  if (begin === undefined)
    return requests.map(({ txHash }, i) =>
      i < requests.length - 1
        ? row(txHash, whole.oldOwner, whole.oldOwner)
        : row(txHash, whole.oldOwner, whole.newOwner),
    )
  const rows: NftOwnersRow[] = []
  let owner = whole.oldOwner
  let counting = begin ?? undefined
  const beginning = counting === undefined ? undefined : requests[counting]
  const made = owner === null && beginning !== undefined && firstTx !== null && !isSameOwner(firstTx, beginning.txHash)
  if (made) {
    owner = beginning.sender
    rows.push(row(firstTx, null, owner))
  }
  for (const [i, { txHash, to }] of requests.entries()) {
    const next = i === counting ? to : owner
    if (i === counting) counting = paths.next[i]
    if (!(made && isSameOwner(txHash, firstTx))) rows.push(row(txHash, owner, next))
    owner = next
  }
  return rows
}

/** Who had an item of which no more is known: the sender of the first request that leads to its owner now. */
export function senderBefore(newOwner: Owner, { requests }: ItemRequests): Owner {
  const { ends } = pathsOf(requests)
  return requests[ends.findIndex((end) => isSameOwner(end, newOwner))]?.sender ?? newOwner
}
