// One synchronous emulator: transactions of a block and get-methods, under one configuration at a time.
//
// This file hides the emulator's state from callers. It keeps libraries and previous blocks from call to call and
// cannot clear them: once set, they can only be replaced, or the emulator be created again. It frees itself when its
// parameters are wrong. After an exception, also one caused by a hostile contract, it must not be used again.

import { LRUCache } from 'lru-cache'
import { bocToBase64 } from './bocForm.ts'
import { ContractCache } from './contractCache.ts'
import { KnownReads, mayBeLean, mayTellCells, type Reads, readsInLog } from './leanRun.ts'
import { mayReadLibraries } from './libraryReads.ts'
import { type KeptText, type Machine, UNREADABLE } from './machine.ts'
import { getMethodParams, methodSetting, transactionParams } from './runParams.ts'
import { trimMarker } from './trimConfig.ts'
import type { TvmCode } from './tvmCode.ts'
import { prepareTvm, startMachine } from './tvmCode.ts'
import type { TvmConfig } from './tvmConfig.ts'
import { TvmError } from './tvmError.ts'
import { isShared, type LibrariesForm, librariesText, portableLibraries } from './tvmLibraries.ts'
import { type Output, parseMethodOutput, parseOutput, toGetMethodResult, toTransactionResult } from './tvmOutput.ts'
import type {
  BlockContext,
  GetMethodResult,
  GetMethodRun,
  TickTockRun,
  TransactionResult,
  TransactionRun,
  Verbosity,
} from './tvmRuns.ts'

// Of what is made per configuration, this many are kept: the current one, the one before, a fork's.
const keptConfigs = 4
// A fatal error before the first instruction: what the emulator makes of code or data it could not read.
const fatalExit = -13

type AnyRun = Omit<TransactionRun, 'message'>

/** An emulator for one configuration, and the settings it has now. */
interface Slot {
  pointer: number
  /** The text, or the name of shared ones. */
  libs: string | null
  prevBlocks: string | null
}

export class Emulator {
  /** How the emulator was loaded, and why so. */
  readonly code: TvmCode
  #machine: Machine
  #contracts: ContractCache
  #slots: LRUCache<string, Slot>
  #configs: LRUCache<string, KeptText>
  #config: TvmConfig | undefined
  #block: BlockContext | undefined
  #libs: LibrariesForm | null = null
  #prevBlocks: string | null = null
  readonly #knownReads = new KnownReads()

  constructor(code: TvmCode, machine: Machine) {
    this.code = code
    this.#machine = machine
    this.#contracts = new ContractCache(machine)
    this.#slots = slotsOf(machine)
    this.#configs = configsOf(machine)
  }

  /** True after a TvmError `crashed`, or code or data that could not be read: nothing works until `restart`. */
  get broken(): boolean {
    return this.#machine.broken
  }

  get memoryBytes(): number {
    return this.#machine.memoryBytes
  }

  /** Starts a fresh instance; configuration and block stay as they were set. */
  async restart(): Promise<void> {
    this.#machine = await startMachine(this.code)
    this.#contracts = new ContractCache(this.#machine)
    this.#slots = slotsOf(this.#machine)
    this.#configs = configsOf(this.#machine)
  }

  setConfig(config: TvmConfig): void {
    this.#config = config
  }

  beginBlock(block: BlockContext): void {
    this.#block = block
    this.#libs = portableLibraries(block.libs)
    this.#prevBlocks = block.prevBlocks == null ? null : bocToBase64(block.prevBlocks)
  }

  /** Executes a message, internal or external. Throws TvmError `badInput`, `badConfig` or `crashed`. */
  transaction(run: TransactionRun): TransactionResult {
    return this.#emulate(run, bocToBase64(run.message), null)
  }

  /** The same; null when it needs shared libraries, which take milliseconds per megabyte to read. */
  quickTransaction(run: TransactionRun): TransactionResult | null {
    return this.#quick(run, bocToBase64(run.message), null)
  }

  /** Executes the tick or tock of a special account, without a message. Throws as `transaction` does. */
  tickTock(run: TickTockRun): TransactionResult {
    return this.#emulate(run, '', run.which)
  }

  /** Runs a get-method. Throws TvmError `badInput`, `badConfig` or `crashed`; a failing contract is an answer. */
  runGetMethod(run: GetMethodRun): GetMethodResult {
    const lean = this.#runLean(run)
    if (typeof lean === 'object') return lean
    if (lean === 'config') {
      const output = this.#runOver({ ...run, prevBlocks: null })
      const log = logOf(output)
      // With the configuration, or with other arguments, it may go on to read the blocks.
      if (log !== null && readsInLog(log) !== 'blocks') return resultOf(output, run)
      this.#knownReads.remember(run, 'blocks')
    }
    return resultOf(this.#runOver(run), run)
  }

  /** A run with the configuration, trimmed where it does not mind. */
  #runOver(run: GetMethodRun): Output {
    const { hash, full, trimmed } = this.#currentConfig()
    if (run.fullConfig !== true) {
      const output = this.#callGetMethod(run, `${hash} trimmed`, trimmed)
      if (!sawMarker(resultOf(output, run)) && !mayTellCells(output.vm_log ?? '')) return output
    }
    return this.#callGetMethod(run, hash, full)
  }

