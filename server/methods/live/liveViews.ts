// How streams write what they report: in the forms of v3, of rows that need not be in the index yet.

import type { JettonWalletRow, MessageRow, TransactionFound } from '../../store/index.ts'
import { type BookNeeds, createAddressBook, type ReadBook } from '../v3/addressBook.ts'
import { createMetadata, type ReadMetadata } from '../v3/metadata.ts'
import { quickBase64 } from '../view/base64.ts'
import { accountsOfAction, toAction } from '../view/v3/action.ts'
import { toJettonWallet } from '../view/v3/assets/jetton.ts'
import { bytesOfMessage, toBriefMessage, toIndexedMessage } from '../view/v3/message.ts'
import { toPendingTransaction } from '../view/v3/pending.ts'
import { treeOf, treePartOf } from '../view/v3/traceTree.ts'
import { bytesOfMessages } from '../view/v3/transaction.ts'
import type { LiveAction, LiveNode, LiveTrace } from './liveTrace.ts'

/** Names and token metadata of accounts, read when a notification is written. */
export interface LiveBooks {
  readonly addressBook: ReadBook
  readonly metadata: ReadMetadata
}

export const createLiveBooks = (needs: BookNeeds): LiveBooks => ({
  addressBook: createAddressBook(needs).read,
  metadata: createMetadata(needs.store),
})

/** Bytes of the messages of one notification: more than a reader may leave unread are never sent. */
const MOST_BYTES = 512 << 10
/** Of a message, which keeps them in any notification. */
const FEW_BYTES = 1 << 10

/** Whether the messages of these transactions are too large for one notification. */
export const areTooLarge = (nodes: readonly LiveNode[]): boolean =>
  nodes.reduce((sum, { found }) => sum + bytesOfMessages(found), 0) > MOST_BYTES

const toFewBytes = (row: MessageRow) => (bytesOfMessage(row) > FEW_BYTES ? toBriefMessage(row) : toIndexedMessage(row))

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

/** An action of a trace, with the accounts it concerns. */
export const toLiveAction = ({ traceId, hash, hashNorm }: LiveTrace, { row, finality }: LiveAction) => ({
  ...toAction(row),
  trace_id: traceId && quickBase64(traceId),
  trace_external_hash: quickBase64(hash),
  trace_external_hash_norm: quickBase64(hashNorm),
  finality,
  accounts: accountsOfAction(row),
})

/** Null when it is too deep for JSON. */
export const toLiveTree = ({ nodes }: LiveTrace) => treeOf(nodes.map(({ found }) => treePartOf(found))).root

/** A jetton wallet after its last transaction in a block. */
export const toLiveWallet = (row: JettonWalletRow, { row: { lt } }: TransactionFound) =>
  toJettonWallet({ ...row, lastTxLt: lt }, null)
