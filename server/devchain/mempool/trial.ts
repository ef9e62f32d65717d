// A trial: executes a message on the newest state without keeping the result. It runs in a thread, so that neither a block in
// progress nor a caller of the service waits for it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { NO_CRC, writingBoc } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { type ShardAccount, storeShardAccount, toCell } from '../../tlb/index.ts'
import { TvmError, type TvmRuns, type Verbosity } from '../../tvm/index.ts'
import {
  configOfMaster,
  type External,
  type PreviousBlocksText,
  publicLibraries,
  type Rejection,
} from '../collate/index.ts'
import { ABSENT, type ChainState, MASTERCHAIN, type Moment } from '../state/index.ts'
import { refused } from './messageRefused.ts'

const NO_SEED = new Uint8Array(32)

/** The account a message is for, as it is at this moment. */
export const accountOfMoment = ({ master, shard }: Moment, { workchain, account }: External): ShardAccount =>
  chainAt({ master, shard }, workchain).accounts.get(account) ?? ABSENT

const chainAt = ({ master, shard }: Moment, workchain: number): ChainState =>
  workchain === MASTERCHAIN ? master : shard

/** No verdict on the message: the threads have too much to do, or end. */
function whyNotTried(error: TvmError): Error | null {
  if (error.code === 'busy') return refused('poolFull', `too many external messages are tried out: ${error.message}`)
  return error.code === 'closed' ? refused('dropped', 'the chain is closing') : null
}

export interface TrialSetting {
  /** Unix seconds. */
  readonly now: number
  readonly verbosity?: Verbosity
  /** Whose message it is. */
  readonly share?: string | undefined
}

type TrialRun = { readonly [name in keyof TrialSetting]-?: NonNullable<TrialSetting[name]> }

export class Trial {
  readonly #runs: TvmRuns
  readonly #previousBlocks: Pick<PreviousBlocksText, 'of'>
  /** In the threads now. */
  readonly #running = new Set<Promise<unknown>>()

  constructor(runs: TvmRuns, previousBlocks: Pick<PreviousBlocksText, 'of'>) {
    this.#runs = runs
    this.#previousBlocks = previousBlocks
  }

  /**
   * Null when the message would be accepted in a block of this time, in unix seconds. Rejects with MessageRefused when it could
   * not be tried out.
   */
  async run(
    moment: Moment,
    external: External,
    { now, verbosity = 0, share = '' }: TrialSetting,
  ): Promise<Rejection | null> {
    try {
      const result = await this.#follow(this.#emulate(moment, external, { now, verbosity, share }))
      return result.accepted ? null : result
    } catch (error) {
      if (!(error instanceof TvmError)) throw error
      const whyNot = whyNotTried(error)
      if (whyNot !== null) throw whyNot
      return { exitCode: null, reason: error.message, vmLog: '' }
    }
  }

  async #emulate(moment: Moment, external: External, { now, verbosity, share }: TrialRun) {
    const { lt } = chainAt(moment, external.workchain)
    const libs = await publicLibraries(moment.master.details.libraries.root, { subject: share })
    const block = { now, randSeed: NO_SEED, libs, prevBlocks: this.#previousBlocks.of(moment.master) }
    const account = toCell(accountOfMoment(moment, external), storeShardAccount)
    const shardAccount = await inPieces(writingBoc(account, NO_CRC), { subject: share })
    const run = { shardAccount, message: external.boc, lt: lt + 1n, verbosity }
    return await this.#runs.emulate(configOfMaster(moment.master), block, run, { share })
  }

  /** Resolves when everything that is being tried out now has been, and its senders have gone on. */
  async settled(): Promise<void> {
    if (this.#running.size === 0) return
    await Promise.allSettled(this.#running)
    await nextTurn()
  }

  async #follow<T>(run: Promise<T>): Promise<T> {
    this.#running.add(run)
    try {
      return await run
    } finally {
      this.#running.delete(run)
    }
  }
}
