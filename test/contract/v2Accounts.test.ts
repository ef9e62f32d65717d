// Accounts of the embedded chain through the service: of all states, at old blocks, and by the usual client.

import { Address, Cell, loadShardAccount } from '@ton/core'
import { TonClient } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

const STRANGER = `0:${'5e'.repeat(32)}`
const RECEIVER = `0:${'5f'.repeat(32)}`
const ELECTOR = `-1:${'33'.repeat(32)}`

async function walletOf(kind: string) {
  const found = (await client().dev.state()).accounts.find((account) => account.kind === kind)
  if (!found) throw new Error(`no ${kind} among the accounts`)
  return found
}

describe('getAddressInformation', () => {
  test('a contract', async () => {
    const info = await client().getAddressInformation({ address: ELECTOR })
    const { last } = await client().getMasterchainInfo()
    expect(info).toMatchObject({ state: 'active', frozen_hash: '', suspended: false, block_id: last })
    expect(Cell.fromBase64(info.code).bits.length + Cell.fromBase64(info.code).refs.length).toBeGreaterThan(0)
  })

  test('no contract, and a workchain that is unknown', async () => {
    for (const address of [STRANGER, `7:${'5e'.repeat(32)}`]) {
      const info = await client().getAddressInformation({ address })
      expect(info).toMatchObject({ state: 'uninitialized', balance: '0', code: '', data: '', extra_currencies: [] })
      expect(info.last_transaction_id.lt).toBe('0')
      expect(info.sync_utime).toBeGreaterThan(1_000_000_000)
    }
  })

  test('coins without a contract, and the block before they came', async () => {
    await client().dev.faucet({ address: RECEIVER, amount: '5000' })
    const { seqno, utime } = await client().dev.mine({ blocks: 2 })
    const now = await client().getAddressInformation({ address: RECEIVER })
    expect(now).toMatchObject({ state: 'uninitialized', balance: '5000' })
    expect(now.last_transaction_id.lt).not.toBe('0')
    const before = await client().getAddressInformation({ address: RECEIVER, seqno: 1 })
    expect(before).toMatchObject({ balance: '0', block_id: { seqno: 1 }, last_transaction_id: { lt: '0' } })
    expect(now.sync_utime).toBe(utime)
    const exact = await client().getAddressInformation({ address: RECEIVER, seqno })
    expect(exact).toEqual(now)
  })

  test('a block that is not there yet', async () => {
    for (const method of ['getAddressInformation', 'getExtendedAddressInformation', 'getWalletInformation']) {
      const path = `/api/v2/${method}?address=${ELECTOR}`
      const { status, body } = await ask(service(), `${path}&seqno=99999999`)
      expect([status, body.ok, body.code]).toEqual([500, false, 500])
      expect(body.error).toMatch(/^LITE_SERVER_NOTREADY/)
      for (const seqno of ['0', '-5', 'invalid'])
        expect((await ask(service(), `${path}&seqno=${seqno}`)).status).toBe(422)
    }
  })
})

test('the last transaction of a contract is the one its account state names', async () => {
  const { address } = await walletOf('v4r2')
  const info = await client().getAddressInformation({ address })
  const { bytes } = await client().getShardAccountCell({ address })
  const inShard = loadShardAccount(Cell.fromBase64(bytes).beginParse())
  expect(`${inShard.lastTransactionLt}`).toBe(info.last_transaction_id.lt)
  expect(`${inShard.account?.storage.balance.coins}`).toBe(info.balance)
  const absent = loadShardAccount(
    Cell.fromBase64((await client().getShardAccountCell({ address: STRANGER })).bytes).beginParse(),
  )
  expect(absent.account).toBeUndefined()
})

describe('the ten wallets', () => {
  test('are wallets of their kinds', async () => {
    const { accounts } = await client().dev.state()
    const wallets = accounts.filter(({ kind }) => kind !== 'faucet')
    expect(wallets).toHaveLength(10)
    for (const { address, kind } of wallets) {
      const info = await client().getWalletInformation({ address })
      expect(info).toMatchObject({ wallet: true, account_state: 'active', seqno: 0 })
      expect(info.wallet_type?.replaceAll(/wallet | /g, '')).toBe(kind)
      expect(await client().getAddressState({ address })).toBe('active')
      const { account_state } = await client().getExtendedAddressInformation({ address })
      const type = kind === 'v5r1' ? 'raw.accountState' : `wallet.${kind.slice(0, 2)}.accountState`
      expect(account_state['@type']).toBe(type)
    }
  })

  test('strangers are none', async () => {
    const info = await client().getWalletInformation({ address: STRANGER })
    expect(info).toEqual({
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: '0',
      account_state: 'uninitialized',
      last_transaction_id: expect.objectContaining({ lt: '0' }),
    })
    expect(await client().getAddressState({ address: STRANGER })).toBe('uninitialized')
  })
})

test('an extended address keeps the flags of the request', async () => {
  const { address } = await walletOf('v4r2')
  const parsed = Address.parseRaw(address)
  for (const bounceable of [true, false]) {
    const spelled = parsed.toString({ bounceable })
    const info = await client().getExtendedAddressInformation({ address: spelled })
    expect(info.address.account_address).toBe(spelled)
  }
  const raw = await client().getExtendedAddressInformation({ address })
  expect(raw.address.account_address).toBe(parsed.toString())
})

test('the usual client reads states, balances and deployment', async () => {
  const ton = new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
  const wallet = Address.parse((await walletOf('v3r2')).address)
  const stranger = Address.parse(STRANGER)
  const state = await ton.getContractState(wallet)
  expect(state).toMatchObject({ state: 'active' })
  expect(state.code).not.toBeNull()
  expect(state.blockId.seqno).toBe((await client().getMasterchainInfo()).last.seqno)
  expect(await ton.getBalance(wallet)).toBe(state.balance)
  expect(await ton.isContractDeployed(wallet)).toBe(true)
  expect(await ton.getContractState(stranger)).toMatchObject({ state: 'uninitialized', lastTransaction: null })
  expect(await ton.getBalance(stranger)).toBe(0n)
  expect(await ton.isContractDeployed(stranger)).toBe(false)
})
