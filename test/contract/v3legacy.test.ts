// The methods v3 took over from v2, through a running service: out of the index, and out of the node.

import { Address, beginCell } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import type { AccountRow } from '../../server/store/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { TRANSFER } from '../../shared/v2/messages.ts'
import { ask, post, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { v3ForAll } from '../setup/v3Service.ts'

const running = v3ForAll({ transactions: 300 })

type Params = Readonly<Record<string, unknown>>

const get = async (name: string, params: Params = {}) => {
  const { status, body } = await ask(running().service, `/api/v3/${name}${queryOf(params)}`)
  return { status, body }
}

const send = async (name: string, params: unknown) => {
  const { status, body } = await post(running().service, `/api/v3/${name}`, params)
  return { status, body }
}

const V4 = '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA='
const NEVER = `0:${'7'.repeat(64)}`
const ZEROS = `${'A'.repeat(43)}=`
/** `wallet4` of the embedded chain. */
const WALLET = '0:a9d768fabaa98823a00533997be583369d0ea125e71aa2d0d9cad36d9cb8d118'

function stored(fits: (row: AccountRow) => boolean): AccountRow {
  const row = [...running().known.accounts.values()].find(fits)
  if (!row) throw new Error('no such account')
  return row
}
const isWallet = ({ codeHash }: AccountRow) => codeHash !== null && toBase64(codeHash) === V4
const nameOf = (row: AccountRow) => rawOfKey(row.account)

describe.each(['addressInformation', 'account'])('%s', (name) => {
  test('is the stored state', async () => {
    const row = stored(isWallet)
    expect(await get(name, { address: nameOf(row) })).toEqual({
      status: 200,
      body: {
        balance: String(row.balance),
        code: expect.stringMatching(/^te6/),
        data: expect.stringMatching(/^te6/),
        last_transaction_lt: String(row.lastTxLt),
        last_transaction_hash: toBase64(row.lastTxHash),
        frozen_hash: null,
        status: 'active',
      },
    })
  })

  test('is zeros for an account never seen, whatever unknown is sent along', async () => {
    const { status, body } = await get(name, { address: NEVER, include_boc: 'true' })
    expect(status).toBe(200)
    const nothing = { code: null, data: null, frozen_hash: null }
    const zeros = { balance: '0', last_transaction_lt: '0', last_transaction_hash: ZEROS }
    expect(body).toEqual({ ...nothing, ...zeros, status: 'uninit' })
    expect((await get(name, { address: NEVER, use_v2: 'true' })).body).toEqual({
      ...nothing,
      ...zeros,
      status: 'uninitialized',
    })
  })

  test('asks the node with use_v2', async () => {
    expect((await get(name, { address: WALLET })).body.status).toBe('uninit')
    const { body } = await get(name, { address: WALLET, use_v2: 'true' })
    expect(body).toMatchObject({ status: 'active', balance: '1000000000000000', frozen_hash: null })
    expect(body.code).toMatch(/^te6/)
  })
})

describe.each(['walletInformation', 'wallet'])('%s', (name) => {
  test('knows a stored wallet', async () => {
    const row = stored(isWallet)
    expect((await get(name, { address: nameOf(row) })).body).toEqual({
      balance: String(row.balance),
      wallet_type: 'wallet v4 r2',
      seqno: 17,
      wallet_id: 698983191,
      last_transaction_lt: String(row.lastTxLt),
      last_transaction_hash: toBase64(row.lastTxHash),
      status: 'active',
    })
  })

  test('has no wallet to show for one not deployed', async () => {
    const bare = stored(({ status }) => status === 'uninit')
    for (const [address, status] of [
      [nameOf(bare), 'uninit'],
      [NEVER, 'uninit'],
    ] as const) {
      const { body } = await get(name, { address })
      expect(body.status).toBe(status)
      expect(body).not.toHaveProperty('wallet_type')
    }
    expect((await get(name, { address: NEVER, use_v2: 1 })).body.status).toBe('uninitialized')
  })

  test('refuses what is no wallet', async () => {
    const contract = stored(
      (row) =>
        row.codeHash !== null &&
        row.status === 'active' &&
        toBase64(row.codeHash) !== V4 &&
        toBase64(row.codeHash).startsWith('i'),
    )
    expect(await get(name, { address: nameOf(contract) })).toEqual({ status: 409, body: { error: 'not a wallet' } })
    const elector = `-1:${'3'.repeat(64)}`
    expect(await get(name, { address: elector, use_v2: 'true' })).toEqual({
      status: 409,
      body: { error: 'not a wallet' },
    })
  })

  test('asks the node with use_v2', async () => {
    const { body } = await get(name, { address: WALLET, use_v2: 'true' })
    expect(body).toMatchObject({ wallet_type: 'wallet v4 r2', seqno: 0, wallet_id: 698983191, status: 'active' })
    expect(body).not.toHaveProperty('is_signature_allowed')
  })
})

describe.each(['addressInformation', 'account', 'walletInformation', 'wallet'])('%s refuses', (name) => {
  test('a call without an address', async () => {
    expect(await get(name)).toEqual({ status: 401, body: { error: 'address of account is required' } })
    const { body } = await rpc(running().service, STRICT, `v3.${name}`, {})
    expect(body.error).toMatchObject({ code: -32602, message: 'address of account is required' })
  })

  test.each([
    [{ address: '' }, '"address"'],
    [{ address: 'x' }, '"address"'],
    [{ address: NEVER, use_v2: 'perhaps' }, '"use_v2"'],
  ])('%j', async (params, words) => {
    const { status, body } = await get(name, params)
    expect([status, body.error]).toEqual([422, expect.stringContaining(words)])
  })
})

describe('message', () => {
  test('sends, and names what was sent as v2 does', async () => {
    const { status, body } = await send('message', { boc: TRANSFER })
    expect(status).toBe(200)
    expect(body.message_hash).toMatch(/^[\w+/]{43}=$/)
    expect(body.message_hash_norm).toMatch(/^[\w+/]{43}=$/)
  })

  test.each([
    [{}, 401, 'boc is required'],
    [{ boc: '' }, 401, 'boc is required'],
    [{ boc: '***' }, 422, 'not base64'],
    ['{', 422, 'Parse error'],
    [{ boc: 'te6cckEBAQEAAgAAAEysuc0=' }, 500, ''],
  ])('refuses %j', async (params, status, words) => {
    const refused = await send('message', params)
    expect([refused.status, refused.body.error]).toEqual([status, expect.stringContaining(words)])
  })
})

describe('estimateFee', () => {
  test('answers in numbers', async () => {
    const { status, body } = await send('estimateFee', {
      address: WALLET,
      body: 'te6cckEBAQEAAgAAAEysuc0=',
      init_code: '',
      init_data: '',
      ignore_chksig: true,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      source_fees: {
        in_fwd_fee: expect.any(Number),
        storage_fee: expect.any(Number),
        gas_fee: expect.any(Number),
        fwd_fee: expect.any(Number),
      },
      destination_fees: [],
    })
  })

  test('needs an address and a body', async () => {
    expect((await send('estimateFee', { body: 'te6cckEBAQEAAgAAAEysuc0=' })).status).toBe(422)
    expect((await send('estimateFee', { address: WALLET, body: '' })).status).toBe(422)
  })
})

describe('runGetMethod', () => {
  test('runs, with and without a stack', async () => {
    const expected = { exit_code: 0, gas_used: expect.any(Number), stack: [{ type: 'num', value: '0x0' }] }
    for (const stack of [{}, { stack: [] }, { stack: null }, { seqno: null }]) {
      expect(await send('runGetMethod', { address: WALLET, method: 'seqno', ...stack })).toEqual({
        status: 200,
        body: expected,
      })
    }
    const { body } = await send('runGetMethod', { address: WALLET, method: 'get_subwallet_id' })
    expect(body.stack).toEqual([{ type: 'num', value: `0x${(698983191).toString(16)}` }])
  })

  test('takes numbers in both writings, cells and slices', async () => {
    const address = beginCell().storeAddress(Address.parse(WALLET)).endCell().toBoc().toString('base64')
    for (const stack of [
      [
        { type: 'num', value: '0x0' },
        { type: 'num', value: '5' },
      ],
      [
        { type: 'cell', value: address },
        { type: 'slice', value: address },
      ],
    ]) {
      const { status, body } = await send('runGetMethod', { address: WALLET, method: 'is_plugin_installed', stack })
      expect([status, Object.keys(body)]).toEqual([200, ['gas_used', 'exit_code', 'stack']])
    }
  })

  test('a method that fails is an answer', async () => {
    const { status, body } = await send('runGetMethod', { address: WALLET, method: 'no_such_method' })
    expect([status, body.exit_code]).toEqual([200, 11])
  })

  test('tuples and lists are written down; null is an empty list', async () => {
    const { status, body } = await send('runGetMethod', { address: WALLET, method: 'get_plugin_list' })
    expect([status, body.stack]).toEqual([200, [{ type: 'list', value: [] }]])
    const elector = `-1:${'3'.repeat(64)}`
    const list = await send('runGetMethod', { address: elector, method: 'participant_list_extended' })
    expect(list.status).toBe(200)
    for (const { type } of list.body.stack as { type: string }[]) expect(['num', 'list', 'tuple']).toContain(type)
  })

  test.each([
    [{ method: 'seqno' }, 401, 'address is required'],
    [{ address: '', method: 'seqno' }, 401, 'address is required'],
    [{ address: WALLET }, 401, 'method is required'],
    [{ adress: WALLET, method: 'seqno' }, 401, 'address is required: "adress" may be a misspelling of it'],
    [{ address: WALLET, method: '' }, 401, 'method is required'],
    [{ address: WALLET, method: 85143 }, 422, '"method" must be text'],
    [{ address: 'x', method: 'seqno' }, 422, "Failed to parse ton_addr: 'x'"],
    [{ address: WALLET, method: 'seqno', stack: 'x' }, 422, '"stack'],
    [{ address: WALLET, method: 'seqno', stack: [{ type: '', value: '' }] }, 422, 'empty type of a stack entry'],
    [
      { address: WALLET, method: 'seqno', stack: [{ type: 'tuple', value: [] }] },
      500,
      'unsupported stack parameter type: tuple',
    ],
    [{ address: WALLET, method: 'seqno', stack: [{ type: 'num', value: 'x' }] }, 422, 'Invalid number: x'],
    [{ address: WALLET, method: 'seqno', stack: [{ type: 'cell' }] }, 422, '"stack.0.value" is required'],
    [{ address: WALLET, method: 'seqno', stack: [{ type: 'slice', value: 'AAAA' }] }, 500, 'INVALID_BAG_OF_CELLS'],
  ])('refuses %j', async (params, status, words) => {
    const refused = await send('runGetMethod', params)
    expect([refused.status, refused.body.error]).toEqual([status, expect.stringContaining(words)])
  })
})
