// The sources as text, and what each file imports: for tests that hold the shape of the project.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export interface Import {
  readonly line: number
  /** As written. */
  readonly from: string
  /** Path in the project, or null for a package and for what Node brings. */
  readonly file: string | null
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean
  /** Whether the address is written out; else the program makes it. */
  readonly isPlain: boolean
}

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

// The formatter puts a top-level import or export at the start of a line; tools that write scripts put its address in
// double quotes.
const STATEMENT = /^(?:import|export)\s+(?:(type)\s+)?(?:[\w*$\s{},]+?\sfrom\s+)?['"]([^'"]+)['"]/gm
const INLINE = /(?<!^\s*(?:\/\/|\*).*)(\btypeof\s+)?\bimport\(\s*(?:['"]([^'"]*)['"]|([^)]*))/gm

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function resolved(path: string, from: string): string | null {
  return from.startsWith('.') ? posix.join(posix.dirname(path), from) : null
}

/** Everything a file imports, types too. A dynamic import without a plain address comes as it is written. */
export function importsOf(path: string, text: string): Import[] {
  const found = [...text.matchAll(STATEMENT)].map((match) => ({
    line: lineOf(text, match.index),
    from: match[2] ?? '',
    typeOnly: match[1] === 'type',
    isPlain: true,
  }))
  const inline = [...text.matchAll(INLINE)].map((match) => ({
    line: lineOf(text, match.index),
    from: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
    isPlain: match[2] !== undefined,
  }))
  return [...found, ...inline].map((one) => ({ ...one, file: resolved(path, one.from) }))
}

export const sourceOf = (path: string, text: string): Source => ({ path, text, imports: importsOf(path, text) })

/** All TypeScript files below some folders of the project, in order. */
export function readSources(root: string, ...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/[\\/]\.build$/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => sourceOf(file.slice(root.length + 1).replaceAll(sep, '/'), readFileSync(file, 'utf8'))),
  )
}

/** Each circle of imports once, as the files along it. */
export function circlesOf(sources: readonly Source[]): string[][] {
  const next = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]))
  const done = new Set<string>()
  const circles: string[][] = []
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) circles.push([...trail.slice(start), path])
    if (start >= 0 || done.has(path)) return
    for (const file of next.get(path) ?? []) walk(file, [...trail, path])
    done.add(path)
  }
  for (const path of next.keys()) walk(path, [])
  return circles
}
