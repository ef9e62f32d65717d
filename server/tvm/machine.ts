// One instance of the emulator, and the only place that knows its memory: texts in, texts out, pointers freed.

import type { ContractCalls } from './contractCalls.ts'
import type { Runtime } from './plainLoader.ts'
import type { MethodSetting } from './runParams.ts'
import { TvmError } from './tvmError.ts'

export const UNREADABLE = 'Code or data is not a bag of cells with one root'

/** A text that stays in the emulator's memory until it is released. */
export interface KeptText {
  readonly pointer: number
  readonly length: number
}

/** Marks an omitted argument. */
export const noText: KeptText = { pointer: 0, length: 0 }

interface Buffered {
  pointer: number
  capacity: number
}

export class Machine {
  readonly #runtime: Runtime
  // Arguments of a call live in buffers that are used again and only ever grow.
  readonly #buffers: Buffered[] = [0, 1, 2].map(() => ({ pointer: 0, capacity: 0 }))
  #view: Uint8Array
  #broken = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#view = new Uint8Array(runtime.memory.buffer)
  }

  /** True after a crash: stack and heap of the instance are no longer sound, no call is made any more. */
  get broken(): boolean {
    return this.#broken
  }

  get memoryBytes(): number {
    return this.#runtime.memory.buffer.byteLength
  }

  /** Gives the instance up: its state can no longer be trusted. */
  abandon(): void {
    this.#broken = true
  }

  keep(text: string): KeptText {
    return { pointer: this.#write(this.#allocate(text.length + 1), text), length: text.length }
  }

  release(text: KeptText): void {
    this.#guard(() => this.#runtime.glue._free(text.pointer))
  }

  /** Returns 0 for a configuration the emulator does not take. */
  createEmulator(config: KeptText, verbosity: number): number {
    return this.#guard(() => this.#runtime.glue._create_emulator(config.pointer, verbosity))
  }

  destroyEmulator(emulator: number): void {
    this.#guard(() => this.#runtime.glue._destroy_emulator(emulator))
  }

  /** Null libraries leave those of the call before in place. */
  emulate(emulator: number, libs: string | null, account: string, message: string, params: string): string {
    const kept = libs === null ? null : this.keep(libs)
    const first = this.#put(0, account)
    const second = this.#put(1, message)
    const third = this.#put(2, params)
    const answer = this.#guard(() =>
      this.#take(this.#runtime.glue._emulate_with_emulator(emulator, kept?.pointer ?? 0, first, second, third)),
    )
    if (kept !== null) this.release(kept)
    return answer
  }

  runGetMethod(params: string, stack: string, config: KeptText): string {
    const first = this.#put(0, params)
    const second = this.#put(1, stack)
    return this.#guard(() => this.#take(this.#runtime.glue._run_get_method(first, second, config.pointer)))
  }

  /** Whether `createContract` can be called: in known builds only. */
  get takesContracts(): boolean {
    return this.#runtime.contractCalls !== null
  }

  /** A contract that get-methods can be run on until it is destroyed. Throws TvmError `badInput`. */
  createContract(setting: MethodSetting, config: KeptText): number {
    const calls = this.#calls()
    calls.dropLog()
    const code = this.#put(0, setting.code)
    const data = this.#put(1, setting.data)
    const contract = this.#guard(() => calls.create(code, data, 0))
    if (contract === 0) throw new TvmError('badInput', UNREADABLE)
    if (this.#setUp(contract, setting, config)) return contract
    this.destroyContract(contract)
    throw new TvmError('badInput', "Can't set params")
  }

  destroyContract(contract: number): void {
    this.#guard(() => this.#calls().destroy(contract))
  }

  /** Returns what `runGetMethod` has as its output. */
  runMethod(contract: number, methodId: number, stack: string): string {
    const calls = this.#calls()
    calls.dropLog()
    const text = this.#put(0, stack)
    return this.#guard(() => this.#take(calls.run(contract, methodId, text)))
  }

  /** False when the emulator does not take a part of the setting. */
  #setUp(contract: number, setting: MethodSetting, config: KeptText): boolean {
    const calls = this.#calls()
    const { libs, address, now, balance, randSeed, prevBlocks, gasLimit } = setting
    const isSet = (call: () => number): boolean => this.#guard(call) !== 0
    if (libs !== '') {
      const text = this.#put(0, libs)
      if (!isSet(() => calls.setLibraries(contract, text))) return false
    }
    const at = this.#put(0, address)
    const seed = this.#put(1, randSeed)
    if (!isSet(() => calls.setContext(contract, at, now, balance, seed, config.pointer))) return false
    if (prevBlocks !== null) {
      const text = this.#put(0, prevBlocks)
      if (!isSet(() => calls.setPreviousBlocks(contract, text))) return false
    }
    // A limit of 0 leaves the emulator's own, as in `runGetMethod`.
    if (gasLimit > 0n && !isSet(() => calls.setGasLimit(contract, gasLimit))) return false
    return isSet(() => calls.setDebug(contract, 0))
  }

  #calls(): ContractCalls {
    const { contractCalls } = this.#runtime
    if (contractCalls === null) throw new Error('This build of the emulator runs get-methods as a whole only')
    return contractCalls
  }

  #guard<T>(call: () => T): T {
    if (this.#broken) throw new TvmError('crashed', 'The emulator broke down in an earlier call')
    try {
      return call()
    } catch (cause) {
      this.#broken = true
      const complaint = this.#runtime.complaints.at(-1)
      const reason = cause instanceof Error ? cause.message : (complaint ?? 'uncaught exception')
      throw new TvmError('crashed', `The emulator broke down: ${reason}`, { cause })
    }
  }

  #allocate(size: number): number {
    return this.#guard(() => {
      const pointer = this.#runtime.glue._malloc(size)
      // Its memory never shrinks: only a fresh instance has room again.
      if (pointer === 0) throw new Error('out of memory')
      return pointer
    })
  }

  #put(slot: number, text: string): number {
    const buffered = this.#buffers[slot]
    if (buffered === undefined) throw new RangeError(`No argument buffer ${slot}`)
    if (buffered.capacity <= text.length) {
      if (buffered.pointer !== 0) this.#runtime.glue._free(buffered.pointer)
      // A failed allocation must not leave a freed pointer behind.
      buffered.pointer = 0
      buffered.capacity = 0
      const capacity = Math.max(4096, text.length * 2)
      buffered.pointer = this.#allocate(capacity)
      buffered.capacity = capacity
    }
    return this.#write(buffered.pointer, text)
  }

  /** All arguments are ASCII (base64, JSON of plain values): one byte per character. */
  #write(pointer: number, text: string): number {
    const memory = Buffer.from(this.#bytes().buffer, pointer, text.length + 1)
    memory.write(text, 0, text.length, 'latin1')
    memory[text.length] = 0
    return pointer
  }

  #take(pointer: number): string {
    const bytes = this.#bytes()
    const end = bytes.indexOf(0, pointer)
    const text = Buffer.from(bytes.buffer, pointer, end - pointer).toString('utf8')
    this.#runtime.glue._free(pointer)
    return text
  }

  /** Growing the memory detaches every view of it. */
  #bytes(): Uint8Array {
    if (this.#view.buffer !== this.#runtime.memory.buffer) this.#view = new Uint8Array(this.#runtime.memory.buffer)
    return this.#view
  }
}
