// Bodies made from the words of a scheme with the usual library, each with what the decoder has to show of it.

import { type Builder, beginCell as begin, type Cell, Dictionary } from '@ton/core'
import { type BodyField, type Definition, numberIn, type TypeTree, typeIn } from '../../server/bodies/index.ts'
import type { Decoded } from '../../server/decode/value.ts'
import type { Random } from './random.ts'

/** Writes a random value, and returns it as it is shown. `depth` ends types that name themselves. */
type Write = (to: Builder, depth: number) => Decoded

const MOST_DEPTH = 4

const nothing = { '@type': 'nothing_from_maybe' }
const something = (value: Decoded): Decoded => ({ '@type': 'something_from_maybe', value })

/** Of no known operation. */
const UNKNOWN_OPERATION = 0x12345678

const textOf = (cell: Cell): string => cell.toBoc({ idx: false, crc32: true }).toString('base64')

export class SchemeBodies {
  readonly #random: Random
  readonly #constructorsOf: (type: string) => readonly Definition[]

  constructor(random: Random, constructorsOf: (type: string) => readonly Definition[]) {
    this.#random = random
    this.#constructorsOf = constructorsOf
  }

  /** A body with its operation; of some schemes few values fit one cell, so others are tried. */
  body(operation: number, name: string, fields: readonly BodyField[]): { cell: Cell; shown: Decoded } {
    for (let tries = 0; tries < 200; tries++) {
      const to = begin().storeUint(operation, 32)
      try {
        const shown = { '@type': name, ...this.#fields(fields)(to, 0) }
        return { cell: to.endCell(), shown }
      } catch (error) {
        if (!(error instanceof Error && /overflow|references/i.test(error.message))) throw error
      }
    }
    throw new Error(`no body of ${name} fits a cell`)
  }

  #fields(fields: readonly BodyField[]): (to: Builder, depth: number) => Record<string, Decoded> {
    return (to, depth) => {
      const record: Record<string, Decoded> = {}
      for (const { name, type } of fields) record[name] = this.#write(type)(to, depth)
      return record
    }
  }

