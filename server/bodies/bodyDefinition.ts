// A definition: a line of TL-B, from which readers and writers of the fields are made, and their types.

import type { Builder, MessageAddress, Slice } from '../cell/index.ts'
import { fieldsReader, type Values } from './fieldsReader.ts'
import { fieldsWriter } from './fieldsWriter.ts'
import { type BodyField, parseConstructor, type Tag } from './grammar.ts'
import type { FieldName, LineFields, WrittenFields } from './lineTypes.ts'

/** Public senders leave out the last field or cut it off: it reads as null. */
interface Lenient {
  readonly lenient: true
  /** A further form the decoder shows: without the last field, or with whatever is in its place. */
  readonly decodedAlso?: 'withoutLast' | 'anyLast'
}

const ANY: BodyField['type'] = { kind: 'word', name: 'Any', args: [] }

function furtherForm(fields: readonly BodyField[], also: Lenient['decodedAlso']): BodyField[] | null {
  const last = fields.at(-1)
  if (also === undefined || last === undefined) return null
  const others = fields.slice(0, -1)
  return also === 'withoutLast' ? others : [...others, { ...last, type: ANY }]
}

/** A definition without the types of its fields. */
export interface Definition {
  readonly name: string
  readonly tag: Tag | null
  /** The fields; where the decoder tries a further form, those of that one. */
  readonly forms: readonly [readonly BodyField[], ...(readonly BodyField[])[]]
}

export interface BodyDefinition extends Definition {
  readonly opcode: number
}

/** The content of a cell, or of a part of it. `Last` is null where the last field may be missing. */
class Layout<L extends string, Last> implements Definition {
  readonly name: string
  readonly tag: Tag | null
  readonly forms: Definition['forms']
  readonly #isLenient: boolean

  constructor(line: L, lenient: Lenient | null) {
    const { name, tag, fields } = parseConstructor(line)
    const further = furtherForm(fields, lenient?.decodedAlso)
    this.name = name
    this.tag = tag
    this.forms = further === null ? [fields] : [fields, further]
    this.#isLenient = lenient !== null
  }

  /**
   * What reads the named fields, all of them without a name; `keep` makes the caller's form of an address. It begins
   * behind the tag and ends with the last field it takes, so what is cut off behind that does not matter.
   */
  reader<A, N extends FieldName<L> = FieldName<L>>(
    keep: (address: MessageAddress) => A,
    ...names: readonly N[]
  ): (slice: Slice) => LineFields<L, Last, A, N>
  reader(keep: (address: MessageAddress) => unknown, ...names: readonly string[]): (slice: Slice) => Values {
    return fieldsReader(this.forms[0], { keep, names, isLenient: this.#isLenient })
  }

  /** What appends the tag and all fields; `addressOf` reads the caller's form of an address. */
  writer<A>(addressOf: (address: A) => MessageAddress): (builder: Builder, fields: WrittenFields<L, Last, A>) => Builder
  writer(addressOf: (address: unknown) => MessageAddress): (builder: Builder, fields: unknown) => Builder {
    const { tag } = this
    const write = fieldsWriter(this.forms[0], addressOf, this.#isLenient)
    return (builder, values) => {
      if (tag !== null) builder.storeUint(tag.value, tag.bits)
      write(builder, values)
      return builder
    }
  }
}

/** The body of a message: it begins with 32 bits that name the operation. */
class Body<L extends string, Last> extends Layout<L, Last> implements BodyDefinition {
  readonly opcode: number

  constructor(line: L, lenient: Lenient | null) {
    super(line, lenient)
    if (this.tag?.bits !== 32) throw new Error(`an operation has 32 bits: ${line}`)
    this.opcode = this.tag.value
  }

  /** Reads the operation when a slice begins with it; otherwise the slice stays where it is. */
  begins(slice: Slice): boolean {
    if (slice.remainingBits < 32 || slice.preloadUint(32) !== this.opcode) return false
    slice.skip(32)
    return true
  }
}

/** The body of a message, `name#tag field:type ...`; the name is `_` when the public has no name for it. */
export function body<const L extends string>(line: L): Body<L, never>
export function body<const L extends string>(line: L, lenient: Lenient): Body<L, null>
export function body<const L extends string>(line: L, lenient: Lenient | null = null): Body<L, null> {
  return new Body(line, lenient)
}

/** A part of a body, `name field:type ...`. */
export function part<const L extends string>(line: L): Layout<L, never> {
  return new Layout(line, null)
}

/** For declarations: they are made by the functions above. */
export type { Body, Layout }
