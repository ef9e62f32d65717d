// The TVM as a block needs it: set up for the block, one call per transaction, started again when a call broke it down.

import { type Cell, type Hash, writeBoc } from '../../../cell/index.ts'
import { createConfig, type Executor, type TransactionResult, type TvmConfig, TvmError } from '../../../tvm/index.ts'
import type { MasterState } from '../../state/index.ts'
import type { BlockPlan } from '../plan.ts'
import { PreviousBlocksTuple } from '../previousBlocksTuple.ts'

/** Configurations prepared for the TVM: the current one and the one before it. */
const MAX_CONFIGS = 2

export class BlockMachine {
  readonly #executor: Executor
  readonly #configs = new Map<Hash, TvmConfig>()
  /** The block whose first transaction has not come yet. */
  #coming: BlockPlan | null = null
  readonly #previousBlocks = new PreviousBlocksTuple()
  /** The tuple of previous blocks that contracts may read. */
  #cached: { readonly master: MasterState; readonly entry: Uint8Array } | null = null

  constructor(executor: Executor) {
    this.#executor = executor
  }

  /** The transactions from now on are of this block. Nothing is done before the first of them: most blocks are empty. */
  begin(plan: BlockPlan): void {
    this.#coming = plan
  }

  #prepare({ master, utime, randSeed }: BlockPlan): void {
    this.#coming = null
    const config = master.extra.config.params.root
    if (config === null) throw new Error('A state without a configuration')
    this.#executor.setConfig(this.#prepared(config))
    const libraries = master.details.libraries.root
    this.#executor.beginBlock({
      now: utime,
      randSeed,
      libs: libraries === null ? null : writeBoc(libraries, 0),
      prevBlocks: this.#previousBlocksOf(master),
    })
  }

  /** Executes a message. One the TVM broke down over counts as rejected; the TVM is running again by then. */
  message(account: string, message: Uint8Array | string, lt: bigint): Promise<TransactionResult> {
    return this.#guarded(() => this.#executor.transaction({ shardAccount: account, message, lt }))
  }

  tickTock(account: string, which: 'tick' | 'tock', lt: bigint): Promise<TransactionResult> {
    return this.#guarded(() => this.#executor.tickTock({ shardAccount: account, which, lt }))
  }

  /** Both blocks of a step refer to one masterchain state. */
  #previousBlocksOf(master: MasterState): Uint8Array {
    if (this.#cached?.master !== master)
      this.#cached = { master, entry: writeBoc(this.#previousBlocks.entry(master), 0) }
    return this.#cached.entry
  }

  async #guarded(call: () => TransactionResult): Promise<TransactionResult> {
    try {
      if (this.#coming !== null) this.#prepare(this.#coming)
      return call()
    } catch (error) {
      if (!(error instanceof TvmError) || error.code === 'badConfig') throw error
      if (this.#executor.broken) await this.#executor.restart()
      return { accepted: false, exitCode: null, reason: error.message, vmLog: '' }
    }
  }

  #prepared(root: Cell): TvmConfig {
    const known = this.#configs.get(root.hash())
    if (known !== undefined) return known
    const config = createConfig(writeBoc(root, 0))
    this.#configs.set(root.hash(), config)
    const [oldest] = this.#configs.keys()
    if (this.#configs.size > MAX_CONFIGS && oldest !== undefined) this.#configs.delete(oldest)
    return config
  }
}
