// A history that breaks off: what is gone is gone, but a node that is slow is no end of it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import { transactionHandlers } from '../../../../server/methods/v2/transactions.ts'
import { Written } from '../../../../server/methods/written.ts'
import {
  type Chain,
  ChainReverted,
  LiteError,
  type LiteErrorKind,
  ProofError,
  readAccount,
} from '../../../../server/node/index.ts'
import { transactionsV2 } from '../../../../shared/v2/transactions.ts'
import { callWith } from '../../../setup/handlerCall.ts'

const ID = new Uint8Array(32).fill(6)
const COUNT = 20
const call = callWith(new AbortController().signal)
const params = transactionsV2.getTransactions.params.parse({ address: `0:${'06'.repeat(32)}`, limit: 100 })

let chain: Devchain
let view: Chain
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000 })
  view = createEmbeddedChain(chain)
  for (let i = 0; i < COUNT; i++) await chain.control.faucet({ workchain: 0, id: ID }, 1_000_000_000n)
})
afterAll(async () => {
  await chain.close()
})

/** The chain, which fails in this way at the second page. */
function failing(kind: LiteErrorKind | number | Error): Chain {
  const error = kind instanceof Error ? kind : new LiteError(kind, 'no more')
  let pages = 0
  return {
    ...view,
    transactions: (...query) => (++pages === 2 ? Promise.reject(error) : view.transactions(...query)),
  }
}

/** A result as its caller reads it. */
async function read<T>(result: Promise<T | Written<T>> | T): Promise<T> {
  const found = await result
  return found instanceof Written ? (JSON.parse(found.json) as T) : found
}

test('default', async () => {
  expect(await read(transactionHandlers(view).getTransactions(params, call))).toHaveLength(COUNT)
})

test('behavior: what is kept is the answer, and where to ask on', async () => {
  const { getTransactions, getTransactionsStd } = transactionHandlers(failing('notReady'))
  expect(await read(getTransactions(params, call))).toHaveLength(16)
  const rest = await read(transactionHandlers(failing('notReady')).getTransactionsStd(params, call))
  expect(rest.transactions).toHaveLength(16)
  expect(rest.previous_transaction_id.lt).not.toBe('0')
  expect((await read(getTransactionsStd(params, call))).previous_transaction_id.lt).toBe('0')
})

test.each([
  [0, 'cannot compute block with specified transaction: cannot find block (0,8000000000000000) lt=7: lt not in db'],
  [-400, 'cannot load block (0,8000000000000000,7):AA:BB with specified transaction: block handle not in db'],
  [651, 'cannot find block (0,8000000000000000) lt=7: ltdb: block not found'],
  [0, "package already gc'd"],
])('behavior: a node that no longer has it, in its own words: %i %s', async (code, text) => {
  const { getTransactions } = transactionHandlers(failing(new LiteError(code, text)))
  expect(await read(getTransactions(params, call))).toHaveLength(16)
})

test('behavior: a transaction that another one names exists, so that a refusal says nothing of the others', async () => {
  const asked: (boolean | undefined)[] = []
  const watched: Chain = {
    ...view,
    transactions: (query, options) => {
      asked.push(options?.exists)
      return view.transactions(query, options)
    },
  }
  const [newest] = await read(transactionHandlers(watched).getTransactions(params, call))
  const { lt, hash } = newest?.transaction_id ?? {}
  const given = transactionsV2.getTransactions.params.parse({ address: `0:${'06'.repeat(32)}`, limit: 100, lt, hash })
  await read(transactionHandlers(watched).getTransactions(given, call))
  expect(asked).toEqual([true, true, false, true])
})

test('behavior: a node that shows nothing older, without a word', async () => {
  const { getTransactions } = transactionHandlers(failing(new ProofError('missing', 'not shown')))
  expect(await read(getTransactions(params, call))).toHaveLength(16)
})

test.each<[string, LiteErrorKind | number | Error]>([
  ['too slow', 'timeout'],
  ['gone', 'cancelled'],
  ['tired', 228],
  ['without a reason', 'failed'],
  ['that finds the query wrong', 'badQuery'],
  [
    'that does not find what another transaction names',
    new LiteError(-400, 'no more: cannot locate transaction in block with specified logical time'),
  ],
  ['tired, in the words of a proxy', 429],
  ['broken', -503],
  ['away behind its proxy', 502],
  ['whose blocks were undone meanwhile', new ChainReverted(new LiteError('notReady', 'no more'))],
  ['that lies', new ProofError('hash', 'another hash')],
])('error: a node %s', async (_, failure) => {
  for (const method of ['getTransactions', 'getTransactionsStd'] as const) {
    const handler = transactionHandlers(failing(failure))[method]
    await expect((async () => await handler(params, call))()).rejects.toThrow(/no more|another hash/)
  }
})

test.each([
  ['which is whole', () => view],
  ['of which the rest is gone', () => failing('notReady')],
  ['of which the rest cannot be proven', () => failing(new ProofError('hash', 'another hash'))],
])('error: a history, %s, of a chain that is another one by now', async (_, chainOf) => {
  const { shardAccount } = await readAccount(view, params.address, undefined, call.signal)
  const { lastTransLt: lt = 0n, lastTransHash: hash = ID } = shardAccount ?? {}
  let looks = 0
  const confirm = (): void => {
    looks++
    throw new Error('another chain')
  }
  const { getTransactions } = transactionHandlers(chainOf(), async () => ({ lt, hash, confirm }))
  await expect((async () => await getTransactions(params, call))()).rejects.toThrow('another chain')
  expect(looks).toBe(1)
})
