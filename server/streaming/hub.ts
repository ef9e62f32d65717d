// Puts events in order for all subscribers: messages that were sent, blocks that are about to be indexed, indexed blocks. It
// follows the feed only while there is a subscriber.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { toBase64 } from '../../shared/base64.ts'
import { pressing } from '../fairness/index.ts'
import type { Finality, LiveTrace, SentMessage } from '../methods/index.ts'
import { type BlockRows, Reverts } from '../store/index.ts'
import { dropRivals } from './dropRivals.ts'
import { emitBlock, emitTrace } from './emitBlock.ts'
import { followFeed } from './followFeed.ts'
import { Forgetting } from './forgetting.ts'
import { emissionOf, type HubParts, type Replay } from './hubParts.ts'
import { isStillBlock } from './isStillBlock.ts'
import { wantsOwners } from './notifications/nftsChange.ts'
import { Predictions } from './predictions.ts'
import { ReadersAside } from './readersAside.ts'
import { ReportedTraces } from './reportedTraces.ts'
import { ReportPace } from './reportPace.ts'
import { revertText } from './revertText.ts'
import { type Cursor, endOfBlock, readStreamCursor, writeStreamCursor } from './streamCursor.ts'
import { RoutesToMany, routesToOne } from './streamRoutes.ts'
import type { Subscriber } from './subscriber.ts'

/** Maximum blocks waiting to be reported as confirmed. While more are waiting to be reported as finalized, they are only reported so. */
const MOST_PREPARED = 16

export class StreamHub {
  readonly routes = new RoutesToMany()
  /** Those that were reported. */
  readonly reverts = new Reverts()
  readonly #parts: HubParts
  readonly #reported: ReportedTraces
  readonly #predictions: Predictions
  readonly #aside: ReadersAside
  readonly #forgetting = new Forgetting()
  #tasks: Promise<void> = Promise.resolve()
  #running: AbortController | null = null
  #stop: (() => void) | null = null
  #prepared = 0
  #holders = 0
  /** The newest block that is about to be indexed. */
  #incoming = -1
  /** The last block that was reported as finalized; null before the first. */
  #processed: number | null = null
  /** Cursor after everything that was reported; null where its block is not known. */
  #cursor: string | null = null

  constructor(parts: HubParts) {
    this.#parts = parts
    const { waits, limits } = parts
    this.#aside = new ReadersAside(parts, this, (routes) => emissionOf(parts, routes))
    this.#reported = new ReportedTraces({ subscribers: [this.routes.all, this.#aside.all], waits, now: limits.now })
    this.#predictions = new Predictions(parts)
  }

  /** Of readers beside the others too. */
  get subscriptions(): number {
    return this.routes.all.size + this.#aside.all.size
  }

  get processed(): number | null {
    return this.#processed
  }

  add(subscriber: Subscriber): void {
    this.#aside.delete(subscriber)
    this.routes.add(subscriber)
    this.#start()
    this.welcome(subscriber)
  }

