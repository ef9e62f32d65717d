// The functions that the emulator's `run_get_method` calls one after the other. Called from here, all but the last are called
// once for a contract, whose code and configuration are then not read again by each run.

import type { Build } from './builds.ts'
import type { WasmEntry, WasmMemory, WasmTable } from './webAssembly.ts'

/** Pointers are numbers; 0 is null, and false. */
export interface ContractCalls {
  /** Log lines are dropped from now on. Entry points set where they go to, and leave it pointing to what is not there any more. */
  readonly dropLog: () => void
  readonly create: (code: number, data: number, verbosity: number) => number
  readonly setLibraries: (contract: number, libs: number) => number
  readonly setContext: (
    contract: number,
    address: number,
    now: number,
    balance: bigint,
    randSeed: number,
    config: number,
  ) => number
  readonly setPreviousBlocks: (contract: number, blocks: number) => number
  readonly setGasLimit: (contract: number, gas: bigint) => number
  readonly setDebug: (contract: number, enabled: number) => number
  readonly destroy: (contract: number) => void
  readonly run: (contract: number, methodId: number, stack: number) => number
}

const WORD = 4
const FATAL = 0

/** Positions after the first one. */
const OFFSETS = {
  create: 0,
  setLibraries: 1,
  setContext: 2,
  setPreviousBlocks: 4,
  setGasLimit: 5,
  setDebug: 6,
  destroy: 7,
  run: 8,
} as const

export interface ContractCallParts {
  readonly table: WasmTable
  readonly memory: WasmMemory
  readonly malloc: (size: number) => number
  readonly build: Build
}

export function contractCallsOf({ table, memory, malloc, build }: ContractCallParts): ContractCalls {
  const { contractCalls: first, logLevel, logTarget, noLog } = build
  const target = malloc(WORD)
  if (target === 0) throw new Error('No memory for the log of the emulator')
  let words = new Int32Array(memory.buffer)
  const entry = (offset: number): WasmEntry => {
    const found = table.get(first + offset)
    if (found === null) throw new Error(`The emulator has no function at ${first + offset}`)
    return found
  }
  const numeric =
    (offset: number, call = entry(offset)) =>
    (...args: (number | bigint)[]): number =>
      Number(call(...args))
  return {
    dropLog: () => {
      // Growing the memory detaches every view of it.
      if (words.buffer !== memory.buffer) words = new Int32Array(memory.buffer)
      words[target / WORD] = noLog
      words[logTarget / WORD] = target
      words[logLevel / WORD] = FATAL
    },
    create: numeric(OFFSETS.create),
    setLibraries: numeric(OFFSETS.setLibraries),
    setContext: numeric(OFFSETS.setContext),
    setPreviousBlocks: numeric(OFFSETS.setPreviousBlocks),
    setGasLimit: numeric(OFFSETS.setGasLimit),
    setDebug: numeric(OFFSETS.setDebug),
    destroy: entry(OFFSETS.destroy),
    run: numeric(OFFSETS.run),
  }
}
