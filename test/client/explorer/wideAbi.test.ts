// Descriptions of contracts whose fields fill more than one cell, go below zero, or are messages themselves. The cells are
// those that contracts compiled by Tact 1.6.13 and Tolk 1.3 made.

import { Cell as CoreCell } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { bagOf } from '../../../client/explorer/cell/build.ts'
import { type BagCell, readBag } from '../../../client/explorer/cell/readBag.ts'
import { decodeByAbi, decodeStorage } from '../../../client/explorer/decoders/bodyDecoder.ts'
import { encodeFields, encodeMessage, type Typed } from '../../../client/explorer/decoders/encode.ts'
import { type Abi, AbiError } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'

const read = (boc: string): BagCell => readBag(Buffer.from(boc, 'base64')).roots[0] as BagCell
const hashOf = (cell: BagCell): string => CoreCell.fromBase64(bagOf(cell)).hash().toString('hex')
const typed = (type: string, format?: number | string) => ({ kind: 'simple', type, optional: false, format })
const field = (name: string, type: string, format?: number | string) => ({ name, type: typed(type, format) })

/** Types text into the fields of a message, by its name. */
function encoded(abi: Abi, name: string, fields: Typed) {
  const message = abi.messages.find((one) => one.name === name)
  if (message === undefined) throw new Error(`There is no message ${name}`)
  return encodeMessage(message, fields)
}

describe('a Tact ABI whose fields do not fit into one cell', () => {
  const int = (name: string) => field(name, 'int', 257)
  const cell = (name: string) => field(name, 'cell')
  const text = JSON.stringify({
    name: 'Store',
    types: [
      { name: 'Mark', header: 85, fields: [field('x', 'uint', 8)] },
      { name: 'Point', header: null, fields: [field('m', 'Mark'), field('v', 'int', 'varint16')] },
      {
        name: 'Wide',
        header: 0x11112222,
        fields: [
          ...['a', 'b', 'c', 'd', 'e'].map(int),
          field('f', 'int', 'varint32'),
          field('at', 'Point'),
          field('s', 'slice', 'remainder'),
        ],
      },
      {
        name: 'Refs',
        header: 0x11112223,
        fields: [...['a', 'b', 'c', 'd', 'e'].map(cell), field('n', 'uint', 8), field('t', 'string')],
      },
      {
        name: 'Store$Data',
        header: null,
        fields: [
          field('owner', 'address'),
          ...['a', 'b', 'c', 'd'].map(int),
          { name: 'm', type: { kind: 'dict', key: 'int', value: 'int' } },
          field('s', 'string'),
          field('t', 'string'),
          field('f', 'int', 'varint16'),
          field('p', 'Point'),
        ],
      },
    ],
  })
  const abi = parseAbi(text)
  const wide =
    'te6cckEBAgEAtQAByRERIiIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP//////////////////////////////////////////gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABwAQCV//////////////////////////////////////////4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAUf93SAAAACqEj/1GnmLzQ=='
  const refs = 'te6cckEBBAEAGQADCBERIiMCAgEEAgcCAgIDAAHAAAh0ZXh0wTkLQg=='
  const stored =
    'te6cckEBBAEAvgABw8AKurq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD//////////////////////////////////////////6AQKTAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQPyAAAAqgJAJZACAwAEaGkACnRoZXJlF/RWBA=='

  test('goes on in a further cell', () => {
    const numbers = { a: '1', b: '-2', c: '3', d: '-4', e: '5', f: '-70000' }
    expect(decodeByAbi(abi, read(wide))).toEqual({
      type: 'Wide',
      fields: { ...numbers, at: { m: { x: '9' }, v: '-1' }, s: 'x{A}' },
      rest: null,
    })
    const made = encoded(abi, 'Wide', { ...numbers, 'at.m.x': '9', 'at.v': '-1', s: 'te6cckEBAQEAAwAAAagjIqld' })
    expect(made.wrong).toEqual({})
    expect(hashOf(made.cell)).toBe(hashOf(read(wide)))
  })

  test('so do references', () => {
    const one = 'cell of 1 bit and 0 references'
    expect(decodeByAbi(abi, read(refs))).toEqual({
      type: 'Refs',
      fields: { a: one, b: one, c: one, d: one, e: one, n: '7', t: 'text' },
      rest: null,
    })
    const bit = 'te6cckEBAQEAAwAAAcCO6ba2'
    const made = encoded(abi, 'Refs', { a: bit, b: bit, c: bit, d: bit, e: bit, n: '7', t: 'text' })
    expect(made.wrong).toEqual({})
    expect(hashOf(made.cell)).toBe(hashOf(read(refs)))
  })

  test('and the data', () => {
    expect(decodeStorage(abi, read(stored))).toEqual({
      type: 'Storage',
      fields: {
        owner: `0:${'AB'.repeat(32)}`,
        a: '1',
        b: '-2',
        c: '3',
        d: '4',
        m: null,
        s: 'hi',
        t: 'there',
        f: '-7',
        p: { m: { x: '1' }, v: '300' },
      },
      rest: null,
    })
  })

  test('error: a message inside of another that begins otherwise', () => {
    const other = parseAbi(text.replace('"header":85', '"header":86'))
    expect(decodeByAbi(other, read(wide))).toBeNull()
  })
})

