// Descriptions of contracts, and bodies read by them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BagCell, readBag } from '../../../client/explorer/cell/readBag.ts'
import { decodeByAbi, decodeStorage } from '../../../client/explorer/decoders/bodyDecoder.ts'
import { beginCell, type Cell as ServerCell, writeBoc } from '../../../server/cell/index.ts'
import { AbiError } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'

const read = (cell: ServerCell): BagCell => readBag(writeBoc(cell)).roots[0] as BagCell

const TACT = JSON.stringify({
  name: 'Counter',
  types: [
    {
      name: 'Point',
      header: null,
      fields: [{ name: 'x', type: { kind: 'simple', type: 'int', optional: false, format: 8 } }],
    },
    {
      name: 'Add',
      header: 2122802415,
      fields: [
        { name: 'queryId', type: { kind: 'simple', type: 'uint', optional: false, format: 64 } },
        { name: 'amount', type: { kind: 'simple', type: 'uint', optional: false, format: 'coins' } },
        { name: 'owner', type: { kind: 'simple', type: 'address', optional: true } },
        { name: 'note', type: { kind: 'simple', type: 'string', optional: false } },
        { name: 'point', type: { kind: 'simple', type: 'Point', optional: true } },
        { name: 'flag', type: { kind: 'simple', type: 'bool', optional: false } },
      ],
    },
  ],
  errors: { 777: { message: 'Too\u202E many' } },
})

const text = (words: string): ServerCell => {
  const builder = beginCell()
  for (const byte of Buffer.from(words)) builder.storeUint(byte, 8)
  return builder.end()
}

describe('a Tact ABI', () => {
  const abi = parseAbi(TACT)
  test('names messages and errors', () => {
    expect(abi.messages.map(({ name, opcode }) => [name, opcode])).toEqual([['Add', 0x7e8764ef]])
    expect(abi.errors).toEqual({ 777: 'Too  many' })
  })

  test('reads a body', () => {
    const body = beginCell()
      .storeUint(0x7e8764ef, 32)
      .storeUint(7n, 64)
      .storeUint(0x21388, 20)
      .storeUint(0b100, 3)
      .storeUint(0, 8)
      .storeUint(0xabn, 256)
      .storeRef(text('Hello'))
      .storeUint(1, 1)
      .storeUint(0xfe, 8)
      .storeUint(1, 1)
      .end()
    expect(decodeByAbi(abi, read(body))).toEqual({
      type: 'Add',
      fields: {
        queryId: '7',
        amount: '5000',
        owner: `0:${'AB'.padStart(64, '0')}`,
        note: 'Hello',
        point: { x: '-2' },
        flag: true,
      },
      rest: null,
    })
  })
})

describe('names that hide or reorder text', () => {
  const RTL = '\u202e'
  const uint = { kind: 'simple', type: 'uint', optional: false, format: 8 }
  const field = { name: `a${RTL}b`, type: uint }
  const getters = [`get${RTL}_x`, 'x'.repeat(10_000), '', 'get_plain'].map((name, methodId) => ({
    name,
    methodId,
    arguments: [field],
    returnType: null,
  }))
  const tolk = {
    unique_types: [
      { kind: 'uintN', n: 8 },
      { kind: 'StructRef', struct_name: 'Set' },
    ],
    declarations: [
      { kind: 'struct', name: 'Set', prefix: { prefix_num: 7, prefix_len: 32 } },
      { kind: 'struct', name: `S${RTL}`, prefix: { prefix_num: 8, prefix_len: 32 }, fields: [{ ...field, ty_idx: 0 }] },
    ],
    get_methods: getters.map(({ name }) => ({ name, parameters: [{ name: field.name, ty_idx: 0 }] })),
  }
  const tact = { types: [{ name: `S${RTL}`, header: 8, fields: [field] }], getters }

  test.each([
    ['Tact', tact],
    ['Tolk', tolk],
  ])('are shown plainly in an ABI of %s; a get-method of such a name has its number alone', (_, written) => {
    const abi = parseAbi(JSON.stringify(written))
    const message = abi.messages.find(({ opcode }) => opcode === 8)
    expect([message?.name, message?.fields.map(({ name }) => name)]).toEqual(['S', ['a b']])
    expect(abi.getters.map(({ name, args }) => [name, args.map((one) => one.name)])).toEqual([['get_plain', ['a b']]])
  })
})

