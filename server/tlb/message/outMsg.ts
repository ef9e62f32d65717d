// How messages left a block: to the outside, into a queue, out of a queue. The dictionary of them adds up the value that
// leaves the shard.

import { augDictKind, type Builder, type Cell, dictBytesKey, type Slice } from '../../cell/index.ts'
import { type CurrencyCollection, currencySum, ZERO_CURRENCY } from '../currency.ts'
import { fromCell, loadHash, storeHash, unknownTag } from '../fields.ts'
import { carriedValue, loadEnvelope } from './envelope.ts'

export type OutMsg =
  | { readonly kind: 'external'; readonly message: Cell; readonly transaction: Cell }
  /** Created and processed in this block; `reimport` is the InMsg. */
  | { readonly kind: 'immediate'; readonly envelope: Cell; readonly transaction: Cell; readonly reimport: Cell }
  /** Put into the queue. */
  | { readonly kind: 'new'; readonly envelope: Cell; readonly transaction: Cell }
  | { readonly kind: 'transit'; readonly envelope: Cell; readonly imported: Cell }
  /** Removed from the queue because it was delivered elsewhere. */
  | { readonly kind: 'dequeued'; readonly envelope: Cell; readonly importBlockLt: bigint }
  | {
      readonly kind: 'dequeuedShort'
      readonly envelopeHash: Uint8Array
      readonly nextWorkchain: number
      readonly nextPrefix: bigint
      readonly importBlockLt: bigint
    }
  | { readonly kind: 'transitRequeued'; readonly envelope: Cell; readonly imported: Cell }
  /** Removed from our own queue and processed in this block. */
  | { readonly kind: 'dequeuedImmediate'; readonly envelope: Cell; readonly reimport: Cell }
  /** Put into the dispatch queue, and taken out of it. */
  | { readonly kind: 'newDeferred'; readonly envelope: Cell; readonly transaction: Cell }
  | { readonly kind: 'deferredTransit'; readonly envelope: Cell; readonly imported: Cell }

export function loadOutMsg(slice: Slice): OutMsg {
  const tag = slice.loadUint(3)
  switch (tag) {
    case 0:
      return { kind: 'external', message: slice.loadRef(), transaction: slice.loadRef() }
    case 1:
      return { kind: 'new', envelope: slice.loadRef(), transaction: slice.loadRef() }
    case 2:
      return { kind: 'immediate', envelope: slice.loadRef(), transaction: slice.loadRef(), reimport: slice.loadRef() }
    case 3:
      return { kind: 'transit', envelope: slice.loadRef(), imported: slice.loadRef() }
    case 4:
      return { kind: 'dequeuedImmediate', envelope: slice.loadRef(), reimport: slice.loadRef() }
    case 5:
      return loadDeferred(slice)
    case 6:
      return loadDequeued(slice)
    default:
      return { kind: 'transitRequeued', envelope: slice.loadRef(), imported: slice.loadRef() }
  }
}

function loadDeferred(slice: Slice): OutMsg {
  const tag = slice.loadUint(2)
  if (tag === 0) return { kind: 'newDeferred', envelope: slice.loadRef(), transaction: slice.loadRef() }
  if (tag === 1) return { kind: 'deferredTransit', envelope: slice.loadRef(), imported: slice.loadRef() }
  return unknownTag(20 + tag, 'OutMsg')
}

function loadDequeued(slice: Slice): OutMsg {
  if (!slice.loadBit()) return { kind: 'dequeued', envelope: slice.loadRef(), importBlockLt: slice.loadUintBig(63) }
  return {
    kind: 'dequeuedShort',
    envelopeHash: loadHash(slice),
    nextWorkchain: slice.loadInt(32),
    nextPrefix: slice.loadUintBig(64),
    importBlockLt: slice.loadUintBig(64),
  }
}

export function storeOutMsg(builder: Builder, value: OutMsg): Builder {
  switch (value.kind) {
    case 'external':
      return builder.storeUint(0, 3).storeRef(value.message).storeRef(value.transaction)
    case 'new':
      return builder.storeUint(1, 3).storeRef(value.envelope).storeRef(value.transaction)
    case 'immediate':
      return builder.storeUint(2, 3).storeRef(value.envelope).storeRef(value.transaction).storeRef(value.reimport)
    case 'transit':
      return builder.storeUint(3, 3).storeRef(value.envelope).storeRef(value.imported)
    case 'dequeuedImmediate':
      return builder.storeUint(4, 3).storeRef(value.envelope).storeRef(value.reimport)
    case 'newDeferred':
      return builder.storeUint(20, 5).storeRef(value.envelope).storeRef(value.transaction)
    case 'deferredTransit':
      return builder.storeUint(21, 5).storeRef(value.envelope).storeRef(value.imported)
    case 'dequeued':
      return builder.storeUint(12, 4).storeRef(value.envelope).storeUint(value.importBlockLt, 63)
    case 'dequeuedShort':
      storeHash(builder.storeUint(13, 4), value.envelopeHash).storeInt(value.nextWorkchain, 32)
      return builder.storeUint(value.nextPrefix, 64).storeUint(value.importBlockLt, 64)
    case 'transitRequeued':
      return builder.storeUint(7, 3).storeRef(value.envelope).storeRef(value.imported)
  }
}

/** The value one message carries out of the block. */
function exportedValueOf(value: OutMsg): CurrencyCollection {
  switch (value.kind) {
    case 'new':
    case 'newDeferred':
    case 'transit':
    case 'transitRequeued':
    case 'deferredTransit':
      return carriedValue(fromCell(value.envelope, loadEnvelope))
    default:
      return ZERO_CURRENCY
  }
}

/** `OutMsgDescr`: by hash of the message. */
export const outMsgKind = augDictKind(
  dictBytesKey(256),
  { load: loadOutMsg, store: storeOutMsg },
  currencySum(exportedValueOf),
)
