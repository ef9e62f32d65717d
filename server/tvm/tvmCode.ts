// Chooses how the emulator is loaded, once per process: the quick way for a build that is known and passes a check,
// else the plain way, with the reason. The result can be posted to worker threads as it is.

import { optimizeLate } from '../process/index.ts'
import { readBinary } from './binary.ts'
import type { Build } from './builds.ts'
import { findBuild } from './builds.ts'
import { Machine } from './machine.ts'
import { loadPlain } from './plainLoader.ts'
import { loadQuick, muteLog } from './quickLoader.ts'
import { checkMachine, enableDebug } from './selfCheck.ts'
import type { WasmModule } from './webAssembly.ts'
import { WebAssembly } from './webAssembly.ts'

/** Compiled emulator. Holds nothing but data: threads share one compilation. */
export interface TvmCode {
  readonly kind: 'quick' | 'plain'
  readonly module: WasmModule
  readonly build: Build | null
  /** SHA-256 of the shipped binary, hex. */
  readonly hash: string
  /** Why it is not the quick way; null if it is. */
  readonly reason: string | null
}

let prepared: Promise<TvmCode> | undefined

/** The instance a check was made with is as good as a fresh one: whoever asks first has it. */
const checked = new WeakMap<TvmCode, Machine>()

/** Decodes, compiles and checks on the first call; later calls get the same code. */
export function prepareTvm(): Promise<TvmCode> {
  prepared ??= prepareQuick()
  return prepared
}

/** The plain way on purpose, to compare with or to rule the patches out. */
export async function preparePlain(reason = 'asked for'): Promise<TvmCode> {
  const { bytes, hash } = readBinary()
  return { kind: 'plain', module: await WebAssembly.compile(bytes), build: findBuild(hash), hash, reason }
}

/** Quick if `build` fits `bytes`; whatever goes wrong on the way makes it plain. */
export async function prepareFrom(bytes: Buffer, hash: string, build: Build | null): Promise<TvmCode> {
  optimizeLate()
  const plain = async (reason: string): Promise<TvmCode> => {
    // What does not hold for the patches is not trusted for the rest of the build's description either.
    return { kind: 'plain', module: await WebAssembly.compile(bytes), build: null, hash, reason }
  }
  if (build === null) return plain(`unknown emulator binary ${hash}`)
  try {
    const module = await WebAssembly.compile(muteLog(bytes, build))
    const code: TvmCode = { kind: 'quick', module, build, hash, reason: null }
    const machine = await startMachine(code)
    checkMachine(machine, build.fingerprint)
    checked.set(code, machine)
    return code
  } catch (cause) {
    return plain(cause instanceof Error ? cause.message : String(cause))
  }
}

function prepareQuick(): Promise<TvmCode> {
  const { bytes, hash } = readBinary()
  return prepareFrom(bytes, hash, findBuild(hash))
}

/** An instance nobody else has; takes some 15 ms. */
export async function startMachine(code: TvmCode): Promise<Machine> {
  const spare = checked.get(code)
  checked.delete(code)
  if (spare !== undefined) return spare
  const { kind, module, build } = code
  const loading = kind === 'quick' && build !== null ? loadQuick(module, build) : loadPlain(module, build)
  const machine = new Machine(await loading)
  enableDebug(machine)
  return machine
}
