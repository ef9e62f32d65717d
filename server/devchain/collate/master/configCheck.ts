// Whether blocks can be made with a configuration. The configuration contract may hold anything; one with which the next block
// could not be made is not installed.

import { CellError } from '../../../cell/index.ts'
import { type ConfigNumber, type ConfigParams, configParam } from '../../../tlb/index.ts'

/** Parameters that making a block reads; the TVM refuses a configuration without most of them. */
const NEEDED: readonly ConfigNumber[] = [0, 1, 8, 12, 14, 18, 20, 21, 22, 23, 24, 25, 28, 31, 34]

export function isUsableConfig(config: ConfigParams): boolean {
  try {
    return NEEDED.every((number) => configParam(config, number) !== null)
  } catch (error) {
    if (error instanceof CellError) return false
    throw error
  }
}
