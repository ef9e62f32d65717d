// A build step after the TypeScript compiler: the explorer's page as scripts and one stylesheet for browsers. The bundler
// reads the sources, so that a start does not compile what only a browser runs.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { barStyles, designTokens, PAGE_FILES, type PageFiles, REFERENCE_SCRIPT } from '../docs/index.ts'
import { built, root } from './output.ts'

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

const entry = join(source, 'main.tsx')

const workerEntry = join(source, 'decoders/pluginWorker.ts')

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

/** The file of each page, as `pageList.tsx` names it. */
function filesOfPages(): ReadonlyMap<string, string> {
  const text = readFileSync(join(source, 'pageList.tsx'), 'utf8')
  const lines = text.matchAll(/^ {2}(\w+): lazy\(.*import\('(\.\/.+?)'\)/gm)
  return new Map([...lines].map(([, name = '', path = '']) => [name, join('client/explorer', path)]))
}

/** Pages that links from elsewhere lead to: no request of theirs may wait for another. */
const FRONT_PAGES = ['home', 'account', 'trace', 'block']

type Inputs = Metafile['inputs']

function importsOf(inputs: Inputs, path: string): ReadonlySet<string> {
  const found = new Set([path])
  for (const one of found)
    for (const { path: to, kind } of inputs[one]?.imports ?? []) if (kind !== 'dynamic-import') found.add(to)
  return found
}

/** Files that begin a script of their own. */
const laterFiles = (inputs: Inputs): ReadonlySet<string> =>
  new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
    ),
  )

/** Files that begin a script, by what is in it. */
type Users = ReadonlyMap<string, ReadonlySet<string>>

/** Files of the first script: all it imports, and what a front page shares with any other script. */
function firstFiles(inputs: Inputs, users: Users): ReadonlySet<string> {
  const main = importsOf(inputs, relative(root, entry))
  const pages = filesOfPages()
  const shared = FRONT_PAGES.flatMap((name) => {
    const own = pages.get(name) ?? ''
    const others = [...users].filter(([file]) => file !== own).map(([, files]) => files)
    return [...(users.get(own) ?? [])].filter((path) => others.some((files) => files.has(path)))
  })
  return new Set([...main, ...shared])
}

const ALL_OF_FIRST = 'all-of-the-first-script'

/**
 * Files that several scripts use become scripts of their own, one for each set of users: a dozen requests for the first
 * page. When every later script uses all that the first one has, there is one set.
 */
function oneChunk(first: ReadonlySet<string>, users: Users): Plugin {
  return {
    name: 'one-chunk',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
        path === entry || users.has(relative(root, path))
          ? {
              contents: `${readFileSync(path, 'utf8')}\nimport '${ALL_OF_FIRST}'\n`,
              loader: loaderOf(path),
            }
          : undefined,
      )
      build.onResolve({ filter: new RegExp(`^${ALL_OF_FIRST}$`) }, () => ({
        ...{ path: ALL_OF_FIRST, namespace: ALL_OF_FIRST, sideEffects: true },
      }))
      build.onLoad({ filter: /.*/, namespace: ALL_OF_FIRST }, () => ({
        contents: [...first].map((path) => `import ${JSON.stringify(join(root, path))}`).join('\n'),
        resolveDir: root,
      }))
      build.onResolve({ filter: /.*/, namespace: ALL_OF_FIRST }, ({ path }) => ({ path, sideEffects: true }))
    },
  }
}

/** What the name of a copy's namespace begins with. */
const COPY_OF = 'copy of '

const loaderOf = (path: string): 'ts' | 'tsx' => (path.endsWith('x') ? 'tsx' : 'ts')

/** At the top of a file: what two copies of it would not share. A cache may be there twice. */
const STATE = /^(?:export )?(?:let |const \w+ = signal\()/m

/**
 * Each later script has copies of the small files it shares with others: as scripts of their own they were up to six
 * requests more for one page.
 */
function ownCopies(first: ReadonlySet<string>, users: Users): Plugin {
  const isShared = (file: string): boolean => [...users.values()].filter((files) => files.has(file)).length > 1
  return {
    name: 'own-copies',
    setup(build) {
      build.onResolve({ filter: /^\..*\.tsx?$/ }, ({ path, importer, namespace, resolveDir, kind }) => {
        const from = relative(root, importer)
        const copy = namespace.startsWith(COPY_OF) ? namespace : users.has(from) ? COPY_OF + from : null
        const to = join(resolveDir, path)
        return copy === null || kind === 'dynamic-import' || first.has(relative(root, to))
          ? undefined
          : { path: to, namespace: copy }
      })
      build.onLoad({ filter: /.*/ }, ({ path, namespace }) => {
        if (!namespace.startsWith(COPY_OF)) return undefined
        const contents = readFileSync(path, 'utf8')
        if (STATE.test(contents) && isShared(relative(root, path)))
          return { errors: [{ text: `${path} holds a state: import it from the first script` }] }
        return { contents, loader: loaderOf(path), resolveDir: dirname(path) }
      })
    },
  }
}

async function writeScripts(): Promise<Pick<PageFiles, 'script' | 'pages'>> {
  const { build } = await import('esbuild')
  const { inputs } = (await build({ ...options, write: false })).metafile
  const users = new Map([...laterFiles(inputs)].map((file) => [file, importsOf(inputs, file)]))
  const first = firstFiles(inputs, users)
  const { metafile } = await build({ ...options, plugins: [ownCopies(first, users), oneChunk(first, users)] })
  const outputs = Object.entries(metafile.outputs)
  const mainFile = relative(root, entry)
  /** The script whose code begins the page: that of the entry itself only imports it. */
  const [script = ''] = outputs.find(([, { inputs }]) => mainFile in inputs) ?? []
  const scriptsOf = (file: string): readonly string[] => {
    const [own = ''] = outputs.find(([, { entryPoint }]) => entryPoint === file) ?? []
    const imported = metafile.outputs[own]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    return [own, ...imported.map(({ path }) => path)].filter((path) => path !== script).map((path) => basename(path))
  }
  const pages = [...filesOfPages()].map(([name, file]) => [name, scriptsOf(file)])
  return { script: basename(script), pages: Object.fromEntries(pages) }
}

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
  const files: PageFiles = { ...(await writeScripts()), worker: await writeWorker(), styles: await writeStyles() }
  writeFileSync(join(out, PAGE_FILES), JSON.stringify(files))
}
