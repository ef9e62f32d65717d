// The secret of a chain, stored next to its log. Only for the holder of the folder's lock.

import { join } from 'node:path'
import { keptSecret } from '../process/index.ts'

export const SEED_FILE = 'validator.key'

/** The seed of the chain in a folder; without one `wanted` or a new one is stored. */
export const keptSeed = (folder: string, wanted?: Uint8Array): Promise<Uint8Array> =>
  keptSecret(join(folder, SEED_FILE), wanted)
