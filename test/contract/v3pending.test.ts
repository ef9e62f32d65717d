// What is sent and not mined yet, on a chain that is mined by hand: seen as it will come, then as it came.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import type { WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, type Body, post, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const MASTER_RECEIVER = `-1:${'CD'.repeat(32)}`

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

type Fields = Readonly<Record<string, unknown>>
interface Trace extends Fields {
  readonly trace_id: string | null
  readonly start_utime: number
  readonly trace_info: Fields
  readonly transactions_order: readonly string[]
  readonly actions: readonly Fields[]
  readonly transactions: Readonly<Record<string, Fields>>
}

const get = async (name: string, params: Fields = {}) => ask(service(), `/api/v3/${name}${queryOf(params)}`)
const tracesOf = async (params: Fields) => (await get('pendingTraces', params)).body.traces as readonly Trace[]

let wallet: WalletContractV4
let secretKey: Buffer

beforeAll(async () => {
  ;({ wallet, secretKey } = await fundedWallet(client()))
  await indexed()
})

/** Sends a transfer, as the next one of the wallet: what is not mined does not count. */
async function send(to = RECEIVER, comment = 'soon', others: readonly string[] = []) {
  const { seqno = 0 } = await client().getWalletInformation({ address: wallet.address.toRawString() })
  const order = (one: string) => internal({ to: Address.parse(one), value: toNano('1'), bounce: false, body: comment })
  const messages = [to, ...others].map(order)
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const timeout = Math.floor(Date.now() / 1000) + 7 * 24 * 3600
  const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages, timeout })
  const message = external({ to: wallet.address, body })
  const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
  const sent = (await post(service(), '/api/v3/message', { boc })).body
  return { boc, hash: String(sent.message_hash), norm: String(sent.message_hash_norm) }
}

async function mine() {
  await client().dev.mine({})
  await indexed()
}

/** Waits until the index is where the chain is. */
async function indexed() {
  const { last } = await client().getMasterchainInfo()
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; ) {
    const { body } = await get('masterchainInfo')
    if ((body.last as Fields | undefined)?.root_hash === last.root_hash) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the index does not come after')
}

/** Ends what a revert has dropped from the chain: the next transfer takes its place in the wallet. */
async function overtake() {
  await send(`0:${'EE'.repeat(32)}`, 'next')
  await mine()
  expect(await tracesOf({ account: wallet.address.toRawString() })).toEqual([])
}

/** The parts of a transaction that do not depend on when it is mined. */
const fateOf = ({ account, end_status, description, in_msg }: Fields) => {
  const { aborted, compute_ph } = description as { aborted: boolean; compute_ph: Fields }
  const { source, value, message_content } = in_msg as Fields
  const { success, exit_code, gas_used } = compute_ph
  return { account, end_status, aborted, success, exit_code, gas_used, source, value, message_content }
}

describe('a transfer', () => {
  test('is reported to its end before it is mined, and as it came afterwards', async () => {
    const { hash, norm } = await send()
    const hex = `0x${Buffer.from(norm, 'base64').toString('hex')}`
    const [trace] = await tracesOf({ ext_msg_hash: hex })
    expect(await tracesOf({ ext_msg_hash: [hash] })).toEqual([trace])
    expect(await tracesOf({ account: RECEIVER })).toEqual([trace])
    expect(await tracesOf({ account: MASTER_RECEIVER })).toEqual([])
    expect(trace).toMatchObject({
      trace_id: null,
      external_hash: hash,
      trace_info: { trace_state: 'pending', messages: 2, transactions: 2, pending_messages: 2 },
      is_incomplete: false,
    })
    // The receiver is not deployed, so the amount is there all the same.
    expect(trace?.actions).toMatchObject([
      { trace_id: null, trace_external_hash: hash, type: 'ton_transfer', success: true, finality: 'pending' },
    ])
    const { actions } = (await get('pendingActions', { ext_msg_hash: hash })).body
    expect(actions).toEqual(trace?.actions)
    const emulated = trace?.transactions_order.map((name) => trace.transactions[name] ?? {}) ?? []
    for (const one of emulated) {
      expect(one).toMatchObject({ emulated: true, finality: 'pending', trace_external_hash: hash })
      expect(one).not.toHaveProperty('trace_id')
    }
    expect(emulated[0]?.in_msg).toMatchObject({ hash, hash_norm: norm, value_extra_currencies: {} })

    const ofReceiver = (await get('pendingTransactions', { account: RECEIVER })).body.transactions
    expect(ofReceiver).toEqual([emulated[1]])
    const [, second] = emulated
    const byName = await get('pendingTransactions', { trace_id: hex })
    expect((byName.body.transactions as readonly Fields[])[0]).toEqual(second)

    await mine()
    expect(await tracesOf({ ext_msg_hash: hex })).toEqual([])
    const gone = await get('pendingTransactions', { account: RECEIVER })
    expect([gone.status, gone.body]).toEqual([404, { error: 'emulated traces not found' }])
    const [real] = (await get('traces', { msg_hash: hash })).body.traces as readonly Trace[]
    const mined = real?.transactions_order.map((name) => real.transactions[name] ?? {}) ?? []
    expect(mined.map(fateOf)).toEqual(emulated.map(fateOf))
  })

  test('one of several names all accounts of the transactions that are included', async () => {
    const other = `0:${'BC'.repeat(32)}`
    await send(RECEIVER, 'both', [other])
    const bookOf = async (params: Fields) =>
      Object.keys((await get('pendingActions', { account: other, ...params })).body.address_book as object).sort()
    const details = [other, wallet.address.toRawString().toUpperCase()].sort()
    expect(await bookOf({})).toEqual(details)
    expect(await bookOf({ include_transactions: true })).toEqual([RECEIVER, ...details].sort())
    await mine()
    expect(await tracesOf({ account: other })).toEqual([])
  })

  test('to another workchain is shown in part as mined, in part as it will come', async () => {
    const { norm } = await send(MASTER_RECEIVER)
    const before = await tracesOf({ ext_msg_hash: norm })
    expect(before[0]?.trace_info).toMatchObject({ transactions: 2, pending_messages: 2 })
    await mine()
    for (let blocks = 0; blocks < 5; blocks++) {
      const [trace] = await tracesOf({ ext_msg_hash: norm })
      if (trace === undefined) break
      const shown = trace.transactions_order.map((name) => trace.transactions[name] ?? {})
      expect(trace.trace_id).toBe(trace.transactions_order[0])
      expect(shown.map(({ emulated }) => emulated)).toEqual([false, true])
      expect(shown.map(({ account }) => account)).toContain(MASTER_RECEIVER)
      expect(trace.trace_info).toMatchObject({ trace_state: 'pending', messages: 2, pending_messages: 0 })
      await mine()
    }
    const [real] = (await get('traces', { msg_hash: norm })).body.traces as readonly Trace[]
    expect(real?.trace_info).toMatchObject({ trace_state: 'complete', transactions: 2 })
  })
})

