// What only masterchain blocks carry: shards, their fees, special messages, and the configuration when it changes.

import {
  type Builder,
  type Cell,
  type Dict,
  dictKind,
  loadDict,
  type Slice,
  storeDict,
  uintKey,
} from '../../cell/index.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from '../config/params.ts'
import { expectTag, loadIn, storeIn } from '../fields.ts'
import { loadSignaturePair, type SignaturePair, storeSignaturePair } from '../signatures.ts'
import { type ShardFee, type ShardHashes, shardFeesKind, shardHashesKind } from './shards.ts'

export const signaturesKind = dictKind(uintKey(16), { load: loadSignaturePair, store: storeSignaturePair })

export interface MasterBlockExtra {
  readonly shardHashes: ShardHashes
  readonly shardFees: Dict<Uint8Array, ShardFee, ShardFee>
  /** Always empty in practice: signatures travel separately from the block. */
  readonly previousSignatures: Dict<number, SignaturePair>
  /** InMsg of the message that brings recovered fees to the collector. */
  readonly recoverCreate: Cell | null
  /** InMsg of the message that brings minted currencies. */
  readonly mint: Cell | null
  /** Present in key blocks, and what makes them so. */
  readonly config: ConfigParams | null
}

export function loadMasterBlockExtra(slice: Slice): MasterBlockExtra {
  expectTag(slice, 0xcca5, 16, 'McBlockExtra')
  const isKey = slice.loadBit()
  const shardHashes = loadDict(slice, shardHashesKind)
  const shardFees = loadDict(slice, shardFeesKind)
  const special = loadIn(slice, (inner) => ({
    previousSignatures: loadDict(inner, signaturesKind),
    recoverCreate: inner.loadMaybeRef(),
    mint: inner.loadMaybeRef(),
  }))
  return { shardHashes, shardFees, ...special, config: isKey ? loadConfigParams(slice) : null }
}

export function storeMasterBlockExtra(builder: Builder, value: MasterBlockExtra): Builder {
  builder.storeUint(0xcca5, 16).storeBit(value.config !== null)
  storeDict(storeDict(builder, value.shardHashes), value.shardFees)
  storeIn(builder, value, (inner) =>
    storeDict(inner, value.previousSignatures).storeMaybeRef(value.recoverCreate).storeMaybeRef(value.mint),
  )
  return value.config === null ? builder : storeConfigParams(builder, value.config)
}
