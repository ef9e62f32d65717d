// Writes the index, one masterchain block after another, while this process is the leader.

import type { IndexFrom } from '../../shared/indexFrom.ts'
import { RunSettings } from '../contracts/index.ts'
import { WorkingSet } from '../facts/index.ts'
import { inPieces, pressing, SlicedWork } from '../fairness/index.ts'
import { type BlockIdExt, type Chain, isSameBlock } from '../node/index.ts'
import type { Log } from '../observe/index.ts'
import { boundedTime, pause } from '../process/index.ts'
import {
  type ActionWrites,
  type Database,
  type MasterBlockRows,
  readIndexedCodes,
  readTracesWaitingFor,
  readUnfinishedTraces,
  type Sql,
  writeIdentity,
  writeMasterBlocks,
} from '../store/index.ts'
import type { TvmRuns } from '../tvm/index.ts'
import { AccountBook, type AccountRows } from './accounts/accountBook.ts'
import { bornAccounts } from './accounts/bornAccounts.ts'
import { KEPT_CODES } from './accounts/codeLibrary.ts'
import type { CarriedLacks } from './accounts/lackSearch.ts'
import { asClassified, Classifier, type OnFailure } from './actions/classifier.ts'
import { AssetBook, type AssetBookParts, type LookedStep } from './assets/assetBook.ts'
import { makingBatchRows, stepAccounts, transactionsOf } from './batchRows.ts'
import { type Caution, MOST_AHEAD } from './caution.ts'
import { type ChainStep, type Tip, withoutAccounts } from './chain/chainStep.ts'
import type { HeadWatch } from './chain/headWatch.ts'
import { Lookahead } from './chain/lookahead.ts'
import { Slots } from './chain/slots.ts'
import { StepReader } from './chain/stepReader.ts'
import { type ChainIdentity, identityOf, type OwnChain } from './chainIdentity.ts'
import { BlockUndone, continues, gather } from './gather.ts'
import type { IndexHeads } from './indexHead.ts'
import { laterFills } from './laterFills.ts'
import type { Progress } from './progress.ts'
import { Pruner } from './pruner.ts'
import { loadResumePoint, type ResumeParts, type ResumePoint, reindexFrom } from './resumePoint.ts'
import { StakingBook } from './staking/stakingBook.ts'
import type { StakingParts } from './staking/stakingParts.ts'
import { Writing } from './writing.ts'

export interface FollowerParts {
  readonly chain: Chain
  readonly database: Database
  /** Runs get-methods; null when contracts are not classified. */
  readonly pool: Pick<TvmRuns, 'runGetMethod'> | null
  /** The chain this index belongs to; a database with the index of another one is refused. */
  readonly own: OwnChain
  readonly watch: HeadWatch
  readonly heads: IndexHeads
  readonly progress: Progress
  /** Passed from one follower to the next, which is made after every interruption. */
  readonly carried: CarriedLacks
  /** The first masterchain block of an empty index; null for the default of the chain. */
  readonly indexFrom: IndexFrom | null
  /** How much of the chain's time the index keeps; null for all. */
  readonly keepSeconds: number | null
  readonly log: Pick<Log, 'info' | 'warn'>
  /** How long the node may take for one answer. */
  readonly timeoutMs: number
  /** What one SQL transaction writes at most, but always at least one masterchain block. */
  readonly batchTransactions: number
  readonly caution: Caution
  /** Called when a trace could not be classified. */
  readonly onUnclassified: OnFailure
  /** Called with rows before their write begins, which waits for it, and once they are readable in the store. */
  readonly onPrepared: (rows: MasterBlockRows, actions: ActionWrites) => Promise<void> | void
  readonly onWritten: (rows: MasterBlockRows, actions: ActionWrites) => void
  /** Called when the index turned out to be of this chain. */
  readonly onChecked: () => void
  /** Called after every successful write and when caught up. */
  readonly onGood: () => void
}

/** What is carried on from batch to batch. */
interface Books {
  readonly set: WorkingSet
  /** Null when contracts are not classified. */
  readonly assets: AssetBook | null
  readonly staking: StakingBook
}

/** What one SQL transaction writes. */
interface Batch {
  readonly rows: MasterBlockRows
  readonly actions: ActionWrites
  readonly steps: readonly LookedStep[]
  /** Of the chain; written with the first batch. */
  readonly identity: ChainIdentity
  readonly isNear: boolean
}

/** Calls to the node at once, for each block that is read ahead. */
const LANES = 2
/** Pending messages in memory: for others the store is read. */
const MOST_PENDING = 200_000
const MOST_TRACES = 50_000

