// What tokens did as text, from what the database sent.

import type { ByteSpan, ListedBurn, ListedItemTransfer, ListedTransfer, TextBytes } from '../../../../store/index.ts'
import { CLOSE_OBJECT } from '../../jsonCodes.ts'
import { decodedPayloadText } from '../decoded.ts'
import {
  addAccount,
  addBase64,
  addCodes,
  addCount,
  addDigits,
  addFlag,
  addHash,
  addLt,
  addNull,
  bufferOfSpan,
  firstMember,
  member,
} from '../fieldBytes.ts'

const FROM = firstMember('source')
const TO = member('destination')
const AMOUNT = member('amount')
const FROM_WALLET = member('source_wallet')
const MASTER = member('jetton_master')
const FORWARD_TON = member('forward_ton_amount')
const QUERY = member('query_id')
const HASH = member('transaction_hash')
const LT = member('transaction_lt')
const NOW = member('transaction_now')
const ABORTED = member('transaction_aborted')
const RESPONSE = member('response_destination')
const CUSTOM = member('custom_payload')
const DECODED_CUSTOM = member('decoded_custom_payload')
const TRACE = member('trace_id')
const FORWARD = member('forward_payload')
const DECODED_FORWARD = member('decoded_forward_payload')
const OWNER = firstMember('owner')
const WALLET = member('jetton_wallet')
const ITEM = firstMember('nft_address')
const COLLECTION = member('nft_collection')
const FORWARD_AMOUNT = member('forward_amount')
const OLD_OWNER = member('old_owner')
const NEW_OWNER = member('new_owner')

type Names = readonly [bag: Uint8Array, decoded: Uint8Array]

function addPayload([bag, decoded]: Names, payload: ByteSpan | null, to: TextBytes): void {
  addCodes(bag, to)
  if (payload === null) addNull(to)
  else addBase64(payload, to)
  addCodes(decoded, to)
  if (payload === null) addNull(to)
  else to.string(decodedPayloadText(bufferOfSpan(payload)))
}

function addEvent(row: ListedBurn | ListedTransfer | ListedItemTransfer, to: TextBytes): void {
  addDigits(QUERY, row.queryId, to)
  addHash(HASH, row.txHash, to)
  addLt(LT, row.txLt, to)
  addCount(NOW, row.txNow, to)
  addFlag(ABORTED, row.aborted, to)
  addAccount(RESPONSE, row.responseDestination, to)
  addPayload([CUSTOM, DECODED_CUSTOM], row.customPayload, to)
  addHash(TRACE, row.traceId, to)
}

export function addTransfer(row: ListedTransfer, to: TextBytes): void {
  addAccount(FROM, row.source, to)
  addAccount(TO, row.destination, to)
  addDigits(AMOUNT, row.amount, to)
  addAccount(FROM_WALLET, row.sourceWallet, to)
  addAccount(MASTER, row.token, to)
  addDigits(FORWARD_TON, row.forwardTonAmount, to)
  addEvent(row, to)
  addPayload([FORWARD, DECODED_FORWARD], row.forwardPayload, to)
  to.byte(CLOSE_OBJECT)
}

export function addBurn(row: ListedBurn, to: TextBytes): void {
  addAccount(OWNER, row.holder, to)
  addAccount(WALLET, row.jettonWallet, to)
  addAccount(MASTER, row.token, to)
  addDigits(AMOUNT, row.amount, to)
  addEvent(row, to)
  to.byte(CLOSE_OBJECT)
}

export function addItemTransfer(row: ListedItemTransfer, to: TextBytes): void {
  addAccount(ITEM, row.nft, to)
  addAccount(COLLECTION, row.collection, to)
  addAccount(OLD_OWNER, row.oldOwner, to)
  addAccount(NEW_OWNER, row.newOwner, to)
  addDigits(FORWARD_AMOUNT, row.forwardAmount, to)
  addEvent(row, to)
  addPayload([FORWARD, DECODED_FORWARD], row.forwardPayload, to)
  to.byte(CLOSE_OBJECT)
}

type Accounts = readonly (ByteSpan | null)[]

/** Those whose names are listed next to it. */
export const accountsOfTransfer = (row: ListedTransfer): Accounts => [
  row.source,
  row.destination,
  row.sourceWallet,
  row.token,
  row.responseDestination,
]
export const accountsOfBurn = (row: ListedBurn): Accounts => [
  row.holder,
  row.jettonWallet,
  row.token,
  row.responseDestination,
]
export const accountsOfItemTransfer = (row: ListedItemTransfer): Accounts => [
  row.nft,
  row.collection,
  row.oldOwner,
  row.newOwner,
  row.responseDestination,
]