  /** A run with next to nothing of the network; what it reads of that when such a run says nothing. */
  #runLean(run: GetMethodRun): GetMethodResult | Reads {
    // Only of a known build is it known how it names its instructions.
    if (this.code.build === null || !mayBeLean(run)) return 'blocks'
    const known = this.#knownReads.of(run)
    if (known !== 'nothing') return known
    const { hash, lean } = this.#currentConfig()
    const output = this.#callGetMethod({ ...run, prevBlocks: null }, `${hash} lean`, lean)
    const log = logOf(output)
    if (log === null) return 'blocks'
    const reads = readsInLog(log)
    if (reads === 'nothing') return resultOf(output, run)
    this.#knownReads.remember(run, reads)
    return reads
  }

  #emulate(run: AnyRun, message: string, which: TickTockRun['which'] | null): TransactionResult {
    return this.#quick(run, message, which) ?? toTransactionResult(this.#output(run, message, which, this.#libs))
  }

  /** Null when it needs shared libraries. */
  #quick(run: AnyRun, message: string, which: TickTockRun['which'] | null): TransactionResult | null {
    const libs = this.#libs
    if (libs === null || !isShared(libs)) return toTransactionResult(this.#output(run, message, which, libs))
    // What the log says is known of known builds only.
    if (this.code.build === null) return null
    const { verbosity = 0 } = run
    const output = this.#output({ ...run, verbosity: verbosity === 0 ? 1 : verbosity }, message, which, null)
    return mayReadLibraries(output) ? null : toTransactionResult(output, verbosity)
  }

  #output(run: AnyRun, message: string, which: TickTockRun['which'] | null, given: LibrariesForm | null): Output {
    const block = this.#block
    if (block === undefined) throw new Error('A transaction before the first beginBlock')
    const wanted = given === null ? null : isShared(given) ? given.name : librariesText(given)
    const key = `${this.#currentConfig().hash} ${run.verbosity ?? 0} ${wanted !== null}`
    const slot = this.#slot(key, run.verbosity ?? 0)
    const libs = slot.libs === wanted || given === null ? null : librariesText(given)
    const prevBlocks = slot.prevBlocks === this.#prevBlocks ? null : this.#prevBlocks
    const params = transactionParams(run, block, prevBlocks, which)
    const answer = this.#machine.emulate(slot.pointer, libs, bocToBase64(run.shardAccount), message, params)
    const output = parseOutput(answer, () => {
      slot.pointer = 0
      this.#slots.delete(key)
    })
    slot.libs = wanted
    slot.prevBlocks = this.#prevBlocks
    return output
  }

  #slot(key: string, verbosity: Verbosity): Slot {
    const kept = this.#slots.get(key)
    if (kept !== undefined && (kept.prevBlocks === null || this.#prevBlocks !== null)) return kept
    const config = this.#machine.keep(this.#currentConfig().full)
    let pointer = 0
    try {
      pointer = this.#machine.createEmulator(config, verbosity)
    } finally {
      if (!this.#machine.broken) this.#machine.release(config)
    }
    if (pointer === 0) throw new TvmError('badConfig', 'The emulator does not take this configuration')
    const slot: Slot = { pointer, libs: null, prevBlocks: null }
    this.#slots.set(key, slot)
    return slot
  }

  #callGetMethod(run: GetMethodRun, name: string, config: string): Output {
    const text = this.#keptConfig(name, config)
    const stack = bocToBase64(run.stack)
    if (this.#machine.takesContracts && isPlainRun(run))
      return parseMethodOutput(this.#contracts.run(methodSetting(run), { name, text }, run.methodId, stack))
    const output = parseOutput(this.#machine.runGetMethod(getMethodParams(run), stack, text))
    if (output.vm_exit_code === fatalExit && Number(output.gas_used) === 0) {
      // The emulator went on with a null pointer: nothing it wrote since can be relied on.
      this.#machine.abandon()
      throw new TvmError('badInput', UNREADABLE)
    }
    return output
  }

  #keptConfig(key: string, config: string): KeptText {
    const kept = this.#configs.get(key) ?? this.#machine.keep(config)
    this.#configs.set(key, kept)
    return kept
  }

  #currentConfig(): TvmConfig {
    if (this.#config === undefined) throw new Error('A run before the first setConfig')
    return this.#config
  }
}

/** Contracts are read for runs without a trace; amounts of other currencies are left to the emulator's own reader. */
const isPlainRun = ({ verbosity = 0, debug = false, extraCurrencies = {} }: GetMethodRun): boolean =>
  verbosity === 0 && !debug && Object.keys(extraCurrencies).length === 0

const resultOf = (output: Output, { verbosity = 0 }: GetMethodRun): GetMethodResult =>
  toGetMethodResult(output, verbosity)

/** Null of a run that was none: what it read is not known. */
const logOf = ({ success, vm_log: log }: Output): string | null => (success ? (log ?? null) : null)

/** Whether the run opened a parameter that was left out, or returned it unopened. */
function sawMarker({ missingLibrary, stack }: GetMethodResult): boolean {
  return missingLibrary?.toLowerCase() === trimMarker || Buffer.from(stack, 'base64').includes(trimMarker, 0, 'hex')
}

/** A fresh emulator (some 15 ms); by default over the process's own code, which the first call prepares. */
export async function createExecutor(code?: TvmCode): Promise<Emulator> {
  const chosen = code ?? (await prepareTvm())
  return new Emulator(chosen, await startMachine(chosen))
}

function slotsOf(machine: Machine): LRUCache<string, Slot> {
  return new LRUCache({
    // With libraries, and without.
    max: keptConfigs * 2,
    dispose: ({ pointer }) => {
      if (pointer !== 0 && !machine.broken) machine.destroyEmulator(pointer)
    },
  })
}

function configsOf(machine: Machine): LRUCache<string, KeptText> {
  return new LRUCache({
    max: keptConfigs * 3,
    noDisposeOnSet: true,
    dispose: (text) => {
      if (!machine.broken) machine.release(text)
    },
  })
}
