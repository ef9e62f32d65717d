// Structures that are nothing but a list of fields, as most configuration parameters are, written down once and read and
// stored by the same list. What every block is full of has functions of its own instead, which are faster.

import {
  type Builder,
  type Codec,
  type Dict,
  type DictKind,
  loadDict,
  loadInlineDict,
  storeDict,
  storeInlineDict,
} from '../../cell/index.ts'
import { loadHash, loadIn, loadMaybe, storeHash, storeIn, storeMaybe, TlbError, unknownTag } from '../fields.ts'

const codec = <T>(load: Codec<T>['load'], store: (builder: Builder, value: T) => unknown): Codec<T> => ({
  load,
  store: (builder, value) => {
    store(builder, value)
  },
})

/** Numbers of up to 53 bits. */
export const uint = (bits: number): Codec<number> =>
  codec(
    (slice) => slice.loadUint(bits),
    (builder, value) => builder.storeUint(value, bits),
  )
export const int = (bits: number): Codec<number> =>
  codec(
    (slice) => slice.loadInt(bits),
    (builder, value) => builder.storeInt(value, bits),
  )
export const u8 = uint(8)
export const u16 = uint(16)
export const u32 = uint(32)
export const u64: Codec<bigint> = codec(
  (slice) => slice.loadUintBig(64),
  (builder, value) => builder.storeUint(value, 64),
)
export const flagField: Codec<boolean> = codec(
  (slice) => slice.loadBit(),
  (builder, value) => builder.storeBit(value),
)
export const coins: Codec<bigint> = codec(
  (slice) => slice.loadCoins(),
  (builder, value) => builder.storeCoins(value),
)
export const hash: Codec<Uint8Array> = codec(loadHash, storeHash)

/** Bits that must be zero. */
export const zero = (bits: number): Codec<null> =>
  codec(
    (slice) => {
      const value = slice.loadUint(bits)
      if (value !== 0) throw new TlbError('value', `${value} where ${bits} bits must be zero`)
      return null
    },
    (builder) => builder.storeUint(0, bits),
  )

export const maybe = <T>(inner: Codec<T>): Codec<T | null> =>
  codec(
    (slice) => loadMaybe(slice, inner.load),
    (builder, value) => storeMaybe(builder, value, inner.store),
  )

/** `^X`. */
export const inRef = <T>(inner: Codec<T>): Codec<T> =>
  codec(
    (slice) => loadIn(slice, inner.load),
    (builder, value) => storeIn(builder, value, inner.store),
  )

/** `HashmapE`. */
export const dict = <K, V, X>(kind: DictKind<K, V, X>): Codec<Dict<K, V, X>> =>
  codec((slice) => loadDict(slice, kind), storeDict)

/** `Hashmap`. */
export const inlineDict = <K, V, X>(kind: DictKind<K, V, X>): Codec<Dict<K, V, X>> =>
  codec((slice) => loadInlineDict(slice, kind), storeInlineDict)

type Fields<T> = { readonly [K in keyof T]: Codec<T[K]> }

/** Fields one after the other. */
export function record<T extends object>(fields: Fields<T>): Codec<T> {
  // The casts: the table's own names, each of which has been read when the record is returned.
  const names = Object.keys(fields) as (keyof T)[]
  return {
    load: (slice) => {
      const value: Partial<T> = {}
      for (const name of names) value[name] = fields[name].load(slice)
      return value as T
    },
    store: (builder, value) => {
      for (const name of names) fields[name].store(builder, value[name])
    },
  }
}

/** A tag, then the fields. */
export function tagged<T extends object>(what: string, tag: number, bits: number, fields: Fields<T>): Codec<T> {
  const inner = record(fields)
  return {
    load: (slice) => {
      const found = slice.loadUint(bits)
      return found === tag ? inner.load(slice) : unknownTag(found, what)
    },
    store: (builder, value) => {
      inner.store(builder.storeUint(tag, bits), value)
    },
  }
}

/** One of several forms, distinguished by a tag; the value names its form in `form`. */
export function forms<T extends { readonly form: string }>(
  what: string,
  bits: number,
  list: { readonly [F in T['form']]: readonly [tag: number, fields: Codec<Omit<Extract<T, { form: F }>, 'form'>>] },
): Codec<T> {
  // The cast: the table's own names.
  const names = Object.keys(list) as T['form'][]
  return {
    load: (slice) => {
      const found = slice.loadUint(bits)
      const name = names.find((form) => list[form][0] === found)
      if (name === undefined) return unknownTag(found, what)
      // The cast: the compiler cannot follow that a form's name and its fields belong together; the list's type says it.
      return { form: name, ...list[name][1].load(slice) } as unknown as T
    },
    store: (builder, value) => {
      const form: T['form'] = value.form
      const [tag, fields] = list[form]
      // The cast: here too, `value` has the fields of `form`.
      fields.store(builder.storeUint(tag, bits), value as unknown as Omit<Extract<T, { form: T['form'] }>, 'form'>)
    },
  }
}
