// A history that breaks off: what is gone is gone, but a node that is slow is no end of it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_MODIFIERS } from '../../../../server/methods/index.ts'
import { transactionHandlers } from '../../../../server/methods/v2/transactions.ts'
import { type Devchain, openDevchain } from '../../../../server/node/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/node/devchain/lite/index.ts'
import { LiteError, type LiteErrorKind, type LiteServer } from '../../../../server/node/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { transactions } from '../../../../shared/v2/transactions.ts'

const ID = new Uint8Array(32).fill(6)
const COUNT = 20
const call = {
  caller: {} as never,
  requestId: '',
  signal: new AbortController().signal,
  timeoutMs: 3000,
  modifiers: NO_MODIFIERS,
}
const params = transactions.getTransactions.params.parse({ address: `0:${'06'.repeat(32)}`, limit: 100 })

let chain: Devchain
let lite: DevchainLiteServer
let pool: TvmPool
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000 })
  pool = await createTvmPool({ workers: 1 })
  lite = createDevchainLiteServer(chain, { pool })
  for (let i = 0; i < COUNT; i++) await chain.control.faucet({ workchain: 0, id: ID }, 1_000_000_000n)
})
afterAll(async () => {
  lite.close()
  await pool.close()
  await chain.close()
})

/** The node, which fails in this way at the second page. */
function failing(kind: LiteErrorKind): LiteServer {
  let pages = 0
  const second: LiteServer['transactions'] = (...query) =>
    ++pages === 2 ? Promise.reject(new LiteError(kind, 'no more')) : lite.transactions(...query)
  return new Proxy<LiteServer>(lite, {
    get(target, verb) {
      const value: unknown = Reflect.get(target, verb, target)
      return verb === 'transactions' ? second : typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('default', async () => {
  expect(await transactionHandlers(lite).getTransactions(params, call)).toHaveLength(COUNT)
})

test('behavior: what is kept is the answer, and where to ask on', async () => {
  const { getTransactions, getTransactionsStd } = transactionHandlers(failing('notReady'))
  expect(await getTransactions(params, call)).toHaveLength(16)
  const rest = await transactionHandlers(failing('failed')).getTransactionsStd(params, call)
  expect(rest.transactions).toHaveLength(16)
  expect(rest.previous_transaction_id.lt).not.toBe('0')
  expect((await getTransactionsStd(params, call)).previous_transaction_id.lt).toBe('0')
})

test('error: a node too slow', async () => {
  const { getTransactions } = transactionHandlers(failing('timeout'))
  await expect(getTransactions(params, call)).rejects.toMatchObject({ kind: 'timeout' })
})
