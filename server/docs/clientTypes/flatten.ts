// Declarations the compiler made of several modules, as the one text of an entry: imports between them go, and what the
// entry does not export stays inside.

/** Text by path, paths as imports resolve to them: `client/batch.ts`. */
export type Modules = ReadonlyMap<string, string>

const IMPORT = /^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"]([^'"]+)['"];?\n/gm
const REEXPORT = /^export\s+(?:type\s+)?(?:\{([^}]*)\}|\*)\s+from\s+['"]([^'"]+)['"];?\n/gm
const DECLARED = /^(export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type|(?:const )?enum) (\w+)/gm

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

/** Names a module exports, its own and those it passes on. */
function exportsOf(path: string, modules: Modules): Set<string> {
  const text = textOf(path, modules)
  const own = [...text.matchAll(DECLARED)].filter((match) => match[1] !== undefined).map((match) => match[2] ?? '')
  const names = new Set(own)
  for (const [, list, to = ''] of text.matchAll(REEXPORT))
    for (const name of list === undefined ? exportsOf(resolve(path, to), modules) : namesIn(list)) names.add(name)
  return names
}

/**
 * The declarations of an entry and of all it needs as one text. Modules of `external` stay imports, from the address
 * given there; so do packages. Throws when two modules declare one name.
 */
export function flatten(entry: string, modules: Modules, external: ReadonlyMap<string, string> = new Map()): string {
  const imported = new Map<string, Set<string>>()
  const declaredIn = new Map<string, string>()
  const parts: string[] = []
  const seen = new Set<string>()

  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const text = textOf(path, modules)
    for (const [, list = '', to = ''] of [...text.matchAll(IMPORT), ...text.matchAll(REEXPORT)]) {
      const module = resolve(path, to)
      const stays = to.startsWith('.') ? external.get(module) : to
      if (stays === undefined) visit(module)
      else imported.set(stays, new Set([...(imported.get(stays) ?? []), ...namesIn(list)]))
    }
    for (const [, , name = ''] of text.matchAll(DECLARED)) {
      const other = declaredIn.get(name)
      if (other !== undefined && other !== path) throw new Error(`${name} is declared in ${other} and in ${path}`)
      declaredIn.set(name, path)
    }
    const own = text
      .replaceAll(IMPORT, '')
      .replaceAll(REEXPORT, '')
      .replaceAll(/^export \{\};?\n/gm, '')
      .replaceAll(/^export (?=declare |abstract |class |const |interface |type |enum )/gm, '')
    parts.push(own.trim())
  }

  visit(entry)
  const imports = [...imported].map(
    ([from, names]) => `import type { ${[...names].sort().join(', ')} } from '${from}'\n`,
  )
  const exported = [...exportsOf(entry, modules)].sort()
  return `${imports.join('')}${parts.filter((part) => part !== '').join('\n\n')}\n\nexport { ${exported.join(', ')} }\n`
}
