// A build step after the TypeScript compiler: the explorer's page as scripts and one stylesheet for browsers. The bundler
// reads the sources, so that a start does not compile what only a browser runs.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
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

const entry = join(source, 'main.tsx')

const options = {
  entryPoints: [entry],
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
  // Imports that only say which files belong together bring no code.
  logOverride: { 'ignored-bare-import': 'silent' },
  metafile: true,
} satisfies BuildOptions

/** Files the first script loads at once, and those it loads later, of which each is the begin of a script of its own. */
function loadedFiles({ inputs }: Metafile): { readonly first: readonly string[]; readonly later: ReadonlySet<string> } {
  const first = new Set(Object.keys(inputs).filter((path) => join(root, path) === entry))
  const later = new Set<string>()
  for (const path of first)
    for (const { path: to, kind } of inputs[path]?.imports ?? []) (kind === 'dynamic-import' ? later : first).add(to)
  return { first: [...first].filter((path) => join(root, path) !== entry), later }
}

const ALL_OF_FIRST = 'all-of-the-first-script'

/**
 * Files that several scripts use become scripts of their own, one for each set of users: a dozen requests for the first
 * page. When every later script uses all that the first one has, there is one set.
 */
function oneChunk({ first, later }: ReturnType<typeof loadedFiles>): Plugin {
  return {
    name: 'one-chunk',
    setup(build) {
      const files = new Set([...later].map((path) => join(root, path)))
      build.onLoad({ filter: /\.tsx$/ }, ({ path }) =>
        files.has(path)
          ? { contents: `${readFileSync(path, 'utf8')}\nimport '${ALL_OF_FIRST}'\n`, loader: 'tsx' }
          : undefined,
      )
      build.onResolve({ filter: new RegExp(`^${ALL_OF_FIRST}$`) }, () => ({
        ...{ path: ALL_OF_FIRST, namespace: ALL_OF_FIRST, sideEffects: true },
      }))
      build.onLoad({ filter: /.*/, namespace: ALL_OF_FIRST }, () => ({
        contents: first.map((path) => `import ${JSON.stringify(join(root, path))}`).join('\n'),
        resolveDir: root,
      }))
      build.onResolve({ filter: /.*/, namespace: ALL_OF_FIRST }, ({ path }) => ({ path, sideEffects: true }))
    },
  }
}

async function writeScripts(): Promise<Pick<PageFiles, 'script' | 'preload'>> {
  const { build } = await import('esbuild')
  const files = loadedFiles((await build({ ...options, write: false })).metafile)
  const { metafile } = await build({ ...options, plugins: [oneChunk(files)] })
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
