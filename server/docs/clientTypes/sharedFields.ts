// Interfaces without repetition: fields that several interfaces have become an interface these extend. That keeps the
// declarations small, and a hover still shows each field with its description.

export interface DeclaredInterface {
  readonly name: string
  /** As JSDoc; empty for none. */
  readonly words: string
  /** A text for each field, with its description. */
  readonly fields: readonly string[]
}

/** Minimum bytes a shared interface must save. */
const WORTH = 20

/** Bytes for one more name after `extends`, without the name. */
const PER_USER = 4
/** `interface  {\n}\n` */
const PER_BASE = 16

const FIELD = /^ '?([\w$@]+)'?\??:/m

/** After the field with the shortest name. */
const baseName = (fields: readonly string[]): string => {
  const names = fields.map((field) => FIELD.exec(field)?.[1] ?? '')
  const words = names.reduce((a, b) => (b.length < a.length ? b : a)).split(/[_@.]/)
  return `With${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

interface Base {
  readonly name: string
  readonly fields: readonly string[]
  readonly users: ReadonlySet<number>
}

const saving = (fields: readonly string[], users: number): number =>
  fields.join('').length * (users - 1) - users * (baseName(fields).length + PER_USER) - PER_BASE

const keyOfSet = (fields: readonly string[]): string => fields.toSorted().join('\0')

/** Sets of fields that two interfaces have in common, each once. */
function commonSets(own: readonly ReadonlySet<string>[]): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  own.forEach((fields, at) => {
    for (const others of own.slice(at + 1)) {
      const common = [...fields].filter((field) => others.has(field))
      if (common.length > 0) found.set(keyOfSet(common), common)
    }
  })
  for (const field of new Set([...found.values()].flat())) found.set(field, [field])
  return [...found.values()]
}

/** The sets, and each without the fields that a base has taken: interfaces that extend it have only the rest. */
function withoutTaken(
  sets: readonly (readonly string[])[],
  taken: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const found = new Map(sets.map((set) => [keyOfSet(set), set]))
  for (const set of sets) {
    const left = set.filter((field) => !taken.has(field))
    if (left.length > 0) found.set(keyOfSet(left), left)
  }
  return [...found.values()]
}

/** The bases that save most, one after the other; each may extend others itself. */
function basesOf(interfaces: readonly DeclaredInterface[]): readonly Base[] {
  const own = interfaces.map(({ fields }) => new Set(fields))
  const taken = new Set(interfaces.map(({ name }) => name))
  const bases: Base[] = []
  let candidates = commonSets(own)
  for (;;) {
    const valued = candidates.flatMap((fields) => {
      const users = [...own.keys()].filter((user) => fields.every((field) => own[user]?.has(field)))
      const saved = saving(fields, users.length)
      return saved < WORTH ? [] : [{ fields, users, saved }]
    })
    const [first, ...others] = valued
    if (first === undefined) return bases
    const { fields, users } = others.reduce((best, one) => (one.saved > best.saved ? one : best), first)
    const wanted = baseName(fields)
    let name = wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
    taken.add(name)
    bases.push({ name, fields, users: new Set(users) })
    for (const user of users) for (const field of fields) own[user]?.delete(field)
    own.push(new Set(fields))
    candidates = withoutTaken(
      valued.map((one) => one.fields).filter((one) => one !== fields),
      new Set(fields),
    )
  }
}

/** The declarations of interfaces, those of shared fields before them. */
export function interfaceTexts(interfaces: readonly DeclaredInterface[]): string[] {
  const bases = basesOf(interfaces)
  const declared = (name: string, fields: readonly string[], at: number): string => {
    const parents = bases.filter(({ users }) => users.has(at))
    const moved = new Set(parents.flatMap((parent) => parent.fields))
    const own = fields.filter((field) => !moved.has(field))
    const extended = parents.length === 0 ? '' : ` extends ${parents.map((parent) => parent.name).join(', ')}`
    return `interface ${name}${extended} {\n${own.join('')}}\n`
  }
  return [
    ...bases.map(({ name, fields }, at) => declared(name, fields, interfaces.length + at)),
    ...interfaces.map(({ name, words, fields }, at) =>
      fields.length === 0
        ? `${words}export type ${name} = Record<string, never>\n`
        : `${words}export ${declared(name, fields, at)}`,
    ),
  ]
}
