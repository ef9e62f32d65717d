// What messages that were sent here will lead to, as the TVM predicts it until a block has them. Each is predicted once.

import { toBase64 } from '../../shared/base64.ts'
import { type LiveTrace, type LiveTraces, masterIdOf, type SentMessage } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import { waitAtMost } from '../process/index.ts'
import type { BlockRows } from '../store/index.ts'
import { PredictionRate } from './predictionRate.ts'
import { RecentSet } from './recentSet.ts'

/**
 * Messages that are predicted at once; of others only their blocks are reported. A caller has as many places as are free for others:
 * one alone has half of them, each further one half of the rest.
 */
const PLACES = 128

function hasPlace(taken: Iterable<Pick<SentMessage, 'share'>>, { share }: SentMessage): boolean {
  let left = PLACES
  for (const one of taken) left -= one.share === share ? 2 : 1
  return left > 0
}

/** A message that leads to nothing on the state of one block is predicted again on so many later ones. */
const LATER_BLOCKS = 2

export interface PredictionParts {
  readonly traces: Pick<LiveTraces, 'head' | 'ofMessage'>
  /** Whether a message still waits for a block after a revert, by its normalised hash in base64. */
  readonly waits: (hash: string) => boolean
  readonly log: Pick<Log, 'warn'>
}

interface EarlyMessage {
  readonly message: SentMessage
  readonly blocksLeft: number
}

export class Predictions {
  readonly #parts: PredictionParts
  /** Hashes of messages that were sent here or came in blocks. */
  readonly #known = new RecentSet()
  readonly #inBlocks = new RecentSet()
  readonly #rate = new PredictionRate()
  readonly #running = new Map<Promise<void>, SentMessage>()
  /** By their hashes: sent to a state that is not known here yet, such as by a wallet right after its last block. */
  readonly #early = new Map<string, EarlyMessage>()
  #made: LiveTrace[] = []
  /** Changes with each revert. */
  #branch = 0
  /** The newest block that has waited for predictions. */
  #waitedFor = -1
  /** The block on whose state messages are predicted. */
  #at: Promise<Parameters<LiveTraces['ofMessage']>[1] | null> = Promise.resolve(null)

  constructor(parts: PredictionParts) {
    this.#parts = parts
  }

  /** Predicts on the newest state from now on. */
  start(): void {
    this.#waitedFor = -1
    this.#at = this.#parts.traces.head().catch(() => null)
  }

  /** Predicts on the state of this block from now on. */
  follow(rows: BlockRows): void {
    this.#at = Promise.resolve(masterIdOf(rows))
  }

  /** Resolves when the prediction is made or has failed; null for a message that is not predicted. */
  begin(message: SentMessage): Promise<void> | null {
    const hash = toBase64(message.hashNorm)
    if (this.#known.has(hash) || !hasPlace(this.#running.values(), message)) return null
    if (!this.#rate.allows(message.to, performance.now())) return null
    this.#known.add(hash)
    return this.#run(message, LATER_BLOCKS)
  }

  /** Begins again with messages that led to nothing before the newest block; resolves when all have ended, null without any. */
  again(): Promise<unknown> | null {
    const early = [...this.#early.values()]
    this.#early.clear()
    const predictions = early.flatMap(({ message, blocksLeft }) =>
      hasPlace(this.#running.values(), message) ? [this.#run(message, blocksLeft - 1)] : [],
    )
    return predictions.length === 0 ? null : Promise.all(predictions)
  }

  /** The message was refused: sent again, it is predicted again. */
  forget(hash: string): void {
    this.#known.delete(hash)
    this.#early.delete(hash)
  }

  /** A block has a part of the trace. */
  noteInBlock(hash: string): void {
    this.#known.add(hash)
    this.#inBlocks.add(hash)
    this.#early.delete(hash)
  }

  /** A block has the first transaction of a trace, which may be reported only with its end; `account` is what it begins at. */
  noteRoot(account: string, hash: string): void {
    this.#rate.clear(account)
    this.noteInBlock(hash)
  }

  /** The chain went back: what it has dropped is not reported any more, also where its prediction is still being made. */
  undo(): void {
    this.clear()
    // What is sent from now on is for the state that the chain went back to.
    this.start()
    this.#branch++
    this.#made = this.#made.filter(({ hashNorm }) => this.#parts.waits(toBase64(hashNorm)))
  }

  /** Forgets which messages are known: the chain went back, or the last subscriber left. */
  clear(): void {
    this.#known.clear()
    this.#inBlocks.clear()
    this.#early.clear()
  }

  /**
   * Takes the finished predictions of what is in no block, after waiting up to `ms` for those being made. A block waits once: reported
   * as confirmed, it has ended the predictions of what is in it.
   */
  async take(ms: number, mcSeqno = -1): Promise<readonly LiveTrace[]> {
    const waits = ms > 0 && mcSeqno > this.#waitedFor
    this.#waitedFor = Math.max(this.#waitedFor, mcSeqno)
    if (waits && this.#running.size > 0) await waitAtMost(Promise.allSettled(this.#running.keys()), ms)
    const all = this.#made
    this.#made = []
    return all.filter(({ hashNorm }) => !this.#inBlocks.has(toBase64(hashNorm)))
  }

  #run(message: SentMessage, blocksLeft: number): Promise<void> {
    const prediction = this.#predict(message, blocksLeft).finally(() => this.#running.delete(prediction))
    this.#running.set(prediction, message)
    return prediction
  }

  async #predict(message: SentMessage, blocksLeft: number): Promise<void> {
    const branch = this.#branch
    try {
      const at = (await this.#at) ?? (await this.#parts.traces.head())
      const trace = at === null ? null : await this.#parts.traces.ofMessage(message, at)
      if (branch !== this.#branch && !this.#parts.waits(toBase64(message.hashNorm))) return
      if (trace !== null) this.#made.push(trace)
      else this.#noteEarly(message, blocksLeft)
    } catch (error) {
      // Its blocks are reported all the same.
      this.#parts.log.warn({ err: error }, 'message not predicted for streams')
    }
  }

  #noteEarly(message: SentMessage, blocksLeft: number): void {
    const hash = toBase64(message.hashNorm)
    // Refused or in a block meanwhile: there is nothing left to predict.
    if (blocksLeft === 0 || !this.#known.has(hash) || this.#inBlocks.has(hash)) return
    const others = [...this.#early.values()].map((early) => early.message)
    if (hasPlace(others, message)) this.#early.set(hash, { message, blocksLeft })
  }
}
