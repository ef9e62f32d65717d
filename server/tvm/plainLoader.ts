// The emulator as it was shipped: the package's own glue over compiled code. Both ways of loading end here; the quick
// one only changes the code before and the imports on the way.

import type { Glue } from './binary.ts'
import { readGlue } from './binary.ts'
import type { ContractCalls } from './contractCalls.ts'
import type { StackExports } from './wasmStack.ts'
import type { WasmFunction, WasmInstance, WasmMemory, WasmModule } from './webAssembly.ts'
import { WebAssembly } from './webAssembly.ts'

// The shipped stack of 64 kB lies above the emulator's own variables. An account with cells 300 deep overruns it
// without a word, and the run after that goes astray. Far more than the thread's own stack lets recursion use:
const stackBytes = 4 << 20
// A contract can make the emulator hoard log text. It gets no more than this and then fails to allocate.
const maxMemory = 512 << 20

/** A running emulator: what the glue offers, its memory, and what it last complained about. */
export interface Runtime {
  readonly glue: Glue
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Of a known build only. */
  readonly contractCalls: ContractCalls | null
  /** Last lines the emulator wrote to its error output; says why it aborted. */
  readonly complaints: string[]
}

/** Changes the imports before the instance is made; what it returns is run right after, before any code. */
export type Rewire = (imports: Record<string, unknown>) => (instance: WasmInstance) => void

export function exportedFunction(instance: WasmInstance, name: string): WasmFunction {
  const found = instance.exports[name]
  if (typeof found !== 'function') throw new Error(`The emulator exports no function ${name}`)
  return found
}

export function memoryOf(instance: WasmInstance): WasmMemory {
  const memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
  if (memory === undefined) throw new Error('The emulator exports no memory')
  // The cast: `instanceof` has looked; the types of the class are not Node's.
  return memory as WasmMemory
}

/** Starts an instance, with a larger stack than it was shipped with. */
export async function startRuntime(module: WasmModule, stack: StackExports, rewire?: Rewire): Promise<Runtime> {
  const complaints: string[] = []
  const started: WasmInstance[] = []
  let failed: (cause: unknown) => void = () => undefined
  const failure = new Promise<never>((_, reject) => {
    failed = reject
  })
  const running = readGlue()({
    print: () => undefined,
    printErr: (line) => {
      complaints.push(line)
      if (complaints.length > 8) complaints.shift()
    },
    instantiateWasm: ({ a: imports }, done) => {
      try {
        capMemory(imports)
        const afterwards = rewire?.(imports)
        const instance = new WebAssembly.Instance(module, { a: imports })
        afterwards?.(instance)
        started.push(instance)
        done(instance, module)
      } catch (cause) {
        // The glue would wait for `done` for ever.
        failed(cause)
      }
      return {}
    },
  })
  const glue = await Promise.race([running, failure])
  const [instance] = started
  if (instance === undefined) throw new Error('The emulator was not started')
  const memory = memoryOf(instance)
  moveStack(glue, instance, stack)
  return { glue, memory, contractCalls: null, complaints }
}

function capMemory(imports: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(imports)) {
    if (typeof value !== 'function' || value.name !== '_emscripten_resize_heap') continue
    imports[key] = (size: number): unknown => (size >>> 0 > maxMemory ? 0 : value(size))
  }
}

function moveStack(glue: Glue, instance: WasmInstance, stack: StackExports): void {
  const block = glue._malloc(stackBytes)
  if (block === 0) throw new Error('No memory for the stack of the emulator')
  const setStack = exportedFunction(instance, stack.restore)
  const top = (block + stackBytes) & ~15
  setStack(top)
  const current = exportedFunction(instance, stack.save)()
  if (current !== top) throw new Error('The stack of the emulator could not be moved')
}

/** The plain way: nothing patched. */
export function loadPlain(module: WasmModule, stack: StackExports): Promise<Runtime> {
  return startRuntime(module, stack)
}
