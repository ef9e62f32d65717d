// A build step after the TypeScript compiler: the explorer's page as scripts and one stylesheet for browsers. The bundler
// reads the sources, so that a start does not compile what only a browser runs.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { barStyles, designTokens, PAGE_FILES, type PageFiles, REFERENCE_SCRIPT } from '../docs/index.ts'
import { LICENCES } from './licences.ts'
import { built, root } from './output.ts'
import { writeScripts } from './pageScripts.ts'

const out = join(built, 'explorer')
const source = join(root, 'client/explorer')
const SOURCES = ['client', 'shared', 'server/docs/browser', 'server/docs/pages', 'server/build']

const STYLES = ['style.css', 'tools.css']

const newestIn = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name) && !entry.parentPath.includes('.build'))
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)

function isOutdated(): boolean {
  const written = statSync(join(out, PAGE_FILES), { throwIfNoEntry: false })
  return written === undefined || SOURCES.some((folder) => newestIn(folder) > written.mtimeMs)
}

const workerEntry = join(source, 'decoders/pluginWorker.ts')

const options = {
  outdir: out,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  // Of a browser's extension for developers, which pages do not serve.
  define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'undefined' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Immutable: a changed file has another name.
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  logLevel: 'warning',
  // Imports that only say which files belong together bring no code.
  logOverride: { 'ignored-bare-import': 'silent' },
  metafile: true,
} satisfies BuildOptions

/** One file without imports: a worker has no page that loads others ahead. */
async function writeWorker(): Promise<string> {
  const { build } = await import('esbuild')
  const { metafile } = await build({ ...options, splitting: false, entryPoints: [workerEntry] })
  return basename(Object.keys(metafile.outputs)[0] ?? '')
}

/** One file too: its parts were nine requests of every page of the reference. */
async function writeReference(): Promise<void> {
  const { build } = await import('esbuild')
  const { bundle, minify, format, platform, target, logLevel } = options
  const entryPoints = [join(root, 'server/docs/browser/reference.ts')]
  const outfile = join(root, REFERENCE_SCRIPT)
  await build({ bundle, minify, format, platform, target, logLevel, entryPoints, outfile })
}

async function writeStyles(): Promise<string> {
  const { transform } = await import('esbuild')
  const own = STYLES.map((name) => readFileSync(join(source, name), 'utf8'))
  const text = [designTokens, barStyles, ...own].join('')
  const { code } = await transform(text, { loader: 'css', minify: true, target: 'es2022' })
  const name = `style-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.css`
  writeFileSync(join(out, name), code)
  return name
}

/** Does nothing when no source changed since. */
export async function buildPage(): Promise<void> {
  if (!isOutdated()) return
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await writeReference()
  const { licences, ...scripts } = await writeScripts(options)
  writeFileSync(join(out, LICENCES), licences)
  const files: PageFiles = {
    ...scripts,
    worker: await writeWorker(),
    styles: await writeStyles(),
  }
  writeFileSync(join(out, PAGE_FILES), JSON.stringify(files))
}
