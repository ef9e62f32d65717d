// Names that several files export or have: a search for one of them gives a list.

import type { Source } from './sources.ts'

/** Names that several files may export, with the reason; all others stand in one file. */
export const REPEATED_NAMES: Readonly<Record<string, string>> = {
  Block: 'TL-B in cells, JSON in answers; users of the client know this name',
  Message: 'TL-B in cells, JSON in answers; users of the client know this name',
  Transaction: 'TL-B in cells, JSON in answers; users of the client know this name',
  Api: 'declared once; the other is a line of the text of the published declarations',
  isObject: 'the client carries no file of shared but the table of errors',
}

const EXPORT = /^export\s+(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm

/** `name path path` of each name that more than one of these files declares and exports. */
export function repeatedNames(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(EXPORT)) files.set(name, (files.get(name) ?? new Set()).add(path))
  return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths].join(' '))
}

const stemOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.tsx?$/, '')

/** Files with the name of another one, but for doors and for files of folders that mirror each other. */
export function repeatedFiles(paths: readonly string[], mirrored: readonly string[]): string[] {
  const named = paths.filter((path) => stemOf(path) !== 'index')
  const counts = new Map<string, number>()
  for (const path of named) counts.set(stemOf(path), (counts.get(stemOf(path)) ?? 0) + 1)
  return named.filter(
    (path) => (counts.get(stemOf(path)) ?? 0) > 1 && !mirrored.some((folder) => path.startsWith(`${folder}/`)),
  )
}
