// The version of the protocol and the capabilities switched on: in block headers and in the configuration.

import type { Builder, Slice } from '../cell/index.ts'
import { expectTag } from './fields.ts'

export interface GlobalVersion {
  readonly version: number
  readonly capabilities: bigint
}

export function loadGlobalVersion(slice: Slice): GlobalVersion {
  expectTag(slice, 0xc4, 8, 'GlobalVersion')
  return { version: slice.loadUint(32), capabilities: slice.loadUintBig(64) }
}

export const storeGlobalVersion = (builder: Builder, value: GlobalVersion): Builder =>
  builder.storeUint(0xc4, 8).storeUint(value.version, 32).storeUint(value.capabilities, 64)
