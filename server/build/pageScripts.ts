// How the explorer's scripts are cut: one that every page begins with, one for each page, and one for a page together with
// the part its address opens. Nothing else is loaded before the first view is there.

import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import type { PagePart } from '../../shared/explorer/pageParts.ts'
import type { PageFiles } from '../docs/index.ts'
import { licencesOf } from './licences.ts'
import { root } from './output.ts'

const source = join(root, 'client/explorer')

const entry = join(source, 'main.tsx')

/** Files that a page loads later, and that are in its script when its address opens none of the parts below. */
const BEGUN: Readonly<Record<string, readonly string[]>> = {
  'account/AccountPage.tsx': ['account/AccountHistory.tsx', 'account/Transactions.tsx'],
}

/** Files that a page loads later, and that are in its script when it begins with them. */
const PARTS: Readonly<Record<PagePart, readonly string[]>> = {
  'account.contract': ['account/Contract.tsx', 'decoders/AbiForm.tsx'],
  'account.methods': ['account/Methods.tsx'],
  'account.balance': ['charts/BalanceChart.tsx'],
  'account.transactions': ['account/Transactions.tsx'],
  'account.assets': ['account/Nfts.tsx', 'account/Tokens.tsx'],
  'account.more': [
    'account/AccountHistory.tsx',
    'account/Holders.tsx',
    'account/Multisig.tsx',
    'account/NoAccount.tsx',
    'account/OfKind.tsx',
    'account/SalePart.tsx',
    'account/VestingPart.tsx',
  ],
  'transaction.more': [
    'trace/FlowTable.tsx',
    'trace/MessageView.tsx',
    'trace/Raw.tsx',
    'trace/TransactionReplay.tsx',
    'trace/StateChange.tsx',
  ],
  'transaction.none': ['trace/NoTrace.tsx'],
}
const isPart = (name: string): name is PagePart => Object.hasOwn(PARTS, name)
const PART_NAMES = Object.keys(PARTS).filter(isPart)

interface PageFile {
  /** Below the explorer's folder. */
  readonly file: string
  readonly component: string
}

/** The file of each page, as `pageList.tsx` names it. */
function filesOfPages(): ReadonlyMap<string, PageFile> {
  const text = readFileSync(join(source, 'pageList.tsx'), 'utf8')
  const lines = text.matchAll(/^ {2}(\w+): lazy\(.*import\('\.\/(.+?)'\)\)\.(\w+)/gm)
  return new Map([...lines].map(([, name = '', file = '', component = '']) => [name, { file, component }]))
}

const below = (file: string): string => join('client/explorer', file)

/** Of a path below the root. */
const begunBy = (path: string): readonly string[] => BEGUN[relative(source, join(root, path))] ?? []

/** Pages that links from elsewhere lead to: no request of theirs may wait for another. */
const FRONT_PAGES = ['home', 'account', 'trace', 'block']

type Inputs = Metafile['inputs']

