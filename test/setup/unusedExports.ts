// Exports that no other file imports, found in the text of the files. Types in the file of the function they belong to are left out.

import { posix } from 'node:path'
import type { Source } from './sources.ts'

interface NamedExport {
  readonly name: string
  /** Its name in the importing file, or in those that import from there. */
  readonly alias: string
}

interface Reexport extends NamedExport {
  readonly file: string
}

/** Stands for every name of a file. */
const ALL = '*'

const FROM = /^(import|export)\s+(?:type\s+)?(?:(\*(?:\s+as\s+\w+)?)|\{([^}]*)\})\s+from\s+['"]([^'"]+)['"]/gm
const INLINE_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
const DECLARATION = /^export\s+(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class)\s+(\w+)/gm
const DESTRUCTURED = /^export\s+const\s+[[{]([^=]*)[\]}](?::[^=]*)?\s*=/gm

const namesIn = (list: string): NamedExport[] =>
  list
    .split(',')
    .map((one) => one.trim().replace(/^type\s+/, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', alias = name] = one.split(/\s+as\s+|\s*:\s*/)
      return { name, alias }
    })

const fileOf = (path: string, from: string): string => posix.join(posix.dirname(path), from)

const declaredIn = ({ text }: Source): string[] => [
  ...[...text.matchAll(DECLARATION)].map(([, name = '']) => name),
  ...[...text.matchAll(DESTRUCTURED)].flatMap(([, list = '']) => namesIn(list).map(({ alias }) => alias)),
]

const reexportsOf = ({ path, text }: Source): Reexport[] =>
  [...text.matchAll(FROM)].flatMap(([, kind, star, list = '', from = '']) => {
    if (kind === 'import') return []
    const names = star === undefined ? namesIn(list) : [{ name: ALL, alias: ALL }]
    return names.map((one) => ({ ...one, file: fileOf(path, from) }))
  })

/** Files and the names that are imported from them. */
function importsOf({ path, text }: Source): [file: string, name: string][] {
  const named = [...text.matchAll(FROM)].flatMap(([, kind, star, list = '', from = '']): [string, string][] => {
    if (kind === 'export') return []
    const names = star === undefined ? namesIn(list).map(({ name }) => name) : [ALL]
    return names.map((name) => [fileOf(path, from), name])
  })
  const inline = [...text.matchAll(INLINE_IMPORT)].map(([, from = '']): [string, string] => [fileOf(path, from), ALL])
  return [...named, ...inline]
}

/**
 * `path name` of each value, and each name a door hands on, that none of the `importers` imports, directly or through
 * doors. What `entries` export is for other packages.
 */
export function unusedExports(
  sources: readonly Source[],
  importers: readonly Source[],
  entries: readonly string[],
): string[] {
  const reexports = new Map(sources.map((source) => [source.path, reexportsOf(source)]))
  const used = new Set<string>()
  const use = (file: string, name: string): void => {
    const key = `${file} ${name}`
    if (used.has(key)) return
    used.add(key)
    for (const one of reexports.get(file) ?? []) {
      if (name === ALL || one.alias === name) use(one.file, one.name)
      else if (one.alias === ALL) use(one.file, name)
    }
  }
  for (const importer of importers) for (const [file, name] of importsOf(importer)) use(file, name)
  for (const entry of entries) use(entry, ALL)
  const isUsed = (path: string, name: string): boolean =>
    name === ALL || used.has(`${path} ${name}`) || used.has(`${path} ${ALL}`)
  return sources.flatMap((source) => {
    const names = [...declaredIn(source), ...(reexports.get(source.path) ?? []).map(({ alias }) => alias)]
    return names.filter((name) => !isUsed(source.path, name)).map((name) => `${source.path} ${name}`)
  })
}
