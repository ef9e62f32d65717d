// A build step after the TypeScript compiler: the explorer's page as scripts and one stylesheet for browsers. The bundler
// reads the sources, so that a start does not compile what only a browser runs.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { barStyles, designTokens, PAGE_FILES, type PageFiles } from '../docs/index.ts'
import { built, root } from './output.ts'

const out = join(built, 'explorer')
const source = join(root, 'client/explorer')
const SOURCES = ['client', 'shared', 'server/docs/pages', 'server/build']

const STYLES = ['style.css', 'tools.css']

const newestIn = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name) && !entry.parentPath.includes('.build'))
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)

function isOutdated(): boolean {
  const written = statSync(join(out, PAGE_FILES), { throwIfNoEntry: false })
  return written === undefined || SOURCES.some((folder) => newestIn(folder) > written.mtimeMs)
}

async function writeScripts(): Promise<Pick<PageFiles, 'script' | 'preload'>> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Immutable: a changed file has another name.
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
    metafile: true,
  })
  const outputs = Object.entries(metafile.outputs)
  const [script = '', main] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx')) ?? []
  const preload = (main?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => basename(path))
  return { script: basename(script), preload }
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
  const files: PageFiles = { ...(await writeScripts()), styles: await writeStyles() }
  writeFileSync(join(out, PAGE_FILES), JSON.stringify(files))
}