test('of two messages for the same place in a wallet, one is shown', async () => {
  const first = await send(RECEIVER, 'a')
  const rival = await send(RECEIVER, 'b')
  const all = await tracesOf({ account: wallet.address.toRawString() })
  expect(all.map(({ external_hash }) => external_hash)).toEqual([first.hash])
  expect(await tracesOf({ ext_msg_hash: rival.hash })).toEqual([])
  expect(await tracesOf({ ext_msg_hash: [first.hash, rival.hash] })).toEqual(all)
  await mine()
  expect(await tracesOf({ account: wallet.address.toRawString() })).toEqual([])
})

test('a trace that was computed before a revert is computed again at another block of the same height', async () => {
  const { id } = await client().dev.snapshot({})
  await mine()
  const { boc, hash } = await send(`0:${'EE'.repeat(32)}`)
  expect(await tracesOf({ ext_msg_hash: hash })).toMatchObject([{ trace_id: null }])
  await client().dev.revert({ id })
  await client().dev.increaseTime({ seconds: 5 })
  const { utime } = await client().dev.mine({})
  await indexed()
  expect(await tracesOf({ ext_msg_hash: hash })).toEqual([])
  await post(service(), '/api/v3/message', { boc })
  const [after] = await tracesOf({ ext_msg_hash: hash })
  expect(after?.start_utime).toBeGreaterThanOrEqual(utime)
  await overtake()
})

test('what is requested while the index follows a revert is answered once it has', async () => {
  const statuses: number[] = []
  for (let round = 0; round < 10; round++) {
    const { id } = await client().dev.snapshot({})
    await client().dev.mine({ blocks: 3 })
    await indexed()
    await send(`0:${'DD'.repeat(32)}`)
    await client().dev.revert({ id })
    const path = { account: wallet.address.toRawString() }
    const replies = await Promise.all(['pendingTraces', 'pendingActions'].map((name) => get(name, path)))
    statuses.push(...replies.map(({ status }) => status))
    await indexed()
  }
  // 503: the index takes long on a machine that does other things.
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  await overtake()
})

describe('refusals', () => {
  test('nothing named', async () => {
    const statusAndText = ({ status, body }: { status: number; body: Body }) => [status, body.error]
    expect(statusAndText(await get('pendingTraces'))).toEqual([422, 'account or ext_msg_hash should be specified'])
    expect(statusAndText(await get('pendingTransactions'))).toEqual([422, 'at least 1 account address required'])
    expect(statusAndText(await get('pendingTransactions', { account: RECEIVER }))).toEqual([
      404,
      'emulated traces not found',
    ])
  })

  test('the same over JSON-RPC', async () => {
    const { body } = await rpc(service(), STRICT, 'v3.pendingTraces', { account: RECEIVER })
    expect(body.result).toEqual({ traces: [], address_book: {}, metadata: {} })
  })
})
