// What messages will lead to on the state of one masterchain block: each is followed to its end in the TVM, transaction by
// transaction, on accounts changed by the ones before. Times, logical times and blocks are predictions.

import { toRawUpper } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { type Cell, MAX_DEPTH, openCell, readingBoc, writingBoc } from '../../cell/index.ts'
import type { RunSettings } from '../../contracts/index.ts'
import { inPieces, ownerOfSignal } from '../../fairness/index.ts'
import {
  type AccountAt,
  type AccountId,
  type AccountReader,
  accountAt,
  type BlockIdExt,
  type Chain,
  prefixOf,
  shardHolds,
  WHOLE_SHARD,
} from '../../node/index.ts'
import { loadTransaction, type ShardTop, type Transaction } from '../../tlb/index.ts'
import { type Rejected, type TvmConfig, TvmError, type TvmRuns, type Verbosity } from '../../tvm/index.ts'
import { asRunError } from '../errors/tvmErrors.ts'
import { shardAccountBoc, trialInitOf } from '../tvm/trialAccount.ts'
import { TrialLibraries } from '../tvm/trialLibraries.ts'
import { type Arrival, Arrivals, arrivalOf } from './arrivals.ts'

export interface EmulationTools {
  readonly chain: AccountReader & Pick<Chain, 'find' | 'libraries' | 'shards' | 'movedTo'>
  readonly settings: RunSettings
}

/** What is different from the block; every part may be left out. */
export interface EmulationStart {
  /** Seconds after the block of the account's shard; 0 when left out. */
  readonly secondsAhead?: number
  /** Whether the block was chosen by the caller: its own time counts then, not what the chain's clock was moved to. */
  readonly isPast?: boolean
  /** Unix seconds of the first transactions. */
  readonly unixtime?: number | undefined
  /** Logical time of the first transactions, where account and message allow it. */
  readonly lt?: bigint | undefined
  readonly randSeed?: Uint8Array
  /** Changes an account that is read for the first time. */
  readonly override?: (id: AccountId, read: AccountAt) => Promise<Pick<AccountAt, 'account' | 'shardAccount'>>
  /** Configuration to use instead of the block's. */
  readonly config?: TvmConfig | undefined
}

/** On whose account the messages run, and how. */
export interface EmulationRun {
  readonly pool: Pick<TvmRuns, 'emulate'>
  readonly signal: AbortSignal
  /** Take every signature as valid in the transaction of each given message. */
  readonly ignoreSignature?: boolean
  readonly verbosity?: Verbosity
  /** Instead of the seed it began with. */
  readonly randSeed?: Uint8Array
}

type Boc = Uint8Array | string

export interface EmulatedTransaction {
  readonly account: AccountId
  readonly cell: Cell
  readonly transaction: Transaction
  /** The masterchain block and the block of its shard that may include it. */
  readonly mcSeqno: number
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  /** ShardAccount cells before and after it. */
  readonly before: Boc
  readonly after: Boc
  readonly vmLog: string
}

export interface FollowedMessages {
  /** In the order they happen. */
  readonly transactions: readonly EmulatedTransaction[]
  /** False when the limits of one call ended it before the last message. */
  readonly isWhole: boolean
  /** Why the first of the given messages led to no transaction; null when each did. */
  readonly refused: Rejected | null
}

/** Messages that are followed: what they have led to so far, and what is still to be delivered. */
export interface FollowedSoFar extends Omit<FollowedMessages, 'isWhole'> {
  readonly waiting: Arrivals
  readonly transactions: EmulatedTransaction[]
  refused: Rejected | null
}

/** Of one trace. */
const MOST_TRANSACTIONS = 256
/** Blocks of the masterchain until a message to another workchain arrives. */
const BLOCKS_PER_STEP = 3
/** Blocks over which the seconds between two are measured; the pace of an idle devnet says nothing about the next. */
const MEASURED_BLOCKS = 64
const MOST_SECONDS_PER_BLOCK = 5
const LT_ALIGN = 1_000_000n
const NO_SEED = new Uint8Array(32)