  #write(type: TypeTree): Write {
    if (type.kind === 'record') return this.#fields(type.fields)
    if (type.kind === 'ref') return this.#apart(type.of)
    return this.#sized(type.name) ?? this.#word(type.name) ?? this.#applied(type) ?? this.#named(type.name)
  }

  #apart(type: TypeTree): Write {
    return (to, depth) => {
      const inner = begin()
      const shown = this.#write(type)(inner, depth + 1)
      to.storeRef(inner.endCell())
      return { cell_reference: shown }
    }
  }

  #bits(count: number): { bits: bigint; hex: string } {
    const hex = Buffer.from(this.#random.bytes(Math.ceil(count / 8))).toString('hex')
    return { bits: BigInt.asUintN(count, BigInt(`0x0${hex}`)), hex }
  }

  #sized(name: string): Write | null {
    const sized = /^(uint|int|bits)(\d+)$/.exec(name)
    if (sized === null) return null
    const count = Number(sized[2])
    return (to) => {
      const { bits, hex } = this.#bits(count)
      // The library writes no number as long as that in one piece.
      for (let at = count; at > 0; at -= 128)
        to.storeUint(BigInt.asUintN(Math.min(128, at), bits >> BigInt(Math.max(0, at - 128))), Math.min(128, at))
      if (sized[1] === 'uint') return String(bits)
      if (sized[1] === 'int') return String(BigInt.asIntN(count, bits))
      return hex.toUpperCase()
    }
  }

  #word(name: string): Write | null {
    switch (name) {
      case 'Bool':
        return (to) => {
          const bit = this.#random.chance(0.5)
          to.storeBit(bit)
          return bit
        }
      case 'Coins':
        return (to) => ({ '@type': 'nanocoins', amount: this.#varUint(to, 4) })
      case 'Grams':
        return (to) => ({ '@type': 'nanograms', amount: this.#varUint(to, 4) })
      case 'CurrencyCollection':
        return (to) => this.#currencies(to)
      case 'MsgAddress':
        return (to) => this.#address(to, this.#random.below(4))
      case 'MsgAddressInt':
        return (to) => this.#address(to, 2 + this.#random.below(2))
      case 'Cell':
      case 'Any':
        return (to) => this.#payload(to)
      case 'Message':
        return (to) => this.#message(to)
      default:
        return this.#text(name)
    }
  }

  #text(name: string): Write | null {
    const letters = () => 'a'.repeat(this.#random.below(9))
    const hexOf = (text: string) => Buffer.from(text).toString('hex').toUpperCase()
    const tail = (to: Builder, text: string): string => {
      if (this.#random.chance(0.5)) to.storeBuffer(Buffer.from(text))
      else to.storeRef(begin().storeBuffer(Buffer.from(text)).endCell())
      return text
    }
    if (name === 'SnakeString') return (to) => tail(to, letters())
    if (name === 'Bytes') return (to) => hexOf(tail(to, letters()))
    if (name !== 'TelemintText') return null
    return (to) => {
      const text = letters()
      to.storeUint(text.length, 8).storeBuffer(Buffer.from(text))
      return { '@type': 'telemint_text', len: String(text.length), text: hexOf(text) }
    }
  }

  #varUint(to: Builder, lengthBits: number): Decoded {
    const length = this.#random.below(6)
    const { bits } = this.#bits(8 * length)
    to.storeUint(length, lengthBits).storeUint(bits, 8 * length)
    return { '@type': 'var_uint', len: String(length), value: String(bits) }
  }

  #currencies(to: Builder): Decoded {
    const grams = { '@type': 'nanograms', amount: this.#varUint(to, 4) }
    const dict = this.#dictionary(to, 32, (value) => this.#varUint(value, 5), false)
    return { '@type': 'currencies', grams, other: { '@type': 'extra_currencies', dict } }
  }

  #address(to: Builder, form: number): Decoded {
    to.storeUint(form, 2)
    const { bits, hex } = this.#bits(form === 2 ? 256 : 32)
    const address = hex.toUpperCase()
    if (form === 0) return { '@type': 'addr_none' }
    if (form === 1) {
      to.storeUint(32, 9).storeUint(bits, 32)
      return { '@type': 'addr_extern', len: '32', external_address: address }
    }
    const depth = this.#random.chance(0.1) ? 3 : 0
    to.storeUint(depth > 0 ? 1 : 0, 1)
    if (depth > 0) to.storeUint(depth, 5).storeUint(5, 3)
    const anycast = depth > 0 ? something({ '@type': 'anycast_info', depth: '3', rewrite_pfx: '101' }) : nothing
    if (form === 2) {
      to.storeInt(-1, 8).storeUint(bits, 256)
      return { '@type': 'addr_std', anycast, workchain_id: '-1', address }
    }
    to.storeUint(32, 9).storeInt(-7, 32).storeUint(bits, 32)
    return { '@type': 'addr_var', anycast, addr_len: '32', workchain_id: '-7', address }
  }

  /** To the end of the cell. */
  #payload(to: Builder): Decoded {
    switch (this.#random.below(3)) {
      case 0:
        return { '@type': 'empty_cell' }
      case 1:
        to.storeUint(0, 32).storeStringTail('hi')
        return { '@type': 'text_comment', text: 'hi' }
      default: {
        const cell = begin().storeUint(UNKNOWN_OPERATION, 32).storeRef(begin().storeUint(5, 3).endCell()).endCell()
        to.storeSlice(cell.beginParse())
        return textOf(cell)
      }
    }
  }

  #message(to: Builder): Decoded {
    to.storeUint(0b0010, 4)
    const info = {
      '@type': 'int_msg_info',
      ihr_disabled: false,
      bounce: true,
      bounced: false,
      src: { '@type': 'addr_none' },
      dest: this.#address(to.storeUint(0, 2), 2),
      value: this.#currencies(to),
      ihr_fee: { '@type': 'nanograms', amount: this.#varUint(to, 4) },
      fwd_fee: { '@type': 'nanograms', amount: this.#varUint(to, 4) },
      created_lt: String(this.#number(to, 64)),
      created_at: String(this.#number(to, 32)),
    }
    const body = begin()
    const value = this.#payload(body)
    to.storeBit(0).storeBit(1).storeRef(body.endCell())
    return { '@type': 'message', info, init: nothing, body: { '@type': 'second_from_either', value } }
  }

  #number(to: Builder, count: number): bigint {
    const { bits } = this.#bits(count)
    to.storeUint(bits, count)
    return bits
  }

  #dictionary(to: Builder, keyBits: number, write: (to: Builder) => Decoded, isInline: boolean): Decoded {
    const values = {
      serialize: (cell: Cell, to: Builder) => void to.storeSlice(cell.beginParse()),
      parse: () => begin().endCell(),
    }
    const dict = Dictionary.empty(Dictionary.Keys.BigUint(keyBits), values)
    const shown: Record<string, Decoded> = {}
    for (let left = this.#random.below(4) + (isInline ? 1 : 0); left > 0; left--) {
      const key = this.#bits(keyBits).bits
      const value = begin()
      shown[String(key)] = write(value)
      dict.set(key, value.endCell())
    }
    if (isInline) dict.storeDirect(to)
    else to.storeDict(dict)
    return shown
  }

  #applied({ name, args }: Extract<TypeTree, { kind: 'word' }>): Write | null {
    switch (name) {
      case 'VarUInteger': {
        const lengthBits = Math.ceil(Math.log2(numberIn(args[0])))
        return (to) => this.#varUint(to, lengthBits)
      }
      case 'Maybe':
        return (to, depth) => {
          const has = depth < MOST_DEPTH && this.#random.chance(0.5)
          to.storeBit(has)
          return has ? something(this.#write(typeIn(args[0]))(to, depth)) : nothing
        }
      case 'Either':
        return (to, depth) => this.#either(typeIn(args[0]), typeIn(args[1]))(to, depth)
      case 'HashmapE':
      case 'Hashmap': {
        const write = this.#write(typeIn(args[1]))
        return (to, depth) =>
          this.#dictionary(to, numberIn(args[0]), (value) => write(value, depth + 1), name === 'Hashmap')
      }
      default:
        return null
    }
  }

  #either(first: TypeTree, second: TypeTree): Write {
    return (to, depth) => {
      const isSecond = this.#random.chance(0.5)
      to.storeBit(isSecond)
      if (!isSecond) return { '@type': 'first_from_either', value: this.#write(first)(to, depth) }
      if (second.kind !== 'ref') return { '@type': 'second_from_either', value: this.#write(second)(to, depth) }
      const inner = begin()
      const value = this.#write(second.of)(inner, depth + 1)
      to.storeRef(inner.endCell())
      return { '@type': 'second_from_either', value }
    }
  }

  #named(type: string): Write {
    const constructors = this.#constructorsOf(type)
    return (to, depth) => {
      const picked = constructors[depth < MOST_DEPTH ? this.#random.below(constructors.length) : 0]
      if (picked === undefined) throw new Error(`no type ${type}`)
      if (picked.tag !== null) to.storeUint(picked.tag.value, picked.tag.bits)
      const fields = this.#fields(picked.forms[0])(to, depth)
      return picked.name === '_' ? fields : { '@type': picked.name, ...fields }
    }
  }
}
