// Messages waiting in a shard: the queue towards neighbours, what of theirs was processed, and messages that their sender
// must hold back.

import {
  type Augmentation,
  augDictKind,
  type Builder,
  bigKey,
  type Cell,
  type Dict,
  dictBytesKey,
  dictKind,
  emptyDict,
  loadDict,
  type Slice,
  storeDict,
} from '../../cell/index.ts'
import { expectTag, fromCell, loadHash, loadMaybe, smaller, storeHash, storeMaybe } from '../fields.ts'
import { emittedLtOf, loadEnvelope } from '../message/envelope.ts'

export interface EnqueuedMessage {
  readonly enqueuedLt: bigint
  /** MsgEnvelope. */
  readonly envelope: Cell
}

const loadEnqueued = (slice: Slice): EnqueuedMessage => ({
  enqueuedLt: slice.loadUintBig(64),
  envelope: slice.loadRef(),
})

const storeEnqueued = (builder: Builder, value: EnqueuedMessage): Builder =>
  builder.storeUint(value.enqueuedLt, 64).storeRef(value.envelope)

/** The smallest logical time of all entries. */
const smallest = <V>(leaf: (value: V) => bigint): Augmentation<V, bigint> => ({
  load: (slice) => slice.loadUintBig(64),
  store: (builder, value) => {
    builder.storeUint(value, 64)
  },
  leaf,
  combine: smaller,
  empty: 0n,
})

/** `OutMsgQueue`: by next workchain (32 bits), next prefix (64) and hash of the message. */
export const outQueueKind = augDictKind(
  dictBytesKey(352),
  { load: loadEnqueued, store: storeEnqueued },
  smallest((value: EnqueuedMessage) => emittedLtOf(fromCell(value.envelope, loadEnvelope))),
)

export interface ProcessedUpto {
  readonly lastLt: bigint
  readonly lastHash: Uint8Array
}

const loadProcessed = (slice: Slice): ProcessedUpto => ({ lastLt: slice.loadUintBig(64), lastHash: loadHash(slice) })
const storeProcessed = (builder: Builder, value: ProcessedUpto): Builder =>
  storeHash(builder.storeUint(value.lastLt, 64), value.lastHash)

/** `ProcessedInfo`: by shard (64 bits) and masterchain seqno (32 bits). */
export const processedKind = dictKind(dictBytesKey(96), { load: loadProcessed, store: storeProcessed })

/** Messages of one account that wait for their turn, by logical time. */
export const waitingKind = dictKind(bigKey(64), { load: loadEnqueued, store: storeEnqueued })

export interface AccountDispatchQueue {
  readonly messages: Dict<bigint, EnqueuedMessage>
  readonly count: number
}

const loadDispatch = (slice: Slice): AccountDispatchQueue => ({
  messages: loadDict(slice, waitingKind),
  count: slice.loadUint(48),
})

const storeDispatch = (builder: Builder, value: AccountDispatchQueue): Builder =>
  storeDict(builder, value.messages).storeUint(value.count, 48)

/** `DispatchQueue`: by account id. */
export const dispatchQueueKind = augDictKind(
  dictBytesKey(256),
  { load: loadDispatch, store: storeDispatch },
  smallest((value: AccountDispatchQueue) => value.messages.min()?.[0] ?? 0n),
)

export interface OutQueueExtra {
  readonly dispatchQueue: Dict<Uint8Array, AccountDispatchQueue, bigint>
  readonly queueSize: number | null
}

export interface OutQueueInfo {
  readonly queue: Dict<Uint8Array, EnqueuedMessage, bigint>
  readonly processed: Dict<Uint8Array, ProcessedUpto>
  readonly extra: OutQueueExtra | null
}

export const EMPTY_OUT_QUEUE: OutQueueInfo = {
  queue: emptyDict(outQueueKind),
  processed: emptyDict(processedKind),
  extra: null,
}

function loadExtra(slice: Slice): OutQueueExtra {
  expectTag(slice, 0, 4, 'OutMsgQueueExtra')
  return { dispatchQueue: loadDict(slice, dispatchQueueKind), queueSize: slice.loadBit() ? slice.loadUint(48) : null }
}

function storeExtra(builder: Builder, value: OutQueueExtra): Builder {
  storeDict(builder.storeUint(0, 4), value.dispatchQueue)
  return storeMaybe(builder, value.queueSize, (b, size) => b.storeUint(size, 48))
}

/** `OutMsgQueueInfo`. */
export const loadOutQueueInfo = (slice: Slice): OutQueueInfo => ({
  queue: loadDict(slice, outQueueKind),
  processed: loadDict(slice, processedKind),
  extra: loadMaybe(slice, loadExtra),
})

export const storeOutQueueInfo = (builder: Builder, value: OutQueueInfo): Builder =>
  storeMaybe(storeDict(storeDict(builder, value.queue), value.processed), value.extra, storeExtra)
