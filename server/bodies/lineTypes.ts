// The types of a line's fields, read off the text of the line itself: `query_id:uint64` is `queryId: bigint`.

import type { Cell, Slice } from '../cell/index.ts'
import type { Payload, PayloadParts } from './payload.ts'

/** What reading gives; `A` is how the caller keeps addresses. */
interface Reading<A> {
  readonly address: A
  readonly payload: Payload
}

/** What writing takes. */
interface Writing<A> {
  readonly address: A
  readonly payload: PayloadParts
}

interface Leaves {
  readonly address: unknown
  readonly payload: unknown
}

/** `CurrencyCollection`. */
export interface LineCurrencies {
  readonly grams: bigint
  /** The dictionary of the other currencies. */
  readonly other: Cell | null
}

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
/** Sizes whose values are exact as a number. */
type Small = Digit | `${'1' | '2' | '3' | '4'}${Digit}` | `5${'0' | '1' | '2' | '3'}`

type Word<W extends string, V extends Leaves> = W extends `uint${infer N}` | `int${infer N}`
  ? N extends Small
    ? number
    : bigint
  : W extends `bits${string}`
    ? Uint8Array
    : W extends 'MsgAddress' | 'MsgAddressInt' | 'DedustAsset' | 'CoffeeAsset'
      ? V['address']
      : W extends 'Coins' | 'Grams'
        ? bigint
        : W extends 'Bool'
          ? boolean
          : W extends 'CurrencyCollection'
            ? LineCurrencies
            : W extends `^${string}`
              ? Cell
              : W extends 'Cell' | 'Any' | 'Bytes' | 'SnakeString'
                ? Slice
                : never

type Applied<W extends string, V extends Leaves> = W extends `VarUInteger ${string}`
  ? bigint
  : W extends `Maybe ${infer Of}`
    ? Typed<Of, V>[0] | null
    : W extends 'Either Cell ^Cell'
      ? V['payload']
      : W extends `HashmapE ${string}`
        ? Cell | null
        : W extends `Hashmap ${string}`
          ? Slice
          : never

type Trimmed<S extends string> = S extends ` ${infer Rest}` ? Rest : S

/** The type at the front of a text, and the text behind it. */
type Typed<S extends string, V extends Leaves> = S extends `^[${infer Inner}]${infer Rest}`
  ? [FieldsOf<Inner, V>, Trimmed<Rest>]
  : S extends `^(${string})${infer Rest}`
    ? [Cell, Trimmed<Rest>]
    : S extends `(${infer Inner})${infer Rest}`
      ? [Applied<Inner, V>, Trimmed<Rest>]
      : S extends `${infer One} ${infer Rest}`
        ? [Word<One, V>, Rest]
        : [Word<S, V>, '']

type Camel<S extends string> = S extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S

/** Pairs of name and type. `Last` is added to the type of the last one. */
type Pairs<S extends string, V extends Leaves, Last, Found = never> = S extends `${infer Name}:${infer Behind}`
  ? Typed<Behind, V> extends [infer T, infer Rest extends string]
    ? Pairs<Rest, V, Last, Found | [Name, Rest extends '' ? T | Last : T]>
    : never
  : Found

type Named<P> = {
  readonly [One in P as One extends ['_', unknown]
    ? never
    : One extends [infer Name extends string, unknown]
      ? Camel<Name>
      : never]: One extends [string, infer T] ? T : never
}

type FieldsOf<S extends string, V extends Leaves, Last = never> = Named<Pairs<S, V, Last>>

/** The fields behind the name and the tag. */
type Behind<L extends string> = L extends `${string} ${infer Fields}` ? Fields : ''

/** Values of the fields of a line as they are read. `Last` is null where the last field may be missing. */
type ReadFields<L extends string, Last, A> = FieldsOf<Behind<L>, Reading<A>, Last>

/** Values of the fields of a line as they are written. */
export type WrittenFields<L extends string, Last, A> = FieldsOf<Behind<L>, Writing<A>, Last>

/** Names of the fields. */
export type FieldName<L extends string> = keyof ReadFields<L, never, unknown> & string

/** Values of some fields, all by default. */
export type LineFields<L extends string, Last, A, N extends FieldName<L> = FieldName<L>> = Pick<
  ReadFields<L, Last, A>,
  N
>
