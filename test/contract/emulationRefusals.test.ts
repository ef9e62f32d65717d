// Requests of emulation that cannot be answered, in the words clients know.

import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
  storeStateInit,
  toNano,
} from '@ton/core'
import { WalletContractV1R3, WalletContractV2R2 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Body, rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { CONNECT, createScene, type Fields, ordersOf, RECEIVER, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const { client, emulated, refused, signed, walletOf, indexed } = createScene(service)

beforeAll(indexed)

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')
const withBody = (body: Cell): Cell =>
  beginCell()
    .store(storeMessage(external({ to: Address.parse(RECEIVER), body }), { forceRef: true }))
    .endCell()

describe('refusals', () => {
  test.each<[string, Fields, number, RegExp]>([
    ['no message', {}, 400, /^invalid request: boc is required$/],
    ['an empty one', { boc: '' }, 400, /^invalid request: boc is required$/],
    ['no base64', { boc: '@@@@' }, 400, /^invalid request: invalid boc: not base64/],
    ['base64url', { boc: 'te6ccgEBAQEAAgAAA-_' }, 400, /^invalid request: invalid boc: not base64/],
    ['no padding', { boc: 'te6ccgE' }, 400, /^invalid request: invalid boc: not base64/],
    ['no bag of cells', { boc: 'AAAA' }, 400, /^invalid request: invalid boc: /],
    ['a number', { boc: 7 }, 400, /^invalid request: /],
    ['a cell that is no message', { boc: 'te6cckEBAQEAAgAAAEysuc0=' }, 422, /^Can't deserialize message boc: /],
    [
      'a message whose body is an exotic cell',
      { boc: base64(withBody(beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true }))) },
      422,
      /^no contract takes a message whose body is an exotic cell$/,
    ],
    ['null', { boc: null }, 400, /^invalid request: boc is required$/],
    ['too long', { boc: 'A'.repeat(400_000) }, 400, /^invalid request: invalid boc: over 349528 characters/],
    [
      'no message, with null for all that may be left out',
      { boc: 'te6cckEBAQEAAgAAAEysuc0=', ignore_chksig: null, with_actions: null, mc_block_seqno: null, more: 1 },
      422,
      /^Can't deserialize message boc: /,
    ],
    ['a seqno below zero', { boc: 'te6cckEBAQEAAgAAAEysuc0=', mc_block_seqno: -1 }, 400, /^invalid request: "mc_b/],
    [
      'a seqno of 33 bits',
      { boc: 'te6cckEBAQEAAgAAAEysuc0=', mc_block_seqno: 2 ** 32 },
      400,
      /^invalid request: "mc_b/,
    ],
    ['a text for true', { boc: 'te6cckEBAQEAAgAAAEysuc0=', with_actions: 'yes' }, 400, /^invalid request: /],
  ])('emulateTrace: %s', async (_, params, status, words) => {
    expect(await refused(TRACE, params)).toEqual([status, expect.stringMatching(words)])
  })

  const to = Address.parse(RECEIVER)
  const relaxed = internal({ to, value: toNano(1), bounce: false })
  const boc = base64(beginCell().store(storeMessageRelaxed(relaxed)).endCell())
  const outside = base64(
    beginCell()
      .store(storeMessage(external({ to })))
      .endCell(),
  )
  const nowhere = internal({ to: new Address(5, Buffer.alloc(32, 9)), value: toNano(1), bounce: true })
  const toNowhere = beginCell().store(storeMessageRelaxed(nowhere)).endCell()
  const EMPTY = base64(Cell.EMPTY)
  const currency = (id: string, amount: string) => ({
    boc,
    state_overrides: { [RECEIVER]: { balance: '1', extra_currencies: { [id]: amount } } },
  })
  const LIBRARY = base64(beginCell().storeUint(2, 8).storeUint(5, 256).endCell({ exotic: true }))
  const made = (parts: { readonly lt?: bigint; readonly value?: bigint; readonly currency?: bigint }): Fields => {
    const { lt = 0n, value = 1n, currency: amount } = parts
    const info = { ...relaxed.info, ...(relaxed.info.type === 'internal' ? { createdLt: lt } : {}) }
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
    if (amount !== undefined) other.set(7, amount)
    const given = { ...relaxed, info: { ...info, value: { coins: value, other } } } as typeof relaxed
    return { boc: base64(beginCell().store(storeMessageRelaxed(given)).endCell()) }
  }
  test.each<[string, Fields, number, RegExp]>([
    ['an amount no account can hold', made({ value: 2n ** 120n - 1n }), 422, /^the message has an amount that no acc/],
    ['the same of a currency', made({ currency: 2n ** 248n - 1n }), 422, /^the message has an amount that no account/],
    ['a logical time of 64 bits', made({ lt: 2n ** 63n }), 422, /^the message is of a logical time over 9223370937343/],
    [
      'the last one of 63 bits',
      made({ lt: 2n ** 63n - 1n }),
      422,
      /^the message is of a logical time over 92233709373/,
    ],
    ['a version that is exotic', { boc, config_overrides: { '8': LIBRARY } }, 422, /, as config_overrides make it$/],
    ['a currency of 33 bits', currency('4294967296', '1'), 400, /extra_currencies.4294967296" is not valid$/],
    ['a currency with a zero before it', currency('01', '1'), 400, /extra_currencies.01" is not valid$/],
    ['a parameter of 33 bits', { boc, config_overrides: { '2147483648': EMPTY } }, 400, /2147483648" is not valid$/],
    ['the same below zero', { boc, config_overrides: { '-2147483649': EMPTY } }, 400, /-2147483649" is not valid$/],
    ['a version that is none', { boc, config_overrides: { '8': EMPTY } }, 422, /, as config_overrides make it$/],
    [
      'a workchain without shards',
      { boc: base64(toNowhere) },
      422,
      /: no shard in masterchain state for account 5:0x0909/,
    ],
    [
      'an account without code',
      { boc: outside, state_overrides: { [RECEIVER]: { status: 'uninit', balance: '1000000000' } } },
      422,
      /EmulationExternalNotAccepted: 0 \(no code accepted the message: the account has none, or its code ended without that\)$/,
    ],
  ])('emulateTrace: %s', async (_, params, status, words) => {
    expect(await refused(TRACE, params)).toEqual([status, expect.stringMatching(words)])
  })

  test('an amount of zero of a currency is none of it, in a state and in a transfer', async () => {
    const said = await emulated(TRACE, currency('7', '0'))
    const { account_state_before } = said.transactions[said.trace.tx_hash] ?? {}
    expect(account_state_before).toMatchObject({ balance: '1', extra_currencies: {} })
    const { wallet } = await walletOf('v4r2')
    const messages = [{ ...one, extra_currency: { '7': '0' } }]
    const sent = await emulated(CONNECT, { from: wallet.address.toRawString(), messages })
    expect(sent.trace.children).toHaveLength(1)
  })

  const one = { address: RECEIVER, amount: '1' }
  // WalletKit compares the whole text.
  const NO_ACCOUNT = /^Failed to fetch account state: Account not found in accounts_dict$/
  const NO_RECIPIENT = /^invalid request: message at index 0 cannot be empty$/
  test.each<[string, Fields, number, RegExp]>([
    ['no wallet', { messages: [one] }, 400, /^invalid request: from address is required for emulation$/],
    ['no messages', { from: RECEIVER }, 400, /^invalid request: messages array cannot be empty$/],
    ['an empty list', { from: RECEIVER, messages: [] }, 400, /^invalid request: messages array cannot be empty$/],
    [
      'no recipient',
      { from: RECEIVER, messages: [one, {}] },
      400,
      /^invalid request: message at index 1 cannot be empty$/,
    ],
    ['a recipient of null', { from: RECEIVER, messages: [{ address: null, amount: '1' }] }, 400, NO_RECIPIENT],
    ['nothing for a message', { from: RECEIVER, messages: [{}] }, 400, NO_RECIPIENT],
    ['null for a wallet', { from: null, messages: [one] }, 400, /^invalid request: from address is required for emu/],
    ['null for messages', { from: RECEIVER, messages: null }, 400, /^invalid request: messages array cannot be empty$/],
    [
      'an amount of null',
      { from: RECEIVER, messages: [{ ...one, amount: null }] },
      400,
      /^invalid request: amount in message at index 0 cannot be empty$/,
    ],
    ['no address of a recipient', { from: RECEIVER, messages: [{ ...one, address: 'me' }] }, 400, /at index 0: 'me'$/],
    [
      'no amount',
      { from: RECEIVER, messages: [{ address: RECEIVER }] },
      400,
      /^invalid request: amount in message at index 0 cannot be empty$/,
    ],
    [
      'no number',
      { from: RECEIVER, messages: [{ ...one, amount: '1.5' }] },
      400,
      /^invalid request: invalid amount in message at index 0: /,
    ],
    [
      'a payload that is none',
      { from: RECEIVER, messages: [{ ...one, payload: 'AAAA' }] },
      400,
      /^invalid request: invalid message payload at index 0: /,
    ],
    [
      'a stateInit that is none',
      { from: RECEIVER, messages: [{ ...one, stateInit: '@@' }] },
      400,
      /^invalid request: invalid message stateInit at index 0: /,
    ],
    ...['-1', '0x10', '1e9', ' 1', '18446744073709551616'].map((amount): [string, Fields, number, RegExp] => [
      `an amount of ${amount}`,
      { from: RECEIVER, messages: [{ ...one, amount }] },
      400,
      /^invalid request: invalid amount in message at index 0: /,
    ]),
    ['a wallet that is no text', { from: 7, messages: [one] }, 400, /^invalid request: "from" must be text$/],
    [
      'a time that is no number',
      { from: RECEIVER, messages: [one], valid_until: 'x' },
      400,
      /^invalid request: "valid/,
    ],
    ['a time of 65 bits', { from: RECEIVER, messages: [one], valid_until: 2 ** 65 }, 400, /^invalid request: "valid/],
    ['no address', { from: 'me', messages: [one] }, 422, /^Invalid address format: me$/],
    ['no account', { from: RECEIVER, messages: [one] }, 422, NO_ACCOUNT],
    [
      'no wallet of those',
      { from: `-1:${'55'.repeat(32)}`, messages: [one] },
      422,
      /^Account (is not a known wallet|state no code or no data)$/,
    ],
  ])('emulateTonConnect: %s', async (_, params, status, words) => {
    expect(await refused(CONNECT, params)).toEqual([status, expect.stringMatching(words)])
  })

  test('an account that has coins and no code', async () => {
    const from = `0:${'8a'.repeat(32)}`
    await client().dev.faucet({ address: from, amount: '1000000000' })
    for (let i = 0; i < 3; i++) await client().dev.mine({})
    expect(await client().getAddressState({ address: from })).toBe('uninitialized')
    expect(await refused(CONNECT, { from, messages: [one] })).toEqual([422, 'Account state no code or no data'])
  })

  test('more messages than the wallet sends at once', async () => {
    const { wallet } = await walletOf('v4r2')
    const messages = Array.from({ length: 5 }, () => one)
    const words = 'invalid request: messages array cannot contain more than 4 messages'
    expect(await refused(CONNECT, { from: wallet.address.toRawString(), messages })).toEqual([400, words])
    const v5 = (await walletOf('v5r1')).wallet.address.toRawString()
    const said = await emulated(CONNECT, { from: v5, messages })
    expect(said.trace.children).toHaveLength(5)
    expect(await emulated(CONNECT, { from: v5, messages })).toEqual(said)
  })

  test('logical times beyond 63 bits; the last of them, and the last second there is, are emulated', async () => {
    const from = (await walletOf('v5r1')).wallet.address.toRawString()
    const params = { from, messages: [one] }
    const most = 2n ** 63n - 2n ** 40n
    for (const lt of [most + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, -1n])
      expect(await refused(CONNECT, { ...params, lt: `${lt}` })).toEqual([
        400,
        `invalid request: "lt" must be from 0 to ${most}`,
      ])
    expect((await emulated(CONNECT, { ...params, lt: `${most}` })).trace.children).toHaveLength(1)
    const { trace } = await emulated(CONNECT, { ...params, unixtime: 2 ** 32 - 2 })
    expect(trace.children).toHaveLength(1)
  })

  test('wallets of a kind that no request is composed for', async () => {
    const publicKey = Buffer.alloc(32, 7)
    for (const wallet of [
      WalletContractV1R3.create({ workchain: 0, publicKey }),
      WalletContractV2R2.create({ workchain: 0, publicKey }),
    ]) {
      const from = wallet.address.toRawString()
      const [code, data] = [wallet.init.code, wallet.init.data].map((cell) => cell.toBoc().toString('base64'))
      const state_overrides = { [from]: { code, data, balance: '1000000000' } }
      // The state that the chain has decides, not one that the request makes up.
      expect(await refused(CONNECT, { from, messages: [one], state_overrides })).toEqual([
        422,
        expect.stringMatching(NO_ACCOUNT),
      ])
      const init = beginCell().store(storeStateInit(wallet.init)).endCell().toBoc().toString('base64')
      expect(await refused(CONNECT, { from, messages: [one], from_state_init: init })).toEqual([
        422,
        expect.stringMatching(/^Unsupported wallet type: wallet_v[12]/),
      ])
    }
  })

  test('a time in seconds, or in any smaller unit, with the same outcome; one that is over', async () => {
    const from = (await walletOf('v4r2')).wallet.address.toRawString()
    const { utime } = await client().dev.state()
    const until = utime + 100_000
    const said = await emulated(CONNECT, { from, messages: [one], valid_until: until })
    // Nanoseconds are more than a number holds exactly, as they come from other languages.
    for (const unit of ['000', '000000', '000000000']) {
      const body = JSON.stringify({ from, messages: [one], valid_until: 0 }).replace(/0}$/, `${until}${unit}}`)
      const reply = await fetch(`${service().url}${CONNECT}`, { method: 'POST', body })
      expect([reply.status, await reply.json()]).toEqual([200, said])
    }
    expect(await refused(CONNECT, { from, messages: [one], valid_until: utime - 1 })).toEqual([
      422,
      expect.stringMatching(/EmulationExternalNotAccepted: 3[56]$/),
    ])
    // Wallets v3 are given their own time.
    const v3 = (await walletOf('v3r2')).wallet.address.toRawString()
    await emulated(CONNECT, { from: v3, messages: [one], valid_until: 1 })
  })

  test('a block that is not there yet', async () => {
    const { boc } = await signed('v4r2', 0, ordersOf(1))
    const [status, text] = await refused(TRACE, { boc, mc_block_seqno: 4_000_000_000 })
    expect([status, text]).toEqual([422, expect.stringMatching(/^mc block seqno is too new/)])
  })

  test('JSON that is none; GET', async () => {
    const url = `${service().url}${TRACE}`
    for (const body of ['[]', 'null', '"x"', '1'])
      for (const path of [TRACE, CONNECT]) {
        const reply = await fetch(`${service().url}${path}`, { method: 'POST', body })
        expect([reply.status, await reply.json()]).toEqual([
          400,
          { error: 'invalid request: the body must be a JSON object' },
        ])
      }
    const broken = await fetch(url, { method: 'POST', body: '{"boc":' })
    expect([broken.status, ((await broken.json()) as Body).error]).toEqual([
      400,
      expect.stringMatching(/^invalid request: /),
    ])
    for (const path of [TRACE, CONNECT]) expect((await fetch(`${service().url}${path}`)).status).toBe(405)
  })

  test('over JSON-RPC the same, with codes', async () => {
    const wrong = await rpc(service(), STRICT, 'emulate.trace', {})
    expect(wrong.body).toMatchObject({ error: { code: -32602 } })
    const { boc } = await signed('v4r2', 0, ordersOf(1))
    const right = await client().emulate.trace({ boc })
    expect(right.transactions).toEqual((await emulated(TRACE, { boc })).transactions)
  })
})
