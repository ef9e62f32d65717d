// Messages: between accounts, from outside, to outside. Whether init and body lie in the cell of the message or in one
// of their own changes the hash, so it is kept.

import {
  Builder,
  type Cell,
  type ExternalAddress,
  type InternalAddress,
  loadAddress,
  loadExternalAddress,
  loadInternalAddress,
  type MessageAddress,
  openCell,
  type Slice,
  storeAddress,
} from '../../cell/index.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { loadIn, storeIn, unknownTag } from '../fields.ts'
import { loadStateInit, type StateInit, storeStateInit } from './stateInit.ts'

export interface InternalInfo<Source extends MessageAddress = InternalAddress> {
  readonly kind: 'internal'
  readonly ihrDisabled: boolean
  readonly bounce: boolean
  readonly bounced: boolean
  readonly src: Source
  readonly dest: InternalAddress
  readonly value: CurrencyCollection
  /** The fee for instant routing in blocks of older versions, flags since. */
  readonly extraFlags: bigint
  readonly fwdFee: bigint
  readonly createdLt: bigint
  readonly createdAt: number
}

export interface ExternalInInfo {
  readonly kind: 'externalIn'
  readonly src: ExternalAddress | null
  readonly dest: InternalAddress
  readonly importFee: bigint
}

export interface ExternalOutInfo<Source extends MessageAddress = InternalAddress> {
  readonly kind: 'externalOut'
  readonly src: Source
  readonly dest: ExternalAddress | null
  readonly createdLt: bigint
  readonly createdAt: number
}

export type MessageInfo = InternalInfo | ExternalInInfo | ExternalOutInfo
/** As contracts write it: the source is filled in later. */
export type RelaxedInfo = InternalInfo<MessageAddress> | ExternalOutInfo<MessageAddress>

export interface Message<Info = MessageInfo> {
  readonly info: Info
  readonly init: StateInit | null
  readonly initInRef: boolean
  readonly body: Cell
  readonly bodyInRef: boolean
}

function loadInternal<Source extends MessageAddress>(slice: Slice, source: (s: Slice) => Source): InternalInfo<Source> {
  return {
    kind: 'internal',
    ihrDisabled: slice.loadBit(),
    bounce: slice.loadBit(),
    bounced: slice.loadBit(),
    src: source(slice),
    dest: loadInternalAddress(slice),
    value: loadCurrency(slice),
    extraFlags: slice.loadCoins(),
    fwdFee: slice.loadCoins(),
    createdLt: slice.loadUintBig(64),
    createdAt: slice.loadUint(32),
  }
}

function loadOut<Source extends MessageAddress>(slice: Slice, source: (s: Slice) => Source): ExternalOutInfo<Source> {
  return {
    kind: 'externalOut',
    src: source(slice),
    dest: loadExternalAddress(slice),
    createdLt: slice.loadUintBig(64),
    createdAt: slice.loadUint(32),
  }
}

/** `CommonMsgInfo`. */
export function loadMessageInfo(slice: Slice): MessageInfo {
  if (!slice.loadBit()) return loadInternal(slice, loadInternalAddress)
  if (slice.loadBit()) return loadOut(slice, loadInternalAddress)
  return {
    kind: 'externalIn',
    src: loadExternalAddress(slice),
    dest: loadInternalAddress(slice),
    importFee: slice.loadCoins(),
  }
}

/** `CommonMsgInfoRelaxed`. */
function loadRelaxedInfo(slice: Slice): RelaxedInfo {
  if (!slice.loadBit()) return loadInternal(slice, loadAddress)
  if (!slice.loadBit()) unknownTag(2, 'CommonMsgInfoRelaxed')
  return loadOut(slice, loadAddress)
}

/** Any form of message information. */
function storeMessageInfo(builder: Builder, info: MessageInfo | RelaxedInfo): Builder {
  switch (info.kind) {
    case 'internal':
      builder.storeBit(0).storeBit(info.ihrDisabled).storeBit(info.bounce).storeBit(info.bounced)
      storeAddress(builder, info.src)
      storeAddress(builder, info.dest)
      storeCurrency(builder, info.value).storeCoins(info.extraFlags).storeCoins(info.fwdFee)
      return builder.storeUint(info.createdLt, 64).storeUint(info.createdAt, 32)
    case 'externalIn':
      storeAddress(builder.storeUint(2, 2), info.src)
      return storeAddress(builder, info.dest).storeCoins(info.importFee)
    case 'externalOut':
      storeAddress(builder.storeUint(3, 2), info.src)
      return storeAddress(builder, info.dest).storeUint(info.createdLt, 64).storeUint(info.createdAt, 32)
  }
}

function loadRest<Info>(slice: Slice, info: Info): Message<Info> {
  const hasInit = slice.loadBit()
  const initInRef = hasInit && slice.loadBit()
  const init = !hasInit ? null : initInRef ? loadIn(slice, loadStateInit) : loadStateInit(slice)
  const bodyInRef = slice.loadBit()
  const body = bodyInRef ? slice.loadRef() : new Builder().storeSlice(slice.loadRest()).end()
  return { info, init, initInRef, body, bodyInRef }
}

/** `Message Any`. */
export const loadMessage = (slice: Slice): Message => loadRest(slice, loadMessageInfo(slice))

/** `MessageRelaxed Any`. */
export const loadRelaxedMessage = (slice: Slice): Message<RelaxedInfo> => loadRest(slice, loadRelaxedInfo(slice))

/** Either form of message. */
export function storeMessage(builder: Builder, message: Message<MessageInfo | RelaxedInfo>): Builder {
  storeMessageInfo(builder, message.info)
  builder.storeBit(message.init !== null)
  if (message.init !== null) {
    builder.storeBit(message.initInRef)
    if (message.initInRef) storeIn(builder, message.init, storeStateInit)
    else storeStateInit(builder, message.init)
  }
  builder.storeBit(message.bodyInRef)
  return message.bodyInRef ? builder.storeRef(message.body) : builder.storeSlice(openCell(message.body))
}

/** A message whose init goes into a cell of its own, and whose body does so when it would not fit. */
export function makeMessage<Info extends MessageInfo | RelaxedInfo>(
  info: Info,
  init: StateInit | null,
  body: Cell,
): Message<Info> {
  const head = storeMessageInfo(new Builder(), info)
  const bits = head.remainingBits - 3
  const refs = 4 - head.refs - (init === null ? 0 : 1)
  return {
    info,
    init,
    initInRef: init !== null,
    body,
    bodyInRef: body.isExotic || body.bits > bits || body.refs.length > refs,
  }
}
