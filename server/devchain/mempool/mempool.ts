// External messages waiting for a block. A repeated message, in any wrapping, is not added twice: both senders get the same
// answer. Messages in a block are removed: from then on the account's state detects repeats.

import { type BinaryHash, hashToBytes } from '../../cell/index.ts'
import type { External, ExternalOutcome } from '../collate/index.ts'
import { refused } from './messageRefused.ts'

/** The answer to the sender of an accepted message. */
export interface Receipt {
  readonly messageHash: Uint8Array
  /** By which a message is found however it was wrapped (TEP-467). */
  readonly normalizedHash: Uint8Array
}

export interface MempoolLimits {
  /** Maximum waiting messages. */
  readonly maxPending: number
  /** Their bytes; in memory each takes some times as many. */
  readonly maxBytes: number
}

const DEFAULT_MEMPOOL: MempoolLimits = { maxPending: 20_000, maxBytes: 32 * 2 ** 20 }

interface Pending {
  readonly external: External
  readonly hash: BinaryHash
  readonly outcome: Promise<ExternalOutcome>
  readonly settle: (outcome: ExternalOutcome) => void
  /** Whether its sender was answered that it is taken. */
  isAcknowledged: boolean
}

export class Mempool {
  readonly #limits: MempoolLimits
  readonly #waiting = new Map<BinaryHash, Pending>()
  readonly #names = new Map<External, Pending>()
  readonly #listeners = new Set<() => void>()
  #bytes = 0
  #madeUp = 0
  /** Why nothing can wait any more; null while it can. */
  #closed: string | null = null

  constructor(limits: Partial<MempoolLimits> = {}) {
    this.#limits = { ...DEFAULT_MEMPOOL, ...limits }
  }

  get size(): number {
    return this.#waiting.size
  }

  /** What waits for a block, with what control methods made up. */
  get pending(): number {
    return this.#waiting.size + this.#madeUp
  }

  /** Counts a message that no sender sent, until it is in a block or never will be. */
  expect(done: Promise<unknown>): void {
    const count = (more: number): void => {
      this.#madeUp += more
      this.#changed()
    }
    const over = () => count(-1)
    count(1)
    done.then(over, over)
  }

  /** Calls back when more or fewer messages wait, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  /** What becomes of an equal message that waits already. */
  waiting(hash: BinaryHash): Promise<ExternalOutcome> | undefined {
    return this.#waiting.get(hash)?.outcome
  }

  /** Takes a message; resolves when a block was made of it or without it. Throws MessageRefused `poolFull` or `dropped`. */
  add(external: External, hash: BinaryHash): Promise<ExternalOutcome> {
    if (this.#closed !== null) throw refused('dropped', this.#closed)
    const { maxPending, maxBytes } = this.#limits
    if (this.#waiting.size >= maxPending || this.#bytes + external.boc.length > maxBytes)
      throw refused('poolFull', `too many external messages are waiting (${this.#waiting.size})`)
    let settle: Pending['settle'] = () => undefined
    const outcome = new Promise<ExternalOutcome>((resolve) => {
      settle = resolve
    })
    const pending = { external, hash, outcome, settle, isAcknowledged: false }
    this.#waiting.set(hash, pending)
    this.#names.set(external, pending)
    this.#bytes += external.boc.length
    this.#changed()
    return outcome
  }

  /** Its sender is answered that it is taken: from now on only a block, or the end of the chain, removes it. */
  acknowledge(hash: BinaryHash): void {
    const pending = this.#waiting.get(hash)
    if (pending !== undefined) pending.isAcknowledged = true
  }

  /** Removes what was not acknowledged: its senders still wait for their answer, which this is. */
  refuse(outcome: ExternalOutcome): void {
    const all = [...this.#waiting.values()].filter(({ isAcknowledged }) => !isAcknowledged)
    this.settle(new Map(all.map(({ external }) => [external, outcome])))
  }

  /** The first `max` messages for a workchain; they stay until they are settled. */
  first(workchain: number, max: number): External[] {
    const taken: External[] = []
    for (const { external } of this.#waiting.values()) {
      if (taken.length >= max) break
      if (external.workchain === workchain) taken.push(external)
    }
    return taken
  }

  /** Resolves the promises of senders after a block that is durable. */
  settle(outcomes: ReadonlyMap<External, ExternalOutcome>): void {
    for (const [external, outcome] of outcomes) {
      const pending = this.#names.get(external)
      if (pending === undefined || outcome.kind === 'left') continue
      this.#names.delete(external)
      this.#waiting.delete(pending.hash)
      this.#bytes -= external.boc.length
      pending.settle(outcome)
    }
    if (outcomes.size > 0) this.#changed()
  }

  /** Everything that waits, oldest first. */
  contents(): readonly { readonly external: External; readonly hash: BinaryHash }[] {
    return [...this.#waiting.values()]
  }

  /** What waited at an earlier time waits again in that order, and nothing else. */
  restore(contents: ReturnType<Mempool['contents']>): void {
    const wanted = new Set(contents.map(({ hash }) => hash))
    const others = [...this.#waiting.values()].filter(({ hash }) => !wanted.has(hash))
    const dropped: ExternalOutcome = { kind: 'dropped', why: 'the chain was reverted' }
    this.settle(new Map(others.map(({ external }) => [external, dropped])))
    for (const { external, hash } of contents) {
      const still = this.#waiting.get(hash)
      this.#waiting.delete(hash)
      if (still === undefined) void this.add(external, hash)
      else this.#waiting.set(hash, still)
      this.acknowledge(hash)
    }
  }

  /** Drops everything that waits, and refuses what comes later. */
  close(why: string): void {
    this.#closed = why
    const dropped: ExternalOutcome = { kind: 'dropped', why }
    this.settle(new Map([...this.#names.keys()].map((external) => [external, dropped])))
  }
}

export const receiptOf = ({ message }: External, hash: BinaryHash): Receipt => ({
  messageHash: message.hashBytes(),
  normalizedHash: hashToBytes(hash),
})
