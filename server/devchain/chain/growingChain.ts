// The chain as a whole: its head, its history, and the only way to extend it. A step is made, stored durably, and only then
// visible; while a story is played it is stored without waiting for the disk. Calls that change the chain must be serialized;
// see `ChangeQueue`.

import { setMaxListeners } from 'node:events'
import type { Archive } from '../archive/index.ts'
import type { External, ExternalOutcome } from '../collate/index.ts'
import type { Imports } from '../fork/index.ts'
import type { Zerostate } from '../genesis/index.ts'
import type { BlockIndex, PastStates, StateSnapshots, Steps } from '../history/index.ts'
import {
  type Journal,
  packClock,
  packImports,
  packMark,
  packRevert,
  packStep,
  RecordType,
  type StepRecord,
} from '../journal/index.ts'
import { type AccountPatch, BASECHAIN, MASTERCHAIN, type Moment } from '../state/index.ts'
import type { Warn } from '../warn.ts'
import type { ChainClock } from './chainClock.ts'
import { type HeadEvent, type HeadListener, HeadListeners } from './headListeners.ts'
import { factsOf, makeStep, type StepTools, type StepWork } from './makeStep.ts'
import type { Marks } from './marks.ts'

export interface ChainParts {
  readonly zerostates: { readonly master: Zerostate; readonly base: Zerostate }
  readonly tools: StepTools
  readonly journal: Journal
  readonly index: BlockIndex
  readonly steps: Steps
  readonly moments: PastStates
  /** Null for a chain in memory. */
  readonly archive: Archive | null
  readonly marks: Marks
  /** Accounts of another network that were put into this one. */
  readonly imports: Imports
  readonly clock: ChainClock
  readonly snapshots: StateSnapshots | null
  /** Number of steps between two snapshots of the states. */
  readonly snapshotEvery: number
  readonly warn: Warn
}

/** From this many steps or bytes on, a snapshot at the end is cheaper than a replay at the next start. */
const WORTH_A_SNAPSHOT = 32
const WORTH_BYTES = 4 * 1024 * 1024
/** Snapshots for `dev.revert`: each stays in memory, and in the list, until a revert removes it. */
const MOST_MARKS = 10_000
/** Bytes of steps after which a snapshot is written, however few steps they are. */
const SNAPSHOT_BYTES = 64 * 1024 * 1024

const copiesIn = ({ master, shard }: StepWork): readonly AccountPatch[] =>
  [...master.patches, ...shard.patches].filter(({ copy }) => copy !== undefined)

interface ChainStart {
  readonly moment: Moment
  /** How often the chain was reverted. */
  readonly epoch: number
  /** Since the last snapshot of the states. */
  readonly replayed: { readonly steps: number; readonly bytes: number }
}

export class GrowingChain {
  readonly parts: ChainParts
  readonly #listeners: HeadListeners
  #moment: Moment
  /** How often the chain was reverted. */
  #epoch: number
  /** Since the last snapshot of the states. */
  #steps: number
  #bytes: number
  #snapshotting: Promise<void> = Promise.resolve()
  /** Whether steps are on the disk before they are published. */
  #isEager = true
  readonly #closing = new AbortController()

