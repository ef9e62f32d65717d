// The emulator reads the clock some fifty times per transaction, only to measure itself. Through its glue a read costs
// half a microsecond; here the clock never moves, and a read costs almost nothing.

import type { WasmMemory } from './webAssembly.ts'

/** Nanoseconds, as WASI counts them. Any time does: it is only ever compared with itself. */
const INSTANT = 1_000_000_000n
const SUCCESS = 0

export interface FrozenClock {
  /** Takes the place of the import `clock_time_get`. */
  readonly readTime: (clock: number, precision: bigint, pointer: number) => number
  /** The memory the answers go to; set before the first call. */
  attach(memory: WasmMemory): void
}

export function frozenClock(): FrozenClock {
  let memory: WasmMemory | null = null
  let view = new DataView(new ArrayBuffer(0))
  return {
    attach(attached) {
      memory = attached
    },
    readTime(_clock, _precision, pointer) {
      // Growing the memory detaches every view of it.
      if (memory !== null && view.buffer !== memory.buffer) view = new DataView(memory.buffer)
      view.setBigUint64(pointer, INSTANT, true)
      return SUCCESS
    },
  }
}