describe('lines of TL-B', () => {
  const abi = parseAbi(
    '// what it takes\nincrease#7e8764ef query_id:uint64 by:int32 = Msg;\nset#1 to:(Maybe MsgAddress) data:^Cell rest:Any = Msg',
  )

  test('name messages', () => {
    expect(abi.messages.map(({ name, opcode, fields }) => [name, opcode, fields.length])).toEqual([
      ['increase', 0x7e8764ef, 2],
      ['set', 1, 3],
    ])
  })

  test('have comments, of one line or of several', () => {
    const text = '/* a */ one#1 /* b\n c */ x:uint8 = Msg // d\n/**/two#2=Msg;'
    expect(parseAbi(text).messages.map(({ name, fields }) => [name, fields.length])).toEqual([
      ['one', 1],
      ['two', 0],
    ])
  })

  // Searched for at each place where one begins, the end of the comment or of the line took minutes.
  test.each([
    ['comments that do not end', '/*a'.repeat(300_000)],
    ['a line of spaces', `one#1${' '.repeat(1_000_000)}x`],
  ])('with %s are refused in no time', (_, text) => {
    expect(() => parseAbi(text)).toThrow('This line is no message')
  })

  test('with thousands of types in each other are refused, too', () => {
    const nested = `one#1 a:(${'Maybe '.repeat(170_000)}uint8) = Msg;`
    expect(() => parseAbi(nested)).toThrow('is longer than 256 characters')
  })

  test('read bodies, and say what they leave', () => {
    const increase = beginCell().storeUint(0x7e8764ef, 32).storeUint(1n, 64).storeUint(0xffffffff, 32)
    expect(decodeByAbi(abi, read(increase.end()))).toEqual({
      type: 'increase',
      fields: { query_id: '1', by: '-1' },
      rest: null,
    })
    const more = beginCell().storeUint(0x7e8764ef, 32).storeUint(1n, 64).storeUint(5, 32).storeUint(3, 2)
    expect(decodeByAbi(abi, read(more.end()))?.rest).toEqual({ bits: 2, refs: 0 })
    const short = beginCell().storeUint(0x7e8764ef, 32).storeUint(1n, 64)
    expect(decodeByAbi(abi, read(short.end()))).toBeNull()
    expect(decodeByAbi(abi, read(beginCell().storeUint(9, 32).end()))).toBeNull()
    expect(decodeByAbi(abi, read(beginCell().end()))).toBeNull()
  })
})

