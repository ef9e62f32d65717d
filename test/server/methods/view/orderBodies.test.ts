// Previews of an order's messages, where senders leave out what wallets do not need.

import { expect, test, vi } from 'vitest'
import { jettons, nft } from '../../../../server/bodies/index.ts'
import {
  beginCell,
  type Cell,
  type MessageAddress,
  stdAddress,
  storeAddress,
  writeBocText,
} from '../../../../server/cell/index.ts'
import { parseBody } from '../../../../server/methods/view/v3/assets/orderBodies.ts'
import { snake } from '../../../setup/madeContents.ts'

const keep = (address: MessageAddress): MessageAddress => address
const account = stdAddress(0, new Uint8Array(32).fill(1))
const raw = `0:${'01'.repeat(32)}`
const writeTransfer = jettons.transfer.writer(keep)
const writeItemTransfer = nft.transfer.writer(keep)

const common = { queryId: 7n, responseDestination: null, customPayload: null, forwardPayload: null }

test('a jetton transfer without a payload, not even an empty one', () => {
  const fields = { ...common, amount: 5n, destination: account, forwardTonAmount: 1n }
  expect(parseBody(writeTransfer(beginCell(), fields).end())).toMatchObject({
    type: 'jetton_transfer',
    body: {
      query_id: 7,
      amount: '5',
      destination: raw,
      forward_amount: '1',
      forward_payload: null,
      payload_sum_type: '',
    },
  })
})

test('an address written the long way, or with anycast, is the account it means', () => {
  const to = (destination: MessageAddress): unknown =>
    parseBody(writeTransfer(beginCell(), { ...common, amount: 5n, destination, forwardTonAmount: 1n }).end()).body
  const long = (workchain: number, bytes: number): MessageAddress => ({
    kind: 'var',
    anycast: null,
    workchain,
    address: { bytes: new Uint8Array(bytes).fill(1), bits: 8 * bytes },
  })
  expect(to(long(0, 32))).toMatchObject({ destination: raw })
  expect(to(long(0, 8))).toMatchObject({ destination: null })
  expect(to(long(1000, 32))).toMatchObject({ destination: null })
  expect(to({ ...account, anycast: { depth: 8, prefix: 0xab } })).toMatchObject({ destination: `0:AB${raw.slice(4)}` })
})

test('an item transfer without a payload', () => {
  const fields = { ...common, newOwner: account, forwardAmount: 1n }
  expect(parseBody(writeItemTransfer(beginCell(), fields).end())).toMatchObject({
    type: 'nft_transfer',
    body: { query_id: 7, new_owner: raw, forward_amount: '1', forward_payload: null },
  })
})

test('a transfer that ends before its amount is unknown', () => {
  const cut = beginCell().storeUint(jettons.transfer.opcode, 32).storeUint(7, 64).storeUint(15, 4).end()
  expect(parseBody(cut)).toMatchObject({ type: 'unknown', body: { opcode: 0x0f8a7ea5 } })
})

const operation = (opcode: number) => beginCell().storeUint(opcode, 32)
const words = (text: string, opcode = 0): Cell => operation(opcode).storeBytes(Buffer.from(text)).end()
const EMPTY = beginCell().end()
const ENCRYPTED = 0x2167da4b

const paid = (payload: Cell): unknown =>
  parseBody(
    writeTransfer(beginCell(), {
      ...common,
      amount: 5n,
      destination: account,
      forwardTonAmount: 1n,
      forwardPayload: { form: 'reference', cell: payload },
    }).end(),
  ).body

test('comments are texts, empty for none, in references too', () => {
  const said = (body: Cell) => parseBody(body)
  const transfer = (comment: string, encrypted = false) => ({ type: 'ton_transfer', body: { comment, encrypted } })
  expect(said(EMPTY)).toEqual(transfer(''))
  expect(said(operation(0).end())).toEqual(transfer(''))
  expect(
    said(
      operation(0)
        .storeRef(beginCell().storeBytes(Buffer.from('hi')).end())
        .end(),
    ),
  ).toEqual(transfer('hi'))
  expect(said(beginCell().storeBytes(Buffer.from('hi')).end())).toEqual(transfer('hi'))
  expect(said(words('', ENCRYPTED))).toEqual(transfer('', true))
})

test('a long comment of nonsense is not decoded byte by byte, as each wrong one would throw', () => {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  const { body } = parseBody(snake(new Uint8Array(60_000).fill(0xff), [0, 0, 0, 0]))
  expect(body).toEqual({ comment: '\\xff'.repeat(60_000), encrypted: false })
  expect(decode.mock.calls.length).toBeLessThan(10)
  decode.mockRestore()
})

test('what a jetton transfer forwards', () => {
  const nothing = { comment: '', encrypted_comment: false, stonfi_swap_body: null }
  expect(paid(EMPTY)).toMatchObject({ ...nothing, forward_payload: writeBocText(EMPTY), payload_sum_type: '' })
  expect(paid(words(''))).toMatchObject({ ...nothing, payload_sum_type: 'TextComment' })
  expect(paid(words('lunch'))).toMatchObject({ ...nothing, comment: 'lunch', payload_sum_type: 'TextComment' })
  expect(paid(operation(7).end())).toMatchObject({ ...nothing, payload_sum_type: 'Unknown' })
  expect(paid(beginCell().storeUint(1, 8).end())).toMatchObject({ ...nothing, payload_sum_type: 'Unknown' })
  const swap = storeAddress(storeAddress(operation(0x25938561), account).storeCoins(1_500_000_000n), account)
  expect(paid(swap.end())).toMatchObject({
    ...nothing,
    payload_sum_type: 'StonfiSwap',
    stonfi_swap_body: { jetton_wallet: raw, min_amount: '1.5', user_address: raw },
  })
  expect(paid(operation(0x25938561).end())).toMatchObject({ ...nothing, payload_sum_type: 'StonfiSwap' })
})

test('what an admin has another wallet do is a bag of cells', () => {
  const called = (action: Cell): unknown =>
    parseBody(
      storeAddress(operation(jettons.callTo.opcode).storeUint(7, 64), account).storeCoins(2n).storeRef(action).end(),
    ).body
  const status = operation(jettons.setStatus.opcode).storeUint(7, 64).storeUint(1, 4).end()
  const common = { query_id: 7, to_address: raw, ton_amount: '2' }
  expect(called(status)).toEqual({ ...common, action_type: 'JettonSetStatus', action_data: writeBocText(status) })
  expect(called(words('hi'))).toMatchObject({ action_type: 'Unknown' })
  expect(called(EMPTY)).toMatchObject({ action_type: '' })
})

test('a minting needs the message of the master', () => {
  const mint = () => storeAddress(operation(jettons.mint.opcode).storeUint(7, 64), account).storeCoins(2n)
  const minted = operation(0x178d4519).storeUint(9, 64).storeCoins(70n).end()
  expect(parseBody(mint().storeRef(minted).end()).body).toEqual({
    opcode: jettons.mint.opcode,
    query_id: 7,
    to_address: raw,
    ton_amount: '2',
    master_msg_query_id: 9,
    master_msg_jetton_amount: '70',
  })
  expect(parseBody(mint().end()).type).toBe('unknown')
})
