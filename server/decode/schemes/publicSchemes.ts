// Schemes by operation, from lines of text. A line is read when its operation is met for the first time: there are hundreds,
// and most services meet a few.

import { type Definition, parseConstructor } from '../../bodies/index.ts'
import { CellError } from '../../cell/index.ts'
import { Readers } from '../readers.ts'
import type { Scheme } from './scheme.ts'

const BODY = /^(\w+)#([0-9a-f]{8})(?: |$)/
const PART = /^(.*) = (\w+)$/

const NONE: readonly Scheme[] = []

function append<K>(to: Map<K, string[]>, key: K, line: string): void {
  const lines = to.get(key)
  if (lines === undefined) to.set(key, [line])
  else lines.push(line)
}

/** A constructor without a tag has none here: its type has no other. */
function definitionOf(line: string): Definition {
  const { name, tag, fields } = parseConstructor(line)
  return { name, tag, forms: [fields] }
}

export class PublicSchemes {
  readonly #bodies = new Map<number, string[]>()
  readonly #parts = new Map<string, string[]>()
  readonly #known = new Map<number, readonly Scheme[]>()
  readonly #readers = new Readers((type) => this.#parts.get(type)?.map(definitionOf) ?? null)

  constructor(lines: Iterable<string>) {
    for (const line of lines) {
      const part = PART.exec(line)
      const tag = BODY.exec(line)?.[2]
      if (part?.[1] !== undefined && part[2] !== undefined) append(this.#parts, part[2], part[1])
      else if (tag !== undefined) append(this.#bodies, Number.parseInt(tag, 16), line)
      else throw new Error(`neither a body nor a part of one: ${line}`)
    }
  }

  /** In the order they are tried. */
  of(operation: number): readonly Scheme[] {
    const known = this.#known.get(operation)
    if (known !== undefined) return known
    const lines = this.#bodies.get(operation)
    if (lines === undefined) return NONE
    const schemes = lines.map((line) => this.#schemeOf(line))
    this.#known.set(operation, schemes)
    return schemes
  }

  #schemeOf(line: string): Scheme {
    if (!line.endsWith(' ?')) {
      const { name, forms } = definitionOf(line)
      return { name, read: this.#readers.fieldsReader(forms[0]) }
    }
    return {
      name: BODY.exec(line)?.[1] ?? '',
      read: () => {
        throw new CellError('value', 'known by its name alone')
      },
    }
  }
}
