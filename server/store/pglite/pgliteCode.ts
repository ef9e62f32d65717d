// The database's code, read and compiled once for all threads of the process.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { optimizeLate } from '../../process/index.ts'

declare const codeBrand: unique symbol

/** Compiled code; may be posted to threads. */
export interface PgliteCode {
  readonly [codeBrand]: true
}

// The cast: the types of Node leave it out, and those of browsers would bring a page's globals along.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<PgliteCode> }
}

let compiled: Promise<PgliteCode> | null = null

export function pgliteCode(): Promise<PgliteCode> {
  compiled ??= load()
  return compiled
}

async function load(): Promise<PgliteCode> {
  optimizeLate()
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')))
}
