// What a person has typed into the composer, and the cells it makes.

import type { Abi } from '../../../../shared/abi/abi.ts'
import { toHex } from '../../../../shared/hex.ts'
import { isObject } from '../../../../shared/isObject.ts'
import { BuildError, EMPTY_CELL } from '../../cell/build.ts'
import { commentCell, opcodeBody } from '../../cell/commentCell.ts'
import { type BagCell, BagError, bytesOfText, readBag } from '../../cell/readBag.ts'
import { encodeFields, encodeMessage, type Typed } from '../../decoders/encode.ts'

export const BODIES = {
  empty: 'Empty',
  comment: 'Comment',
  abi: 'Message of its ABI',
  opcode: 'Opcode and query id',
  boc: 'Bag of cells',
} as const
export type BodyKind = keyof typeof BODIES

export interface BodyDraft {
  readonly kind: BodyKind
  readonly text: string
  /** Name of the message, in the ABI. */
  readonly message: string
  readonly typed: Typed
}

export const DATA = { empty: 'Empty', abi: 'Fields of its ABI', boc: 'Bag of cells' } as const
export type DataKind = keyof typeof DATA

export interface InitDraft {
  readonly code: string
  readonly kind: DataKind
  readonly data: string
  readonly typed: Typed
}

/** What is wrong: in one sentence, or by the path of a field. */
export interface Wrong {
  readonly wrong: string
  readonly fields?: Readonly<Record<string, string>>
}
export type Made = { readonly cell: BagCell } | Wrong

const refuse = (wrong: string): Wrong => ({ wrong })
const IN_FIELDS = 'A field does not fit.'

/** One cell of a bag. */
export function cellOfText(text: string): Made {
  try {
    const [cell] = readBag(bytesOfText(text)).roots
    return { cell: cell ?? EMPTY_CELL }
  } catch (error) {
    if (error instanceof BagError) return refuse(error.message)
    throw error
  }
}

/** Code as a bag of cells, or as the file a compiler wrote: JSON with its hex. */
export function codeOfText(text: string): Made {
  if (!text.trimStart().startsWith('{')) return cellOfText(text)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refuse('This JSON is damaged.')
  }
  const fields = isObject(parsed) ? parsed : {}
  const code = [fields.hex, fields.code, fields.codeBoc64, fields.code_boc64].find((one) => typeof one === 'string')
  return typeof code === 'string' ? cellOfText(code) : refuse('This JSON has no code in “hex” or “code”.')
}

const fieldsOf = ({ cell, wrong }: ReturnType<typeof encodeFields>): Made =>
  Object.keys(wrong).length === 0 ? { cell } : { wrong: IN_FIELDS, fields: wrong }

export function bodyOf({ kind, text, message, typed }: BodyDraft, abi: Abi | null): Made {
  if (kind === 'empty') return { cell: EMPTY_CELL }
  if (kind === 'boc') return cellOfText(text)
  try {
    if (kind === 'comment') return { cell: commentCell(text) }
    if (kind === 'opcode') {
      const cell = opcodeBody(text)
      return cell === null ? refuse('An opcode, such as 0x7e8764ef.') : { cell }
    }
    const found = abi?.messages.find(({ name }) => name === message) ?? abi?.messages[0]
    return found === undefined ? refuse('There is no ABI of this contract.') : fieldsOf(encodeMessage(found, typed))
  } catch (error) {
    if (error instanceof BuildError) return refuse(error.message)
    throw error
  }
}

export function dataOf({ kind, data, typed }: InitDraft, abi: Abi | null): Made {
  if (kind === 'empty') return { cell: EMPTY_CELL }
  if (kind === 'boc') return cellOfText(data)
  return abi?.storage ? fieldsOf(encodeFields(abi.storage, typed)) : refuse('Its ABI says nothing of its data.')
}

/** The text of a file with code: a bag of cells in bytes becomes hex. */
export async function codeText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isBag = bytes[0] === 0xb5 && bytes[1] === 0xee
  return isBag ? toHex(bytes) : new TextDecoder().decode(bytes)
}
