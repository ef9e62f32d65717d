// Names that several files of the server export: a search for one of them gives a list.

import type { Source } from './sources.ts'

const EXPORT = /^export\s+(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm

/** `name path path` of each name that more than one of these files declares and exports. */
export function repeatedNames(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(EXPORT)) files.set(name, (files.get(name) ?? new Set()).add(path))
  return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths].join(' '))
}
