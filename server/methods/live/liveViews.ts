// How streams write what they report: in the forms of v3, of rows that need not be in the index yet.

import { ApiError } from '../../../shared/errors.ts'
import { toDigits } from '../../../shared/primitives.ts'
import { base64Of } from '../../cell/index.ts'
import type { ActionRow, JettonWalletRow, MessageRow, NftOwnersRow, TransactionFound } from '../../store/index.ts'
import { rawOfKey } from '../keyOfAccount.ts'
import { type BookNeeds, createAddressBook, type ReadBook } from '../v3/names/addressBook.ts'
import { createMetadata, type ReadMetadata } from '../v3/names/metadata.ts'
import { accountsOfAction, toAction } from '../view/v3/action.ts'
import { rawOrNull } from '../view/v3/assets/fields.ts'
import { toJettonWallet } from '../view/v3/assets/jetton.ts'
import { decodedSizeOf } from '../view/v3/decoded.ts'
import { bytesOfMessage, toBriefMessage, toIndexedMessage } from '../view/v3/message.ts'
import { toPendingTransaction } from '../view/v3/pending.ts'
import { treeOf, treePartOf } from '../view/v3/traceTree.ts'
import type { LiveMessage } from './liveMessages.ts'
import type { LiveAction, LiveNode, LiveTrace } from './liveTrace.ts'

/** Names and token metadata of accounts, read when a notification is written. */
export interface LiveBooks {
  readonly addressBook: ReadBook
  readonly metadata: ReadMetadata
}

export const createLiveBooks = (needs: BookNeeds): LiveBooks => ({
  addressBook: createAddressBook(needs).read,
  metadata: unlessTooLarge(createMetadata(needs.store)),
})

/** Anybody can send messages from tokens with more descriptions than one answer holds: what they touch is reported without them. */
const unlessTooLarge =
  (read: ReadMetadata): ReadMetadata =>
  async (...of) => {
    try {
      return await read(...of)
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'replyTooLarge') return {}
      throw error
    }
  }

/** Of the messages of one notification that is sent whole: bodies, initial states and decoded bodies, and the trees of the bodies. */
const MOST_BYTES = 512 << 10
/** A message with no more than this of each keeps them in any notification. */
export const FEW_BYTES = 1 << 10
/** Messages that are looked at in one piece. */
const PIECE = 16

/** Whether the messages of these transactions are too large for one notification. */
export const lookingWhetherTooLarge = (nodes: readonly LiveNode[]): Generator<void, boolean> =>
  lookingWhetherMessagesTooLarge(
    nodes.flatMap(({ found: { inMessage, outMessages } }) =>
      inMessage === null ? outMessages : [inMessage, ...outMessages],
    ),
  )

/** Bodies with large trees are not decoded for that: there is no pause while a notification is written. */
export function* lookingWhetherMessagesTooLarge(rows: readonly MessageRow[]): Generator<void, boolean> {
  let left = rows.reduce((sum, row) => sum - bytesOfMessage(row), MOST_BYTES)
  let treesLeft = MOST_BYTES
  for (const [i, row] of rows.entries()) {
    if (i % PIECE === PIECE - 1) yield
    const size = left < 0 ? null : decodedSizeOf(row, treesLeft)
    if (size === null) return true
    left -= size.length
    treesLeft -= size.tree
  }
  return left < 0
}

/** In place of contents that were not read: a notification with one of these is sent without them. */
const NOT_READ = new Uint8Array(MOST_BYTES + 1)

const isRead = ({ body, init }: MessageRow): boolean => body.length > 0 && init?.length !== 0

const withoutLongBag = (row: MessageRow): MessageRow => (isRead(row) ? row : { ...row, body: NOT_READ, init: null })

/** Of a transaction that was read without bodies and initial states of more than `FEW_BYTES`. */
export const withoutLongBags = (found: TransactionFound): TransactionFound => ({
  ...found,
  inMessage: found.inMessage === null ? null : withoutLongBag(found.inMessage),
  outMessages: found.outMessages.map(withoutLongBag),
})

