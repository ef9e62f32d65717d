import type { Slice } from '../../cell/index.ts'
import { parseConstructor } from '../grammar.ts'
import { Readers } from '../readers.ts'
import type { DecodedRecord, Within } from '../value.ts'
import { contracts, types } from './contracts.ts'
import { everyday } from './everyday.ts'
import { names } from './names.ts'
import { tokens } from './tokens.ts'

export interface Scheme {
  readonly name: string
  /** Reads what follows the 32 bits of the operation. */
  readonly read: (slice: Slice, within: Within) => DecodedRecord
}

const readers = new Readers()
for (const [name, lines] of Object.entries(types)) readers.define(name, lines.map(parseConstructor))

/** By operation, in the order they are tried. */
export const schemes: ReadonlyMap<number, readonly Scheme[]> = (() => {
  const found = new Map<number, Scheme[]>()
  for (const line of [...everyday, ...tokens, ...contracts]) {
    const { name, tag, fields } = parseConstructor(line)
    if (tag?.bits !== 32) throw new Error(`an operation has 32 bits: ${line}`)
    const scheme = { name, read: readers.fieldsReader(fields) }
    found.set(tag.value, [...(found.get(tag.value) ?? []), scheme])
  }
  return found
})()

/** Names of operations whose bodies are not decoded. */
export const bareNames: ReadonlyMap<number, string> = new Map(
  Object.entries(names).flatMap(([name, operations]) => operations.map((operation) => [operation, name] as const)),
)
