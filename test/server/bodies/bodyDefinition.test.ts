// Definitions of bodies: what is read, what may be left out, what is written.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { body, part } from '../../../server/bodies/bodyDefinition.ts'
import { jettons, type Payload } from '../../../server/bodies/index.ts'
import {
  beginCell,
  type Cell,
  CellError,
  type MessageAddress,
  openCell,
  type StdAddress,
  stdAddress,
} from '../../../server/cell/index.ts'

const keep = (address: MessageAddress): MessageAddress => address
const accountOf = (byte: number): StdAddress => stdAddress(0, new Uint8Array(32).fill(byte))
const A = accountOf(1)
const B = accountOf(2)
const note = beginCell().storeUint(0, 32).storeBytes(Buffer.from('hi')).end()

const behindTag = (cell: Cell) => openCell(cell).skip(32)

describe('fields', () => {
  const all = body(
    'all#00000007 a_number:uint32 an_integer:int24 big:uint64 flag:Bool amount:Coins some:(Maybe uint8) cell:^Cell pair:^[left:Coins right:MsgAddress] key:bits256 rest:Any',
  )
  const fields = {
    aNumber: 4_000_000_000,
    anInteger: -8_388_608,
    big: 2n ** 64n - 1n,
    flag: true,
    amount: 10n ** 18n,
    some: null,
    cell: note,
    pair: { left: 5n, right: B },
    key: new Uint8Array(32).fill(9),
    rest: openCell(note),
  }
  const written = all.writer(keep)(beginCell(), fields).end()

  test('are read as they were written', () => {
    const { rest, cell, ...others } = all.reader(keep)(behindTag(written))
    const { rest: _, cell: __, ...expected } = fields
    expect(others).toEqual(expected)
    expect(cell.hashBytes()).toEqual(note.hashBytes())
    expect(beginCell().storeSlice(rest).end().hashBytes()).toEqual(note.hashBytes())
    expect(openCell(written).loadUint(32)).toBe(all.opcode)
  })

  test('have the types their line says', () => {
    const read = jettons.transfer.reader((): string | null => null)
    expectTypeOf<ReturnType<typeof read>>().toEqualTypeOf<{
      readonly queryId: bigint
      readonly amount: bigint
      readonly destination: string | null
      readonly responseDestination: string | null
      readonly customPayload: Cell | null
      readonly forwardTonAmount: bigint
      readonly forwardPayload: Payload | null
    }>()
    const some = all.reader(keep, 'anInteger', 'pair')
    expectTypeOf<ReturnType<typeof some>>().toEqualTypeOf<{
      readonly anInteger: number
      readonly pair: { readonly left: bigint; readonly right: MessageAddress }
    }>()
    // @ts-expect-error: a name that the line does not have
    expect(() => jettons.transfer.reader(keep, 'amounts')).toThrow('amounts')
  })

  test('are read as far as the last that is named', () => {
    const cut = beginCell()
      .storeSlice(openCell(written).loadSlice(32 + 32 + 24, 0))
      .end()
    expect(all.reader(keep, 'anInteger')(behindTag(cut))).toEqual({ anInteger: -8_388_608 })
    expect(() => all.reader(keep, 'big')(behindTag(cut))).toThrow(CellError)
    expect(all.reader(keep, 'pair')(behindTag(written))).toEqual({ pair: { left: 5n, right: B } })
  })

  test('of another kind are refused where the compiler cannot see them', () => {
    const write: (builder: ReturnType<typeof beginCell>, fields: never) => unknown = all.writer(keep)
    const wrong: unknown = { ...fields, amount: 5 }
    expect(() => write(beginCell(), wrong as never)).toThrow(TypeError)
    const short: unknown = { ...fields, key: new Uint8Array(31) }
    expect(() => write(beginCell(), short as never)).toThrow('bits256')
  })
})

describe('a last field that may be missing', () => {
  const write = jettons.transfer.writer(keep)
  const transfer = {
    queryId: 1n,
    amount: 2n,
    destination: A,
    responseDestination: null,
    customPayload: null,
    forwardTonAmount: 3n,
  }
  const read = jettons.transfer.reader(keep)

  test.each(['inline', 'reference'] as const)('is there, %s', (form) => {
    const cell = write(beginCell(), { ...transfer, forwardPayload: { form, cell: note } }).end()
    const { forwardPayload } = read(behindTag(cell))
    expect(forwardPayload?.form).toBe(form)
    expect(forwardPayload?.cell.hashBytes()).toEqual(note.hashBytes())
    expect(forwardPayload?.open().loadUint(32)).toBe(0)
  })

  test('is left out', () => {
    const cell = write(beginCell(), { ...transfer, forwardPayload: null }).end()
    expect(read(behindTag(cell))).toEqual({ ...transfer, forwardPayload: null })
  })

  test('is cut off', () => {
    const cell = write(beginCell(), { ...transfer, forwardPayload: null })
      .storeBit(1)
      .end()
    expect(read(behindTag(cell)).forwardPayload).toBeNull()
  })

  test('hides nothing of the fields before it', () => {
    const cell = beginCell().storeUint(jettons.transfer.opcode, 32).storeUint(1n, 64).storeUint(15, 4).end()
    expect(() => read(behindTag(cell))).toThrow(CellError)
  })

  test('must be there in a strict definition', () => {
    const strict = part('_ amount:Coins payload:(Either Cell ^Cell)')
    expect(() => strict.reader(keep)(openCell(beginCell().storeCoins(1n).end()))).toThrow(CellError)
  })
})

test('assets of exchanges are addresses, TON is none', () => {
  const pair = part('_ dedust:DedustAsset coffee:CoffeeAsset ton:DedustAsset')
  const cell = pair.writer(keep)(beginCell(), { dedust: A, coffee: B, ton: null }).end()
  expect(cell.bits).toBe(4 + 8 + 256 + 2 + 8 + 256 + 4)
  expect(pair.reader(keep)(openCell(cell))).toEqual({ dedust: A, coffee: B, ton: null })
  expect(() => pair.reader(keep)(openCell(beginCell().storeUint(2, 4).end()))).toThrow('asset of kind 2')
})

test('a slice begins with an operation or stays where it is', () => {
  const slice = openCell(beginCell().storeUint(jettons.burn.opcode, 32).storeUint(5, 8).end())
  expect(jettons.transfer.begins(slice)).toBe(false)
  expect(jettons.burn.begins(slice)).toBe(true)
  expect([slice.loadUint(8), jettons.burn.begins(slice)]).toEqual([5, false])
})

test('mistakes in a line are found where it is defined', () => {
  expect(() => body('short#1234 a:uint8')).toThrow('an operation has 32 bits')
  expect(() => body('odd#00000001 a:uint8 b')).toThrow('makes no sense')
  expect(() => part('_ a:bits7').reader(keep)).toThrow('no whole bytes')
  expect(() => part('_ a:Unknown').reader(keep)).toThrow('no type Unknown')
})
