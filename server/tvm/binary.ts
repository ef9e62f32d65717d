// Finds the emulator inside the installed package: a wasm binary packed as base64 text in a module of its own, and the
// JavaScript that gives it its imports ("glue"). Both are reached by path, because loading the package by its name
// pulls in the whole test framework around it.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { WasmInstance, WasmModule } from './webAssembly.ts'

const require = createRequire(import.meta.url)
const binaryPath = '@ton/sandbox/dist/executor/emulator-emscripten.wasm.js'
const gluePath = '@ton/sandbox/dist/executor/emulator-emscripten.js'

export interface ShippedBinary {
  readonly bytes: Buffer
  /** SHA-256 of `bytes`, hex. */
  readonly hash: string
}

/** What the glue's module object gives us. Pointers are numbers; 0 is null. */
export interface Glue {
  _malloc(size: number): number
  _free(pointer: number): void
  _create_emulator(config: number, verbosity: number): number
  _destroy_emulator(emulator: number): void
  _emulate_with_emulator(emulator: number, libs: number, account: number, message: number, params: number): number
  _run_get_method(params: number, stack: number, config: number): number
}

export interface GlueOptions {
  print(line: string): void
  printErr(line: string): void
  instantiateWasm(
    imports: { a: Record<string, unknown> },
    done: (instance: WasmInstance, module: WasmModule) => void,
  ): object
}

export type StartGlue = (options: GlueOptions) => Promise<Glue>

/** Decodes the shipped binary, without running its 7 MB of text as a module. */
export function readBinary(): ShippedBinary {
  const text = readFileSync(require.resolve(binaryPath), 'latin1')
  // One constant: `module.exports = { EmulatorEmscriptenWasm: '...'}`.
  const start = text.indexOf("'") + 1
  const end = text.indexOf("'", start)
  if (start === 0 || end < 0) throw new Error(`No emulator in ${binaryPath}`)
  const bytes = Buffer.from(text.slice(start, end), 'base64')
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

export function readGlue(): StartGlue {
  const glue: StartGlue = require(gluePath)
  return glue
}
