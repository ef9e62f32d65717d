// Whether a chain could go on with a configuration. The configuration contract may hold anything, and a block that cannot be
// made is tried again for ever.

import { CellError, Dict, orNull } from '../../../cell/index.ts'
import { ProofError } from '../../../node/index.ts'
import { type ConfigNumber, type ConfigParams, configParam } from '../../../tlb/index.ts'
import { masterValidators, shardValidators } from './rotation.ts'

/** Parameters that making a block reads; the TVM refuses a configuration without most of them. */
const NEEDED: readonly ConfigNumber[] = [0, 1, 8, 12, 14, 18, 20, 21, 22, 23, 24, 25, 28, 31, 34]
/** Parameters that may be absent. With one that cannot be read, the chain or the TVM fails. */
const OPTIONAL: readonly ConfigNumber[] = [3, 35, 43, 45]

/** As many as there can be validators. A few cells can claim billions of entries by sharing subtrees. */
const MOST_ENTRIES = 65_535

/** Throws CellError for a value with a dictionary that is broken or too large. */
function readThrough(value: unknown): void {
  if (value instanceof Dict) {
    if (value.count(MOST_ENTRIES) > MOST_ENTRIES) throw new CellError('value', `more than ${MOST_ENTRIES} entries`)
    for (const _ of value);
  } else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) readThrough(part)
}

/** Whether the chain and the TVM can read a parameter; true for one that is not set. */
export const isReadableParam = (config: ConfigParams, number: ConfigNumber): boolean =>
  orNull(() => {
    readThrough(configParam(config, number))
    return true
  }) ?? false

function isWhole(config: ConfigParams): boolean {
  readThrough(config.params)
  for (const number of [...NEEDED, ...OPTIONAL]) readThrough(configParam(config, number))
  const drawn = [masterValidators(config, 0), shardValidators(config, 0)]
  return NEEDED.every((number) => config.params.get(number) !== undefined) && drawn.every(({ length }) => length > 0)
}

export function isUsableConfig(config: ConfigParams): boolean {
  try {
    return isWhole(config)
  } catch (error) {
    if (error instanceof CellError || error instanceof ProofError) return false
    throw error
  }
}
