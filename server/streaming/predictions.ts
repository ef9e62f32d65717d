// What messages that were sent here will lead to, as the TVM predicts it until a block has them. Each is predicted once.

import { toBase64 } from '../../shared/base64.ts'
import { type LiveTrace, type LiveTraces, masterIdOf, type SentMessage } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRows } from '../store/index.ts'
import { PredictionRate } from './predictionRate.ts'
import { RecentSet } from './recentSet.ts'
import { settledWithin } from './settledWithin.ts'

/** Messages that are predicted at once; of others only their blocks are reported. */
const MOST_PREDICTIONS = 64

export interface PredictionParts {
  readonly traces: Pick<LiveTraces, 'head' | 'ofMessage'>
  readonly log: Pick<Log, 'warn'>
}

export class Predictions {
  readonly #parts: PredictionParts
  /** Hashes of messages that were sent here or came in blocks. */
  readonly #known = new RecentSet()
  readonly #inBlocks = new RecentSet()
  readonly #rate = new PredictionRate()
  readonly #running = new Set<Promise<void>>()
  #made: LiveTrace[] = []
  /** The block on whose state messages are predicted. */
  #at: Promise<Parameters<LiveTraces['ofMessage']>[1] | null> = Promise.resolve(null)

  constructor(parts: PredictionParts) {
    this.#parts = parts
  }

  /** Predicts on the newest state from now on. */
  start(): void {
    this.#at = this.#parts.traces.head().catch(() => null)
  }

  /** Predicts on the state of this block from now on. */
  follow(rows: BlockRows): void {
    this.#at = Promise.resolve(masterIdOf(rows))
  }

  /** Resolves when the prediction is made or has failed; null for a message that is not predicted. */
  begin(message: SentMessage): Promise<void> | null {
    const hash = toBase64(message.hashNorm)
    if (this.#running.size >= MOST_PREDICTIONS || this.#known.has(hash)) return null
    if (!this.#rate.allows(message.to, performance.now())) return null
    this.#known.add(hash)
    const prediction = this.#predict(message).finally(() => this.#running.delete(prediction))
    this.#running.add(prediction)
    return prediction
  }

  /** The message was refused: sent again, it is predicted again. */
  forget(hash: string): void {
    this.#known.delete(hash)
  }

  /** A block with a part of the trace was reported. */
  noteInBlock(hash: string): void {
    this.#known.add(hash)
    this.#inBlocks.add(hash)
  }

  /** A block has executed a message to this account. */
  noteExecuted(account: string): void {
    this.#rate.clear(account)
  }

  /** Forgets which messages are known: the chain went back, or the last subscriber left. */
  clear(): void {
    this.#known.clear()
    this.#inBlocks.clear()
  }

  /** Takes the finished predictions no block was reported of, after waiting up to `ms` for those being made. */
  async take(ms: number): Promise<readonly LiveTrace[]> {
    if (ms > 0 && this.#running.size > 0) await settledWithin(this.#running, ms)
    const all = this.#made
    this.#made = []
    return all.filter(({ hashNorm }) => !this.#inBlocks.has(toBase64(hashNorm)))
  }

  async #predict(message: SentMessage): Promise<void> {
    try {
      const at = (await this.#at) ?? (await this.#parts.traces.head())
      const trace = at === null ? null : await this.#parts.traces.ofMessage(message, at)
      if (trace !== null) this.#made.push(trace)
    } catch (error) {
      // Its blocks are reported all the same.
      this.#parts.log.warn({ err: error }, 'message not predicted for streams')
    }
  }
}
