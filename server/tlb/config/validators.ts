// Sets of validators, and the temporary keys they may sign with.

import {
  type Builder,
  type Codec,
  type Dict,
  dictBytesKey,
  dictKind,
  loadDict,
  loadInlineDict,
  type Slice,
  storeDict,
  storeInlineDict,
  uintKey,
} from '../../cell/index.ts'
import { loadHash, loadIn, storeHash, storeIn, TlbError, unknownTag } from '../fields.ts'
import { type CryptoSignature, loadPublicKey, loadSignature, storePublicKey, storeSignature } from '../signatures.ts'
import { tagged, u32 } from './layout.ts'

export interface ValidatorDescription {
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /** Null in the oldest form. */
  readonly adnlAddress: Uint8Array | null
}

function loadValidator(slice: Slice): ValidatorDescription {
  const tag = slice.loadUint(8)
  if (tag !== 0x53 && tag !== 0x73) unknownTag(tag, 'ValidatorDescr')
  return {
    publicKey: loadPublicKey(slice),
    weight: slice.loadUintBig(64),
    adnlAddress: tag === 0x73 ? loadHash(slice) : null,
  }
}

function storeValidator(builder: Builder, value: ValidatorDescription): Builder {
  builder.storeUint(value.adnlAddress === null ? 0x53 : 0x73, 8)
  storePublicKey(builder, value.publicKey).storeUint(value.weight, 64)
  return value.adnlAddress === null ? builder : storeHash(builder, value.adnlAddress)
}

/** Validators by place in the set. */
export const validatorsKind = dictKind(uintKey(16), { load: loadValidator, store: storeValidator })

export interface ValidatorSet {
  readonly utimeSince: number
  readonly utimeUntil: number
  readonly total: number
  /** How many of them, counted from the first, validate the masterchain. */
  readonly main: number
  /** Null in the oldest form. */
  readonly totalWeight: bigint | null
  readonly list: Dict<number, ValidatorDescription>
}

function loadValidatorSet(slice: Slice): ValidatorSet {
  const tag = slice.loadUint(8)
  if (tag !== 0x11 && tag !== 0x12) unknownTag(tag, 'ValidatorSet')
  const head = {
    utimeSince: slice.loadUint(32),
    utimeUntil: slice.loadUint(32),
    total: slice.loadUint(16),
    main: slice.loadUint(16),
  }
  if (head.main < 1 || head.main > head.total) throw new TlbError('value', `${head.main} of ${head.total} validators`)
  if (tag === 0x11) return { ...head, totalWeight: null, list: loadInlineDict(slice, validatorsKind) }
  return { ...head, totalWeight: slice.loadUintBig(64), list: loadDict(slice, validatorsKind) }
}

function storeValidatorSet(builder: Builder, value: ValidatorSet): void {
  builder.storeUint(value.totalWeight === null ? 0x11 : 0x12, 8).storeUint(value.utimeSince, 32)
  builder.storeUint(value.utimeUntil, 32).storeUint(value.total, 16).storeUint(value.main, 16)
  if (value.totalWeight === null) storeInlineDict(builder, value.list)
  else storeDict(builder.storeUint(value.totalWeight, 64), value.list)
}

export const validatorSet: Codec<ValidatorSet> = { load: loadValidatorSet, store: storeValidatorSet }

export interface TemporaryKey {
  readonly adnlAddress: Uint8Array
  readonly publicKey: Uint8Array
  readonly seqno: number
  readonly validUntil: number
}

const temporaryKey: Codec<TemporaryKey> = tagged('ValidatorTempKey', 3, 4, {
  adnlAddress: { load: loadHash, store: (builder, value) => void storeHash(builder, value) },
  publicKey: { load: loadPublicKey, store: (builder, value) => void storePublicKey(builder, value) },
  seqno: u32,
  validUntil: u32,
})

export interface SignedTemporaryKey {
  readonly key: TemporaryKey
  readonly signature: CryptoSignature
}

/** Temporary keys by permanent key. */
export const temporaryKeysKind = dictKind(dictBytesKey(256), {
  load: (slice): SignedTemporaryKey => {
    const tag = slice.loadUint(4)
    if (tag !== 4) unknownTag(tag, 'ValidatorSignedTempKey')
    return { key: loadIn(slice, temporaryKey.load), signature: loadSignature(slice) }
  },
  store: (builder, value: SignedTemporaryKey) => {
    storeSignature(storeIn(builder.storeUint(4, 4), value.key, temporaryKey.store), value.signature)
  },
})
