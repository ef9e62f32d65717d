// Whether a chain can go on with a configuration. A contract may hold anything; what the next block could not be made with
// must not be installed.

import { CellError } from '../../../cell/index.ts'
import { type ConfigNumber, type ConfigParams, configParam } from '../../../tlb/index.ts'

/** Parameters a block is made with; the TVM refuses a configuration without most of them. */
const NEEDED: readonly ConfigNumber[] = [0, 1, 8, 12, 14, 18, 20, 21, 22, 23, 24, 25, 28, 31, 34]

export function isUsableConfig(config: ConfigParams): boolean {
  try {
    return NEEDED.every((number) => configParam(config, number) !== null)
  } catch (error) {
    if (error instanceof CellError) return false
    throw error
  }
}
