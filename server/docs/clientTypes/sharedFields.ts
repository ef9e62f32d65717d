// Interfaces without repetition: fields that the same several interfaces have become an interface these extend. That
// keeps the declarations small, and a hover still shows each field with its description.

export interface DeclaredInterface {
  readonly name: string
  /** As JSDoc; empty for none. */
  readonly words: string
  /** A text for each field, with its description. */
  readonly fields: readonly string[]
}

/** Bytes a shared interface must save to be worth its name. */
const WORTH = 150

const FIELD = /^ '?([\w$@]+)'?\??:/m

const nameOf = (fields: readonly string[]): string =>
  fields
    .slice(0, 2)
    .flatMap((field) => (FIELD.exec(field)?.[1] ?? '').split(/[_@.]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

interface Shared {
  readonly name: string
  readonly fields: readonly string[]
  readonly users: readonly string[]
}

function sharedAmong(interfaces: readonly DeclaredInterface[]): Shared[] {
  const usersOf = new Map<string, string[]>()
  for (const { name, fields } of interfaces)
    for (const field of fields) usersOf.set(field, [...(usersOf.get(field) ?? []), name])
  const groups = new Map<string, { fields: string[]; users: string[] }>()
  for (const [field, users] of usersOf) {
    const key = users.join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { fields: [field], users })
    else group.fields.push(field)
  }
  const taken = new Set(interfaces.map(({ name }) => name))
  return [...groups.values()].flatMap(({ fields, users }) => {
    const bytes = fields.join('').length
    if (bytes * (users.length - 1) - users.length * 30 < WORTH) return []
    const base = `With${nameOf(fields)}`
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`
    taken.add(name)
    return [{ name, fields, users }]
  })
}

/** The declarations of interfaces, those of shared fields before them. */
export function interfaceTexts(interfaces: readonly DeclaredInterface[]): string[] {
  const shared = sharedAmong(interfaces)
  const moved = new Map<string, Shared[]>()
  for (const one of shared) for (const user of one.users) moved.set(user, [...(moved.get(user) ?? []), one])
  const bases = shared.map(({ name, fields }) => `interface ${name} {\n${fields.join('')}}\n`)
  const all = interfaces.map(({ name, words, fields }) => {
    if (fields.length === 0) return `${words}export type ${name} = Record<string, never>\n`
    const parents = moved.get(name) ?? []
    const gone = new Set(parents.flatMap((parent) => parent.fields))
    const own = fields.filter((field) => !gone.has(field))
    const extended = parents.length === 0 ? '' : ` extends ${parents.map((parent) => parent.name).join(', ')}`
    return `${words}export interface ${name}${extended} {\n${own.join('')}}\n`
  })
  return [...bases, ...all]
}
