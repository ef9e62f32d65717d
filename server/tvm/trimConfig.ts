// The configuration as get-methods see it. Every run parses it anew, and the validator sets are nine tenths of it.
// This file is the only one of the room that takes cells apart.

import { createHash } from 'node:crypto'
import { beginCell, Cell, Dictionary } from '@ton/core'
import { TvmError } from './errors.ts'

/** Former, current and next validator sets, the list of suspended addresses, bridges to other chains. */
export const heavyParams = [32, 33, 34, 36, 37, 44, 71, 72, 73, 79, 81, 82] as const

/** Hash of the library cell that stands where a parameter was taken out, hex. No library has it. */
export const trimMarker = createHash('sha256')
  .update('a parameter that was left out of the configuration')
  .digest('hex')

const libraryCell = 2

/**
 * Replaces the parameters listed in `drop` by a reference to a library that does not exist. A contract that opens or
 * returns one is thereby seen to do so, instead of taking it for an absent parameter; only one that takes the hash of
 * a whole parameter, and nothing else of it, goes unnoticed. Throws TvmError `badConfig`.
 */
export function trimConfig(configBoc: Uint8Array, drop: readonly number[]): Buffer {
  const marker = beginCell()
    .storeUint(libraryCell, 8)
    .storeBuffer(Buffer.from(trimMarker, 'hex'))
    .endCell({ exotic: true })
  try {
    const [root] = Cell.fromBoc(Buffer.from(configBoc))
    if (root === undefined) throw new Error('no root')
    const params = root.beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
    for (const index of drop) if (params.has(index)) params.set(index, marker)
    return beginCell().storeDictDirect(params).endCell().toBoc({ idx: false, crc32: false })
  } catch (cause) {
    throw new TvmError('badConfig', 'The network configuration is not a dictionary of parameters', { cause })
  }
}
