// Sends what a subscriber missed, from the index, and then lets it follow the blocks: without a gap and without repetition.

import { parseAddress } from '../../shared/address.ts'
import { fromBase64 } from '../../shared/base64.ts'
import { lightInSlices, SlicedWork } from '../fairness/index.ts'
import { keyOfAccount } from '../methods/index.ts'
import {
  type AccountKey,
  BlockNotIndexed,
  type BlockRows,
  type BlockRowsFeed,
  readConcerningBlocks,
  type Sql,
} from '../store/index.ts'
import type { StreamHub } from './hub.ts'
import { isStillBlock } from './isStillBlock.ts'
import { ReaderLeft } from './missedReads.ts'
import { wantsEveryBlock } from './notifications/index.ts'
import { nftsChange } from './notifications/nftsChange.ts'
import { SubscriptionRefused } from './readSubscription.ts'
import { revertText } from './revertText.ts'
import { blockMark, type Cursor, readStreamCursor } from './streamCursor.ts'
import type { Subscription } from './streamSubscription.ts'
import type { Subscriber } from './subscriber.ts'
import { largeTracesOf } from './tracesOfBlock.ts'

const UNKNOWN = 'cursor is not known: read v3 and subscribe without it'

/** Seconds between the block of a cursor and the newest one. */
const OLDEST_S = 24 * 60 * 60
/** Blocks that concern a subscription, at most so many behind a cursor. */
const MOST_BLOCKS = 10_000
/** Blocks that are looked for at once. */
const AT_ONCE = 256
/** So few may be sent while other subscribers wait. */
const FEW = 8
const PAUSE_MS = 50

export interface StreamResumeParts {
  readonly feed: BlockRowsFeed
  readonly store: Sql
  readonly hub: StreamHub
  /**
   * Waits until the index has a block: it may have lost the last ones when its process was killed, and read them again. False when
   * the chain has none of this seqno. Throws ApiError `indexBehind`.
   */
  readonly reach: (mcSeqno: number) => Promise<boolean>
  /** Reads when it is the caller's turn among all that read what they missed. Throws ReaderLeft where the reader has gone by then. */
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>
}

function keyOfRaw(raw: string): AccountKey | null {
  const address = parseAddress(raw)
  return address === null ? null : keyOfAccount(address)
}

/** By what blocks concern a subscription. */
export type Concerning = Pick<Subscription, 'addresses' | 'hashes' | 'types' | 'opcodes' | 'namesNoAccount'>

/** Seqnos of the blocks in a range, its bounds included, that may hold something for a subscription of any number of names. */
export async function concerningBlocks(
  store: Sql,
  subscription: Concerning,
  range: { readonly first: number; readonly last: number; readonly limit: number },
): Promise<number[]> {
  const { addresses, hashes, types } = subscription
  const slices = new SlicedWork({ subject: 'streams' })
  const accounts = await lightInSlices([...addresses], keyOfRaw, slices)
  const messages = await lightInSlices([...hashes], fromBase64, slices)
  return await readConcerningBlocks(store, {
    accounts: accounts.filter((key) => key !== null),
    messages: messages.filter((hash) => hash !== null),
    everyBlock: wantsEveryBlock(subscription),
    itemOwners: types.has(nftsChange.name),
    ...range,
  })
}

const concerning = (
  { store }: StreamResumeParts,
  subscription: Subscription,
  first: number,
  last: number,
  limit = AT_ONCE,
) => concerningBlocks(store, subscription, { first, last, limit })

/** The cursor a subscription resumes from. Throws SubscriptionRefused for an unknown or too old one; ApiError; StoreError. */
export async function findCursor(parts: StreamResumeParts, text: string, subscription: Subscription): Promise<Cursor> {
  const cursor = readStreamCursor(text)
  if (cursor === null || !(await parts.reach(cursor.mcSeqno))) throw new SubscriptionRefused(UNKNOWN)
  const head = parts.feed.head()
  if (head === null) throw new SubscriptionRefused(UNKNOWN)
  const { feed, inTurn } = parts
  const newest = await blockOf(feed, head.seqno)
  const own = await inTurn(() => blockOf(feed, cursor.mcSeqno))
  const isKnown = own !== null && blockMark(own.rootHash) === cursor.block
  if (!isKnown || (newest !== null && newest.utime - own.utime > OLDEST_S)) throw new SubscriptionRefused(UNKNOWN)
  const blocks = await inTurn(() => concerning(parts, subscription, cursor.mcSeqno, head.seqno, MOST_BLOCKS + 1)).catch(
    nullUnlessIndexed,
  )
  if (blocks === null || blocks.length > MOST_BLOCKS) throw new SubscriptionRefused(UNKNOWN)
  return cursor
}

