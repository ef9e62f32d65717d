// Ways to spoil an answer: every byte string in it flipped, cut, emptied, extended, replaced; numbers and flags changed;
// parts taken from the answer to another question.

import { random } from '../traffic.ts'

type Path = readonly (string | number)[]

export interface Mutation {
  readonly how: string
  readonly answer: unknown
}

/** Byte strings up to this length are flipped in every byte, longer ones in so many random bits. */
const SHORT = 160
const FLIPS = 60

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

/** Everything in an answer that is no record or list itself. */
function* leaves(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* leaves(one, [...path, i])
  else if (isRecord(value)) for (const [name, one] of Object.entries(value)) yield* leaves(one, [...path, name])
  else yield [path, value]
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  if (Array.isArray(value)) return value.map((one, i) => (i === first ? replaced(one, rest, by) : one))
  if (!isRecord(value)) return value
  return { ...value, [first]: replaced(value[first], rest, by) }
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)
}

function flipped(bytes: Uint8Array, place: number, bit: number): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[place] = (copy[place] ?? 0) ^ (1 << bit)
  return copy
}

function* spoiltBytes(bytes: Uint8Array, next: () => number): Generator<readonly [string, Uint8Array]> {
  const below = (limit: number): number => Math.floor(next() * limit)
  if (bytes.length > 0) {
    const places = bytes.length <= SHORT ? [...bytes.keys()] : Array.from({ length: FLIPS }, () => below(bytes.length))
    for (const place of places) {
      const bit = below(8)
      yield [`bit ${bit} of byte ${place} flipped`, flipped(bytes, place, bit)]
    }
    yield ['emptied', new Uint8Array()]
    yield ['cut in half', bytes.slice(0, bytes.length >> 1)]
    yield ['without its last byte', bytes.slice(0, -1)]
  }
  yield ['with a byte more', Buffer.concat([bytes, new Uint8Array(1)])]
  yield ['replaced by noise', Uint8Array.from({ length: Math.max(8, bytes.length) }, () => below(256))]
}

/** Lists may say that they could go on: nothing is lost by asking again, so that lie is not looked for here. */
const HARMLESS = ['incomplete', 'complete']

function* spoiltLeaf(name: unknown, value: unknown, next: () => number): Generator<readonly [string, unknown]> {
  if (value instanceof Uint8Array) yield* spoiltBytes(value, next)
  else if (typeof value === 'number') yield* [['one more', value + 1] as const, ['one less', value - 1] as const]
  else if (typeof value === 'bigint') yield* [['one more', value + 1n] as const, ['doubled', value * 2n] as const]
  else if (typeof value === 'boolean' && !HARMLESS.includes(String(name))) yield ['turned round', !value]
}

/** Lists within the answer with an entry missing, doubled, or two of them exchanged. */
function* spoiltLists(value: unknown, path: Path = []): Generator<readonly [string, Path, unknown]> {
  if (!isRecord(value) && !Array.isArray(value)) return
  for (const [name, one] of Object.entries(value))
    yield* spoiltLists(one, [...path, Array.isArray(value) ? Number(name) : name])
  if (!Array.isArray(value) || value.length === 0) return
  yield ['without the first', path, value.slice(1)]
  yield ['without the last', path, value.slice(0, -1)]
  yield ['with the first twice', path, [value[0], ...value]]
  yield ['reversed', path, [...value].reverse()]
}

/** All of them, for an answer and the answers other questions of the same verb got. */
export function* mutations(answer: unknown, others: readonly unknown[], seed: number): Generator<Mutation> {
  const next = random(seed)
  for (const [path, value] of leaves(answer)) {
    const where = path.join('.')
    for (const [how, by] of spoiltLeaf(path.at(-1), value, next))
      yield { how: `${where} ${how}`, answer: replaced(answer, path, by) }
    for (const other of others) {
      const foreign = at(other, path)
      if (foreign !== undefined) yield { how: `${where} of another answer`, answer: replaced(answer, path, foreign) }
    }
  }
  for (const [how, path, by] of spoiltLists(answer))
    yield { how: `${path.join('.')} ${how}`, answer: replaced(answer, path, by) }
  for (const other of others) {
    yield { how: 'another answer', answer: other }
    if (!isRecord(answer) || !isRecord(other)) continue
    yield { how: 'another answer under the right id', answer: { ...other, id: answer.id } }
  }
}
