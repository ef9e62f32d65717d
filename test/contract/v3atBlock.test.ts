// Methods of v3 that read a state, as of an earlier masterchain block.

import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { TRANSFER } from '../../shared/v2/messages.ts'
import { ask, post, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ withIndex: true }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

/** `wallet4` of the embedded chain, which `TRANSFER` is from. */
const WALLET = '0:A9D768FABAA98823A00533997BE583369D0EA125E71AA2D0D9CAD36D9CB8D118'
const STRANGER = `0:${'5E'.repeat(32)}`
const LATER = 99_999_999

type Params = Readonly<Record<string, unknown>>

const get = async (name: string, params: Params) => {
  const { status, body } = await ask(service(), `/api/v3/${name}${queryOf(params)}`)
  return { status, body }
}

/** A block before the wallet sent anything, and the newest after; both are indexed. */
async function blocks(): Promise<{ readonly before: number; readonly after: number }> {
  const { account_state } = await client().getExtendedAddressInformation({ address: WALLET })
  if (!('seqno' in account_state) || account_state.seqno === 0) {
    await client().sendBoc({ boc: TRANSFER })
    await expect.poll(async () => (await get('walletInformation', { address: WALLET })).body.seqno).toBe(1)
  }
  return { before: 1, after: (await client().getMasterchainInfo()).last.seqno }
}

describe.each(['walletInformation', 'wallet'])('%s', (name) => {
  test('has the seqno the wallet had', async () => {
    const { before, after } = await blocks()
    for (const use_v2 of [false, true]) {
      expect((await get(name, { address: WALLET, seqno: before, use_v2 })).body).toMatchObject({ seqno: 0 })
      expect((await get(name, { address: WALLET, seqno: after, use_v2 })).body).toMatchObject({ seqno: 1 })
    }
  })
})

describe.each(['addressInformation', 'account'])('%s', (name) => {
  test('has what the account held, in the form it has out of the index', async () => {
    const { before, after } = await blocks()
    const newest = (await get(name, { address: WALLET })).body
    expect((await get(name, { address: WALLET, seqno: after })).body).toEqual(newest)
    const { body } = await get(name, { address: WALLET, seqno: before })
    expect(body).toMatchObject({ balance: '1000000000000000', status: 'active', code: newest.code, frozen_hash: null })
    expect(body.data).not.toBe(newest.data)
    expect((await get(name, { address: WALLET, seqno: before, use_v2: true })).body.balance).toBe(body.balance)
    expect((await get(name, { address: STRANGER, seqno: before })).body).toMatchObject({
      balance: '0',
      status: 'uninit',
    })
  })
})

test('runGetMethod runs on the state of that block', async () => {
  const { before, after } = await blocks()
  const seqnoAt = async (seqno: number) => {
    const { body } = await post(service(), '/api/v3/runGetMethod', {
      address: WALLET,
      method: 'seqno',
      stack: [],
      seqno,
    })
    return body.stack
  }
  expect(await seqnoAt(before)).toEqual([{ type: 'num', value: '0x0' }])
  expect(await seqnoAt(after)).toEqual([{ type: 'num', value: '0x1' }])
})

test('accountStates and walletStates are those of that block', async () => {
  const { before, after } = await blocks()
  const both = { address: [STRANGER, WALLET] }
  const { body: newest } = await get('accountStates', both)
  expect((await get('accountStates', { ...both, seqno: after })).body).toEqual(newest)
  const [now] = newest.accounts as Params[]
  const { body: then } = await get('accountStates', { ...both, seqno: before })
  const { code_boc, code_hash, contract_methods, interfaces } = now ?? {}
  expect(then.accounts).toMatchObject([
    { address: WALLET, balance: '1000000000000000', code_boc, code_hash, contract_methods, interfaces },
  ])
  const [first] = then.accounts as Params[]
  expect(first?.account_state_hash).not.toBe(now?.account_state_hash)
  const { body: bare } = await get('accountStates', { ...both, seqno: before, include_boc: false })
  expect(Object.keys((bare.accounts as Params[])[0] ?? {})).not.toContain('code_boc')
  const other = { ...both, seqno: before, code_hash: '0'.repeat(64) }
  expect((await get('accountStates', other)).body.accounts).toEqual([])
  expect((await get('walletStates', { ...both, seqno: before })).body.wallets).toMatchObject([{ seqno: 0 }])
  expect((await get('walletStates', { ...both, seqno: after })).body.wallets).toMatchObject([{ seqno: 1 }])
})

describe('a block that is not there is named', () => {
  const names = ['addressInformation', 'walletInformation', 'accountStates', 'walletStates']
  test.each(names)('%s', async (name) => {
    const { status, body } = await get(name, { address: WALLET, seqno: LATER })
    expect(status).toBe(404)
    expect(body.error).toMatch(/^masterchain block 99999999 not found: the newest is \d+$/)
    for (const seqno of [0, -1, 'x']) expect((await get(name, { address: WALLET, seqno })).status).toBe(422)
  })

  test('runGetMethod', async () => {
    const params = { address: WALLET, method: 'seqno', stack: [] }
    const { body } = await rpc(service(), STRICT, 'v3.runGetMethod', { ...params, seqno: LATER })
    expect(body.error).toMatchObject({
      message: expect.stringMatching(/^masterchain block 99999999 not found/),
      data: { param: 'seqno' },
    })
  })
})

test('as many accounts as one call may read are read, and no more', async () => {
  const { before } = await blocks()
  const addresses = (count: number) => Array.from({ length: count }, (_, i) => `0:${String(i).padStart(64, '0')}`)
  expect((await get('accountStates', { address: addresses(100), seqno: before })).status).toBe(200)
  const { status, body } = await get('accountStates', { address: addresses(101), seqno: before })
  expect([status, body.error]).toEqual([422, expect.stringContaining('maximum 100 addresses')])
})
