// Steps in their order, some of them under way before anybody takes them. Blocks are fetched side by side; what is read in
// them goes by their order, because each step begins where the one before ended.

import type { BlockIdExt } from '../../node/index.ts'
import type { Step, Tip } from './step.ts'
import type { StepReader } from './stepReader.ts'

export interface LookaheadOptions<T, U> {
  /** Steps that may be under way. */
  readonly ahead: number
  /** What is done with a step before it is taken, beside others. */
  readonly prepare: (step: Step) => Promise<T>
  /** What is done then, with one step after the other. */
  readonly begin: (prepared: T) => U
}

interface UnderWay<T> {
  readonly prepared: Promise<T>
  isThere: boolean
}

export class Lookahead<T, U> {
  readonly #reader: StepReader
  readonly #options: LookaheadOptions<T, U>
  readonly #steps: UnderWay<U>[] = []
  #last: Promise<unknown> = Promise.resolve()
  #lastTip: Promise<Tip>
  #next: number

  constructor(reader: StepReader, tip: Tip, options: LookaheadOptions<T, U>) {
    this.#reader = reader
    this.#options = options
    this.#lastTip = Promise.resolve(tip)
    this.#next = tip.id.seqno + 1
  }

  /** Begins what can be begun: nothing behind the newest block, and not too much. */
  reach(head: BlockIdExt): void {
    while (this.#next <= head.seqno && this.#steps.length < this.#options.ahead) {
      const seqno = this.#next++
      const id = seqno === head.seqno ? Promise.resolve(head) : this.#reader.named(seqno)
      const prepared = Promise.all([this.#prepare(id), this.#last]).then(([one]) => this.#options.begin(one))
      this.#last = prepared
      const step: UnderWay<U> = { prepared, isThere: false }
      // Whoever takes it sees the failure; until then it is nobody's.
      step.prepared.then(
        () => {
          step.isThere = true
        },
        () => undefined,
      )
      this.#steps.push(step)
    }
  }

  /** The next step; undefined when none is under way. */
  take(): Promise<U> | undefined {
    return this.#steps.shift()?.prepared
  }

  /** The next step if nobody has to wait for it. */
  takeReady(): Promise<U> | undefined {
    return this.#steps[0]?.isThere === true ? this.take() : undefined
  }

  #prepare(id: Promise<BlockIdExt>): Promise<T> {
    const before = this.#lastTip
    const block = id.then((name) => this.#reader.fetch(name))
    const master = Promise.all([block, before]).then(([one, tip]) => this.#reader.master(one, tip))
    this.#lastTip = master.then(({ tip }) => tip)
    this.#lastTip.catch(() => undefined)
    return Promise.all([master, before]).then(async ([read, tip]) => {
      const shards = await this.#reader.shards(read.master, tip)
      return await this.#options.prepare({ shards, ...read })
    })
  }
}
