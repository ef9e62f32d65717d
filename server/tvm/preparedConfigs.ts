// Configurations prepared for the TVM, once for all that run contracts in this process: it takes milliseconds and a megabyte.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, NO_CRC, writeBoc } from '../cell/index.ts'
import { createConfig, type TvmConfig } from './tvmConfig.ts'

/** Blocks share the newest one; runs on older blocks need some more. */
const MOST_CONFIGS = 8

const prepared = new LRUCache<BinaryHash, TvmConfig>({ max: MOST_CONFIGS })

/** Takes the root of the dictionary. Throws TvmError `badConfig`. */
export function preparedConfig(root: Cell): TvmConfig {
  const known = prepared.get(root.hash())
  if (known !== undefined) return known
  const config = createConfig(writeBoc(root, NO_CRC), root)
  prepared.set(root.hash(), config)
  return config
}