describe('refuses, with a reason', () => {
  test.each([
    ['', /no message/],
    ['hello', /no message: hello/],
    ['a#1 b:uint64 oops = Msg', /no field: oops/],
    ['a#1 b:Mystery = Msg', /type Mystery/],
    ['{"types": [', /damaged/],
    ['{"abi": 1}', /no ABI of Tact/],
    ['{"types": [{"name": "A", "header": 1}]}', /damaged/],
    [
      '{"types": [{"name": "A", "header": 1, "fields": [{"name": "a", "type": {"kind": "simple", "type": "A"}}]}]}',
      /contain each other/,
    ],
    ['x'.repeat(2 ** 20 + 1), /1 MB/],
  ])('%j', (given, words) => expect(() => parseAbi(given)).toThrow(words))

  test('anything else is an error of ours or a description, never a crash', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"types": ${json}}`),
        ),
        (given) => {
          try {
            parseAbi(given)
          } catch (error) {
            expect(error).toBeInstanceOf(AbiError)
          }
        },
      ),
    )
  })
})

describe('an ABI of Tolk', () => {
  const types = [
    { kind: 'uintN', n: 32 },
    { kind: 'coins' },
    { kind: 'address' },
    { kind: 'nullable', inner_ty_idx: 2 },
    { kind: 'StructRef', struct_name: 'Storage' },
    { kind: 'StructRef', struct_name: 'Pay' },
    { kind: 'EnumRef', enum_name: 'Colour' },
    { kind: 'cellOf', inner_ty_idx: 0 },
    { kind: 'union' },
  ]
  const fieldsOf = (fields: Record<string, number>) =>
    Object.entries(fields).map(([name, ty_idx]) => ({ name, ty_idx }))
  const tolk = {
    contract_name: 'Till',
    unique_types: types,
    declarations: [
      { kind: 'struct', name: 'Storage', ty_idx: 4, fields: fieldsOf({ id: 0, owner: 2, held: 1 }) },
      {
        kind: 'struct',
        name: 'Pay',
        ty_idx: 5,
        prefix: { prefix_num: 0xf0000001, prefix_len: 32 },
        fields: fieldsOf({ amount: 1, to: 3, colour: 6, inner: 7, rest: 8 }),
      },
      { kind: 'enum', name: 'Colour', ty_idx: 6, encoded_as_ty_idx: 0, members: [] },
    ],
    storage: { storage_ty_idx: 4 },
    incoming_messages: [{ body_ty_idx: 5 }],
    get_methods: [
      {
        name: 'due',
        parameters: [
          { name: 'who', ty_idx: 2 },
          { name: 'least', ty_idx: 1 },
        ],
        return_ty_idx: 1,
      },
    ],
    thrown_errors: [{ kind: 'enum_member', name: 'Err.Broke', description: 'no money', err_code: 777 }],
  }
  const abi = parseAbi(JSON.stringify({ compiler_abi: tolk, code_hashes: [] }))

  test('names messages, errors and get-methods with their arguments', () => {
    expect(abi.messages.map(({ name, opcode }) => [name, opcode])).toEqual([['Pay', 0xf0000001]])
    expect(abi.errors).toEqual({ 777: 'Err.Broke: no money' })
    const args = [
      { name: 'who', type: 'address' },
      { name: 'least', type: 'number' },
    ]
    expect(abi.getters).toEqual([{ name: 'due', id: null, args, returns: 'coins' }])
  })

  test('reads a body and the storage', () => {
    const owner = (builder: ReturnType<typeof beginCell>) =>
      builder.storeUint(0b100, 3).storeUint(0, 8).storeUint(0xabn, 256)
    const body = owner(beginCell().storeUint(0xf0000001, 32).storeUint(0x105, 12).storeUint(1, 1))
      .storeUint(2, 32)
      .storeUint(3, 2)
      .storeRef(beginCell().storeUint(9, 32).end())
      .end()
    const to = `0:${'AB'.padStart(64, '0')}`
    const fields = { amount: '5', to, colour: '2', inner: '9', rest: expect.any(String) }
    expect(decodeByAbi(abi, read(body))).toEqual({ type: 'Pay', fields, rest: null })
    const data = owner(beginCell().storeUint(4, 32)).storeUint(0x106, 12).end()
    expect(decodeStorage(abi, read(data))?.fields).toEqual({ id: '4', owner: to, held: '6' })
    expect(decodeStorage(abi, read(beginCell().storeUint(1, 3).end()))).toBeNull()
  })

  test('error: a type that contains itself, and one that misses', () => {
    const loop = { ...tolk, unique_types: [{ kind: 'nullable', inner_ty_idx: 0 }, ...types.slice(1)] }
    expect(() => parseAbi(JSON.stringify(loop))).toThrow(new AbiError('Its types contain each other.'))
    expect(() => parseAbi(JSON.stringify({ ...tolk, unique_types: [] }))).toThrow(AbiError)
  })
})
