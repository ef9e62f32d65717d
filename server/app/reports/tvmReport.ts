// What an operator sees of the TVM: how it was loaded, and how busy its threads are.

import type { Log, Metrics } from '../../observe/index.ts'
import type { TvmPool } from '../../tvm/index.ts'

/** Why the TVM runs some five times slower than it could; null when it does not. */
export const slowTvm = ({ code }: Pick<TvmPool, 'code'>): string | null => code.reason

/** Adds the gauges, and warns once of a build that is loaded the slow way. */
export function reportTvm(
  pool: Pick<TvmPool, 'code' | 'stats'>,
  { log, metrics }: { log: Log; metrics: Metrics },
): void {
  const reason = slowTvm(pool)
  if (reason !== null)
    log.warn({ reason, build: pool.code.hash }, 'TVM loaded the slow way: runs take some five times as long')
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(`tonrpc_tvm_${name}`, help, read)
  gauge('quick', 'Whether the TVM was loaded the quick way; 0 for a build of the emulator that is not known.', () =>
    reason === null ? 1 : 0,
  )
  gauge('queued', 'Runs that wait for a thread of the TVM.', () => pool.stats.queued)
  gauge('busy', 'Threads of the TVM at work.', () => pool.stats.busy)
  gauge('threads', 'Threads of the TVM.', () => pool.stats.workers)
}
