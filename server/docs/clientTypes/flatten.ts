// Declarations the compiler made of several modules, as the one text of an entry: imports between them go, what the
// entry exports keeps its `export`, and what none of that needs is left out.

interface Declaration {
  readonly name: string
  readonly isExported: boolean
  /** With its comment and without `export`, indented by one space for each level. */
  readonly text: string
}

const STATEMENT =
  /^(?:\/\*\*[\s\S]*?\*\/\n)?(export )?((?:declare )?(?:abstract )?(?:class|const|function|interface|type) ([\w$]+)[\s\S]*?\n)(?=\/\*\*|export |declare |abstract |class |interface |type |\n|$(?![\s\S]))/gm

const INDENT = /^(?: {4})+/gm

/** Statements of a module without imports. Each must begin at the first column, as the compiler writes them. */
const splitDeclarations = (module: string): readonly Declaration[] =>
  [...module.matchAll(STATEMENT)].map(([text, exported, , name = '']) => ({
    name,
    isExported: exported !== undefined,
    text: text.replace(/^export /m, '').replaceAll(INDENT, (spaces) => ' '.repeat(spaces.length / 4)),
  }))

/** Text by path, paths as imports resolve to them: `client/batch.ts`. */
export type Modules = ReadonlyMap<string, string>

const IMPORT = /^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"]([^'"]+)['"];?\n/gm
const REEXPORT = /^export\s+(?:type\s+)?(?:\{([^}]*)\}|\*)\s+from\s+['"]([^'"]+)['"];?\n/gm

const resolve = (from: string, to: string): string =>
  to.startsWith('.') ? new URL(to, `x:/${from}`).pathname.slice(1) : to

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((one) => one.trim().replace(/^type\s+/, ''))
    .filter((one) => one !== '')

const textOf = (path: string, modules: Modules): string => {
  const text = modules.get(path)
  if (text === undefined) throw new Error(`${path} is imported, and is not among the declarations`)
  return text
}

const declarationsOf = (text: string) => splitDeclarations(text.replaceAll(IMPORT, '').replaceAll(REEXPORT, ''))

/** Names a module exports, its own and those it passes on. */
function exportsOf(path: string, modules: Modules): Set<string> {
  const text = textOf(path, modules)
  const names = new Set(declarationsOf(text).flatMap((one) => (one.isExported ? [one.name] : [])))
  for (const [, list, to = ''] of text.matchAll(REEXPORT))
    for (const name of list === undefined ? exportsOf(resolve(path, to), modules) : namesIn(list)) names.add(name)
  return names
}

interface Collected {
  readonly texts: Map<string, string>
  /** Names by the module they stay imported from. */
  readonly imported: Map<string, Set<string>>
}

/** Every declaration the entry can reach by imports. Throws when two modules declare one name. */
function collect(entry: string, modules: Modules, external: ReadonlyMap<string, string>): Collected {
  const imported = new Map<string, Set<string>>()
  const texts = new Map<string, string>()
  const declaredIn = new Map<string, string>()

  const visit = (path: string): void => {
    if (declaredIn.has(path)) return
    declaredIn.set(path, path)
    const text = textOf(path, modules)
    for (const [, list = '', to = ''] of [...text.matchAll(IMPORT), ...text.matchAll(REEXPORT)]) {
      const module = resolve(path, to)
      const stays = to.startsWith('.') ? external.get(module) : to
      if (stays === undefined) visit(module)
      else imported.set(stays, new Set([...(imported.get(stays) ?? []), ...namesIn(list)]))
    }
    for (const { name, text: own } of declarationsOf(text)) {
      const other = declaredIn.get(name)
      if (other !== undefined && other !== path) throw new Error(`${name} is declared in ${other} and in ${path}`)
      declaredIn.set(name, path)
      texts.set(name, `${texts.get(name) ?? ''}${own}`)
    }
  }

  visit(entry)
  return { texts, imported }
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')

const wordsOf = (text: string): ReadonlySet<string> => new Set(withoutComments(text).match(/[A-Za-z_$][\w$]*/g))

/** Names that the given ones need, themselves included. */
function reachable(from: Iterable<string>, texts: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>()
  const queue = [...from]
  for (const name of queue) {
    const text = texts.get(name)
    if (text === undefined || found.has(name)) continue
    found.add(name)
    for (const word of wordsOf(text)) if (texts.has(word) && !found.has(word)) queue.push(word)
  }
  return found
}

/**
 * The declarations of an entry and of all it needs as one text. Modules of `external` stay imports, from the address
 * given there; so do packages. Throws when two modules declare one name.
 */
export function flatten(entry: string, modules: Modules, external: ReadonlyMap<string, string> = new Map()): string {
  const { texts, imported } = collect(entry, modules, external)
  const exported = exportsOf(entry, modules)
  const needed = reachable(exported, texts)
  const parts = [...texts].flatMap(([name, text]) => (needed.has(name) ? [{ name, text }] : []))
  const body = parts.map(({ name, text }) =>
    exported.has(name) ? text.replaceAll(/^(?=declare |abstract |class |interface |type )/gm, 'export ') : text,
  )
  const used = wordsOf(body.join(''))
  const passedOn = [...exported].filter((name) => !texts.has(name)).sort()
  const imports = [...imported].flatMap(([from, names]) => {
    const kept = [...names].filter((name) => used.has(name) || passedOn.includes(name)).sort()
    return kept.length === 0 ? [] : [`import type { ${kept.join(', ')} } from '${from}'\n`]
  })
  // Without this line everything declared would be exported.
  return `${imports.join('')}${body.join('')}export { ${passedOn.join(', ')} }\n`
}