interface KnownAccount {
  shardAccount: Boc
  readonly utime: number
  readonly lt: bigint
  /** Unix seconds of its newest transaction here, before which it cannot run. */
  ranAt: number
}

/** Of a run with a configuration of its caller's. */
function asConfigError(error: unknown): unknown {
  if (!(error instanceof TvmError) || (error.code !== 'badConfig' && error.code !== 'crashed')) return asRunError(error)
  const what = error.code === 'crashed' ? 'The TVM breaks down over this configuration' : error.message
  return new ApiError('notEmulated', `${what}, as config_overrides make it`, {}, { cause: error })
}

/** One block and everything emulated on it. */
export class Emulation {
  readonly at: BlockIdExt
  readonly #tools: EmulationTools
  readonly #start: EmulationStart
  readonly #accounts = new Map<string, KnownAccount>()
  readonly #libraries: TrialLibraries
  #tops: Promise<readonly ShardTop[]> | undefined
  #interval: Promise<number> | undefined

  constructor(tools: EmulationTools, at: BlockIdExt, start: EmulationStart = {}) {
    this.#tools = tools
    this.at = at
    this.#start = start
    this.#libraries = new TrialLibraries(tools.chain)
  }

  /** Everything that follows from messages of one trace. Throws ApiError for a run that could not be made. */
  follow(messages: readonly Cell[], run: EmulationRun): Promise<FollowedMessages> {
    return this.proceed(this.begin(messages), run)
  }

  /** Begins to follow messages in portions: between these, other messages may change the accounts. */
  begin(messages: readonly Cell[]): FollowedSoFar {
    const waiting = new Arrivals(messages.map((cell) => arrivalOf(cell, 0, 0, null)))
    return { waiting, transactions: [], refused: null }
  }

  /** Delivers the next `most` messages, or all; further ones may be left after `most`. Throws as `follow`. */
  async proceed(
    following: FollowedSoFar,
    run: EmulationRun,
    most = Number.POSITIVE_INFINITY,
  ): Promise<FollowedMessages> {
    const { waiting, transactions } = following
    for (let count = 0; count < most; count++) {
      const arrival = waiting.next()
      if (arrival === undefined) break
      if (transactions.length >= MOST_TRANSACTIONS) return { transactions, isWhole: false, refused: following.refused }
      const one = await this.#deliver(arrival, run)
      if ('accepted' in one) {
        if (arrival.depth === 0) following.refused ??= one
        continue
      }
      transactions.push(one)
      const { step, depth, to } = arrival
      for (const [, cell] of one.transaction.outMessages) waiting.add(arrivalOf(cell, step, depth + 1, to.workchain))
    }
    return { transactions, isWhole: !waiting.wasTooDeep, refused: following.refused }
  }

