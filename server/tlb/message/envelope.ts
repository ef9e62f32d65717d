// Envelopes: messages in flight between shards, with the routing state and what is left of the forwarding fee.

import {
  type Builder,
  type Cell,
  type InternalAddress,
  loadInternalAddress,
  openCell,
  type Slice,
  storeAddress,
} from '../../cell/index.ts'
import { addCurrency, type CurrencyCollection, gramsOnly } from '../currency.ts'
import { loadMaybe, storeMaybe, TlbError, unknownTag } from '../fields.ts'
import { type InternalInfo, loadMessageInfo } from './message.ts'

export type IntermediateAddress =
  /** So many leading bits of the destination (0 to 96), the rest of the source. */
  | { readonly kind: 'regular'; readonly destBits: number }
  | { readonly kind: 'simple'; readonly workchain: number; readonly prefix: bigint }
  | { readonly kind: 'extended'; readonly workchain: number; readonly prefix: bigint }

/** Position of this message in its tree. */
export interface MessageMetadata {
  readonly depth: number
  readonly initiator: InternalAddress
  readonly initiatorLt: bigint
}

export interface MessageEnvelope {
  /** Only version 2 has `emittedLt` and `metadata`. */
  readonly version: 1 | 2
  readonly current: IntermediateAddress
  readonly next: IntermediateAddress
  readonly fwdFeeRemaining: bigint
  readonly message: Cell
  readonly emittedLt: bigint | null
  readonly metadata: MessageMetadata | null
}

function loadIntermediateAddress(slice: Slice): IntermediateAddress {
  if (!slice.loadBit()) {
    const destBits = slice.loadUint(7)
    if (destBits > 96) throw new TlbError('value', `${destBits} bits of a destination with 96`)
    return { kind: 'regular', destBits }
  }
  const isExtended = slice.loadBit()
  const workchain = slice.loadInt(isExtended ? 32 : 8)
  return { kind: isExtended ? 'extended' : 'simple', workchain, prefix: slice.loadUintBig(64) }
}

function storeIntermediateAddress(builder: Builder, address: IntermediateAddress): Builder {
  if (address.kind === 'regular') return builder.storeBit(0).storeUint(address.destBits, 7)
  const isExtended = address.kind === 'extended'
  return builder
    .storeBit(1)
    .storeBit(isExtended)
    .storeInt(address.workchain, isExtended ? 32 : 8)
    .storeUint(address.prefix, 64)
}

function loadMessageMetadata(slice: Slice): MessageMetadata {
  const tag = slice.loadUint(4)
  if (tag !== 0) unknownTag(tag, 'MsgMetadata')
  return { depth: slice.loadUint(32), initiator: loadInternalAddress(slice), initiatorLt: slice.loadUintBig(64) }
}

function storeMessageMetadata(builder: Builder, value: MessageMetadata): Builder {
  builder.storeUint(0, 4).storeUint(value.depth, 32)
  return storeAddress(builder, value.initiator).storeUint(value.initiatorLt, 64)
}

/** `MsgEnvelope`. */
export function loadEnvelope(slice: Slice): MessageEnvelope {
  const tag = slice.loadUint(4)
  if (tag !== 4 && tag !== 5) unknownTag(tag, 'MsgEnvelope')
  const isSecond = tag === 5
  return {
    version: isSecond ? 2 : 1,
    current: loadIntermediateAddress(slice),
    next: loadIntermediateAddress(slice),
    fwdFeeRemaining: slice.loadCoins(),
    message: slice.loadRef(),
    emittedLt: isSecond && slice.loadBit() ? slice.loadUintBig(64) : null,
    metadata: isSecond ? loadMaybe(slice, loadMessageMetadata) : null,
  }
}

export function storeEnvelope(builder: Builder, value: MessageEnvelope): Builder {
  builder.storeUint(value.version === 2 ? 5 : 4, 4)
  storeIntermediateAddress(builder, value.current)
  storeIntermediateAddress(builder, value.next).storeCoins(value.fwdFeeRemaining).storeRef(value.message)
  if (value.version === 1) return builder
  storeMaybe(builder, value.emittedLt, (b, lt) => b.storeUint(lt, 64))
  return storeMaybe(builder, value.metadata, storeMessageMetadata)
}

/** The header of an internal message. Throws TlbError `value` for other messages. */
export function internalInfoOf(message: Cell): InternalInfo {
  const info = loadMessageInfo(openCell(message))
  if (info.kind !== 'internal') throw new TlbError('value', 'an internal message was expected')
  return info
}

/** What an envelope carries between chains: the value of the message and what is left of its forwarding fee. */
export const carriedValue = (envelope: MessageEnvelope): CurrencyCollection =>
  addCurrency(internalInfoOf(envelope.message).value, gramsOnly(envelope.fwdFeeRemaining))

/** The logical time an envelope counts from in queues. */
export const emittedLtOf = (envelope: MessageEnvelope): bigint =>
  envelope.emittedLt ?? internalInfoOf(envelope.message).createdLt
