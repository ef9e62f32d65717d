// The TypeScript types of all values, drawn from the lines of the schema.

import type { functionLines, packetLines, refusalLines, typeLines, wrapperLines } from './tlSchema.ts'

type TypeLine =
  | (typeof typeLines)[number]
  | (typeof packetLines)[number]
  | (typeof wrapperLines)[number]
  | (typeof refusalLines)[number]
type FunctionLine = (typeof functionLines)[number]

interface Primitives {
  /** Read as signed; encoders take unsigned numbers too. */
  int: number
  /** 32 bits without sign. */
  '#': number
  /** Read as signed; encoders take unsigned numbers too. */
  long: bigint
  /** 32 bytes. */
  int256: Uint8Array
  /** As read: a part of the bytes it was read from. */
  bytes: Uint8Array
  string: string
  Bool: boolean
  /** Has no bytes of its own, only its bit of `mode`. */
  true: true
}

type Left<L> = L extends `${infer Text} = ${string}` ? Text : never
type ResultOf<L> = L extends `${string} = ${infer Result}` ? Result : never
type FirstWord<Text> = Text extends `${infer Word} ${string}` ? Word : Text
type NameOf<L> = L extends unknown
  ? FirstWord<Left<L>> extends `${infer Name}#${string}`
    ? Name
    : FirstWord<Left<L>>
  : never

/** Union of [name, type] of the fields in a text. */
type FieldsIn<Text> = Text extends `${infer Name}:${infer Rest}`
  ? Rest extends `(vector ${infer Item})${infer More}`
    ? [Name, readonly ValueOf<Item>[]] | FieldsIn<More extends ` ${infer Next}` ? Next : ''>
    : Rest extends `${infer Type} ${infer More}`
      ? [Name, Type] | FieldsIn<More>
      : [Name, Rest]
  : never

type FieldsOf<L> = Left<L> extends `${string} ${infer Text}` ? FieldsIn<Text> : never

type ValueOf<Type> = Type extends keyof Primitives
  ? Primitives[Type]
  : Type extends keyof Bare
    ? Bare[Type]
    : Type extends keyof Boxed
      ? Boxed[Type]
      : // A vector comes here as what it is.
        Exclude<Type, string>

type IsOptional = [string, `mode.${number}?${string}`]

type Fields<F extends [string, unknown]> = {
  readonly [Field in Exclude<F, IsOptional> as Field[0]]: ValueOf<Field[1]>
} & {
  readonly [Field in Extract<F, IsOptional> as Field[0]]?:
    | (Field[1] extends `mode.${number}?${infer Type}` ? ValueOf<Type> : never)
    | undefined
}

type Flat<T> = { readonly [Key in keyof T]: T[Key] }

/** Values by the name of their constructor. */
export type Bare = { [L in TypeLine as NameOf<L>]: Flat<Fields<FieldsOf<L>>> }

type ConstructorsOf<Type> = NameOf<Extract<TypeLine, `${string} = ${Type & string}`>> & keyof Bare
type IsUnion<T, Each = T> = T extends unknown ? ([Each] extends [T] ? false : true) : never
type Tagged<Name extends keyof Bare> = Name extends unknown ? Flat<{ '@type': Name } & Bare[Name]> : never

/** Values by the name of their type: of several constructors, `@type` says which. */
export type Boxed = {
  [Type in ResultOf<TypeLine>]: true extends IsUnion<ConstructorsOf<Type>>
    ? Tagged<ConstructorsOf<Type>>
    : Bare[ConstructorsOf<Type>]
}

type Short<Name> = Name extends `liteServer.${infer Rest}` ? Rest : never

/** What functions take, by their name without `liteServer.`. */
export type Requests = { [L in FunctionLine as Short<NameOf<L>>]: Flat<Fields<FieldsOf<L>>> }

/** What functions answer, by their name without `liteServer.`. */
export type Answers = { [L in FunctionLine as Short<NameOf<L>>]: Boxed[ResultOf<L> & keyof Boxed] }

export type FunctionName = keyof Requests & keyof Answers

type PacketName = NameOf<(typeof packetLines)[number]> & keyof Bare

/** What travels inside a connection. */
export type Packet = Tagged<PacketName>
