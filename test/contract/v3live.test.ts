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

/** Asks until there is an answer that will do. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 30_000; ; ) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a transfer is a trace of two transactions, found by either hash of the message it was sent with', async () => {
  const { body: sent } = await post(service(), '/api/v3/message', { boc: TRANSFER })
  const traceBy = (hash: unknown) =>
    until(async () => ((await get('traces', { msg_hash: hash, include_actions: true })).body.traces as Rows)?.[0])
  const trace = await traceBy(sent.message_hash)
  expect(await traceBy(sent.message_hash_norm)).toEqual(trace)
  expect(trace).toMatchObject({
    external_hash: sent.message_hash,
    is_incomplete: false,
    actions: [],
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
