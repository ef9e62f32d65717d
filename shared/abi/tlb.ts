// TL-B with one message in a line, for contracts whose compiler writes no ABI.

import { type Abi, AbiError, type AbiField, type FieldType, type MessageType, plainText } from './abi.ts'

const NUMBER = /^(u?int|bits)(\d{1,4})$/
const NUMBER_KINDS = ['uint', 'int', 'bits'] as const

/** Types in types beyond that took seconds to read. */
const MOST_TYPE_LENGTH = 256

/** One type of TL-B: those that messages are usually made of. */
function tlbType(text: string): FieldType {
  if (text.length > MOST_TYPE_LENGTH)
    throw new AbiError(`The type ${text.slice(0, 64)} is longer than ${MOST_TYPE_LENGTH} characters.`)
  const [, number, width] = NUMBER.exec(text) ?? []
  const kind = NUMBER_KINDS.find((one) => one === number)
  if (kind !== undefined && Number(width) <= 1023) return { kind, width: Number(width) }
  if (/^(?:Coins|Grams|coins)$/.test(text)) return { kind: 'varuint', lengthBits: 4 }
  if (/^(?:Bool|bool)$/.test(text)) return { kind: 'bool' }
  if (/^(?:MsgAddress(?:Int|Ext)?|Address|address)$/.test(text)) return { kind: 'address' }
  if (/^\^(?:Cell|Any)$|^cell$/.test(text)) return { kind: 'cell' }
  if (/^(?:Any|Cell|Slice|RemainingBitsAndRefs)$/.test(text)) return { kind: 'rest' }
  const [, inner] = /^\(?Maybe (.+?)\)?$/.exec(text) ?? []
  if (inner !== undefined) return { kind: 'maybe', of: tlbType(inner) }
  if (/^\(?HashmapE /.test(text)) return { kind: 'dict' }
  throw new AbiError(`The type ${text.slice(0, 64)} is not one that is read here.`)
}

const HEAD = /^(\w+)#([0-9a-f]{1,8})(.*)$/is
const FIELD = /(\w+):(\([^)]*\)|\^?\w+)\s*/gy

function tlbLine(line: string): MessageType {
  const end = line.lastIndexOf('=')
  const [, name, opcode, between] = HEAD.exec(line.slice(0, Math.max(0, end))) ?? []
  if (name === undefined || opcode === undefined || between === undefined || !/^\w+$/.test(line.slice(end + 1).trim()))
    throw new AbiError(`This line is no message: ${line.slice(0, 80)}`)
  const rest = between.trim()
  const fields: AbiField[] = []
  FIELD.lastIndex = 0
  let at = 0
  for (let found = FIELD.exec(rest); found !== null; found = FIELD.exec(rest)) {
    fields.push({ name: plainText(found[1]), type: tlbType(found[2] ?? '') })
    at = FIELD.lastIndex
  }
  if (at !== rest.length) throw new AbiError(`This is no field: ${rest.slice(at, at + 60)}`)
  return { name: plainText(name), opcode: Number.parseInt(opcode, 16), fields }
}

/** An expression would search for the end of each comment that has none. */
function withoutComments(text: string): string {
  let left = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2)
    if (end === -1) return left + text.slice(at)
    left += text.slice(at, start)
    at = end + 2
  }
}

export function fromTlb(text: string): Abi {
  const lines = withoutComments(text).replace(/\/\/.*$/gm, '')
  const messages = lines
    .split(/;|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map(tlbLine)
  if (messages.length === 0) throw new AbiError('This describes no message.')
  return { name: 'Contract', messages, errors: {}, storage: null, getters: [] }
}
