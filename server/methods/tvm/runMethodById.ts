// Get-methods of accounts read from the node, with errors for callers.

import {
  contractOf,
  notActive,
  type RunOutcome,
  type RunSettings,
  runGetMethod as run,
  type StackValue,
} from '../../contracts/index.ts'
import type { AccountAt, Chain } from '../../node/index.ts'
import type { TvmRuns } from '../../tvm/index.ts'
import { awaitRun } from '../tvmErrors.ts'

export interface RunTools {
  readonly chain: Pick<Chain, 'libraries'>
  readonly pool: Pick<TvmRuns, 'runGetMethod'>
  readonly settings: RunSettings
}

/** Runs a method by its number. A failing one is an outcome; throws ApiError for a run that could not be made. */
export async function runMethodById(
  { chain, pool, settings }: RunTools,
  { block, utime, account }: Pick<AccountAt, 'block' | 'utime' | 'account'>,
  methodId: number,
  stack: readonly StackValue[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const contract = contractOf(account, utime)
  if (contract === null) return notActive({ methodId, stack })
  const setting = await awaitRun(settings.at(block, signal))
  return await awaitRun(run({ chain, pool, setting }, contract, { methodId, stack }, signal))
}