/** Null when the index does not begin so early. */
function nullUnlessIndexed(error: unknown): null {
  if (error instanceof BlockNotIndexed) return null
  throw error
}

const blockOf = (feed: BlockRowsFeed, seqno: number): Promise<BlockRows | null> =>
  feed.block(seqno).catch(nullUnlessIndexed)

/** Resolves when the subscriber follows the blocks. Of reverts it has heard so many; all that there were when it is left out. */
export async function resume(
  parts: StreamResumeParts,
  subscriber: Subscriber,
  cursor: Cursor,
  heard?: number,
): Promise<void> {
  const { hub, feed, inTurn } = parts
  const release = hub.hold()
  const reverts = heard ?? hub.reverts.count
  try {
    // The block may have been undone while the reader waited for its turn: only later reverts are noticed.
    if (heard === undefined && !(await inTurn(() => isStillBlock(feed, cursor)))) subscriber.sink.fail()
    else await sendMissed(parts, subscriber, cursor, reverts)
  } catch (error) {
    if (error instanceof ReaderLeft) return
    // What is removed is not found: its reader may not go on as if there had been nothing.
    if (!(error instanceof BlockNotIndexed)) throw error
    subscriber.sink.fail()
  } finally {
    release()
  }
}

async function sendMissed(
  parts: StreamResumeParts,
  subscriber: Subscriber,
  cursor: Cursor,
  heard: number,
): Promise<void> {
  const { hub, feed, inTurn } = parts
  let next = cursor.mcSeqno
  let reverts = heard
  /** The last block the reader has something of. */
  let reached = next
  /** Of its first block only what follows the cursor, until that block is undone. */
  let after = cursor.position

  /** Reports that blocks which it had were undone, and goes back to the last one that stayed. True when there were such. */
  const isUndone = (): boolean => {
    const lowest = hub.reverts.lowestSince(reverts)
    reverts = hub.reverts.count
    if (lowest === null) return false
    next = Math.min(next, lowest + 1)
    if (lowest >= reached) return false
    subscriber.sink.send(revertText(lowest), null)
    if (lowest < cursor.mcSeqno) after = -1
    reached = lowest
    return true
  }

  /** False for a block that takes long: all other subscribers would wait for what is hurried. */
  const send = async (seqno: number, isHurried: boolean): Promise<boolean> => {
    const rows = isHurried ? await feed.block(seqno) : await inTurn(() => feed.block(seqno))
    // Undone meanwhile: what follows is read again with the next look.
    if (rows === null) return true
    if (isHurried && largeTracesOf(rows).length > 0) return false
    await hub.replay(rows, subscriber, { after: seqno === cursor.mcSeqno ? after : -1, isHurried })
    next = seqno + 1
    reached = Math.max(reached, seqno)
    return true
  }

  /** Sends the blocks up to a seqno while there are few. True when all were sent. */
  const catchUp = async (last: number, most: number): Promise<boolean> => {
    const found = await concerning(parts, subscriber.subscription, next, last, most + 1)
    if (found.length > most) return false
    for (const seqno of found) if (!(await send(seqno, true))) return false
    next = Math.max(next, last + 1)
    return true
  }

  while (!subscriber.isGone) {
    isUndone()
    // No further than what followers have: the rest comes with them.
    const last = hub.processed ?? next - 1
    const found = await inTurn(() => concerning(parts, subscriber.subscription, next, last))
    for (const seqno of found) {
      if (subscriber.isGone) return
      await send(seqno, false)
      await subscriber.sink.drained()
      if (isUndone()) break
    }
    const isFollowing = await hub.run(async () => {
      if (subscriber.isGone) return true
      isUndone()
      const processed = hub.processed ?? next - 1
      if (processed >= next && !(await catchUp(processed, FEW))) return false
      hub.add(subscriber)
      return true
    })
    if (isFollowing) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