  /** Sends what a subscription begins with. */
  welcome(subscriber: Subscriber): void {
    if (subscriber.subscription.progress) void this.run(() => this.#sendProgress(subscriber))
  }

  /** For one that ends: nothing is sent to it any more. */
  remove(subscriber: Subscriber): void {
    this.#forgetting.add(this.routes.drop(subscriber))
    this.#aside.delete(subscriber)
    subscriber.end()
    this.#endIfIdle()
  }

  /** Changes a subscriber in its place: what is being written for it is not lost. False for one that is sent what it missed. */
  change(subscriber: Subscriber, change: () => void): boolean {
    return this.#aside.change(subscriber, change)
  }

  /** Follows the feed for a caller that is about to subscribe, until the returned function is called. */
  hold(): () => void {
    this.#holders++
    this.#start()
    return () => {
      this.#holders--
      this.#endIfIdle()
    }
  }

  #endIfIdle(): void {
    if (this.routes.all.size === 0 && this.#holders === 0) this.#end()
  }

  /** Runs a task while nothing else is reported; rejects with its failure. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    const result = this.#tasks.then(task)
    this.#tasks = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }

  /** Reports an indexed block to one subscriber, at the pace it reads; without waiting when `isHurried`. */
  async replay(rows: BlockRows, subscriber: Subscriber, { after, isHurried }: Replay): Promise<void> {
    const pace = isHurried ? {} : { drained: () => subscriber.sink.drained() }
    const how = { after, isEnough: () => subscriber.isGone, ...pace }
    await emitBlock(emissionOf(this.#parts, routesToOne(subscriber)), rows, { finality: 'finalized', ...how })
  }

  /** Sends a trace that a subscriber named, as it is now, unless it was reported to it meanwhile. */
  async present(subscriber: Subscriber, trace: LiveTrace | null): Promise<void> {
    if (trace === null || subscriber.hasHeard(toBase64(trace.hashNorm))) return
    await emitTrace(emissionOf(this.#parts, routesToOne(subscriber)), trace)
  }

  /** A trace that goes on, by its message; null where none is known. */
  unfinished(hash: string): LiveTrace | null {
    return this.#reported.get(hash)
  }

  close(): void {
    this.#end()
  }

  #start(): void {
    if (this.#running !== null) return
    const running = new AbortController()
    this.#running = running
    const { feed, sent, limits } = this.#parts
    this.#predictions.start()
    const head = feed.head()
    this.#processed = head?.seqno ?? null
    const left = this.#cursor === null ? null : readStreamCursor(this.#cursor)
    void this.run(() => this.#withdrawUndone(left))
    this.#cursor =
      head === null ? null : writeStreamCursor(endOfBlock({ mcSeqno: head.seqno, rootHash: head.rootHash }))
    const forget = [
      feed.onPrepared(
        (all) => this.#onPrepared(all),
        () => wantsOwners(this.routes),
      ),
      sent.onSent((message) => this.predict(message)),
    ]
    const sweep = setInterval(() => void this.run(() => this.#sweep()), limits.sweepMs)
    sweep.unref()
    this.#stop = () => {
      clearInterval(sweep)
      for (const one of forget) one()
    }
    void this.#follow((head?.seqno ?? -1) + 1, running.signal)
  }

  /** While there were no subscribers, a revert may have undone blocks, and traces in them; `left`: null right after one. */
  async #withdrawUndone(left: Cursor | null): Promise<void> {
    if (left !== null && (await isStillBlock(this.#parts.feed, left).catch(() => true))) return
    this.#parts.traces.forget()
    await this.#reported.withdrawAbove(-1, new ReportPace())
  }

  #end(): void {
    this.#running?.abort()
    this.#stop?.()
    this.#running = null
    this.#stop = null
    this.#predictions.clear()
  }

  #follow(first: number, signal: AbortSignal): Promise<void> {
    const { feed, log } = this.#parts
    return followFeed(feed, first, {
      signal,
      onItem: (item) =>
        this.run(() =>
          item.kind === 'block' ? this.#block(item.rows, 'finalized', signal) : this.#reverted(item.mcSeqno, signal),
        ),
      onPause: (error) => log.warn({ err: error }, 'streams paused'),
    })
  }

  #onPrepared(all: readonly BlockRows[]): void {
    this.#incoming = all.at(-1)?.mcSeqno ?? this.#incoming
    const signal = this.#running?.signal
    if (signal === undefined || !this.routes.wants('confirmed')) return
    const head = (): number => this.#parts.feed.head()?.seqno ?? 0
    // No lag while the first block is still to be reported.
    const lag = (): number => head() - (this.#processed ?? head())
    for (const rows of all.slice(-MOST_PREPARED)) {
      if (this.#prepared >= MOST_PREPARED) return
      this.#prepared++
      const report = () => (lag() > MOST_PREPARED ? undefined : this.#block(rows, 'confirmed', signal))
      void this.run(report).finally(() => this.#prepared--)
    }
  }

  async #block(rows: BlockRows, finality: Finality, signal: AbortSignal): Promise<void> {
    if (signal.aborted || rows.mcSeqno <= (this.#processed ?? -1)) return
    const began = performance.now()
    const { predictionMs } = this.#parts.limits
    await this.#reportPredicted(predictionMs, rows.mcSeqno)
    // The last one may leave meanwhile: those who come then follow from a newer block.
    if (signal.aborted) return
    this.#predictions.follow(rows)
    await dropRivals(rows, this.#predictions, this.#reported)
    const emission = emissionOf(this.#parts, this.routes)
    // A prediction reads the index, which is busy once the next block comes: the prediction would arrive after that block.
    const lateBy = (): number => Math.max(this.#incoming, this.#parts.feed.head()?.seqno ?? 0) - rows.mcSeqno
    const isLate = (): boolean => lateBy() > 0
    const isBehind = (): boolean => lateBy() * (performance.now() - began + predictionMs / 4) > predictionMs
    const onTrace = (trace: LiveTrace, isFinal: boolean): void => {
      this.#predictions.noteInBlock(toBase64(trace.hashNorm))
      this.#reported.noteInBlock(trace, isFinal, rows.mcSeqno)
    }
    try {
      if (finality === 'finalized') await this.#aside.take(rows)
      const how = { finality, after: -1, isLate, isBehind, isWithoutLarge: true }
      await pressing(() => emitBlock({ ...emission, onTrace }, rows, how))
    } catch (error) {
      this.#parts.log.warn({ err: error, mcSeqno: rows.mcSeqno }, 'block not reported to all streams')
      // Their readers resume from their cursors, so nothing is lost.
      if (finality === 'finalized') for (const { sink } of [...this.routes.all]) sink.fail()
    }
    if (finality === 'finalized' && !(signal.aborted && this.#running !== null)) {
      const again = isLate() || !this.routes.wants('pending') ? null : this.#predictions.again()
      void again?.then(() => this.run(() => this.#reportPredicted()))
      this.#processed = rows.mcSeqno
      this.#cursor = writeStreamCursor(endOfBlock(rows))
      this.#parts.traces.follow(rows)
      this.#parts.counts.delayed(performance.now() - began)
    }
    // Lets the frames leave the process before the next block.
    await nextTurn()
  }

  predict(message: SentMessage): void {
    const prediction = this.routes.wants('pending') ? this.#predictions.begin(message) : null
    if (prediction === null) return
    const hash = toBase64(message.hashNorm)
    void prediction.then(() => this.run(() => this.#reportPredicted()))
    void message.accepted.then(async (isAccepted) => {
      if (isAccepted) return
      await prediction
      await this.run(() => this.#reported.withdraw(hash))
      this.#predictions.forget(hash)
    })
  }

  /** Reports predicted traces; a block waits up to `ms` for predictions that are still running. */
  async #reportPredicted(ms = 0, mcSeqno = -1): Promise<void> {
    const emission = emissionOf(this.#parts, this.routes)
    for (const trace of await this.#predictions.take(ms, mcSeqno)) {
      this.#reported.notePredicted(trace)
      try {
        await emitTrace(emission, trace)
      } catch (error) {
        // For example when names could not be read. The blocks of the trace are reported all the same.
        this.#parts.log.warn({ err: error }, 'prediction not reported to all streams')
      }
    }
  }

  async #sweep(): Promise<void> {
    await this.#reported.withdrawOlderThan(this.#parts.limits.predictedMs, new ReportPace())
    for (const subscriber of this.routes.all) if (subscriber.subscription.progress) this.#sendProgress(subscriber)
  }

  /** A subscriber without events gets a cursor to resume from all the same. */
  #sendProgress(subscriber: Subscriber): void {
    if (this.#cursor !== null && this.routes.all.has(subscriber)) subscriber.sendProgress(this.#cursor)
  }

  async #reverted(mcSeqno: number, signal: AbortSignal): Promise<void> {
    this.#predictions.undo()
    if (signal.aborted) return
    if (this.#processed !== null && this.#processed > mcSeqno) this.#processed = mcSeqno
    this.reverts.add(mcSeqno)
    this.#cursor = null
    this.#incoming = mcSeqno
    // Not those who come meanwhile: they have nothing of what was undone.
    const subscribers = [...this.routes.all]
    await this.#reported.withdrawAbove(mcSeqno, new ReportPace())
    for (const one of subscribers) if (this.routes.all.has(one)) one.sink.send(revertText(mcSeqno), null)
  }
}
