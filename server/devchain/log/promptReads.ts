// Reads without a thread where the system has the bytes in memory: a thread costs ten times as much.

import type { LogFile } from './files.ts'

/**
 * After a read that took this long and waited for the disk, the next ones use a thread. Where the system does not count waits,
 * time alone decides.
 */
const SLOW_MS = 1
const VERY_SLOW_MS = 20
const SLOW_FOR_MS = 250
/** Copying more takes longer than a thread does. */
const MOST_BYTES = 256 * 1024

export class PromptReads {
  /** Until then reads go through a thread. */
  #slowUntil = 0
  /** How often the process had waited for a disk when a read was slow the last time. */
  #diskReads = process.resourceUsage().fsRead

  /** Fills `into` from the byte `from` on; returns how much the file had. Waits for the disk only where it has to. */
  read(file: LogFile, into: Uint8Array, from: number): number | Promise<number> {
    if (file.readNow === undefined || into.length > MOST_BYTES) return file.read(into, from)
    const began = performance.now()
    if (began < this.#slowUntil) return file.read(into, from)
    const filled = file.readNow(into, from)
    this.#noteTime(performance.now() - began)
    return filled
  }

  #noteTime(ms: number): void {
    if (ms <= SLOW_MS) return
    const { fsRead } = process.resourceUsage()
    const hasWaited = fsRead !== this.#diskReads
    this.#diskReads = fsRead
    if (hasWaited || (fsRead === 0 && ms > VERY_SLOW_MS)) this.#slowUntil = performance.now() + SLOW_FOR_MS
  }
}
