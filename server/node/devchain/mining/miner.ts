// Decides when a step is made and what goes into it, and tells senders what came of their messages.

import type { Chain, Turns } from '../chain/index.ts'
import { NOTHING_TO_DO, workFor } from '../chain/index.ts'
import { type BlockWork, type External, type ExternalOutcome, type Injected, undelivered } from '../collate/index.ts'
import type { Mempool } from '../mempool/index.ts'
import { type AccountPatch, BASECHAIN, type ChainState, MASTERCHAIN, type Moment, readMarks } from '../state/index.ts'
import { checkMode, type MiningMode } from './mode.ts'

export interface MinerParts {
  readonly chain: Chain
  readonly pool: Mempool
  readonly turns: Turns
  /** Milliseconds without a message after which an empty step is made, in mode `auto`. */
  readonly idleBlockMs: number
  /** Messages from outside one block takes in; what they lead to should find room beside them. */
  readonly maxExternals: number
  readonly warn: (line: string, facts: Readonly<Record<string, unknown>>) => void
}

/** Contracts may go on calling each other for as long as their coins last. */
const MAX_SETTLING = 100

const NOT_MADE: ExternalOutcome = { kind: 'dropped', why: 'the block with it could not be made' }

/** Whether a message is on its way that the next step would deliver. */
export function hasUndelivered({ master, shard }: Moment): boolean {
  const waits = (from: ChainState, to: ChainState): boolean =>
    !from.queue.queue.isEmpty && undelivered(from, to.id.workchain, readMarks(to.queue.processed)).length > 0
  return waits(shard, master) || waits(master, shard) || waits(shard, shard) || waits(master, master)
}

export class Miner {
  readonly #parts: MinerParts
  #mode: MiningMode = 'manual'
  #timer: NodeJS.Timeout | null = null
  #driving = false
  #closed = false
  #patches: AccountPatch[] = []
  #injected: Injected[] = []

  constructor(parts: MinerParts) {
    this.#parts = parts
  }

  get mode(): MiningMode {
    return this.#mode
  }

  /** Throws RangeError for an interval nobody can mean. */
  setMode(mode: MiningMode): void {
    this.#mode = checkMode(mode)
    this.#schedule()
    this.wake()
  }

  /** Says that there is something to do. Messages that arrive in the same turn of the event loop share a block. */
  wake(): void {
    if (this.#mode !== 'auto' || this.#driving || this.#closed) return
    this.#driving = true
    setImmediate(() => void this.#drive())
  }

  /** Changes an account by hand in the next step. */
  patch(patch: AccountPatch): void {
    this.#patches.push(patch)
    this.wake()
  }

  /** Delivers a made-up message in the next step. */
  inject(injected: Injected): void {
    this.#injected.push(injected)
    this.wake()
  }

  /** Makes `count` steps, whatever the mode. */
  async mine(count: number): Promise<void> {
    for (let made = 0; made < count; made++) await this.#parts.turns.take(() => this.#step())
  }

  /** Resolves when nothing is left to do that `auto` would do by itself, or after so many steps that it may never end. */
  async settle(): Promise<void> {
    for (let steps = 0; steps < MAX_SETTLING && (await this.#stepIfNeeded()); steps++);
  }

  /** Drops what was asked for by hand and not yet done. */
  forget(): void {
    this.#patches = []
    this.#injected = []
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #hasWork(): boolean {
    const { pool, chain } = this.#parts
    return pool.size > 0 || this.#patches.length > 0 || this.#injected.length > 0 || hasUndelivered(chain.moment)
  }

  async #drive(): Promise<void> {
    let failed = false
    try {
      while (this.#mode === 'auto' && (await this.#stepIfNeeded()));
    } catch (error) {
      failed = true
      this.#parts.warn('A block could not be made', { error: error instanceof Error ? error.message : String(error) })
    }
    this.#driving = false
    this.#schedule()
    // Something may have come in between the last look and this line, when `wake` still saw us at work. After a failure
    // the next try is the alarm's.
    if (!failed && this.#hasWork()) this.wake()
  }

  /** Asked when it is our turn: whoever came before may have done the work. */
  #stepIfNeeded(): Promise<boolean> {
    return this.#parts.turns.take(async () => {
      if (this.#closed || !this.#hasWork()) return false
      await this.#step()
      return true
    })
  }

  /** Sets the alarm for the next step that nobody asks for. */
  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#closed || this.#mode === 'manual') return
    const delay = this.#mode === 'auto' ? this.#parts.idleBlockMs : this.#mode.everyMs
    this.#timer = setTimeout(() => void this.#tick(), delay)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    if (this.#closed || this.#driving) return
    try {
      await this.mine(1)
    } catch (error) {
      this.#parts.warn('A block could not be made', { error: error instanceof Error ? error.message : String(error) })
    }
    this.#schedule()
    this.wake()
  }

  async #step(): Promise<void> {
    if (this.#closed) throw new Error('The chain is closed')
    const { chain, pool, maxExternals } = this.#parts
    const externals: External[] = [...pool.first(BASECHAIN, maxExternals), ...pool.first(MASTERCHAIN, maxExternals)]
    const all: BlockWork = { externals, patches: this.#patches, injected: this.#injected }
    const isFirst = chain.moment.master.id.seqno === 0
    const work = isFirst ? NOTHING_TO_DO : { shard: workFor(all, BASECHAIN), master: workFor(all, MASTERCHAIN) }
    if (!isFirst) this.forget()
    try {
      const outcomes = await chain.advance(work)
      pool.settle(outcomes, chain.moment.shard.utime)
    } catch (error) {
      // Whatever was in it may be what no block can be made with: it must not come again.
      pool.settle(new Map(externals.map((external) => [external, NOT_MADE])), 0)
      throw error
    }
  }
}
