// The secret of a chain, beside its log. For the holder of the folder's lock.

import { join } from 'node:path'
import { keptSecret } from '../process/index.ts'

export const SEED_FILE = 'validator.key'

/** The seed of the chain in a folder; a new one, or `wanted`, when there is none yet. */
export const keptSeed = (folder: string, wanted?: Uint8Array): Promise<Uint8Array> =>
  keptSecret(join(folder, SEED_FILE), wanted)
