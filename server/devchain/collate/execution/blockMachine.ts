// The TVM as a block needs it: set up for the block, one call per transaction, started again when a call broke it down.

import {
  type BlockContext,
  type Emulator,
  type LibrariesForm,
  type Rejected,
  type TransactionResult,
  type TvmConfig,
  TvmError,
} from '../../../tvm/index.ts'
import { configOfMaster } from '../configOfMaster.ts'
import type { BlockPlan } from '../plan.ts'
import { PreviousBlocksText } from '../previousBlocksTuple.ts'
import { publicLibraries } from '../publicLibraries.ts'
import { type AheadRuns, type BegunRun, isBegun, isLongRun, type Run } from './aheadRuns.ts'

/** What the transactions of a block are made under. */
interface BlockSetting {
  readonly config: TvmConfig
  readonly block: BlockContext
}

export class BlockMachine {
  readonly #executor: Emulator
  readonly #ahead: AheadRuns
  /** The block whose first transaction has not come yet. */
  #coming: BlockPlan | null = null
  /** Public ones, as of the block. */
  #libraries: LibrariesForm | null = null
  /** Both blocks of a step refer to one masterchain state. */
  readonly #previousBlocks = new PreviousBlocksText()
  #setting: BlockSetting | null = null

  constructor(executor: Emulator, ahead: AheadRuns) {
    this.#executor = executor
    this.#ahead = ahead
  }

  /** The transactions from now on are of this block. All but its libraries is made ready with the first: most blocks are empty. */
  async begin(plan: BlockPlan): Promise<void> {
    this.#setting = null
    this.#libraries = await publicLibraries(plan.master.details.libraries.root)
    this.#coming = plan
  }

  /** Whether messages can be executed before their turn now. */
  get looksAhead(): boolean {
    return this.#ahead.isReady
  }

  /** Executes a message before its turn, if there is a thread for it: `message` takes the result if it comes to this run. */
  expect(run: Run): BegunRun | null {
    const setting = this.#prepared()
    return setting && this.#ahead.begin(run, setting.config, setting.block)
  }

  async #alone(run: Run): Promise<TransactionResult | null> {
    const setting = this.#prepared()
    return setting && (await this.#ahead.alone(run, setting.config, setting.block))
  }

  /** Threads that execute messages before their turn. */
  get threads(): number {
    return this.#ahead.threads
  }

  close(): Promise<void> {
    return this.#ahead.close()
  }

  /** Null before the first block. */
  #prepared(): BlockSetting | null {
    if (this.#coming === null) return this.#setting
    const { master, utime, randSeed } = this.#coming
    this.#coming = null
    const config = configOfMaster(master)
    const block = { now: utime, randSeed, libs: this.#libraries, prevBlocks: this.#previousBlocks.of(master) }
    this.#executor.setConfig(config)
    this.#executor.beginBlock(block)
    this.#setting = { config, block }
    return this.#setting
  }

  /**
   * Executes a message, or takes the result of the same run that was begun before. One the TVM broke down over counts as
   * rejected; the TVM is running again by then.
   */
  async message(run: Run, begun: BegunRun | null): Promise<TransactionResult> {
    this.#ahead.count()
    const isTaken = begun !== null && isBegun(begun, run)
    const isApart = isLongRun(run) || this.#ahead.isCareful
    const result = isTaken ? await begun.result : isApart ? await this.#alone(run) : null
    if (result !== null) return result
    const { account: shardAccount, message, lt } = run
    const execute = () => this.#executor.quickTransaction({ shardAccount, message, lt })
    const made = await this.#guarded(() => this.#ahead.timed(execute))
    if (made !== null) return made
    return (
      (await this.#alone(run)) ?? (await this.#guarded(() => this.#executor.transaction({ shardAccount, message, lt })))
    )
  }

  tickTock(account: string, which: 'tick' | 'tock', lt: bigint): Promise<TransactionResult> {
    return this.#guarded(() => this.#executor.tickTock({ shardAccount: account, which, lt }))
  }

  async #guarded<R extends TransactionResult | null>(call: () => R): Promise<R | Rejected> {
    try {
      this.#prepared()
      return call()
    } catch (error) {
      if (!(error instanceof TvmError) || error.code === 'badConfig') throw error
      if (this.#executor.broken) await this.#executor.restart()
      return { accepted: false, exitCode: null, reason: error.message, vmLog: '' }
    }
  }
}
