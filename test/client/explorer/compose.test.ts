// Messages the composer makes, held against the libraries wallets are written with.

import { Address, Cell as CoreCell, comment, contractAddress, internal, loadMessage, SendMode } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BagBuilder, bagOf, EMPTY_CELL } from '../../../client/explorer/cell/build.ts'
import { commentCell } from '../../../client/explorer/cell/commentCell.ts'
import { type BagCell, readBag } from '../../../client/explorer/cell/readBag.ts'
import { decodeByAbi, decodeStorage } from '../../../client/explorer/decoders/bodyDecoder.ts'
import { encodeFields, encodeMessage, presenceOf } from '../../../client/explorer/decoders/encode.ts'
import { codeOfText } from '../../../client/explorer/lab/compose/composeDraft.ts'
import {
  deployedPlace,
  externalMessage,
  initCell,
  internalMessage,
  signedOrder,
  unsignedOrder,
} from '../../../client/explorer/lab/compose/composedMessage.ts'
import { secretKeyOf, signatureOf } from '../../../client/explorer/lab/compose/sign.ts'
import type { Abi, FieldType } from '../../../shared/abi/abi.ts'

const MNEMONIC =
  'caution open achieve nation script hotel merit word area vicious duck express business confirm heavy shoe caught diet radio absorb crop nerve bird earn'

const core = (cell: BagCell): CoreCell => CoreCell.fromBase64(bagOf(cell))
const TO = Address.parseRaw(`0:${'5a'.repeat(32)}`)
const place = { workchain: TO.workChain, hash: new Uint8Array(TO.hash) }
const message = {
  from: null,
  to: place,
  value: 1_500_000_000n,
  bounce: true,
  body: commentCell('Hello'),
  init: null,
}

const page = (cell: CoreCell): BagCell => readBag(cell.toBoc()).roots[0] ?? EMPTY_CELL

/** The message a signed order contains. */
const sentBy = (order: CoreCell, kind: string): BagCell => {
  const [first = CoreCell.EMPTY] = order.refs
  return page(kind === 'v5r1' ? (first.refs[1] ?? CoreCell.EMPTY) : first)
}

describe('a wallet sends', async () => {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(MNEMONIC.split(' '))
  const networkGlobalId = -3
  const v3 = WalletContractV3R2.create({ workchain: 0, publicKey })
  const v4 = WalletContractV4.create({ workchain: 0, publicKey })
  const v5 = WalletContractV5R1.create({ workchain: 0, publicKey, walletId: { networkGlobalId } })
  const order = {
    seqno: 7,
    timeout: 1_800_000_000,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
    messages: [internal({ to: TO, value: message.value, bounce: true, body: comment('Hello') })],
  }
  const signed = { v3r2: v3.createTransfer(order), v4r2: v4.createTransfer(order), v5r1: v5.createTransfer(order) }

  test.each(Object.entries(signed))('what its library signs: %s', async (kind, theirs) => {
    // As the embedded chain names the id: that of a v5 wallet of a test network.
    const walletId = kind === 'v5r1' ? 2_147_483_645 : 698_983_191
    const { seqno, timeout: validUntil } = order
    const unsigned = unsignedOrder({ kind, walletId, seqno, validUntil, message: sentBy(theirs, kind) })
    const mine = signedOrder(kind, unsigned, await signatureOf(unsigned, MNEMONIC))
    expect(core(mine).hash().toString('hex')).toBe(theirs.hash().toString('hex'))
    expect(`${await secretKeyOf(MNEMONIC)}${publicKey.toString('hex')}`).toBe(secretKey.toString('hex'))
    const { info, body } = loadMessage(core(externalMessage(place, mine)).beginParse())
    expect([info.type, info.dest?.toString(), body.equals(theirs)]).toEqual(['external-in', TO.toString(), true])
  })
})

test('a message and what it deploys are as the libraries read them', async () => {
  const code = new BagBuilder().uint(0xff00, 16).end()
  const data = new BagBuilder().uint(5, 7).ref(EMPTY_CELL).end()
  const init = initCell(code, data)
  const found = await deployedPlace(init)
  const address = contractAddress(0, { code: core(code), data: core(data) })
  expect(found && Buffer.from(found.hash).toString('hex')).toBe(address.hash.toString('hex'))
  const { info, body, init: read } = loadMessage(core(internalMessage({ ...message, from: place, init })).beginParse())
  expect(info).toMatchObject({ type: 'internal', bounce: true, bounced: false, value: { coins: message.value } })
  expect([info.src, info.dest].map(String)).toEqual([`${TO}`, `${TO}`])
  expect(body.equals(comment('Hello'))).toBe(true)
  expect([read?.code?.equals(core(code)), read?.data?.equals(core(data))]).toEqual([true, true])
  expect(loadMessage(core(internalMessage({ ...message, from: place, bounce: false })).beginParse()).init).toBeFalsy()
})

