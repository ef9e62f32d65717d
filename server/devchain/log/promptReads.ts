// Reads without a thread where the system has the bytes in memory: a thread costs ten times as much.

import type { LogFile } from './files.ts'
import { queuedMs } from './queuedTime.ts'

/**
 * After a read that took this long and waited for the disk, the next ones use a thread. Waits for a disk of the network are not
 * counted: there time alone decides, without that in which others had the processor: a thread would wait for it as well.
 */
const SLOW_MS = 1
const VERY_SLOW_MS = 20
/** Reads use a thread for this long, and twice as long each time another slow read follows soon: each one holds the event loop. */
const SLOW_FOR_MS = 250
const MOST_SLOW_FOR_MS = 16_000
/** A slow read within so many times the last of these follows soon. */
const SOON = 2
/** Waits of the whole process are counted: of those in a longer time than this, few are of the reads here. */
const COUNTED_MS = 10
/** Copying more takes longer than a thread does. */
const MOST_BYTES = 256 * 1024

const diskReads = (): number => process.resourceUsage().fsRead

export class PromptReads {
  /** Until then reads go through a thread. */
  #slowUntil = 0
  #slowFor = SLOW_FOR_MS
  /** How often the process had waited for a disk and how long for a processor, and when that was looked at. */
  #diskReads = diskReads()
  #queuedMs: number
  #countedAt = performance.now()
  readonly #queued: () => number

  constructor(queued = queuedMs) {
    this.#queued = queued
    this.#queuedMs = queued()
  }

  /** Fills `into` from the byte `from` on; returns how much the file had. Waits for the disk only where it has to. */
  read(file: LogFile, into: Uint8Array, from: number): number | Promise<number> {
    if (file.readNow === undefined || into.length > MOST_BYTES) return file.read(into, from)
    const began = performance.now()
    if (began < this.#slowUntil) return file.read(into, from)
    if (began - this.#countedAt > COUNTED_MS) {
      this.#count()
      this.#countedAt = began
    }
    const filled = file.readNow(into, from)
    this.#noteTime(performance.now() - began)
    return filled
  }

  #count(): void {
    this.#diskReads = diskReads()
    this.#queuedMs = this.#queued()
  }

  #noteTime(ms: number): void {
    if (ms <= SLOW_MS) return
    const waits = this.#diskReads
    const queued = this.#queuedMs
    this.#count()
    const ownMs = ms - (this.#queuedMs - queued)
    const hasWaited = waits !== this.#diskReads && ownMs > SLOW_MS
    if (hasWaited || ownMs > VERY_SLOW_MS) this.#noteSlow(performance.now())
  }

  #noteSlow(now: number): void {
    const isSoon = this.#slowUntil > 0 && now - this.#slowUntil < SOON * this.#slowFor
    this.#slowFor = isSoon ? Math.min(MOST_SLOW_FOR_MS, 2 * this.#slowFor) : SLOW_FOR_MS
    this.#slowUntil = now + this.#slowFor
  }
}