function importsOf(inputs: Inputs, path: string): ReadonlySet<string> {
  const found = new Set([path, ...begunBy(path).map(below)])
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

/** What so few front pages use is copied into each: the others do not load it. */
const FEW = 2

/** Files of the first script: all it imports, and what most front pages share, or any of them when it holds a state. */
function firstFiles(inputs: Inputs, users: Users): ReadonlySet<string> {
  const main = importsOf(inputs, relative(root, entry))
  const pages = filesOfPages()
  const fronts = FRONT_PAGES.map((name) => below(pages.get(name)?.file ?? ''))
  const inFronts = new Set(fronts.flatMap((file) => [...(users.get(file) ?? [])]))
  const usedBy = (path: string, files: Iterable<string>): number =>
    [...files].filter((file) => users.get(file)?.has(path)).length
  const isShared = (path: string): boolean =>
    usedBy(path, fronts) > FEW || (usedBy(path, users.keys()) > 1 && STATE.test(readFileSync(join(root, path), 'utf8')))
  return new Set([...main, ...[...inFronts].filter(isShared)])
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
              contents: `${withParts(path, begunBy(relative(root, path)))}\nimport '${ALL_OF_FIRST}'\n`,
              loader: loaderOf(path),
            }
          : undefined,
      )
      build.onResolve({ filter: new RegExp(`^${ALL_OF_FIRST}$`) }, () => ({
        path: ALL_OF_FIRST,
        namespace: ALL_OF_FIRST,
        sideEffects: true,
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

/** A file whose parts are in its script already: what would load them has them. */
function withParts(path: string, parts: readonly string[]): string {
  const found: string[] = []
  const load = /async \(\) => \(await import\('(\.[^']+)'\)\)\.(\w+)/g
  const contents = readFileSync(path, 'utf8').replaceAll(load, (whole, to: string, name: string) => {
    if (!parts.includes(relative(source, join(dirname(path), to)))) return whole
    const component = `part${found.push(to) - 1}.${name}`
    return `async () => ${component}, ${component}`
  })
  return [...found.map((to, at) => `import * as part${at} from '${to}'`), contents].join('\n')
}

/** The page of a part: its script begins with it. */
function partEntry(part: PagePart): string {
  const { file, component } = filesOfPages().get(part.split('.')[0] ?? '') ?? { file: '', component: '' }
  return `export { ${component} as Page } from './${file}'\nimport '${ALL_OF_FIRST}'\n`
}

/**
 * Each later script has copies of the small files it shares with others: as scripts of their own they were up to six
 * requests more for one page.
 */
function ownCopies(first: ReadonlySet<string>, users: Users): Plugin {
  const isShared = (file: string): boolean => [...users.values()].filter((files) => files.has(file)).length > 1
  return {
    name: 'own-copies',
    setup(build) {
      build.onResolve({ filter: /^\w+\.\w+$/ }, ({ path, kind }) =>
        kind === 'entry-point' && isPart(path) ? { path, namespace: COPY_OF + path } : undefined,
      )
      build.onResolve({ filter: /^\..*\.tsx?$/ }, ({ path, importer, namespace, resolveDir, kind }) => {
        const from = relative(root, importer)
        const copy = namespace.startsWith(COPY_OF) ? namespace : users.has(from) ? COPY_OF + from : null
        // Below the root: the hash in the name of a script must not depend on the folder of the project.
        const file = relative(root, join(resolveDir, path))
        return copy === null || kind === 'dynamic-import' || first.has(file)
          ? undefined
          : { path: file, namespace: copy }
      })
      build.onLoad({ filter: /.*/ }, ({ path, namespace }) => {
        if (!namespace.startsWith(COPY_OF)) return undefined
        if (isPart(path)) return { contents: partEntry(path), loader: 'ts', resolveDir: source }
        const of = namespace.slice(COPY_OF.length)
        const file = join(root, path)
        const contents = withParts(file, isPart(of) ? PARTS[of] : [])
        if (STATE.test(contents) && isShared(path))
          return { errors: [{ text: `${path} holds a state: import it from the first script` }] }
        return { contents, loader: loaderOf(path), resolveDir: dirname(file) }
      })
    },
  }
}

interface Scripts extends Pick<PageFiles, 'script' | 'pages' | 'parts'> {
  /** Of the packages that are in them. */
  readonly licences: string
}

/** Writes them all, and says which is whose. */
export async function writeScripts(options: BuildOptions): Promise<Scripts> {
  const { build } = await import('esbuild')
  const all: BuildOptions = { ...options, splitting: true, metafile: true }
  const { inputs = {} } = (await build({ ...all, entryPoints: [entry], write: false })).metafile ?? {}
  const users = new Map([...laterFiles(inputs)].map((file) => [file, importsOf(inputs, file)]))
  const first = firstFiles(inputs, users)
  const entryPoints = { main: entry, ...Object.fromEntries(PART_NAMES.map((name) => [name, name])) }
  const plugins = [ownCopies(first, users), oneChunk(first, users)]
  const { outputs = {} } = (await build({ ...all, entryPoints, plugins })).metafile ?? {}
  const mainFile = relative(root, entry)
  /** The script whose code begins the page: that of the entry itself only imports it. */
  const [script = ''] = Object.entries(outputs).find(([, { inputs }]) => mainFile in inputs) ?? []
  const scriptsOf = (from: string): readonly string[] => {
    const [own = ''] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === from) ?? []
    const imported = outputs[own]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    return [own, ...imported.map(({ path }) => path)].filter((path) => path !== script).map((path) => basename(path))
  }
  const pages = [...filesOfPages()].map(([name, { file }]) => [name, scriptsOf(below(file))])
  const parts = PART_NAMES.map((name) => [name, scriptsOf(`${COPY_OF}${name}:${name}`).join()])
  const licences = licencesOf(outputs)
  return { script: basename(script), pages: Object.fromEntries(pages), parts: Object.fromEntries(parts), licences }
}
