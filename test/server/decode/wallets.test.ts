// Requests to wallets that the usual library does not write: put together field by field.

import { beginCell as begin, type Cell as CoreCell, Dictionary, internal, storeMessageRelaxed, toNano } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { readBoc } from '../../../server/cell/index.ts'
import { decodeBody } from '../../../server/decode/index.ts'
import { owner, std } from './shownOwner.ts'

const decode = (cell: CoreCell) => decodeBody(readBoc(cell.toBoc()))

const signed = () => begin().storeBuffer(Buffer.alloc(64, 0xaa))
const signature = 'AA'.repeat(64)
const nothing = { '@type': 'nothing_from_maybe' }

const paying = (nanotons: bigint): CoreCell =>
  begin()
    .store(storeMessageRelaxed(internal({ to: owner, value: nanotons, bounce: true })))
    .endCell()
const shownSend = (nanotons: bigint) => ({
  mode: '3',
  message: {
    cell_reference: {
      '@type': 'message',
      info: {
        '@type': 'int_msg_info',
        bounce: true,
        dest: std,
        value: { grams: { '@type': 'nanograms', amount: { '@type': 'var_uint', len: '2', value: String(nanotons) } } },
      },
    },
  },
})

const sends = Dictionary.empty(Dictionary.Keys.Uint(16), {
  serialize: (value: bigint, builder) => builder.storeUint(3, 8).storeRef(paying(value)),
  parse: () => 0n,
})
for (const [i, value] of [1000n, 2000n, 3000n].entries()) sends.set(5 * i, value)
const shownSends = { 0: shownSend(1000n), 5: shownSend(2000n), 10: shownSend(3000n) }

describe('with messages by number', () => {
  test('highload v2, and v1, which has the same form', () => {
    const body = signed().storeUint(7, 32).storeUint(8, 64).storeDict(sends).endCell()
    const shown = {
      '@type': 'highload_wallet_signed_v2',
      signature,
      subwallet_id: '7',
      query_id: '8',
      msgs: shownSends,
    }
    expect(decode(body)).toMatchObject(shown)
    expect(Object.keys(decode(body)?.msgs ?? {})).toEqual(['0', '5', '10'])
  })
})

test('highload v3, whose root has nothing but the signature and a reference', () => {
  const order = begin().storeUint(7, 32).storeRef(paying(1000n)).storeUint(3, 8).storeUint(12, 13).storeUint(34, 10)
  const inner = order.storeUint(1_700_000_000, 64).storeUint(3600, 22).endCell()
  expect(decode(signed().storeRef(inner).endCell())).toMatchObject({
    '@type': 'highload_wallet_signed_v3',
    signature,
    subwallet_id: '7',
    message_to_send: shownSend(1000n).message,
    send_mode: '3',
    shift: '12',
    bit_number: '34',
    created_at: '1700000000',
    timeout: '3600',
  })
})

test('v4: a plugin is removed', () => {
  const head = signed().storeUint(7, 32).storeUint(8, 32).storeUint(9, 32).storeUint(3, 8)
  const body = head.storeInt(-1, 8).storeUint(5n, 256).storeCoins(1000n).storeUint(6, 64).endCell()
  expect(decode(body)).toEqual({
    '@type': 'wallet_signed_v4',
    signature,
    subwallet_id: '7',
    valid_until: '8',
    msg_seqno: '9',
    op: '3',
    workchain: '-1',
    address: '5'.padStart(64, '0'),
    amount: { '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '2', value: '1000' } },
    query_id: '6',
  })
  const other = signed().storeUint(7, 32).storeUint(8, 32).storeUint(9, 32).storeUint(4, 8)
  expect(decode(other.storeInt(-1, 8).storeUint(5n, 256).storeCoins(1000n).storeUint(6, 64).endCell())).toBeNull()
})

test('v4: a plugin is made', () => {
  const head = signed().storeUint(7, 32).storeUint(8, 32).storeUint(9, 32).storeUint(1, 8)
  const made = begin().storeUint(0, 32).storeStringTail('made').endCell()
  const text = { cell_reference: { '@type': 'text_comment', text: 'made' } }
  const empty = { cell_reference: { '@type': 'empty_cell' } }
  const body = head.storeInt(0, 8).storeCoins(1000n).storeRef(made).storeRef(begin().endCell()).endCell()
  expect(decode(body)).toMatchObject({ op: '1', workchain: '0', state_init: text, body: empty })
})

test('v5: several settings at once, one behind the other', () => {
  const last = begin().storeUint(4, 8).storeBit(false).endCell()
  const second = begin().storeUint(3, 8).storeAddress(owner).storeRef(last).endCell()
  const head = begin().storeUint(0x6578746e, 32).storeUint(6, 64).storeBit(false).storeBit(true)
  const body = head.storeUint(2, 8).storeAddress(owner).storeRef(second).endCell()
  const settings = [
    { '@type': 'add_extension', addr: std },
    { '@type': 'delete_extension', addr: std },
    { '@type': 'set_signature_auth_allowed', allowed: false },
  ]
  expect(decode(body)).toEqual({
    '@type': 'w5_extension_action_request',
    query_id: '6',
    out_actions: nothing,
    extended_actions: { '@type': 'something_from_maybe', value: settings },
  })
})

describe('what a message inside may have', () => {
  const vesting = (message: CoreCell): CoreCell =>
    begin().storeUint(0xa7733acd, 32).storeUint(1, 64).storeUint(3, 8).storeRef(message).endCell()

  test('extra currencies, each with its amount', () => {
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
    other.set(100, 7n)
    other.set(239, 70_000n)
    const order = internal({ to: owner, value: toNano('1'), bounce: false })
    if (order.info.type !== 'internal') throw new Error('no such message')
    const message = { ...order, info: { ...order.info, value: { coins: 5n, other } } }
    const dict = {
      100: { '@type': 'var_uint', len: '1', value: '7' },
      239: { '@type': 'var_uint', len: '3', value: '70000' },
    }
    const grams = { '@type': 'nanograms', amount: { '@type': 'var_uint', len: '1', value: '5' } }
    const value = { '@type': 'currencies', grams, other: { '@type': 'extra_currencies', dict } }
    expect(decode(vesting(begin().store(storeMessageRelaxed(message)).endCell()))).toMatchObject({
      message: { cell_reference: { info: { value } } },
    })
  })

  test('an address outside of the chain, of any number of bits', () => {
    const addressed = (bits: number, value: bigint) => {
      // ext_in_msg_info$10, its source, its destination, no fee, no init, an empty body in place.
      const head = begin().storeUint(2, 2).storeUint(1, 2).storeUint(bits, 9).storeUint(value, bits)
      return vesting(head.storeAddress(owner).storeCoins(0).storeBit(false).storeBit(false).endCell())
    }
    const shown = (len: string, text: string) => ({
      message: { cell_reference: { info: { src: { '@type': 'addr_extern', len, external_address: text } } } },
    })
    expect(decode(addressed(8, 0xabn))).toMatchObject(shown('8', 'AB'))
    expect(decode(addressed(12, 0xabcn))).toMatchObject(shown('12', 'ABC'))
    // 101 and a one, 1011 011 and a one, and nine bits.
    expect(decode(addressed(3, 0b101n))).toMatchObject(shown('3', 'B_'))
    expect(decode(addressed(7, 0b1011_011n))).toMatchObject(shown('7', 'B7_'))
    expect(decode(addressed(9, 0b1011_0110_1n))).toMatchObject(shown('9', 'B6C_'))
  })
})
