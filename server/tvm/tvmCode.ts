// Chooses how the emulator is loaded, once per process: the quick way for a build that is known and passes a check,
// else the plain way, with the reason. The result can be posted to worker threads as it is.

import { failureText, optimizeLate } from '../process/index.ts'
import { readBinary } from './binary.ts'
import type { Build } from './builds.ts'
import { findBuild } from './builds.ts'
import { Machine } from './machine.ts'
import { loadPlain } from './plainLoader.ts'
import { loadQuick, muteLog } from './quickLoader.ts'
import { checkMachine, enableDebug } from './selfCheck.ts'
import { findStackExports, type StackExports } from './wasmStack.ts'
import type { WasmModule } from './webAssembly.ts'
import { WebAssembly } from './webAssembly.ts'

/** Compiled emulator. Holds nothing but data: threads share one compilation. */
export interface TvmCode {
  readonly kind: 'quick' | 'plain'
  readonly module: WasmModule
  readonly build: Build | null
  readonly stack: StackExports
  /** SHA-256 of the shipped binary, hex. */
  readonly hash: string
  /** Why it is not the quick way; null if it is. */
  readonly reason: string | null
}

let prepared: Promise<TvmCode> | undefined

/** The instance a check was made with is as good as a fresh one: the first caller gets it. */
const checked = new WeakMap<TvmCode, Machine>()

/** Decodes, compiles and checks on the first call; later calls get the same code, or try again when that failed. */
export function prepareTvm(): Promise<TvmCode> {
  prepared ??= prepareQuick().catch((error: unknown) => {
    prepared = undefined
    throw error
  })
  return prepared
}

/** The plain way on purpose, to compare with or to rule the patches out. */
export async function preparePlain(reason = 'requested'): Promise<TvmCode> {
  const { bytes, hash } = readBinary()
  return plain({ bytes, hash, reason })
}

interface Binary {
  readonly bytes: Buffer
  readonly hash: string
  readonly reason: string
}

/** What does not hold for the patches is not trusted for the rest of the build's description either: nothing of it is used. */
async function plain({ bytes, hash, reason }: Binary): Promise<TvmCode> {
  const stack = findStackExports(bytes)
  return { kind: 'plain', module: await WebAssembly.compile(bytes), build: null, stack, hash, reason }
}

/** Quick if `build` fits `bytes`; any failure on the way makes it plain. Throws for code without a stack to move. */
export async function prepareFrom(bytes: Buffer, hash: string, build: Build | null): Promise<TvmCode> {
  optimizeLate()
  if (build === null) return plain({ bytes, hash, reason: `unknown emulator binary ${hash}` })
  const stack = findStackExports(bytes)
  try {
    const module = await WebAssembly.compile(muteLog(bytes, build))
    const code: TvmCode = { kind: 'quick', module, build, stack, hash, reason: null }
    const machine = await startMachine(code)
    checkMachine(machine, build.fingerprint)
    checked.set(code, machine)
    return code
  } catch (cause) {
    return plain({ bytes, hash, reason: failureText(cause) })
  }
}

function prepareQuick(): Promise<TvmCode> {
  const { bytes, hash } = readBinary()
  return prepareFrom(bytes, hash, findBuild(hash))
}

/** A new instance; takes some 15 ms. */
export async function startMachine(code: TvmCode): Promise<Machine> {
  const spare = checked.get(code)
  checked.delete(code)
  if (spare !== undefined) return spare
  const { kind, module, build, stack } = code
  const isQuick = kind === 'quick' && build !== null
  const loading = isQuick ? loadQuick(module, { build, stack }) : loadPlain(module, stack)
  const machine = new Machine(await loading)
  enableDebug(machine)
  return machine
}
