// What a contract's own description says of its messages, storage, errors and get-methods, whatever compiler wrote it.

import { opcodeText } from './opcodeText.ts'

export type FieldType =
  | { readonly kind: 'uint' | 'int' | 'bits'; readonly width: number }
  /** An amount with its length in front, in so many bits. */
  | { readonly kind: 'varuint' | 'varint'; readonly lengthBits: number }
  /** Always the same number: what a struct begins with. It has no name and no value of its own. */
  | { readonly kind: 'prefix'; readonly width: number; readonly number: number }
  /** Fields of the same struct, for which the cell has no room. It has no name of its own. */
  | { readonly kind: 'next'; readonly fields: readonly AbiField[] }
  | { readonly kind: 'bool' | 'address' | 'cell' | 'rest' | 'text' | 'dict' }
  | { readonly kind: 'maybe' | 'ref'; readonly of: FieldType }
  | { readonly kind: 'struct'; readonly fields: readonly AbiField[] }

export interface AbiField {
  readonly name: string
  readonly type: FieldType
}

export interface MessageType {
  readonly name: string
  /** First 32 bits of the body. */
  readonly opcode: number
  readonly fields: readonly AbiField[]
}

/** Kinds of arguments of a get-method. */
export type ArgumentType = 'number' | 'address' | 'text' | 'cell' | 'slice'

export interface Getter {
  readonly name: string
  /** Null where the compiler makes it of the name. */
  readonly id: number | null
  readonly args: readonly { readonly name: string; readonly type: ArgumentType }[]
  /** The type of its result, as the description spells it. */
  readonly returns: string
}

export interface Abi {
  readonly name: string
  readonly messages: readonly MessageType[]
  /** By exit code. */
  readonly errors: Readonly<Record<string, string>>
  /** What the data cell begins with; null when the description has none. */
  readonly storage: readonly AbiField[] | null
  readonly getters: readonly Getter[]
}

/** Names of messages by their opcodes. */
export const opcodesOf = ({ messages }: Pick<Abi, 'messages'>): Readonly<Record<string, string>> =>
  Object.fromEntries(messages.map(({ name, opcode }) => [opcodeText(opcode), name]))

/** Thrown for text that describes no contract; its words are for the person who gave it. */
export class AbiError extends Error {}

/** One short line: no character that reorders or hides what is next to it. */
export const plainText = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
        .trim()
        .slice(0, 120)
    : ''

/** Whether a get-method can be offered by its name: only if that is shown exactly as it is. */
export const isCallable = ({ name }: { readonly name: string }): boolean => name !== '' && plainText(name) === name

/** Types inside of types. */
export const DEEPEST = 16

/** Of all structs, wherever they are: a few that are inside of others several times have billions. */
const MOST_FIELDS = 1 << 14

/** Counts the fields of one description. */
export class FieldCount {
  #left = MOST_FIELDS

  /** Throws AbiError. */
  add(fields: readonly unknown[]): void {
    this.#left -= fields.length
    if (this.#left < 0)
      throw new AbiError(`Its types have more than ${MOST_FIELDS} fields, those of types in them counted.`)
  }
}
