// Reads the lines of a schema. The ids that go over the wire are made of their text.

import { crc32 } from 'node:zlib'

export interface TlField {
  readonly name: string
  readonly type: TlFieldType
  /** The field is there when this bit of `mode` is set. */
  readonly bit: number | null
}

/** A named type or constructor, or a vector of such. */
export type TlFieldType = { readonly named: string } | { readonly vectorOf: string }

export interface Constructor {
  readonly name: string
  readonly id: number
  readonly fields: readonly TlField[]
  /** The type it makes; for a function, the type of its answer. */
  readonly result: string
}

const FIELD = /(\w+):(?:mode\.(\d+)\?)?(?:\(vector ([\w.#]+)\)|([\w.#]+))/g

/** The id of a constructor: the checksum of its line, unless the line states another one. */
function idOf(line: string): number {
  const stated = /^\S+#([0-9a-f]{8}) /.exec(line)?.[1]
  return stated === undefined ? crc32(line.replace(/[()]/g, '')) : Number.parseInt(stated, 16)
}

function parseField([, name = '', bit, vectorOf, named = '']: RegExpMatchArray): TlField {
  const type = vectorOf === undefined ? { named } : { vectorOf }
  return { name, type, bit: bit === undefined ? null : Number(bit) }
}

export function parseLine(line: string): Constructor {
  const [left = '', result = ''] = line.split(' = ')
  const name = /^[\w.]+/.exec(left)?.[0] ?? ''
  const fields = left.slice(name.length)
  return { name, id: idOf(line), fields: [...fields.matchAll(FIELD)].map(parseField), result }
}
