// A build step after the TypeScript compiler: bundles the service into a few files. Finding, reading and linking single
// modules took a third of a start. Packages stay where they are installed.

import { readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { built, isOutdated, NODE_BUNDLE } from './output.ts'

const out = join(built, 'bin')

/** The command, and its threads and worker processes next to it, where the code that starts them looks. */
const entryPoints = {
  main: join(built, 'server/cli/entry.js'),
  worker: join(built, 'server/tvm/worker.js'),
  thread: join(built, 'server/store/pglite/thread.js'),
  hashThread: join(built, 'server/node/hashing/hashThread.js'),
  drawingThread: join(built, 'server/docs/thread/drawingThread.js'),
  airdropThread: join(built, 'server/metadata/airdropThread.js'),
  apiWorker: join(built, 'server/app/workers/apiWorker.js'),
}

/**
 * Packages in CommonJS that a start loads. Where they are imported, Node looks through each file of theirs for the names it exports, and
 * then reads it once more: that took some 5 % of a start.
 */
const IN_COMMON_JS = /^(?:@koa\/router|json-rpc-2\.0|koa|pg|pino|ws)$/
const REQUIRED = 'required'
const require = createRequire(import.meta.url)

/** A module with the exports of such a package. Those that are not used are left out, and not read: one of `pg` loads another package. */
function requiring(path: string): string {
  const exported: unknown = require(path)
  const names = Object.keys(Object(exported)).filter((name) => name !== 'default')
  return [
    `import { createRequire } from 'node:module'`,
    `const exported = createRequire(import.meta.url)(${JSON.stringify(path)})`,
    'export default exported',
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => exported.${name})()`),
  ].join('\n')
}

const requirePackages: Plugin = {
  name: REQUIRED,
  setup(build) {
    build.onResolve({ filter: IN_COMMON_JS }, ({ path }) => ({ path, namespace: REQUIRED }))
    build.onLoad({ filter: IN_COMMON_JS, namespace: REQUIRED }, ({ path }) => ({ contents: requiring(path) }))
  },
}

async function writeBundle(): Promise<void> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...NODE_BUNDLE,
    entryPoints,
    outdir: out,
    // Identifiers are kept and lines are short, so that stack traces can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 240,
    // Hashes in file names: the files of a running service stay intact while others are written.
    chunkNames: '[name]-[hash]',
    plugins: [requirePackages],
    metafile: true,
  })
  // What Node kept of the files before: see `keepCompiledCode`.
  rmSync(join(built, 'compiled'), { recursive: true, force: true })
  const written = Object.keys(metafile.outputs).map((path) => basename(path))
  for (const name of readdirSync(out)) if (!written.includes(name)) rmSync(join(out, name))
}

/** Does nothing when no source was compiled since. */
export async function bundle(): Promise<void> {
  if (isOutdated(join(out, 'main.js'), ['shared', 'client', 'server'])) await writeBundle()
}
