// The configuration of a masterchain state as the TVM takes it.

import { preparedConfig, type TvmConfig } from '../../tvm/index.ts'
import type { MasterState } from '../state/index.ts'

export function configOfMaster({ extra }: MasterState): TvmConfig {
  const { root } = extra.config.params
  if (root === null) throw new Error('A state without a configuration')
  return preparedConfig(root)
}