  constructor(parts: ChainParts, { moment, epoch, replayed }: ChainStart) {
    this.parts = parts
    this.#steps = replayed.steps
    this.#bytes = replayed.bytes
    this.#listeners = new HeadListeners(parts.warn)
    this.#moment = moment
    this.#epoch = epoch
    // Every call that follows a trace listens.
    setMaxListeners(0, this.#closing.signal)
  }

  /** Both chains as they are now. */
  get moment(): Moment {
    return this.#moment
  }

  get epoch(): number {
    return this.#epoch
  }

  /** Time of the chain, which is no earlier than its newest blocks, and of the computer. */
  get clocks(): { readonly chain: number; readonly computer: number } {
    const { clock } = this.parts
    const { master, shard } = this.#moment
    return { chain: Math.max(master.utime, shard.utime, clock.running), computer: clock.computer }
  }

  /** Time of the next block if it is made now; messages are checked against it. */
  get upcomingUtime(): number {
    const { master, shard } = this.#moment
    return this.parts.clock.upcoming(Math.max(master.utime, shard.utime))
  }

  /** The earliest time of the next block in Unix seconds, after the clock was moved; 0 when it was not. */
  get movedTo(): number {
    return this.parts.clock.movedTo
  }

  onHead(listener: HeadListener): () => void {
    return this.#listeners.add(listener)
  }

  /** Aborted when no further step is made. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** The newest blocks; null before the first. */
  head(): Omit<HeadEvent, 'reorg'> | null {
    const { index } = this.parts
    const master = index.newest(MASTERCHAIN)
    return master === undefined ? null : { master, shard: index.newest(BASECHAIN) ?? null }
  }

  /**
   * Steps do not wait for the disk from now on: for those that are made again after a loss of power, which leaves the first of
   * them. Their records stay in order.
   */
  deferDisk(): void {
    this.#isEager = false
  }

  /** Steps wait for the disk again. Resolves when it has all that were made. */
  async awaitDisk(): Promise<void> {
    if (this.#isEager) return
    this.#isEager = true
    await this.parts.journal.append([])
  }

  /** One step. When it resolves the step is durable, unless that is deferred, and published; when it rejects there was none. */
  async advance(work: StepWork): Promise<ReadonlyMap<External, ExternalOutcome>> {
    const { tools, clock, journal, index, steps, moments, archive, imports } = this.parts
    const before = this.#moment
    const utime = this.upcomingUtime
    const made = await makeStep(tools, before, { work, utime, epoch: this.#epoch })
    const record: StepRecord = {
      master: factsOf(made.master),
      shard: made.shard === null ? null : factsOf(made.shard),
      clockOffset: clock.offset,
      masterBoc: made.master.boc,
      shardBoc: made.shard?.boc ?? null,
      signatures: made.signatures,
    }
    const payload = packStep(record)
    const imported = { seqno: made.master.id.seqno, accounts: copiesIn(work) }
    const brought = imported.accounts.length === 0 ? [] : [{ type: RecordType.imports, payload: packImports(imported) }]
    const records = [...brought, { type: RecordType.step, payload }]
    const at = (await journal.append(records, { durable: this.#isEager })).at(-1)
    if (at === undefined) throw new Error('The journal did not return the position of the step')
    clock.passed()
    imports.add(imported)
    const { master, shard, clockOffset } = record
    index.add({ master, shard, clockOffset, at })
    const seqno = master.id.seqno
    steps.cache(seqno, { record, masterRoot: made.master.root, shardRoot: made.shard?.root ?? null })
    moments.cache(seqno, made.after, payload.length)
    archive?.add(seqno)
    this.#moment = made.after
    this.#reportHead(null)
    this.#countSnapshot(payload.length)
    return made.outcomes
  }

  /** Makes a step and drops it, so that the network of a fork is asked for what its messages lack. */
  async rehearse(work: StepWork): Promise<void> {
    const { tools } = this.parts
    const silent = { ...tools, shop: { ...tools.shop, warn: () => undefined } }
    await makeStep(silent, this.#moment, { work, utime: this.upcomingUtime, epoch: this.#epoch })
  }

  /** Records a named mark to revert to. Rejects with RangeError for a label that is taken, and for one mark too many. */
  async mark(label?: string): Promise<string> {
    const { marks, journal, clock } = this.parts
    if (marks.size >= MOST_MARKS)
      throw new RangeError(
        `There are ${MOST_MARKS} snapshots already: dev.revert to one of them removes it and all later ones; --reset begins again`,
      )
    if (label !== undefined && marks.find(label) !== undefined)
      throw new RangeError(`There is a snapshot "${label}" already: dev.snapshots lists them`)
    const at = { seqno: this.#moment.master.id.seqno, clockOffset: clock.offset }
    const mark = { name: marks.nextName(), ...at, ...(label === undefined ? {} : { label }) }
    await journal.append([{ type: RecordType.mark, payload: packMark(mark) }])
    marks.add(mark)
    return mark.name
  }

  /** Whether a mark of this name exists. */
  hasMark(name: string): boolean {
    return this.parts.marks.get(name) !== undefined
  }

  /** The name of a mark by its name or label. Throws RangeError for an unknown one. */
  markNamed(given: string): string {
    const found = this.parts.marks.find(given)
    if (found === undefined)
      throw new RangeError(
        `There is no snapshot "${given}": ids look like 0x1, dev.snapshots lists those that can be returned to`,
      )
    return found.name
  }

  /** Undoes everything since a mark, and removes it with all later ones. Rejects for an unknown name. */
  async revert(name: string): Promise<void> {
    const { marks, journal, index, steps, moments, archive, imports, clock } = this.parts
    const mark = marks.get(name)
    if (mark === undefined) throw new RangeError(`There is no snapshot "${name}"`)
    const moment = await moments.at(mark.seqno)
    const epoch = this.#epoch + 1
    const { seqno, clockOffset } = mark
    await journal.append([{ type: RecordType.revert, payload: packRevert({ name, seqno, epoch, clockOffset }) }])
    const from = this.#moment.master.id
    index.truncate(seqno)
    imports.truncate(seqno)
    steps.truncate(seqno)
    moments.truncate(seqno)
    archive?.truncate(seqno)
    marks.dropFrom(name)
    clock.offset = clockOffset
    this.#epoch = epoch
    this.#moment = moment
    this.#reportHead({ from, to: moment.master.id })
  }

  /** Records a change of the clock. */
  async recordClock(): Promise<void> {
    const { journal, clock } = this.parts
    await journal.append([{ type: RecordType.clock, payload: packClock(clock.offset) }])
  }

  /** Writes a snapshot when enough steps were made since the last one, and waits for all pending work. */
  async close(): Promise<void> {
    this.#closing.abort()
    if (this.#steps >= WORTH_A_SNAPSHOT || this.#bytes >= WORTH_BYTES) this.#snapshot()
    await this.#snapshotting
    await this.parts.archive?.close()
    await this.parts.journal.close()
  }

  #reportHead(reorg: HeadEvent['reorg']): void {
    const head = this.head()
    if (head !== null) this.#listeners.emit({ ...head, reorg })
  }

  #countSnapshot(bytes: number): void {
    this.#steps++
    this.#bytes += bytes
    if (this.#steps >= this.parts.snapshotEvery || this.#bytes >= SNAPSHOT_BYTES) this.#snapshot()
  }

  #snapshot(): void {
    const { snapshots, journal, warn } = this.parts
    this.#steps = 0
    this.#bytes = 0
    if (snapshots === null) return
    const { end } = journal
    const moment = this.#moment
    this.#snapshotting = this.#snapshotting
      .then(() => snapshots.write(moment.master.id.seqno, moment, end))
      .catch((error: unknown) => warn('A snapshot could not be written', { error: String(error) }))
  }
}