  async #deliver(
    { cell, code, to, step, depth }: Arrival,
    { pool, signal, ignoreSignature, verbosity, randSeed = this.#start.randSeed ?? NO_SEED }: EmulationRun,
  ): Promise<EmulatedTransaction | Rejected> {
    const slicing = { subject: ownerOfSignal(signal) }
    const blocks = step * BLOCKS_PER_STEP
    const shardBlock = await this.#blockOf(to, blocks, signal)
    const { unixtime, lt: givenLt, config: givenConfig } = this.#start
    const account = await this.#account(to, signal)
    await this.#libraries.addFor([code, cell], signal)
    const libs = await this.#libraries.bocText(signal)
    const { config, prevBlocks } = await this.#tools.settings.at(this.at, signal)
    const later = step === 0 ? 0 : Math.ceil(blocks * (await this.#secondsPerBlock(signal)))
    const now = Math.max((unixtime ?? this.#next(account)) + later, account.ranAt)
    const block = { now, randSeed, libs, prevBlocks }
    const firstLt = givenLt ?? (account.lt / LT_ALIGN + 1n) * LT_ALIGN
    const before = account.shardAccount
    const one = {
      shardAccount: before,
      message: await inPieces(writingBoc(cell), slicing),
      lt: firstLt + BigInt(step) * LT_ALIGN,
      ...(ignoreSignature === true && depth === 0 ? { ignoreSignature } : {}),
      ...(verbosity === undefined ? {} : { verbosity }),
    }
    const result = await pool.emulate(givenConfig ?? config, block, one, { signal }).catch((error: unknown) => {
      throw givenConfig === undefined ? asRunError(error) : asConfigError(error)
    })
    if (!result.accepted) return result
    account.shardAccount = result.shardAccount
    account.ranAt = now
    const boc = Buffer.from(result.transaction, 'base64')
    const transaction = await inPieces(readingBoc(boc, { maxDepth: MAX_DEPTH }), slicing)
    return {
      account: to,
      cell: transaction,
      transaction: loadTransaction(openCell(transaction)),
      mcSeqno: this.at.seqno + 1 + blocks,
      block: shardBlock,
      before,
      after: result.shardAccount,
      vmLog: result.vmLog,
    }
  }

  /** Unix seconds that the next block is expected at. */
  #next({ utime }: KnownAccount): number {
    const { secondsAhead = 0, isPast = false } = this.#start
    return Math.max(utime + secondsAhead, isPast ? 0 : (this.#tools.chain.movedTo?.() ?? 0))
  }

  async #account(id: AccountId, signal: AbortSignal): Promise<KnownAccount> {
    const { chain } = this.#tools
    const key = toRawUpper(id)
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    // By the name of the block, not its seqno, which may be another block's meanwhile.
    const read = await accountAt(chain, id, this.at, signal)
    const { account, shardAccount } = (await this.#start.override?.(id, read)) ?? read
    const { code, data } = trialInitOf(account) ?? {}
    await this.#libraries.addFor([code, data], signal)
    const fresh: KnownAccount = {
      shardAccount: await shardAccountBoc(shardAccount, { subject: ownerOfSignal(signal) }),
      utime: read.utime,
      lt: read.lt,
      ranAt: 0,
    }
    this.#accounts.set(key, fresh)
    return fresh
  }

  #secondsPerBlock(signal: AbortSignal): Promise<number> {
    const measure = async (): Promise<number> => {
      const { workchain, shard, seqno } = this.at
      const count = Math.min(MEASURED_BLOCKS, seqno - 1)
      if (count < 1) return MOST_SECONDS_PER_BLOCK
      const times = [seqno, seqno - count].map(async (one) => {
        const { info } = await this.#tools.chain.find({ workchain, shard, seqno: one }, { signal })
        return info.genUtime
      })
      const [last = 0, first = 0] = await Promise.all(times)
      return Math.min((last - first) / count, MOST_SECONDS_PER_BLOCK)
    }
    this.#interval ??= measure()
    return this.#interval
  }

  async #blockOf(id: AccountId, blocks: number, signal: AbortSignal) {
    const { workchain } = id
    if (workchain === this.at.workchain) return { workchain, shard: WHOLE_SHARD, seqno: this.at.seqno + 1 + blocks }
    this.#tops ??= this.#tools.chain.shards(this.at, { signal })
    const prefix = prefixOf(id.hash)
    const top = (await this.#tops).find(
      ({ id: { workchain: of, shard } }) => of === workchain && shardHolds(shard, prefix),
    )
    if (top === undefined) {
      const name = `${workchain}:0x${Buffer.from(id.hash).toString('hex').toUpperCase()}`
      throw new ApiError(
        'notEmulated',
        `failed to emulate shard block: no shard in masterchain state for account ${name}`,
      )
    }
    return { workchain, shard: top.id.shard, seqno: top.id.seqno + 1 + blocks }
  }
}
