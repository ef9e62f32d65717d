// Transactions executed again on the state they began with: equal to the last bit, whatever kind they are.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import type { WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient, type Transaction } from '../../client/index.ts'
import { post, sendAndWait } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'

const PATH = '/api/emulate/v1/replay'
const UNUSED = Address.parse(`0:${'77'.repeat(32)}`)

const service = forAllTests(() => serve({ withIndex: true }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })

let wallet: WalletContractV4
let secretKey: Buffer
const all: Transaction[] = []

async function send(
  seqno: number,
  to: Address,
  bounce: boolean,
  body?: string,
  sendMode = SendMode.PAY_GAS_SEPARATELY,
) {
  const messages = [1, 2].map((amount) => internal({ to, value: toNano(amount), bounce, ...(body ? { body } : {}) }))
  const transfer = wallet.createTransfer({ seqno, secretKey, sendMode, messages })
  const cell = beginCell().store(storeMessage(external({ to: wallet.address, body: transfer })))
  const { status, text } = await sendAndWait(service(), { boc: cell.endCell().toBoc().toString('base64') })
  if (status !== 200) throw new Error(text)
}

beforeAll(async () => {
  ;({ wallet, secretKey } = await fundedWallet(client()))
  await client().dev.jetton({ address: wallet.address.toRawString(), amount: '42' })
  await client().dev.nft({ address: wallet.address.toRawString() })
  await client().dev.faucet({ address: UNUSED.toRawString(), amount: '1000000000' })
  // Two of one account in one block, back from there, comments, and more than the wallet has.
  await send(0, UNUSED, true)
  await send(1, UNUSED, false, 'hello')
  await send(2, wallet.address, true)
  await send(3, UNUSED, false, 'all', SendMode.CARRY_ALL_REMAINING_BALANCE)
  const { seqno } = await client().dev.mine({ blocks: 1 })
  await untilIndexed(client(), seqno)
  for await (const one of client().v3.transactions.each({ limit: 100, sort: 'asc' })) all.push(one)
})

describe('a transaction of the chain', () => {
  test('is repeated with the same hash, state and codes, and its log is shown', async () => {
    // The system contracts are woken at the beginning of each block, without a message.
    const ofMessages = all.filter(({ account, in_msg }) => in_msg !== null && !account.startsWith('-1:'))
    expect(ofMessages.length).toBeGreaterThan(15)
    const kinds = new Set<string>()
    for (const { hash, account, account_state_after, description } of ofMessages) {
      const again = await client().emulate.replay({ tx_hash: hash })
      const { compute_ph, action } = description as {
        compute_ph: Record<string, unknown>
        action?: { result_code: number }
      }
      expect([account, again]).toEqual([
        account,
        {
          tx_hash: hash,
          is_equal: true,
          replayed_tx_hash: hash,
          state_hash: account_state_after.hash,
          replayed_state_hash: account_state_after.hash,
          exit_code: compute_ph.skipped === true ? null : compute_ph.exit_code,
          action_result_code: action?.result_code ?? null,
          reason: null,
          vm_log: again.vm_log,
        },
      ])
      expect(again.vm_log.includes('execute')).toBe(compute_ph.skipped !== true)
      kinds.add(compute_ph.skipped === true ? String(compute_ph.reason) : String(compute_ph.exit_code))
    }
    expect(kinds.size).toBeGreaterThan(1)
  })

  test('without a message is refused, like hashes of nothing', async () => {
    const refused = async (params: object) => {
      const { status, body } = await post(service(), PATH, params)
      return [status, body.error]
    }
    const tick = all.find(({ description }) => description.type === 'tick_tock')
    expect(await refused({ tx_hash: tick?.hash })).toEqual([422, expect.stringContaining('transactions of messages')])
    expect(await refused({ tx_hash: 'A'.repeat(64) })).toEqual([404, 'transaction not found'])
    expect(await refused({ tx_hash: 'me' })).toEqual([400, expect.stringContaining("invalid hash: 'me'")])
    expect(await refused({})).toEqual([400, expect.stringContaining('"tx_hash" is required')])
  })

  test('in a block that changed its account by hand is refused, as nothing keeps the state it began with', async () => {
    const address = `0:${'78'.repeat(32)}`
    await client().dev.setMining({ mode: 'manual' })
    await client().dev.setAccount({ address, balance: '5000000000' })
    await client().dev.sendInternal({ from: UNUSED.toRawString(), to: address, value: '1000000000', bounce: false })
    const { seqno } = await client().dev.mine({ blocks: 2 })
    await client().dev.setMining({ mode: 'auto' })
    await untilIndexed(client(), seqno)
    const { transactions } = await client().v3.transactions({ account: [address] })
    const { status, body } = await post(service(), PATH, { tx_hash: transactions[0]?.hash })
    expect([status, body.error]).toEqual([422, expect.stringContaining('dev.setAccount')])
  })
})