export class Follower {
  readonly #parts: ResumeParts & FollowerParts
  readonly #assets: AssetBookParts | null
  readonly #staking: StakingParts
  readonly #writing = new Writing()
  /** Read only when everything is written. */
  readonly #written: Pick<Database, 'transaction'>

  /** Rejects once the signal aborts. */
  constructor(parts: FollowerParts, signal: AbortSignal) {
    const { chain, database, pool, own, timeoutMs, caution } = parts
    const lanes = new Slots(() => LANES * caution.ahead)
    const reader = new StepReader({ chain, lanes, timeoutMs, signal })
    this.#written = this.#writing.behind(database)
    const near = { chain, database: this.#written, lanes, timeoutMs, signal }
    this.#assets = pool && { pool, network: own.network, settings: new RunSettings(chain), ...near }
    this.#staking = { assets: this.#assets, ...near }
    const books = { assets: this.#assets && new AssetBook(this.#assets), staking: this.#staking }
    this.#parts = { reader, lanes, signal, ...books, ...parts }
  }

  reindexFrom(seqno: number): Promise<void> {
    return reindexFrom(this.#parts, seqno)
  }

  /**
   * Continues from the cursor in the store. Resolves when the chain has left the indexed branch, so that the next call
   * finds the common block; rejects when the node or the store fails.
   */
  async follow(): Promise<void> {
    try {
      await this.#follow()
      await this.#writing.done()
    } catch (error) {
      if (!(error instanceof BlockUndone)) throw error
    } finally {
      // No write is in flight when the next follower starts.
      await this.#writing.end()
    }
  }

  async #follow(): Promise<void> {
    const { database, watch, signal, caution, onUnclassified, onGood } = this.#parts
    let resume = await loadResumePoint(this.#parts)
    this.#parts.onChecked()
    const classifier = new Classifier(this.#written, onUnclassified)
    const assets = this.#assets && new AssetBook(this.#assets)
    const staking = new StakingBook(this.#staking)
    const set = await this.#workingSet()
    const book = await this.#accountBook(resume)
    const fillLater = laterFills(database, onUnclassified)
    const pruner = new Pruner(this.#parts)
    const beginning = resume
    // Steps wait for the accounts of the first states, whose data may be the unchanged part of what a step shows.
    let bornBefore: Promise<unknown> | null = null
    const lookahead = new Lookahead(this.#parts.reader, resume.tip, {
      ahead: () => caution.ahead,
      prepare: async (read) => {
        const born = bornBefore === null ? this.#born(read, beginning, book) : null
        bornBefore ??= Promise.allSettled([born])
        await bornBefore
        const accounts = await book.rowsOf(read)
        return { step: withoutAccounts(read), accounts, born: await born }
      },
      begin: (prepared) => ({ looked: assets?.look(prepared) ?? null, ...prepared }),
    })
    for (;;) {
      const { tip } = resume
      const isNews = (newest: BlockIdExt): boolean => {
        // Checked after each poll: an answer without a new block ends a pause, too.
        if (watch.isStill(tip.id)) onGood()
        return this.#isNews(newest, tip)
      }
      // When idle, a failure of the write is reported at once.
      if (watch.newest === null || !this.#isNews(watch.newest, tip)) await this.#writing.done()
      const isIdle = (): boolean => !signal.aborted && (watch.newest === null || !isNews(watch.newest))
      await fillLater(isIdle)
      await this.#prune(pruner, isIdle, isNews)
      const head = await watch.when(isNews, signal)
      if (head.seqno <= tip.id.seqno) return
      lookahead.reach(head)
      const steps = await gather({ lookahead, head, most: caution.isOn ? 1 : this.#parts.batchTransactions })
      caution.worksOn(steps.at(-1)?.step.master.id.seqno ?? 0)
      if (!continues(steps, tip)) return
      const make = async () => {
        const rows = await this.#rows(steps, resume, { set, assets, staking })
        return { rows, actions: await classifier.classify(rows, await Promise.all(steps.map(stepAccounts))) }
      }
      // Near the head, making the next block waits for the index, and no earlier block is read after a later one.
      const isNear = head.seqno - tip.id.seqno <= MOST_AHEAD
      const { rows, actions } = await (isNear ? pressing(make) : make())
      // Evicted traces are loaded again from the store, after this batch.
      set.shrink(MOST_PENDING)
      resume = { ...resume, previous: rows.cursor.lastMcSeqno, tip: steps.at(-1)?.step.tip ?? tip }
      const batch = { rows, actions, steps, identity: resume.identity, isNear }
      await this.#writing.begin((onSent) => this.#write(batch, book, onSent))
    }
  }

  async #write(
    { rows, actions, steps, identity, isNear }: Batch,
    book: AccountBook,
    onSent: () => void,
  ): Promise<void> {
    const { database, heads, progress, onPrepared, onWritten, onGood } = this.#parts
    await onPrepared(rows, actions)
    const mayMove = isNear ? heads.moving() : null
    const write = async (sql: Sql): Promise<void> => {
      if (rows.previous === null) await writeIdentity(sql, identityOf(rows, identity))
      await writeMasterBlocks(sql, rows, actions)
      await mayMove
      const last = steps.at(-1)
      if (last !== undefined) this.#refuseUndone(last.step)
    }
    await database.transaction(write, { onSent })
    book.written(rows.codes, rows.cursor.lastMcSeqno)
    onWritten(rows, actions)
    progress.lacking = book.lacking
    this.#report(steps)
    onGood()
  }

  /** Throws BlockUndone for a block that was reverted meanwhile: after the reply to `dev.revert` no read may show it. */
  #refuseUndone({ tip }: Pick<ChainStep, 'tip'>): void {
    const { newest } = this.#parts.watch
    if (newest !== null && newest.seqno <= tip.id.seqno && this.#isNews(newest, tip)) throw new BlockUndone()
  }

  async #prune(pruner: Pruner, isIdle: () => boolean, isNews: (newest: BlockIdExt) => boolean): Promise<void> {
    const { heads, watch, signal } = this.#parts
    const headUtime = heads.indexed()?.utime
    if (headUtime === undefined || !pruner.isDue(headUtime)) return
    await this.#writing.done()
    const rest = async (ms: number): Promise<void> => {
      const bound = boundedTime(Math.ceil(ms), signal)
      await watch.when(isNews, bound.signal).catch(() => pause(ms, bound.signal))
      bound.done()
    }
    await pruner.run({ headUtime, isIdle, rest, signal })
  }

  /** Whether a head is news: lite servers that lag report old heads, and only some chains are reverted. */
  #isNews(newest: BlockIdExt, { id }: Tip): boolean {
    if (newest.seqno > id.seqno) return true
    return (this.#parts.chain.traits.canRewind || newest.seqno === id.seqno) && !isSameBlock(newest, id)
  }

  #workingSet(): Promise<WorkingSet> {
    return this.#parts.database.transaction(async (sql) => {
      const traces = await readUnfinishedTraces(sql, MOST_TRACES)
      return new WorkingSet(traces, traces.length < MOST_TRACES)
    })
  }

  async #accountBook({ previous, tip }: ResumePoint): Promise<AccountBook> {
    const codes = await this.#parts.database.transaction((sql) => readIndexedCodes(sql, KEPT_CODES))
    return new AccountBook(this.#parts, { codes, isEmpty: previous === null, firstSeqno: tip.id.seqno + 1 })
  }

  async #rows(
    steps: readonly LookedStep[],
    resume: ResumePoint,
    { set, assets, staking }: Books,
  ): Promise<MasterBlockRows> {
    const { signal } = this.#parts
    const unknown = set.unknownTo(steps.flatMap(({ step }) => transactionsOf(step)))
    if (unknown.length > 0) set.load(await this.#written.transaction((sql) => readTracesWaitingFor(sql, unknown)))
    const prepared = await assets?.prepare(steps)
    const stakingRows = await staking.rows(steps, resume.tip)
    signal.throwIfAborted()
    const slices = new SlicedWork()
    const batch = await inPieces(makingBatchRows({ steps, set, ...resume }), slices)
    const previousRootHash = resume.previous === null ? undefined : resume.tip.id.rootHash
    const traces = batch.traces.map(asClassified)
    const chain = { ...batch, traces, previousRootHash, staking: stakingRows }
    return prepared === undefined ? chain : { ...chain, assets: await inPieces(prepared(chain.transactions), slices) }
  }

  /** The accounts of the first states, with the first block of the chain. */
  async #born(step: ChainStep, { cursor, previous }: ResumePoint, book: AccountBook): Promise<AccountRows | null> {
    const isFirst = previous === null && cursor.firstMcSeqno === 1 && step.master.id.seqno === 1
    if (!isFirst) return null
    const born = await bornAccounts(this.#parts, step, (lacking) => book.lacks(lacking))
    book.born(born.accounts)
    return born
  }

  #report(steps: readonly LookedStep[]): void {
    const { heads, progress, watch } = this.#parts
    const first = steps[0]?.step.master
    const last = steps.at(-1)?.step.master
    if (first === undefined || last === undefined) return
    const { seqno, rootHash } = last.id
    heads.first ??= { seqno: first.id.seqno, utime: first.facts.block.genUtime, isPruned: false }
    heads.set({ seqno, rootHash, utime: last.facts.block.genUtime, at: Date.now() })
    progress.wrote(steps.length, Math.max(0, (watch.newest?.seqno ?? 0) - last.id.seqno))
  }
}
