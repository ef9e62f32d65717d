// Values of the schema, drawn at random: whatever TypeScript allows for a line is met here sooner or later.

import fc, { type Arbitrary } from 'fast-check'
import { type Constructor, parseLine, type TlFieldType } from '../../../server/tl/tlGrammar.ts'
import { packetLines, refusalLines, typeLines } from '../../../server/tl/tlSchema.ts'

const constructors = [...typeLines, ...packetLines, ...refusalLines].map(parseLine)

const bytesOf = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })
const primitives: Readonly<Record<string, Arbitrary<unknown>>> = {
  int: fc.integer(),
  '#': fc.nat({ max: 2 ** 32 - 1 }),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  int256: bytesOf(32, 32),
  // Around both forms of a length and all paddings.
  bytes: fc.oneof(bytesOf(0, 12), bytesOf(250, 260)),
  string: fc.string({ unit: 'grapheme', maxLength: 300 }),
  Bool: fc.boolean(),
  true: fc.constant(true),
}

function fieldOf(type: TlFieldType): Arbitrary<unknown> {
  if ('vectorOf' in type) return fc.array(fieldOf({ named: type.vectorOf }), { maxLength: 5 })
  const line = constructors.find(({ name }) => name === type.named)
  return primitives[type.named] ?? (line ? fieldsOf(line) : resultOf(type.named))
}

/** Values of a type: with `@type` where it has several constructors. */
export function resultOf(result: string): Arbitrary<unknown> {
  const members = constructors.filter((line) => line.result === result)
  if (members.length < 2) return fc.oneof(...members.map(fieldsOf))
  const tagged = (line: Constructor) => fieldsOf(line).map((value) => ({ '@type': line.name, ...value }))
  return fc.oneof(...members.map(tagged))
}

/** Fields of a constructor; bits of `mode` and the fields they stand for agree. */
export function fieldsOf({ fields }: Constructor): Arbitrary<Readonly<Record<string, unknown>>> {
  const drawn = Object.fromEntries(fields.map(({ name, type }) => [name, fieldOf(type)]))
  return fc.record(drawn).map((all) => {
    const mode = Number(all.mode)
    const kept = fields.filter(({ bit }) => bit === null || ((mode >>> bit) & 1) === 1)
    return Object.fromEntries(kept.map(({ name }) => [name, all[name]]))
  })
}