test('code is read as a compiler wrote it', () => {
  const code = new BagBuilder().uint(0xff00, 16).end()
  const base64 = bagOf(code)
  const hex = Buffer.from(base64, 'base64').toString('hex')
  for (const text of [base64, hex, JSON.stringify({ hash: 'ab', hex }), JSON.stringify({ codeBoc64: base64 })])
    expect(codeOfText(text)).toEqual({ cell: code })
  expect(codeOfText('{"hex": 1}')).toEqual({ wrong: 'This JSON has no code in “hex” or “code”.' })
  expect(codeOfText('{"hex')).toEqual({ wrong: 'This JSON is damaged.' })
  expect(codeOfText('te6')).toHaveProperty('wrong')
})

const field = (name: string, type: FieldType) => ({ name, type })
const FIELDS = [
  field('query_id', { kind: 'uint', width: 64 }),
  field('by', { kind: 'int', width: 32 }),
  field('fee', { kind: 'varuint', lengthBits: 4 }),
  field('owner', { kind: 'address' }),
  field('flag', { kind: 'bool' }),
  field('tag', { kind: 'bits', width: 16 }),
  field('note', { kind: 'ref', of: { kind: 'text' } }),
  field('point', { kind: 'maybe', of: { kind: 'struct', fields: [field('x', { kind: 'int', width: 8 })] } }),
  field('inner', { kind: 'ref', of: { kind: 'struct', fields: [field('list', { kind: 'dict' })] } }),
]
const ABI: Abi = { name: 'Made', messages: [], errors: {}, storage: FIELDS, getters: [] }
const MESSAGE = { name: 'set', opcode: 0x7e8764ef, fields: FIELDS }

describe('fields of an ABI', () => {
  test('are read back as they were typed', () => {
    const typed = {
      query_id: '0x10',
      by: '-5',
      fee: '1.5 ton',
      owner: TO.toString(),
      flag: 'true',
      tag: 'beef',
      note: 'Hello, Мир',
      [presenceOf('point')]: 'there',
      'point.x': '-2',
    }
    const fields = {
      query_id: '16',
      by: '-5',
      fee: '1500000000',
      owner: TO.toRawString().toUpperCase(),
      flag: true,
      tag: 'beef',
      note: 'Hello, Мир',
      point: { x: '-2' },
      inner: { list: null },
    }
    const { cell, wrong } = encodeMessage(MESSAGE, typed)
    expect([wrong, decodeByAbi({ ...ABI, messages: [MESSAGE] }, cell)]).toEqual([
      {},
      { type: 'set', fields, rest: null },
    ])
    expect(decodeStorage(ABI, encodeFields(FIELDS, typed).cell)?.fields).toEqual(fields)
  })

  test('without text are zero, empty or absent', () => {
    const { cell, wrong } = encodeFields(FIELDS, {})
    expect(wrong).toEqual({})
    expect(decodeStorage(ABI, cell)).toMatchObject({ fields: { query_id: '0', owner: null, point: null }, rest: null })
  })

  test('that do not fit are named, each with its reason', () => {
    const typed = { query_id: 'one', by: `${2 ** 31}`, fee: '-1', owner: 'EQnope', tag: 'bee', 'inner.list': 'zz' }
    expect(encodeFields(FIELDS, typed).wrong).toEqual({
      query_id: 'A whole number, decimal or 0x….',
      by: '2147483648 does not fit into 32 bits.',
      fee: '-1 is below zero.',
      owner: 'An address, or nothing for none.',
      tag: '4 hex digits.',
      'inner.list': 'This is neither base64 nor hex.',
    })
    const large = [field('a', { kind: 'bits', width: 1016 }), field('b', { kind: 'uint', width: 64 })]
    expect(encodeFields(large, {}).wrong).toEqual({ b: 'A cell holds 1023 bits at most.' })
  })

  test('never crash the page, whatever is typed', () => {
    const names = ['query_id', 'by', 'fee', 'owner', 'flag', 'tag', 'note', 'point?', 'point.x', 'inner.list']
    const typed = fc.record(Object.fromEntries(names.map((name) => [name, fc.string()])))
    fc.assert(fc.property(typed, (texts) => void encodeMessage(MESSAGE, texts)))
  })
})
