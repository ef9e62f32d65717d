// An answer with one thing in it changed: a number, a flag, a hash, or a byte somewhere in a bag of cells. Places are taken
// by the structure of the answer, so that every part of it is hit and the work stays bounded.

export interface Alteration {
  /** Where in the answer, as `steps.0.destProof[17]`. */
  readonly where: string
  readonly altered: unknown
}

const HASH_BYTES = 32

/** The head of a bag of cells byte by byte, then evenly through it, then its checksum. */
function placesIn({ length }: Uint8Array, inside: number): readonly number[] {
  if (length <= HASH_BYTES) return length === 0 ? [] : [0, length - 1]
  const even = Array.from({ length: inside }, (_, i) => 12 + Math.floor(((length - 16) * i) / inside))
  return [...new Set([0, 4, 5, 6, 8, 10, ...even, length - 4, length - 1])].filter((at) => at >= 0 && at < length)
}

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x41
  return copy
}

function* ofBytes(bytes: Uint8Array, inside: number): Generator<Alteration> {
  for (const at of placesIn(bytes, inside)) yield { where: `[${at}]`, altered: changed(bytes, at) }
  if (bytes.length > HASH_BYTES) {
    yield { where: ' left out', altered: new Uint8Array(0) }
    yield { where: ' cut', altered: bytes.subarray(0, bytes.length - 1) }
  }
  if (bytes.length === 0) yield { where: ' added', altered: Uint8Array.of(1) }
}

/** Each way to change one thing; `inside`: places in the middle of each bag of cells. */
export function* alterations(value: unknown, inside = 6): Generator<Alteration> {
  if (value instanceof Uint8Array) yield* ofBytes(value, inside)
  else if (typeof value === 'number') yield { where: '', altered: value + 1 }
  else if (typeof value === 'bigint') yield { where: '', altered: value ^ 1n }
  else if (typeof value === 'boolean') yield { where: '', altered: !value }
  else if (Array.isArray(value)) {
    if (value.length > 0) yield { where: ' without the last', altered: value.slice(0, -1) }
    for (const [i, one] of value.entries())
      for (const { where, altered } of alterations(one, inside))
        yield { where: `.${i}${where}`, altered: value.with(i, altered) }
  } else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const { where, altered } of alterations(one, inside))
        yield { where: `.${name}${where}`, altered: { ...value, [name]: altered } }
}
