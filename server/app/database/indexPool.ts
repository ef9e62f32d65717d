// Threads of the index: what callers run does not hold up the index, nor the other way round.

import type { Log } from '../../observe/index.ts'
import { createTvmPool, type TvmPool, type TvmPoolOptions, type TvmRuns } from '../../tvm/index.ts'

/** One for contracts that are slow, one for the others. */
const INDEX_THREADS = 2

/** The threads start when needed, by `start`; a start that fails is tried again with the next run. */
export function openIndexPool(
  log: Log,
  start: (options: TvmPoolOptions) => Promise<TvmPool> = createTvmPool,
): Pick<TvmRuns, 'runGetMethod'> & { close(): Promise<void> } {
  const notice: NonNullable<TvmPoolOptions['notice']> = (text, facts) => log.warn({ ...facts, pool: 'index' }, text)
  let opened: Promise<TvmPool> | null = null
  async function open(): Promise<TvmPool> {
    try {
      return await start({ workers: INDEX_THREADS, notice })
    } catch (error) {
      opened = null
      throw error
    }
  }
  return {
    async runGetMethod(...run) {
      opened ??= open()
      return (await opened).runGetMethod(...run)
    },
    // One that fails to open leaves nothing to close.
    close: async () => await (await opened?.catch(() => null))?.close(),
  }
}
