// A network configuration, named by its hash: emulators, workers and trimmed copies are kept by that name.

import { createHash } from 'node:crypto'
import type { Cell } from '../cell/index.ts'
import type { BocForm } from './bocForm.ts'
import { bocToBase64, bocToBytes } from './bocForm.ts'
import { leanConfig, rareParams, trimConfig } from './trimConfig.ts'

/** The newest version of the rules that the emulator implements, as in parameter 8. */
export const NEWEST_GLOBAL_VERSION = 12

export interface TvmConfig {
  /** SHA-256 of the bag of cells, hex. Two bags of the same cells may have two names; that costs time, not truth. */
  readonly hash: string
  /** The whole configuration, base64. */
  readonly full: string
  /** The same without the parameters nearly no contract reads, base64. */
  readonly trimmed: string
  /** Only what the emulator reads before any run, base64. */
  readonly lean: string
}

/**
 * Takes the configuration dictionary (root cell: `Hashmap 32 ^Cell`), best with its cells, where they are at hand: reading a large
 * one takes longer than all the rest. Throws TvmError `badConfig`. Do it once per key block.
 */
export function createConfig(boc: BocForm, root?: Cell): TvmConfig {
  const bytes = bocToBytes(boc)
  const config = root ?? bytes
  return {
    hash: createHash('sha256').update(bytes).digest('hex'),
    full: bocToBase64(boc),
    trimmed: trimConfig(config, rareParams).toString('base64'),
    lean: leanConfig(config).toString('base64'),
  }
}
