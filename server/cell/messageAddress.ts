// Addresses as messages carry them. `null` is addr_none; everything else says which constructor it is, so that what was
// read can be written again bit for bit.

import type { Builder } from './builder.ts'
import { CellError } from './cellErrors.ts'
import type { BitString, Slice } from './slice.ts'

/** Rewrites the first bits of an account id; 1 to 30 of them. */
export interface Anycast {
  readonly depth: number
  readonly prefix: number
}

export interface StdAddress {
  readonly kind: 'std'
  readonly anycast: Anycast | null
  /** -128 to 127. */
  readonly workchain: number
  /** 32 bytes. */
  readonly hash: Uint8Array
}

export interface VarAddress {
  readonly kind: 'var'
  readonly anycast: Anycast | null
  readonly workchain: number
  readonly address: BitString
}

export interface ExternalAddress {
  readonly kind: 'external'
  readonly address: BitString
}

export type InternalAddress = StdAddress | VarAddress
export type MessageAddress = InternalAddress | ExternalAddress | null

/** The usual form, without anycast. */
export const stdAddress = (workchain: number, hash: Uint8Array): StdAddress => ({
  kind: 'std',
  anycast: null,
  workchain,
  hash,
})

function loadAnycast(slice: Slice): Anycast | null {
  if (!slice.loadBit()) return null
  const depth = slice.loadUint(5)
  if (depth < 1 || depth > 30) throw new CellError('value', `anycast depth ${depth} is not within 1 to 30`)
  return { depth, prefix: slice.loadUint(depth) }
}

function storeAnycast(builder: Builder, anycast: Anycast | null): Builder {
  if (anycast === null) return builder.storeBit(0)
  if (anycast.depth < 1 || anycast.depth > 30) throw new CellError('range', `anycast depth ${anycast.depth}`)
  return builder.storeBit(1).storeUint(anycast.depth, 5).storeUint(anycast.prefix, anycast.depth)
}

/** `MsgAddress` in one of its four forms. */
export function loadAddress(slice: Slice): MessageAddress {
  switch (slice.loadUint(2)) {
    case 0:
      return null
    case 1:
      return { kind: 'external', address: slice.loadBits(slice.loadUint(9)) }
    case 2: {
      const anycast = loadAnycast(slice)
      return { kind: 'std', anycast, workchain: slice.loadInt(8), hash: slice.loadBytes(32) }
    }
    default: {
      const anycast = loadAnycast(slice)
      const length = slice.loadUint(9)
      return { kind: 'var', anycast, workchain: slice.loadInt(32), address: slice.loadBits(length) }
    }
  }
}

/** `MsgAddressInt`. Throws CellError `value` for the other forms. */
export function loadInternalAddress(slice: Slice): InternalAddress {
  const address = loadAddress(slice)
  if (address === null || address.kind === 'external') throw new CellError('value', 'an internal address was expected')
  return address
}

/** `MsgAddressExt`. Throws CellError `value` for the other forms. */
export function loadExternalAddress(slice: Slice): ExternalAddress | null {
  const address = loadAddress(slice)
  if (address !== null && address.kind !== 'external') throw new CellError('value', 'an external address was expected')
  return address
}

/** Any of the four forms. */
export function storeAddress(builder: Builder, address: MessageAddress): Builder {
  if (address === null) return builder.storeUint(0, 2)
  switch (address.kind) {
    case 'external':
      return builder.storeUint(1, 2).storeUint(address.address.bits, 9).storeBits(address.address)
    case 'std':
      if (address.hash.length !== 32)
        throw new CellError('value', `an account id has 32 bytes, not ${address.hash.length}`)
      return storeAnycast(builder.storeUint(2, 2), address.anycast)
        .storeInt(address.workchain, 8)
        .storeBytes(address.hash)
    case 'var':
      return storeAnycast(builder.storeUint(3, 2), address.anycast)
        .storeUint(address.address.bits, 9)
        .storeInt(address.workchain, 32)
        .storeBits(address.address)
  }
}
