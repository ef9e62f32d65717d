// Reads a line of TL-B, as much of that language as bodies of messages need: a constructor with its tag and fields,
// `name#tag field:type ...`, where a type is a word, `^type`, `(Word arguments)` or `[field:type ...]`.

export type TypeTree =
  | { readonly kind: 'word'; readonly name: string; readonly args: readonly (TypeTree | number)[] }
  | { readonly kind: 'ref'; readonly of: TypeTree }
  | { readonly kind: 'record'; readonly fields: readonly BodyField[] }

export interface BodyField {
  /** Empty for a field without a name. */
  readonly name: string
  readonly type: TypeTree
}

export interface Tag {
  readonly value: number
  readonly bits: number
}

interface Constructor {
  readonly name: string
  readonly tag: Tag | null
  readonly fields: readonly BodyField[]
}

const TOKEN = /\s*([A-Za-z_][\w.]*|\d+|[:^()[\]])/y

class Reader {
  readonly #line: string
  readonly #tokens: string[] = []
  #at = 0

  constructor(line: string, from: number) {
    this.#line = line
    TOKEN.lastIndex = from
    for (let found = TOKEN.exec(line); found?.[1] !== undefined; found = TOKEN.exec(line)) {
      this.#tokens.push(found[1])
      from = TOKEN.lastIndex
    }
    if (line.slice(from).trim() !== '') this.fail(`"${line.slice(from).trim()}"`)
  }

  get done(): boolean {
    return this.#at === this.#tokens.length
  }

  peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  next(): string {
    const token = this.#tokens[this.#at++]
    return token ?? this.fail('its end')
  }

  expect(token: string): void {
    const found = this.next()
    if (found !== token) this.fail(`"${found}" in the place of "${token}"`)
  }

  fail(what: string): never {
    throw new Error(`${what} makes no sense in: ${this.#line}`)
  }
}

const isWord = (token: string): boolean => /^[A-Za-z_]/.test(token)

function readType(reader: Reader): TypeTree {
  const token = reader.next()
  if (token === '^') return { kind: 'ref', of: readType(reader) }
  if (token === '[') {
    const fields = readFields(reader, ']')
    reader.expect(']')
    return { kind: 'record', fields }
  }
  if (token === '(') {
    const name = reader.next()
    const args: (TypeTree | number)[] = []
    while (reader.peek() !== ')') args.push(/^\d+$/.test(reader.peek()) ? Number(reader.next()) : readType(reader))
    reader.expect(')')
    return { kind: 'word', name, args }
  }
  if (!isWord(token)) reader.fail(`"${token}"`)
  return { kind: 'word', name: token, args: [] }
}

function readFields(reader: Reader, end: string): BodyField[] {
  const fields: BodyField[] = []
  while (!reader.done && reader.peek() !== end) {
    const name = reader.next()
    if (!isWord(name)) reader.fail(`"${name}"`)
    reader.expect(':')
    fields.push({ name: name === '_' ? '' : name, type: readType(reader) })
  }
  return fields
}

/** Throws for a line that is not understood: a mistake in our own table. */
export function parseConstructor(line: string): Constructor {
  const head = /^\s*(\w+)(?:#([0-9a-f]+)|\$([01]+))?(?=\s|$)/.exec(line)
  if (head?.[1] === undefined) throw new Error(`a constructor was expected in: ${line}`)
  const [, name, hex, binary] = head
  const tag =
    hex !== undefined
      ? { value: Number.parseInt(hex, 16), bits: hex.length * 4 }
      : binary !== undefined
        ? { value: Number.parseInt(binary, 2), bits: binary.length }
        : null
  return { name, tag, fields: readFields(new Reader(line, head[0].length), '') }
}

/** The argument of a type that takes a number, as `VarUInteger` does. */
export function numberIn(arg: TypeTree | number | undefined): number {
  if (typeof arg !== 'number') throw new Error('a number was expected in a scheme')
  return arg
}

/** The argument of a type that takes another one, as `Maybe` does. */
export function typeIn(arg: TypeTree | number | undefined): TypeTree {
  if (arg === undefined || typeof arg === 'number') throw new Error('a type was expected in a scheme')
  return arg
}
