// How streams write what they report: in the forms of v3, of rows that need not be in the index yet.

import type { JettonWalletRow, TransactionFound } from '../../store/index.ts'
import { type BookNeeds, createAddressBook, type ReadBook } from '../v3/addressBook.ts'
import { createMetadata, type ReadMetadata } from '../v3/metadata.ts'
import { quickBase64 } from '../view/base64.ts'
import { accountsOfAction, toAction } from '../view/v3/action.ts'
import { toJettonWallet } from '../view/v3/assets/jetton.ts'
import { toPendingTransaction } from '../view/v3/pending.ts'
import { treeOf, treePartOf } from '../view/v3/traceTree.ts'
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

/** A transaction of a trace. */
export const toLiveTransaction = ({ traceId, hash, hashNorm }: LiveTrace, { found, finality }: LiveNode) => ({
  ...toPendingTransaction({ traceId, hash, hashNorm, nodes: [] }, { found, emulated: finality === 'pending' }),
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
