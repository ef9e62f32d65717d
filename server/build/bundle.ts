// A step of the build, after the compiler of TypeScript: puts what runs together into a few files. To find, read and link
// each module by itself was a third of a start. Packages stay where they are installed.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = join(root, '.build')
const out = join(built, 'bin')

/** What the compiler writes last, when it has written anything at all. */
const RECORDS = ['shared.tsbuildinfo', 'client.tsbuildinfo', 'server.tsbuildinfo'].map((name) => join(built, name))

/** The command, and its threads next to it, where the code that starts them looks. */
const entryPoints = {
  main: join(built, 'server/cli/entry.js'),
  worker: join(built, 'server/tvm/worker.js'),
  thread: join(built, 'server/store/pglite/thread.js'),
}

const timeOf = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

async function writeBundle(): Promise<void> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints,
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Names of files with the sum of what is in them: those of a service that runs stay whole while others are written.
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
    metafile: true,
  })
  const written = Object.keys(metafile.outputs).map((path) => basename(path))
  for (const name of readdirSync(out)) if (!written.includes(name)) rmSync(join(out, name))
}

/** Does nothing when no source was compiled since. */
export async function bundle(): Promise<void> {
  if (Math.max(...RECORDS.map(timeOf)) > timeOf(join(out, 'main.js'))) await writeBundle()
}