/** Whether the contents of its messages are known. */
export const hasContents = ({ inMessage, outMessages }: TransactionFound): boolean =>
  inMessage?.body !== NOT_READ && outMessages.every(({ body }) => body !== NOT_READ)

function isLarge(row: MessageRow): boolean {
  if (bytesOfMessage(row) > FEW_BYTES) return true
  const size = decodedSizeOf(row, FEW_BYTES)
  return size === null || size.length > FEW_BYTES
}

const toFewBytes = (row: MessageRow) => (isLarge(row) ? toBriefMessage(row) : toIndexedMessage(row))

/** A transaction of a trace; when `isBrief`, large messages are without their bodies and initial states. */
export const toLiveTransaction = (
  { traceId, hash, hashNorm }: LiveTrace,
  { found, finality }: LiveNode,
  isBrief: boolean,
) => ({
  ...toPendingTransaction(
    { traceId, hash, hashNorm, nodes: [] },
    { found, emulated: finality === 'pending' },
    isBrief ? toFewBytes : undefined,
  ),
  finality,
})

/** A message of a trace, as lists have it; when `isBrief`, a large one is without its body and its initial state. */
export const toLiveMessage = ({ row, receiver, sender }: LiveMessage, isBrief: boolean) => ({
  ...(isBrief ? toFewBytes(row) : toIndexedMessage(row)),
  ...(receiver === null ? {} : { in_msg_tx_hash: base64Of(receiver) }),
  ...(sender === null ? {} : { out_msg_tx_hash: base64Of(sender) }),
})

/** Whether the details of these actions, such as comments, are too large for one notification. */
export const areDetailsTooLarge = (actions: readonly LiveAction[]): boolean =>
  actions.reduce((sum, { row }) => sum + row.details.length, 0) > MOST_BYTES

function withShortDetails(row: ActionRow): ActionRow {
  if (row.details.length <= FEW_BYTES) return row
  const short = (_: string, value: unknown) => (typeof value === 'string' && value.length > FEW_BYTES ? null : value)
  return { ...row, details: JSON.stringify(JSON.parse(row.details, short)) }
}

/** An action of a trace, with the accounts it concerns; when `isBrief`, without long texts in its details. */
export const toLiveAction = (
  { traceId, hash, hashNorm }: LiveTrace,
  { row, finality }: LiveAction,
  isBrief: boolean,
) => ({
  ...toAction(isBrief ? withShortDetails(row) : row),
  trace_id: traceId && base64Of(traceId),
  trace_external_hash: base64Of(hash),
  trace_external_hash_norm: base64Of(hashNorm),
  finality,
  accounts: accountsOfAction(row),
})

/** Null when it is too deep for JSON. */
export function* makingLiveTree({ nodes }: LiveTrace): Generator<void, ReturnType<typeof treeOf>['root']> {
  const parts: ReturnType<typeof treePartOf>[] = []
  for (const [i, { found }] of nodes.entries()) {
    if (i % PIECE === PIECE - 1) yield
    parts.push(treePartOf(found))
  }
  yield
  return treeOf(parts).root
}

/** A jetton wallet after its last transaction in a block. */
export const toLiveWallet = (row: JettonWalletRow, { row: { lt } }: TransactionFound) =>
  toJettonWallet({ ...row, lastTxLt: lt }, null)

/** An item with its owners before and after its last transaction in a block, in the names of `v3.nft.transfers`. */
export const toLiveNft = ({ account, collection, oldOwner, newOwner }: NftOwnersRow, { row }: TransactionFound) => ({
  nft_address: rawOfKey(account),
  nft_collection: rawOrNull(collection),
  old_owner: rawOrNull(oldOwner),
  new_owner: rawOrNull(newOwner),
  transaction_hash: base64Of(row.hash),
  transaction_lt: toDigits(row.lt),
  transaction_now: row.now,
  trace_id: base64Of(row.traceId),
})
