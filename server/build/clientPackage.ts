// A build step after the TypeScript compiler: the client as its own package in `client/.build`, with a script and one flat
// declaration file per entry. `tonrpc/client` is the same files.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorTable } from '../../shared/errors.ts'
import { registry } from '../../shared/registry.ts'
import { clientTypes, flatten } from '../docs/index.ts'
import { built, isOutdated, root } from './output.ts'

const out = join(root, 'client/.build')

/** Name of the file by entry, as sources are named. */
const ENTRIES = { index: 'client/index.ts', ws: 'client/ws.ts', ton: 'client/ton/index.ts' } as const

/** In the package, `client/api.ts` is generated from the registry. */
const API = 'client/api.ts'
const ERRORS = 'shared/errors.ts'

/** The kinds as a union of names: as in the sources, the declarations would contain the whole table. */
const KINDS_OF_TABLE = /(?<=^export type ErrorKind = ).*?(?=;$)/m
const kindsText = (): string =>
  Object.keys(errorTable)
    .map((kind) => `'${kind}'`)
    .join(' | ')

const PREAMBLE = "import type { Method } from './tree.ts'\n"

function declarations(): Map<string, string> {
  const modules = new Map<string, string>()
  for (const folder of ['client', 'client/ton'])
    for (const name of readdirSync(join(built, folder)))
      if (name.endsWith('.d.ts'))
        modules.set(`${folder}/${name.replace(/\.d\.ts$/, '.ts')}`, readFileSync(join(built, folder, name), 'utf8'))
  modules.set(ERRORS, readFileSync(join(built, 'shared/errors.d.ts'), 'utf8').replace(KINDS_OF_TABLE, kindsText()))
  modules.set(API, PREAMBLE + clientTypes(registry))
  return modules
}

async function scripts(): Promise<string[]> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, path]) => [name, join(built, path.replace(/\.ts$/, '.js'))]),
    ),
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    chunkNames: 'shared-[hash]',
    logLevel: 'warning',
    metafile: true,
  })
  return Object.keys(metafile.outputs).map((path) => basename(path))
}

/** Modules of the entry `ws` alone. */
const OF_SOCKETS = new Set(['client/socket.ts', 'client/stream.ts'])

/** A line of code: lines of comments begin with a star or a slash. */
const CODE = /^(?![*/]).+$/gm

/**
 * Removes spaces that only help people read: the file is for editors, which format types themselves, and is bounded to 200 kB.
 */
const withoutSpaces = (text: string): string =>
  text
    .replace(/^ +/gm, '')
    .replace(/^\/\*\* ([^/*].*) \*\/$/gm, '/**$1*/')
    .replace(CODE, (line) => line.replaceAll(' | ', '|'))

async function writePackage(): Promise<void> {
  mkdirSync(out, { recursive: true })
  const written = await scripts()
  const modules = declarations()
  const index = withoutSpaces(flatten(ENTRIES.index, modules))
  const inIndex = new Map([...modules.keys()].map((path) => [path, './index.js']))
  writeFileSync(join(out, 'index.d.ts'), index)
  for (const name of ['ws', 'ton'] as const) {
    const path = ENTRIES[name]
    const own =
      name === 'ton' ? (module: string) => module.startsWith('client/ton/') : (module: string) => module === path
    const external = new Map([...inIndex].filter(([module]) => !own(module) && !OF_SOCKETS.has(module)))
    writeFileSync(join(out, `${name}.d.ts`), flatten(path, modules, external))
  }
  const kept = new Set([...written, ...Object.keys(ENTRIES).map((name) => `${name}.d.ts`)])
  for (const name of readdirSync(out)) if (!kept.has(name)) rmSync(join(out, name))
}

/** Does nothing when no source was compiled since. */
export async function packClient(): Promise<void> {
  if (isOutdated(join(out, 'ton.d.ts'), ['shared', 'client', 'client-ton', 'server'])) await writePackage()
}