describe('a Tolk ABI with structs that begin with a prefix', () => {
  const contract = {
    contract_name: 'Nest',
    unique_types: [
      { kind: 'uintN', n: 8 },
      { kind: 'varintN', n: 16 },
      { kind: 'StructRef', struct_name: 'A' },
      { kind: 'cellOf', inner_ty_idx: 2 },
      { kind: 'StructRef', struct_name: 'B' },
    ],
    declarations: [
      { kind: 'struct', name: 'A', prefix: { prefix_num: 0x11, prefix_len: 8 }, fields: [{ name: 'x', ty_idx: 0 }] },
      {
        kind: 'struct',
        name: 'B',
        fields: [
          { name: 'a', ty_idx: 2 },
          { name: 'c', ty_idx: 3 },
          { name: 'v', ty_idx: 1 },
        ],
      },
    ],
    storage: { storage_ty_idx: 4 },
  }
  const abi = parseAbi(JSON.stringify(contract))
  const made = 'te6cckEBAgEACwABBxEFH5gBAAQRBhFY4nE='

  test('reads them behind it, and numbers below zero', () => {
    const fields = { a: { x: '5' }, c: { x: '6' }, v: '-7' }
    expect(decodeStorage(abi, read(made))).toEqual({ type: 'Storage', fields, rest: null })
    const { cell, wrong } = encodeFields(abi.storage ?? [], { 'a.x': '5', 'c.x': '6', v: '-7' })
    expect(wrong).toEqual({})
    expect(hashOf(cell)).toBe(hashOf(read(made)))
  })

  test('so does the data that is such a struct', () => {
    const inner = parseAbi(JSON.stringify({ ...contract, storage: { storage_ty_idx: 2 } }))
    const data = read(made).refs[0] as BagCell
    expect(decodeStorage(inner, data)).toEqual({ type: 'Storage', fields: { x: '6' }, rest: null })
    expect(hashOf(encodeFields(inner.storage ?? [], { x: '6' }).cell)).toBe(hashOf(data))
  })

  test('a prefix of 40 bits is read and written whole', () => {
    const [one, ...others] = contract.declarations
    const declarations = [{ ...one, prefix: { prefix_num: 0x1122334455, prefix_len: 40 } }, ...others]
    const long = parseAbi(JSON.stringify({ ...contract, declarations, storage: { storage_ty_idx: 2 } }))
    const { cell, wrong } = encodeFields(long.storage ?? [], { x: '6' })
    expect([wrong, cell.bits]).toEqual([{}, 48])
    expect(decodeStorage(long, cell)).toEqual({ type: 'Storage', fields: { x: '6' }, rest: null })
    expect(Buffer.from(cell.data).toString('hex')).toBe('112233445506')
  })

  test('error: a prefix that is no number', () => {
    const declarations = [{ ...contract.declarations[0], prefix: { prefix_num: 0.5, prefix_len: 40 } }]
    const broken = JSON.stringify({ ...contract, declarations, storage: { storage_ty_idx: 2 } })
    expect(() => parseAbi(broken)).toThrow('One of its prefixes is no number.')
  })

  test.each(['-128', '-129', '127', '128', '0', '-1', String(-(2n ** 119n)), String(2n ** 119n - 1n)])(
    'the number %s is read as it was written',
    (v) => {
      const { cell, wrong } = encodeFields(abi.storage ?? [], { v })
      expect(wrong).toEqual({})
      expect(decodeStorage(abi, cell)).toMatchObject({ fields: { v } })
    },
  )

  test.each([String(2n ** 119n), String(-(2n ** 119n) - 1n)])('error: %s is too large', (v) => {
    expect(encodeFields(abi.storage ?? [], { v }).wrong).toEqual({ v: `${v} does not fit into 15 bytes.` })
  })
})

describe('types that are inside of others many times', () => {
  const DEEP = 14
  const names = Array.from({ length: DEEP }, (_, at) => `S${at}`)

  test.each([
    [
      'Tact',
      {
        types: [
          ...names.map((name, at) => ({ name, fields: ['a', 'b', 'c', 'd'].map((one) => field(one, `S${at + 1}`)) })),
          { name: `S${DEEP}`, fields: [field('last', 'bool')] },
          { name: 'Pay', header: 1, fields: [field('all', 'S0')] },
        ],
      },
    ],
    [
      'Tolk',
      {
        unique_types: [...names.map((name) => ({ kind: 'StructRef', struct_name: name })), { kind: 'bool' }],
        declarations: [
          ...names.map((name, at) => ({
            kind: 'struct',
            name,
            fields: ['a', 'b', 'c', 'd'].map((one) => ({ name: one, ty_idx: at + 1 })),
          })),
          {
            kind: 'struct',
            name: 'Pay',
            prefix: { prefix_num: 1, prefix_len: 32 },
            fields: [{ name: 'all', ty_idx: 0 }],
          },
        ],
      },
    ],
  ])('error: in an ABI of %s', (_, abi) => {
    expect(() => parseAbi(JSON.stringify(abi))).toThrow(
      new AbiError('Its types have more than 16384 fields, those of types in them counted.'),
    )
  })
})
