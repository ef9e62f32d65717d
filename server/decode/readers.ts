// From the words of a scheme to what reads them off a cell.

import { type BodyField, type Definition, numberIn, type Tag, type TypeTree, typeIn } from '../bodies/index.ts'
import { type Cell, openCell, type Slice } from '../cell/index.ts'
import { amountReader, readCurrencies } from './amounts.ts'
import { decodeAddress, readInternalAddress } from './decodeAddress.ts'
import { COST } from './decodeBudget.ts'
import { readMessage, readOutList } from './decodeMessages.ts'
import { readDictionary } from './dictionaries.ts'
import { bitsText, decodedSnake, readVarUint, restOf, snakeText, uintText } from './leafReaders.ts'
import {
  type Decoded,
  type DecodedRecord,
  type DecodeRead,
  NOTHING,
  referenced,
  something,
  type Within,
} from './value.ts'

/** As many bytes as the one in front says. */
const readLengthAndText: DecodeRead = (slice) => {
  const length = slice.loadUint(8)
  return { '@type': 'telemint_text', len: String(length), text: bitsText(slice.loadBits(8 * length)) }
}

const WORDS: Readonly<Record<string, DecodeRead>> = {
  Bool: (slice) => slice.loadBit(),
  Coins: amountReader('nanocoins'),
  Grams: amountReader('nanograms'),
  CurrencyCollection: readCurrencies,
  MsgAddress: decodeAddress,
  MsgAddressInt: readInternalAddress,
  SnakeString: snakeText,
  Bytes: (slice, within) => bitsText(decodedSnake(slice, within)),
  Cell: (slice, within) => within.nested(restOf(slice)),
  Any: (slice, within) => within.nested(restOf(slice)),
  Message: readMessage,
  OutList: readOutList,
  TelemintText: readLengthAndText,
}

type FieldsRead = (slice: Slice, within: Within) => DecodedRecord

/** Bits in front, as `uint64`, `int32` and `bits256` name them. */
function sizedReader(name: string): DecodeRead | null {
  const sized = /^(uint|int|bits)(\d+)$/.exec(name)
  if (sized === null) return null
  const bits = Number(sized[2])
  if (sized[1] === 'uint') return (slice) => uintText(slice, bits)
  if (sized[1] === 'int') return (slice) => String(slice.loadIntBig(bits))
  return (slice) => bitsText(slice.loadBits(bits))
}

/** One without a name has none in the answer either. */
const typed = (name: string, record: DecodedRecord): DecodedRecord =>
  name === '_' ? record : { '@type': name, ...record }

export class Readers {
  readonly #named = new Map<string, DecodeRead>()
  readonly #find: (type: string) => readonly Definition[] | null

  /** `find` has constructors of types that are not defined before they are met. */
  constructor(find: (type: string) => readonly Definition[] | null = () => null) {
    this.#find = find
  }

  /** A type of our own: the first of its constructors whose tag fits, or the one without a tag when none does. */
  define(name: string, constructors: readonly Definition[]): DecodeRead {
    let known: readonly { readonly name: string; readonly tag: Tag | null; readonly read: FieldsRead }[] = []
    const read: DecodeRead = (slice, within) => {
      within.budget.spend(COST.element)
      const found = known.find(({ tag }) => tag !== null && fits(slice, tag)) ?? known.find(({ tag }) => tag === null)
      if (found === undefined) throw new RangeError(`no constructor of ${name}`)
      slice.skip(found.tag?.bits ?? 0)
      return typed(found.name, found.read(slice, within))
    }
    // Before its fields are looked at: a type may name itself.
    this.#named.set(name, read)
    known = constructors.map(({ name, tag, forms }) => ({ name, tag, read: this.fieldsReader(forms[0]) }))
    return read
  }

  fieldsReader(fields: readonly BodyField[]): FieldsRead {
    const readers = fields.map(({ name, type }) => [name, this.#reader(type)] as const)
    return (slice, within) => {
      const record: Record<string, Decoded> = {}
      for (const [name, read] of readers) record[name] = read(slice, within)
      return record
    }
  }

  #reader(type: TypeTree): DecodeRead {
    if (type.kind === 'record') return this.fieldsReader(type.fields)
    if (type.kind === 'ref') {
      const read = this.#referred(type.of)
      return (slice, within) => referenced(read(slice.loadRef(), within))
    }
    const read =
      this.#named.get(type.name) ??
      sizedReader(type.name) ??
      WORDS[type.name] ??
      this.#applied(type) ??
      this.#found(type)
    if (read === null) throw new Error(`no type ${type.name}`)
    return read
  }

  #found({ name }: { readonly name: string }): DecodeRead | null {
    const constructors = this.#find(name)
    return constructors && this.define(name, constructors)
  }

  /** The content of a referenced cell. */
  #referred(type: TypeTree): (cell: Cell, within: Within) => Decoded {
    // A cell is opened only when its content is needed: it may be any cell.
    if (type.kind === 'word' && (type.name === 'Cell' || type.name === 'Any'))
      return (cell, within) => within.nested(cell)
    const read = this.#reader(type)
    return (cell, within) => read(openCell(cell), within)
  }

  #applied({ name, args }: Extract<TypeTree, { kind: 'word' }>): DecodeRead | null {
    switch (name) {
      case 'VarUInteger': {
        const n = numberIn(args[0])
        return (slice) => readVarUint(slice, n)
      }
      case 'Maybe': {
        const read = this.#reader(typeIn(args[0]))
        return (slice, within) => (slice.loadBit() ? something(read(slice, within)) : NOTHING)
      }
      case 'Either': {
        const first = typeIn(args[0])
        const second = typeIn(args[1])
        const readFirst = this.#reader(first)
        const apart = second.kind === 'ref' ? this.#referred(second.of) : null
        const readSecond: DecodeRead =
          apart === null ? this.#reader(second) : (slice, within) => apart(slice.loadRef(), within)
        return (slice, within) =>
          slice.loadBit()
            ? { '@type': 'second_from_either', value: readSecond(slice, within) }
            : { '@type': 'first_from_either', value: readFirst(slice, within) }
      }
      case 'HashmapE':
      case 'Hashmap': {
        const keyBits = numberIn(args[0])
        const read = this.#reader(typeIn(args[1]))
        const isInline = name === 'Hashmap'
        return (slice, within) =>
          readDictionary(isInline ? restOf(slice) : slice.loadMaybeRef(), within, { keyBits, read })
      }
      default:
        return null
    }
  }
}

function fits(slice: Slice, { value, bits }: Tag): boolean {
  return slice.remainingBits >= bits && slice.preloadUint(bits) === value
}
