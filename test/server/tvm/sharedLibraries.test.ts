// Shared libraries are read for the runs that come to one, and what each run comes to is the same as if it had been given them all.

import { Address, beginCell, Cell } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { createConfig, createExecutor, type Emulator, shareLibraries } from '../../../server/tvm/index.ts'
import * as lib from './contracts.ts'

const block = { now: 1_700_000_000, randSeed: Buffer.alloc(32, 7) }
const there = beginCell().storeUint(0xff00, 16).storeRef(Cell.EMPTY).endCell()
const dictionary = lib.boc(lib.publicLibrary(there))
const shared = shareLibraries('one', dictionary)
const borrowed = lib.libraryCell(there)
/** A name of a library that does not exist. */
const absent = lib.libraryCell(lib.code.silent)

let sharing: Emulator
let given: Emulator
beforeAll(async () => {
  sharing = await createExecutor()
  given = await createExecutor()
  for (const one of [sharing, given]) one.setConfig(createConfig(defaultConfig))
  sharing.beginBlock({ ...block, libs: shared })
  given.beginBlock({ ...block, libs: dictionary })
})

const inMaster = Address.parse(`-1:${'77'.repeat(32)}`)
const runOn = (code: Cell, message = lib.internal({ to: inMaster, value: 10n ** 10n })) => ({
  shardAccount: lib.boc(lib.shardAccount({ code, address: inMaster, balance: 10n ** 12n })),
  message: lib.boc(message),
  lt: 1n,
})

/** SETCP0 ACCEPT, opcodes in a TRY with the cell on the stack and in the next reference; then the depth is kept, and the log runs over. */
function trying(hex: string, cell: Cell): Cell {
  const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
  const inner = beginCell()
    .storeBuffer(bytes(`88 ${hex} DB30`))
    .storeRef(cell)
    .storeRef(cell)
    .endCell()
  return beginCell()
    .storeBuffer(bytes(`FF00 F800 8A 91 30 F2FF 68 C8 CB0F C9 ED54 ${'00'.repeat(40)}`))
    .storeRef(inner)
    .endCell()
}

const READING = {
  CTOS: 'D0',
  XLOAD: 'D73A',
  XLOADQ: 'D73B',
  'CTOS of what XCTOS let through': '20 D739 5B D0',
  CDATASIZEQ: '8064 F940',
  BLESSED: 'D0 ED1E D8',
  CALLREF: 'DB3C',
  PUSHREFSLICE: '89',
  DICTUMIN: '8020 F482',
  SENDMSG: '810400 FB08',
  'SENDRAWMSG, an outbound message': '70 FB00',
  SETCODE: 'FB04',
  SETLIBCODE: '72 FB06',
  'c4 POPCTR': 'ED54',
}

test.each(Object.entries(READING))('behavior: %s', (_, hex) => {
  for (const cell of [borrowed, absent, there, lib.libraryCell(borrowed)]) {
    const run = runOn(trying(hex, cell))
    expect(sharing.transaction(run)).toEqual(given.transaction(run))
    expect(sharing.transaction({ ...run, verbosity: 3 })).toEqual(given.transaction({ ...run, verbosity: 3 }))
  }
})

/** The action that publishes a library by its name. */
const publishing = (name: Cell): Cell =>
  beginCell()
    .storeUint(0x26fa1dd4, 32)
    .storeUint(2, 7)
    .storeBit(false)
    .storeBuffer(name.hash())
    .storeRef(Cell.EMPTY)
    .endCell()

const nothingRead = [
  ['a contract without libraries', lib.code.accepting],
  ['one that holds a reference to a library', trying('30', borrowed)],
  ['one that publishes a library', trying('72 FB06', there)],
] as const
const read = [
  ['code that is a library', borrowed],
  ['a reference that is opened', trying('D0', borrowed)],
  ['a name that is published', trying('ED55', publishing(there))],
  ['code that writes more of a log than is kept', lib.code.endless],
] as const

test.each(nothingRead)('behavior: no library is read for %s', (_, code) => {
  const run = runOn(code)
  expect(sharing.quickTransaction(run)).toEqual(given.transaction(run))
})

test.each(read)('behavior: libraries are read for %s', (_, code) => {
  const run = runOn(code)
  expect(sharing.quickTransaction(run)).toBeNull()
  expect(sharing.transaction(run)).toEqual(given.transaction(run))
})

test('behavior: code that is a library runs with less gas than it costs to find that there is none', () => {
  const run = runOn(borrowed, lib.internal({ to: inMaster, value: 1_050_000n }))
  expect(sharing.transaction(run)).toEqual(given.transaction(run))
})

test('behavior: messages that are refused', () => {
  const toContract = lib.external(inMaster, Cell.EMPTY)
  for (const code of [borrowed, absent, lib.code.silent, lib.code.throwing]) {
    const run = runOn(code, toContract)
    expect(sharing.transaction(run)).toEqual(given.transaction(run))
  }
})

test('behavior: get-methods are given them at once', () => {
  const run = {
    code: lib.boc(borrowed),
    data: lib.boc(Cell.EMPTY),
    stack: lib.boc(beginCell().storeUint(0, 24).endCell()),
  }
  const call = { ...run, methodId: 1, address: inMaster.toRawString(), balance: 1n, now: block.now }
  expect(sharing.runGetMethod({ ...call, libs: shared })).toEqual(given.runGetMethod({ ...call, libs: dictionary }))
  expect(sharing.runGetMethod({ ...call, libs: shared }).exitCode).toBe(0)
})
