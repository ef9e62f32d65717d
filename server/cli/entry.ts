#!/usr/bin/env node
// The start of the command: looks at the version of Node first, in syntax that an old one can read, because loading the rest
// there fails with a SyntaxError.

const LEAST = [20, 19] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])

/** Missing in the types of Node 20, and undefined with --jitless. */
declare const WebAssembly: { readonly Memory: new (size: { readonly initial: number }) => object } | undefined

/** What Node 20 and its types do not have. */
interface NewerModule {
  readonly enableCompileCache?: (folder: string) => object
}

/** Why nothing can run here, with the remedy; null when all can. */
function hindranceOf(): string | null {
  // They load it, and then fail in the middle: blocks are not indexed, calls are internal errors.
  const other = 'bun' in process.versions ? 'Bun' : 'deno' in process.versions ? 'Deno' : null
  if (other !== null)
    return `this runs in Node, not in ${other}: start it with Node ${LEAST.join('.')} or a newer one, as npx tonrpc does`
  if (isTooOld) return `Node ${process.versions.node} is too old: install version ${LEAST.join('.')} or a newer one`
  // Modules of Node read the current folder when they are loaded, and relative paths begin there.
  try {
    process.cwd()
  } catch {
    return 'the folder in which this was started has been removed: change to another one, and start it again'
  }
  if (typeof WebAssembly === 'undefined')
    return 'Node has no WebAssembly here, which contracts and the database run in: start it without --jitless (see NODE_OPTIONS)'
  // It disables fsync, whatever it allows: files would not survive a loss of power.
  if ('permission' in process)
    return "Node's permission model forbids what keeps files safe: start it without --permission (see NODE_OPTIONS)"
  // Each WebAssembly memory reserves 8 GB of address space or more, most of which is never used.
  try {
    new WebAssembly.Memory({ initial: 1 })
  } catch {
    return 'this process may not reserve enough addresses for WebAssembly: raise the limit, for instance with ulimit -v unlimited'
  }
  return null
}

function remedyFor(error: NodeJS.ErrnoException): string | null {
  if (error.code === 'EMFILE' || error.code === 'ENFILE')
    return 'this process may not open enough files: raise the limit, for instance with ulimit -n 1024'
  // Readers of bodies and rows are compiled when the program starts.
  if (error instanceof EvalError)
    return 'Node may not compile code here: start it without --disallow-code-generation-from-strings (see NODE_OPTIONS)'
  return null
}

/**
 * Node 22 and newer keep compiled code for the next start, which takes up to a fifth less then. The folder is next to the code, as
 * who may write there may alter the code as well. Where this process may not, nothing is kept. Threads and worker processes gain
 * nothing by it.
 */
function keepCompiledCode(): void {
  // Node 21 does not have it, nor 22 before 22.3.
  if (!('getBuiltinModule' in process)) return
  const module: object = process.getBuiltinModule('module')
  const { enableCompileCache }: NewerModule = module
  if (enableCompileCache === undefined) return
  const folder = process.getBuiltinModule('url').fileURLToPath(new URL('../compiled', import.meta.url))
  enableCompileCache(folder)
}

// A process with the PID 1, as in a container, ignores signals it has no listener for: a start or a command could not be stopped.
if (process.pid === 1)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.on(signal, () => {
      // With another listener, that one stops the process.
      if (process.listenerCount(signal) === 1) process.exit(code)
    })

const hindrance = hindranceOf()
if (hindrance !== null) {
  process.stderr.write(`tonrpc: ${hindrance}\n`)
  process.exitCode = 1
} else {
  keepCompiledCode()
  import('./main.ts').catch((error: NodeJS.ErrnoException) => {
    process.stderr.write(`tonrpc: ${remedyFor(error) ?? error.stack ?? error}\n`)
    process.exitCode = 1
  })
}
