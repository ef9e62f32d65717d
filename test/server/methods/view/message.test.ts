// Messages on the wire: every kind of body, of end and of amount.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, readBoc, stdAddress } from '../../../../server/cell/index.ts'
import { toMessage, toMessageStd } from '../../../../server/methods/view/message.ts'
import {
  type MessageInfo,
  makeMessage,
  type StateInit,
  storeMessage,
  toCell,
  ZERO_CURRENCY,
} from '../../../../server/tlb/index.ts'

const ADDRESS = stdAddress(0, Buffer.from('83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8', 'hex'))
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

const internalInfo: MessageInfo = {
  kind: 'internal',
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  src: ADDRESS,
  dest: ADDRESS,
  value: { ...ZERO_CURRENCY, grams: 5n, other: ZERO_CURRENCY.other.set(239, 7n).set(0xffffffff, 1n) },
  extraFlags: 3n,
  fwdFee: 11n,
  createdLt: 1n << 60n,
  createdAt: 1,
}

const cellOf = (body: Cell, info: MessageInfo = internalInfo, init: StateInit | null = null): Cell =>
  toCell(makeMessage(info, init, body), storeMessage)

const snake = (tag: number, ...parts: string[]): Cell => {
  const [first = '', ...rest] = parts
  const tail = rest.reduceRight<Cell | null>((next, text) => {
    const builder = beginCell().storeBytes(Buffer.from(text, 'latin1'))
    return (next === null ? builder : builder.storeRef(next)).end()
  }, null)
  const root = beginCell().storeUint(tag, 32).storeBytes(Buffer.from(first, 'latin1'))
  return (tail === null ? root : root.storeRef(tail)).end()
}

describe('toMessage', () => {
  test('amounts and ends of a message between accounts', () => {
    const cell = cellOf(beginCell().end())
    expect(toMessage(cell)).toEqual({
      '@type': 'ext.message',
      hash: Buffer.from(cell.hashBytes()).toString('base64'),
      source: FRIENDLY,
      destination: FRIENDLY,
      value: '5',
      extra_currencies: [
        { '@type': 'extraCurrency', id: 239, amount: '7' },
        { '@type': 'extraCurrency', id: -1, amount: '1' },
      ],
      fwd_fee: '11',
      ihr_fee: '0',
      created_lt: String(1n << 60n),
      body_hash: Buffer.from(beginCell().end().hashBytes()).toString('base64'),
      msg_data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEAAgAAAEysuc0=', init_state: '' },
      message: '',
    })
  })

  test('messages from outside and to outside have one end', () => {
    const body = beginCell().storeUint(1, 7).end()
    const incoming = toMessage(cellOf(body, { kind: 'externalIn', src: null, dest: ADDRESS, importFee: 0n }))
    expect(incoming).toMatchObject({
      source: '',
      destination: FRIENDLY,
      value: '0',
      created_lt: '0',
      message: 'Ag==\n',
    })
    const info = { kind: 'externalOut', src: ADDRESS, dest: null, createdLt: 9n, createdAt: 1 } as const
    expect(toMessage(cellOf(body, info))).toMatchObject({ source: FRIENDLY, destination: '', created_lt: '9' })
  })

  test('a comment over several cells', () => {
    const { msg_data, message } = toMessage(cellOf(snake(0, 'Hel', 'l', 'o')))
    expect(msg_data).toEqual({ '@type': 'msg.dataText', text: 'SGVsbG8=' })
    expect(message).toBe('Hello')
    expect(toMessage(cellOf(snake(0)))).toMatchObject({ msg_data: { '@type': 'msg.dataText', text: '' }, message: '' })
  })

  test('behavior: bytes that are no text become replacement characters', () => {
    expect(toMessage(cellOf(snake(0, 'a\xff'))).message).toBe('a\ufffd')
  })

  test('an encrypted comment has no text', () => {
    const view = toMessage(cellOf(snake(0x2167da4b, 'xyz')))
    expect(view.msg_data).toEqual({ '@type': 'msg.dataEncryptedText', text: 'eHl6' })
    expect(view).not.toHaveProperty('message')
  })

  test('behavior: a comment goes on in the first reference of a cell, and its bits may be whole bytes only together', () => {
    const textOf = (body: Cell) => toMessage(cellOf(body)).msg_data
    const cd = beginCell().storeBytes(Buffer.from('CD')).end()
    const start = (tag: number) => beginCell().storeUint(tag, 32).storeBytes(Buffer.from('ab'))
    const branching = start(0).storeRef(cd).storeRef(beginCell().end()).end()
    expect(textOf(branching)).toEqual({ '@type': 'msg.dataText', text: 'YWJDRA==' })
    const encrypted = start(0x2167da4b).storeRef(cd).storeRef(cd).end()
    expect(textOf(encrypted)).toEqual({ '@type': 'msg.dataEncryptedText', text: 'YWJDRA==' })
    const five = beginCell().storeUint(0b0001_0100_0010, 13).storeRef(cd).end()
    const apart = beginCell().storeUint(0, 32).storeUint(0b010, 3).storeRef(five).end()
    expect(textOf(apart)).toEqual({ '@type': 'msg.dataText', text: 'QUJDRA==' })
    const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32)).end(true)
    expect(textOf(start(0).storeRef(library).end())['@type']).toBe('msg.dataRaw')
  })

  test('behavior: what only begins like a comment is raw', () => {
    const odd = beginCell().storeUint(0, 32).storeUint(1, 3).end()
    const branching = beginCell().storeUint(0, 32).storeRef(odd).storeRef(odd).end()
    for (const body of [odd, branching, beginCell().storeUint(0, 31).end()])
      expect(toMessage(cellOf(body)).msg_data['@type']).toBe('msg.dataRaw')
  })

  test('the state a message brings is shown with a raw body', () => {
    const init = { fixedPrefixLength: null, special: null, code: beginCell().end(), data: null, library: null }
    const { msg_data } = toMessage(cellOf(beginCell().storeUint(1, 8).end(), internalInfo, init))
    if (msg_data['@type'] !== 'msg.dataRaw') throw new Error('a raw body was expected')
    expect(readBoc(Buffer.from(msg_data.init_state, 'base64')).refs).toHaveLength(1)
  })
})

test('toMessageStd has objects as ends and no text', () => {
  const view = toMessageStd(cellOf(snake(0, 'Hello')))
  expect(view).toMatchObject({
    '@type': 'raw.message',
    source: { '@type': 'accountAddress', account_address: FRIENDLY },
    msg_data: { '@type': 'msg.dataText', text: 'SGVsbG8=' },
  })
  expect(view).not.toHaveProperty('message')
})
