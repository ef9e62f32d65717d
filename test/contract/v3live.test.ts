// The embedded chain, its index and v3 together: what is sent is seen.

import { expect, test } from 'vitest'
import { TRANSFER } from '../../shared/v2/messages.ts'
import { ask, post, queryOf } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ withIndex: true }))

/** `wallet4` of the embedded chain, which sends itself a hundredth of a coin. */
const WALLET = '0:A9D768FABAA98823A00533997BE583369D0EA125E71AA2D0D9CAD36D9CB8D118'

type Rows = readonly Readonly<Record<string, unknown>>[]

const get = async (name: string, params: Readonly<Record<string, unknown>> = {}) => {
  const { status, body } = await ask(service(), `/api/v3/${name}${queryOf(params)}`)
  return { status, body }
}

let transfer: ReturnType<typeof post> | undefined
/** By whichever test comes first: a second time it is refused. */
const transferSent = () => {
  transfer ??= post(service(), '/api/v3/message', { boc: TRANSFER })
  return transfer
}

/** Asks until there is an answer that will do. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 300_000; ; ) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a transfer is a trace of two transactions, found by either hash of the message it was sent with', async () => {
  const { body: sent } = await transferSent()
  const traceBy = (hash: unknown) =>
    until(async () => ((await get('traces', { msg_hash: hash, include_actions: true })).body.traces as Rows)?.[0])
  const trace = await traceBy(sent.message_hash)
  expect(await traceBy(sent.message_hash_norm)).toEqual(trace)
  expect(trace).toMatchObject({
    external_hash: sent.message_hash,
    is_incomplete: false,
    actions: [
      { type: 'ton_transfer', success: true, details: { source: WALLET, destination: WALLET, value: '10000000' } },
    ],
    trace_info: { trace_state: 'complete', messages: 2, transactions: 2, pending_messages: 0 },
    trace: { tx_hash: trace.trace_id, in_msg_hash: sent.message_hash, children: [{ children: [] }] },
  })

  const { body } = await get('walletStates', { address: WALLET })
  expect(body.wallets).toMatchObject([{ wallet_type: 'wallet v4 r2', seqno: 1, wallet_id: 698983191 }])
  expect(body.address_book).toMatchObject({ [WALLET]: { user_friendly: expect.stringMatching(/^0Q/) } })
  const { body: index } = await get('addressInformation', { address: WALLET })
  const { body: node } = await get('addressInformation', { address: WALLET, use_v2: true })
  const { code, data, ...facts } = index
  expect({ ...node, code, data }).toEqual({ ...facts, code, data })
  const { body: top } = await get('topAccountsByBalance', { limit: 20 })
  expect((top as unknown as Rows).map(({ account }) => account)).toContain(WALLET)
})

test('a transfer in transactions and messages: by hash, by account, by message, by block, and from one to the next', async () => {
  const hashesOf = (rows: unknown) => (rows as Rows).map(({ hash }) => hash)
  const { message_hash } = (await transferSent()).body
  const [begun] = await until(async () => {
    const { body } = await get('transactionsByMessage', { msg_hash: message_hash })
    return (body.transactions as Rows | undefined)?.length ? (body.transactions as Rows) : undefined
  })
  if (!begun) throw new Error('a transaction was expected')
  expect(begun).toMatchObject({
    account: WALLET,
    trace_external_hash: message_hash,
    finality: 'finalized',
    description: { type: 'ord', compute_ph: { success: true }, action: { msgs_created: 1 } },
    in_msg: { hash: message_hash, source: null, hash_norm: expect.any(String) },
  })
  const { hash_norm } = begun.in_msg as { hash_norm: string }
  expect((await get('transactionsByMessage', { msg_hash: hash_norm })).body.transactions).toEqual([begun])
  expect((await get('transactions', { hash: begun.hash })).body.transactions).toEqual([begun])

  const [sent] = begun.out_msgs as Rows
  const { body: next } = await get('adjacentTransactions', { hash: begun.hash, direction: 'out' })
  const [received] = next.transactions as Rows
  expect(received).toMatchObject({ in_msg: { hash: sent?.hash }, trace_id: begun.trace_id, out_msgs: [] })
  // Of two transactions of an account in one block only what the second left is stored.
  expect(received).toMatchObject({ account_state_after: { account_status: 'active', extra_currencies: {} } })
  const { body: before } = await get('adjacentTransactions', { hash: received?.hash })
  expect(before.transactions).toEqual([begun])

  const { body: listed } = await get('messages', { msg_hash: sent?.hash })
  expect(listed.messages).toEqual([{ ...sent, in_msg_tx_hash: received?.hash, out_msg_tx_hash: begun.hash }])
  const { body: outside } = await get('messages', { source: 'null', destination: WALLET })
  expect(hashesOf(outside.messages)).toEqual([message_hash])

  const { body: block } = await get('transactionsByMasterchainBlock', { seqno: begun.mc_block_seqno, limit: 100 })
  expect(hashesOf(block.transactions)).toContain(begun.hash)
  const { body: committed } = await get('masterchainBlockShards', { seqno: begun.mc_block_seqno })
  const places = (committed.blocks as Rows).map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno }))
  expect(places).toContainEqual(begun.block_ref)
})

test('every transaction and block of a chain from its first block on can be listed', async () => {
  const { body: info } = await get('masterchainInfo')
  const { first, last } = info as Record<'first' | 'last', { seqno: number }>
  expect(first.seqno).toBeLessThan(last.seqno)
  const { body: blocks } = await get('blocks', { limit: 1000, workchain: -1 })
  expect((blocks.blocks as Rows).length).toBeGreaterThanOrEqual(last.seqno - first.seqno)
  // Of all kinds there are: each is held against its schema on the way out.
  const { body: all } = await get('transactions', { limit: 1000 })
  const kinds = (all.transactions as Rows).map(({ description }) => (description as { type: string }).type)
  expect(new Set(kinds)).toEqual(new Set(['ord', 'tick_tock']))
})
