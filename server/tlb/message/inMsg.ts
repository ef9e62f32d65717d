// How messages came into a block. The dictionary of them adds up fees collected and value imported, which the value flow
// of the block must agree with.

import { type Augmentation, augDictKind, type Builder, type Cell, dictBytesKey, type Slice } from '../../cell/index.ts'
import {
  addCurrency,
  type CurrencyCollection,
  gramsOnly,
  loadCurrency,
  storeCurrency,
  ZERO_CURRENCY,
} from '../currency.ts'
import { fromCell, unknownTag } from '../fields.ts'
import { carriedValue, internalInfoOf, loadEnvelope } from './envelope.ts'

export type InMsg =
  | { readonly kind: 'external'; readonly message: Cell; readonly transaction: Cell }
  | {
      readonly kind: 'instant'
      readonly message: Cell
      readonly transaction: Cell
      readonly ihrFee: bigint
      readonly proofCreated: Cell
    }
  /** Created and processed in this block. */
  | { readonly kind: 'immediate'; readonly envelope: Cell; readonly transaction: Cell; readonly fwdFee: bigint }
  /** Taken from a queue and processed. */
  | { readonly kind: 'final'; readonly envelope: Cell; readonly transaction: Cell; readonly fwdFee: bigint }
  /** Taken from a queue and put into another. */
  | { readonly kind: 'transit'; readonly envelope: Cell; readonly outEnvelope: Cell; readonly transitFee: bigint }
  | { readonly kind: 'discardFinal'; readonly envelope: Cell; readonly transactionId: bigint; readonly fwdFee: bigint }
  | {
      readonly kind: 'discardTransit'
      readonly envelope: Cell
      readonly transactionId: bigint
      readonly fwdFee: bigint
      readonly proofDelivered: Cell
    }
  /** Held back by its sender's dispatch queue until now. */
  | { readonly kind: 'deferredFinal'; readonly envelope: Cell; readonly transaction: Cell; readonly fwdFee: bigint }
  | { readonly kind: 'deferredTransit'; readonly envelope: Cell; readonly outEnvelope: Cell }

export function loadInMsg(slice: Slice): InMsg {
  const tag = slice.loadUint(3)
  switch (tag) {
    case 0:
      return { kind: 'external', message: slice.loadRef(), transaction: slice.loadRef() }
    case 1:
      return loadDeferred(slice)
    case 2: {
      const message = slice.loadRef()
      const transaction = slice.loadRef()
      return { kind: 'instant', message, transaction, ihrFee: slice.loadCoins(), proofCreated: slice.loadRef() }
    }
    case 3:
    case 4: {
      const kind = tag === 3 ? 'immediate' : 'final'
      return { kind, envelope: slice.loadRef(), transaction: slice.loadRef(), fwdFee: slice.loadCoins() }
    }
    case 5: {
      const envelope = slice.loadRef()
      const outEnvelope = slice.loadRef()
      return { kind: 'transit', envelope, outEnvelope, transitFee: slice.loadCoins() }
    }
    default: {
      const envelope = slice.loadRef()
      const transactionId = slice.loadUintBig(64)
      const fwdFee = slice.loadCoins()
      if (tag === 6) return { kind: 'discardFinal', envelope, transactionId, fwdFee }
      return { kind: 'discardTransit', envelope, transactionId, fwdFee, proofDelivered: slice.loadRef() }
    }
  }
}

function loadDeferred(slice: Slice): InMsg {
  const tag = slice.loadUint(2)
  if (tag === 0)
    return { kind: 'deferredFinal', envelope: slice.loadRef(), transaction: slice.loadRef(), fwdFee: slice.loadCoins() }
  if (tag === 1) return { kind: 'deferredTransit', envelope: slice.loadRef(), outEnvelope: slice.loadRef() }
  return unknownTag(4 + tag, 'InMsg')
}

export function storeInMsg(builder: Builder, value: InMsg): Builder {
  switch (value.kind) {
    case 'external':
      return builder.storeUint(0, 3).storeRef(value.message).storeRef(value.transaction)
    case 'instant':
      builder.storeUint(2, 3).storeRef(value.message).storeRef(value.transaction)
      return builder.storeCoins(value.ihrFee).storeRef(value.proofCreated)
    case 'immediate':
      return builder.storeUint(3, 3).storeRef(value.envelope).storeRef(value.transaction).storeCoins(value.fwdFee)
    case 'final':
      return builder.storeUint(4, 3).storeRef(value.envelope).storeRef(value.transaction).storeCoins(value.fwdFee)
    case 'transit':
      return builder.storeUint(5, 3).storeRef(value.envelope).storeRef(value.outEnvelope).storeCoins(value.transitFee)
    case 'discardFinal':
      return builder
        .storeUint(6, 3)
        .storeRef(value.envelope)
        .storeUint(value.transactionId, 64)
        .storeCoins(value.fwdFee)
    case 'discardTransit':
      builder.storeUint(7, 3).storeRef(value.envelope).storeUint(value.transactionId, 64).storeCoins(value.fwdFee)
      return builder.storeRef(value.proofDelivered)
    case 'deferredFinal':
      return builder.storeUint(4, 5).storeRef(value.envelope).storeRef(value.transaction).storeCoins(value.fwdFee)
    case 'deferredTransit':
      return builder.storeUint(5, 5).storeRef(value.envelope).storeRef(value.outEnvelope)
  }
}

export interface ImportFees {
  readonly feesCollected: bigint
  readonly valueImported: CurrencyCollection
}

const NO_FEES: ImportFees = { feesCollected: 0n, valueImported: ZERO_CURRENCY }

/** What one message brings into the block. Blocks that still paid for instant routing are not reproduced. */
export function importFeesOf(value: InMsg): ImportFees {
  switch (value.kind) {
    case 'external':
      return NO_FEES
    case 'instant': {
      const valueImported = addCurrency(internalInfoOf(value.message).value, gramsOnly(value.ihrFee))
      return { feesCollected: value.ihrFee, valueImported }
    }
    case 'immediate':
      return { feesCollected: value.fwdFee, valueImported: ZERO_CURRENCY }
    case 'final':
    case 'deferredFinal': {
      const envelope = fromCell(value.envelope, loadEnvelope)
      return { feesCollected: envelope.fwdFeeRemaining, valueImported: carriedValue(envelope) }
    }
    case 'transit':
      return { feesCollected: value.transitFee, valueImported: carriedValue(fromCell(value.envelope, loadEnvelope)) }
    case 'deferredTransit':
      return { feesCollected: 0n, valueImported: carriedValue(fromCell(value.envelope, loadEnvelope)) }
    case 'discardFinal':
    case 'discardTransit':
      return { feesCollected: value.fwdFee, valueImported: gramsOnly(value.fwdFee) }
  }
}

const importFees: Augmentation<InMsg, ImportFees> = {
  load: (slice) => ({ feesCollected: slice.loadCoins(), valueImported: loadCurrency(slice) }),
  store: (builder, value) => {
    storeCurrency(builder.storeCoins(value.feesCollected), value.valueImported)
  },
  leaf: importFeesOf,
  combine: (a, b) => ({
    feesCollected: a.feesCollected + b.feesCollected,
    valueImported: addCurrency(a.valueImported, b.valueImported),
  }),
  empty: NO_FEES,
}

/** `InMsgDescr`: by hash of the message. */
export const inMsgKind = augDictKind(dictBytesKey(256), { load: loadInMsg, store: storeInMsg }, importFees)
