import type { RunSetting } from '../../contracts/index.ts'
import { loadConfigParam } from '../../tlb/index.ts'

const CAPABILITIES = 8

/** The protocol in force by the configuration. */
export function globalVersionOf(params: RunSetting['params']): number {
  const protocol = params.get(CAPABILITIES)
  return protocol === undefined ? 0 : loadConfigParam(CAPABILITIES, protocol).version
}
