// Get-methods of accounts read from the node, with errors for callers.

import {
  contractOf,
  type MethodCall,
  notActive,
  type RunOutcome,
  type RunSetting,
  type RunSettings,
  runGetMethod as run,
} from '../../contracts/index.ts'
import type { AccountAt, Chain } from '../../node/index.ts'
import type { TvmRuns } from '../../tvm/index.ts'
import { awaitRun } from '../errors/tvmErrors.ts'

export interface RunTools {
  readonly chain: Pick<Chain, 'libraries'>
  readonly pool: Pick<TvmRuns, 'runGetMethod'>
  readonly settings: RunSettings
}

/**
 * Runs a method by its number; `setting` is that of the account's block. A failing one is an outcome; throws ApiError for a run
 * that could not be made.
 */
export async function runMethodById(
  { chain, pool }: Omit<RunTools, 'settings'>,
  { utime, account }: Pick<AccountAt, 'utime' | 'account'>,
  { methodId, stack, setting: reading }: MethodCall & { readonly setting: Promise<RunSetting> },
  signal: AbortSignal,
): Promise<RunOutcome> {
  const contract = contractOf(account, utime)
  if (contract === null) return notActive({ methodId, stack })
  const setting = await awaitRun(reading)
  return await awaitRun(run({ chain, pool, setting }, contract, { methodId, stack }, signal))
}
