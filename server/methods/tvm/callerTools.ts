import type { TvmPool, TvmRuns } from '../../tvm/index.ts'
import type { Call } from '../call.ts'

/** Runs contracts for a caller, within the caller's share of the threads and charged to it. */
export const callerTools = <T extends { readonly pool: Pick<TvmPool, 'share'> }>(
  tools: T,
  { caller }: Pick<Call, 'caller'>,
): Omit<T, 'pool'> & { readonly pool: TvmRuns } => ({ ...tools, pool: tools.pool.share(caller.subject) })
