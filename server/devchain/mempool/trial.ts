// A trial: executes a message on the newest state without keeping the result. It has its own TVM, so that a block in
// progress is not disturbed.

import { type Cell, writeBoc } from '../../cell/index.ts'
import { type ShardAccount, storeShardAccount, toCell } from '../../tlb/index.ts'
import { createConfig, createExecutor, type Executor, TvmError, type Verbosity } from '../../tvm/index.ts'
import type { External, Rejection } from '../collate/index.ts'
import { ABSENT, type ChainState, MASTERCHAIN, type Moment } from '../state/index.ts'

const NO_SEED = new Uint8Array(32)

/** The account a message is for, as it is at this moment. */
export const accountOfMoment = ({ master, shard }: Moment, { workchain, account }: External): ShardAccount =>
  chainAt({ master, shard }, workchain).accounts.get(account) ?? ABSENT

const chainAt = ({ master, shard }: Moment, workchain: number): ChainState =>
  workchain === MASTERCHAIN ? master : shard

export class Trial {
  #executor: Promise<Executor> | null = null
  #config: Cell | null = null

  /** Null when the message would be accepted in a block of this time, in unix seconds. */
  async run(
    moment: Moment,
    external: External,
    { now, verbosity = 0 }: { readonly now: number; readonly verbosity?: Verbosity },
  ): Promise<Rejection | null> {
    this.#executor ??= createExecutor()
    const executor = await this.#executor
    const { master } = moment
    const chain = chainAt(moment, external.workchain)
    const config = master.extra.config.params.root
    if (config !== null && config !== this.#config) executor.setConfig(createConfig(writeBoc(config, 0)))
    this.#config = config
    const libraries = master.details.libraries.root
    executor.beginBlock({
      now,
      randSeed: NO_SEED,
      libs: libraries === null ? null : writeBoc(libraries, 0),
    })
    const shardAccount = writeBoc(toCell(accountOfMoment(moment, external), storeShardAccount), 0)
    try {
      const run = { shardAccount, message: external.boc, lt: chain.lt + 1n, verbosity }
      const result = executor.transaction(run)
      return result.accepted ? null : result
    } catch (error) {
      if (!(error instanceof TvmError)) throw error
      if (executor.broken) await executor.restart()
      return { exitCode: null, reason: error.message, vmLog: '' }
    }
  }
}
