// The configuration as get-methods see it. Every run parses it and hashes each cell, and the validator sets are nine tenths of it.
// This file is the only one of the room that takes cells apart.

import { createHash } from 'node:crypto'
import {
  beginCell,
  type Cell,
  Dict,
  dictKind,
  emptyDict,
  intKey,
  NO_CRC,
  readBoc,
  refValue,
  writeBoc,
} from '../cell/index.ts'
import { TvmError } from './tvmError.ts'

/** Former, current and next validator sets, the list of suspended addresses, bridges to other chains. */
const heavyParams = [32, 33, 34, 36, 37, 44, 71, -71, 72, 73, 79, 81, 82]

/** What validators, collators and votes go by. Half of the cells of what is left, and a fifth of a small run; the emulator needs none. */
const validatorParams = [9, 10, 11, 13, 14, 22, 23, 28, 29]

/** Parameters that get-methods hardly ever open. */
export const rareParams: readonly number[] = [...heavyParams, ...validatorParams]

/** Hash of the library cell in place of a removed parameter, hex. No library has it. */
export const trimMarker = createHash('sha256')
  .update('a parameter that was left out of the configuration')
  .digest('hex')

const libraryCell = 2

const NO_PARAMS = 'The network configuration is not a dictionary of parameters'

const paramsKind = dictKind(intKey(32), refValue)

const paramsOf = (config: Uint8Array | Cell) =>
  new Dict(paramsKind, config instanceof Uint8Array ? readBoc(config) : config)

/**
 * Replaces the parameters listed in `drop` by a reference to a library that does not exist. A contract that opens or
 * returns one is thereby seen to do so, instead of taking it for an absent parameter; that one may have taken the hash
 * or the size of a whole parameter shows in its log. Throws TvmError `badConfig`.
 */
export function trimConfig(config: Uint8Array | Cell, drop: readonly number[]): Buffer {
  const marker = beginCell().storeUint(libraryCell, 8).storeBytes(Buffer.from(trimMarker, 'hex')).end(true)
  try {
    const params = paramsOf(config)
    const present = drop.filter((index) => params.has(index))
    return bagOf(params.update(present.map((index) => [index, marker])))
  } catch (cause) {
    throw new TvmError('badConfig', NO_PARAMS, { cause })
  }
}

/** Version of the rules, workchains and limits of sizes: what the emulator goes by itself. */
const emulatorParams = [8, 12, 43]

/** Those parameters alone: for runs that are known to have read no others. Throws TvmError `badConfig`. */
export function leanConfig(config: Uint8Array | Cell): Buffer {
  try {
    const params = paramsOf(config)
    const needed = emulatorParams.flatMap((index) => {
      const value = params.get(index)
      return value === undefined ? [] : [[index, value] as const]
    })
    // The emulator itself reports an error for a configuration without them.
    return bagOf(needed.length < 2 ? params : emptyDict(paramsKind).update(needed))
  } catch (cause) {
    throw new TvmError('badConfig', NO_PARAMS, { cause })
  }
}

function bagOf({ root }: { readonly root: Cell | null }): Buffer {
  if (root === null) throw new Error('nothing is left')
  return Buffer.from(writeBoc(root, NO_CRC))
}
