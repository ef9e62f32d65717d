// Prefetches steps in order. Blocks are fetched concurrently; they are parsed in order, because each step begins where
// the previous one ended.

import type { BlockIdExt } from '../../node/index.ts'
import type { ReadStep, Tip } from './chainStep.ts'
import type { StepReader } from './stepReader.ts'

export interface LookaheadOptions<T, U> {
  /** Maximum number of steps in flight. */
  readonly ahead: () => number
  /** Preparation of a step before it is taken, concurrent with others: it begins after that of the step before. */
  readonly prepare: (step: ReadStep) => Promise<T>
  /** What is done then, with one step after the other. */
  readonly begin: (prepared: T) => U
}

interface StepInFlight<T> {
  readonly prepared: Promise<T>
  isThere: boolean
}

/** Blocks in memory: a step of a network of 64 shards has hundreds, of up to two megabytes each. */
const MOST_BLOCKS = 256
const FEWEST_STEPS = 2

export class Lookahead<T, U> {
  readonly #reader: StepReader
  readonly #options: LookaheadOptions<T, U>
  readonly #steps: StepInFlight<U>[] = []
  #last: Promise<unknown> = Promise.resolve()
  #lastTip: Promise<Tip>
  #lastRead: Promise<unknown> = Promise.resolve()
  #next: number
  /** Blocks of the step that was read last. */
  #width = 1

  constructor(reader: StepReader, tip: Tip, options: LookaheadOptions<T, U>) {
    this.#reader = reader
    this.#options = options
    this.#lastTip = Promise.resolve(tip)
    this.#next = tip.id.seqno + 1
  }

  /** Starts as many steps as allowed, up to the head. */
  reach(head: BlockIdExt): void {
    while (this.#next <= head.seqno && this.#steps.length < this.#most) {
      const seqno = this.#next++
      const id = seqno === head.seqno ? Promise.resolve(head) : this.#reader.named(seqno)
      const prepared = Promise.all([this.#prepare(id), this.#last]).then(([one]) => this.#options.begin(one))
      this.#last = prepared
      const step: StepInFlight<U> = { prepared, isThere: false }
      // The caller of `take` sees the failure; until then it must not count as unhandled.
      step.prepared.then(
        () => {
          step.isThere = true
        },
        () => undefined,
      )
      this.#steps.push(step)
    }
  }

  get #most(): number {
    return Math.min(this.#options.ahead(), Math.max(FEWEST_STEPS, Math.floor(MOST_BLOCKS / this.#width)))
  }

  /** The next step; undefined when none is in flight. */
  take(): Promise<U> | undefined {
    return this.#steps.shift()?.prepared
  }

  /** The next step if it is ready. */
  takeReady(): Promise<U> | undefined {
    return this.#steps[0]?.isThere === true ? this.take() : undefined
  }

  #prepare(id: Promise<BlockIdExt>): Promise<T> {
    const before = this.#lastTip
    const block = id.then((name) => this.#reader.fetch(name))
    const master = Promise.all([block, before]).then(([one, tip]) => this.#reader.master(one, tip))
    this.#lastTip = master.then(({ tip }) => tip)
    this.#lastTip.catch(() => undefined)
    const read = Promise.all([master, before]).then(async ([one, tip]) => {
      const shards = await this.#reader.shards(one.master, tip)
      this.#width = 1 + shards.length
      return { shards, ...one }
    })
    const inOrder = Promise.all([read, this.#lastRead]).then(([step]) => step)
    this.#lastRead = inOrder
    return inOrder.then((step) => this.#options.prepare(step))
  }
}
