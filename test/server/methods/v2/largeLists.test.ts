// Lists of transactions with hundreds of megabytes in all: they are refused where one answer has no more room.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import { newestIn } from '../../../../server/methods/historyPages.ts'
import { transactionHandlers } from '../../../../server/methods/v2/transactions.ts'
import type { Chain, VerifiedTransaction } from '../../../../server/node/index.ts'
import { transactionsV2 } from '../../../../shared/v2/transactions.ts'
import { callWith } from '../../../setup/handlerCall.ts'

const ID = new Uint8Array(32).fill(6)
const call = callWith(new AbortController().signal)
/** A megabyte each. */
const BAG = 'A'.repeat(1 << 20)
const IN_ALL = 160
const MOST = 128

let devchain: Devchain
let chain: Chain
let pages = 0
beforeAll(async () => {
  devchain = await openDevchain({ idleBlockMs: 3_600_000 })
  await devchain.control.faucet({ workchain: 0, id: ID }, 1_000_000_000n)
  await devchain.control.faucet({ workchain: 0, id: ID }, 1_000_000_000n)
  const view = createEmbeddedChain(devchain)
  const account = { workchain: 0, hash: ID }
  const newest = await newestIn(view)(account, call.signal)
  if (newest === null) throw new Error('there is no history')
  const query = { account, lt: newest.lt, hash: newest.hash, count: 1 }
  const [one] = await view.transactions(query, { signal: call.signal })
  if (one === undefined) throw new Error('there is no transaction')
  const large: VerifiedTransaction = { cell: one.cell, transaction: one.transaction, bag: BAG }
  const some = (count: number) => new Array<VerifiedTransaction>(count).fill(large)
  chain = {
    ...view,
    transactions: async ({ count }) => {
      pages++
      return some(count)
    },
    blockTransactions: async (_, { count }) => {
      pages++
      return { transactions: some(Math.min(count, 32)), incomplete: true }
    },
  }
})
afterAll(async () => {
  await devchain.close()
})

const history = (limit: number) =>
  transactionsV2.getTransactions.params.parse({ address: `0:${'06'.repeat(32)}`, limit })
const block = (count: number) =>
  transactionsV2.getBlockTransactionsExt.params.parse({
    workchain: 0,
    shard: '-9223372036854775808',
    seqno: 1,
    root_hash: Buffer.alloc(32).toString('base64'),
    file_hash: Buffer.alloc(32).toString('base64'),
    count,
  })

const refusal = (param: string) => ({ kind: 'replyTooLarge', data: { param, limit: MOST << 20 } })

test('a history is refused, and its rest is not read', async () => {
  pages = 0
  await expect(transactionHandlers(chain).getTransactions(history(IN_ALL), call)).rejects.toMatchObject(
    refusal('limit'),
  )
  await expect(transactionHandlers(chain).getTransactionsStd(history(IN_ALL), call)).rejects.toMatchObject(
    refusal('limit'),
  )
  expect(pages).toBe(2 * (MOST / 16))
})

test('a list of a block is refused, and its rest is not read', async () => {
  pages = 0
  const { getBlockTransactionsExt } = transactionHandlers(chain)
  await expect(getBlockTransactionsExt(block(IN_ALL), call)).rejects.toMatchObject(refusal('count'))
  expect(pages).toBe(MOST / 32)
})

test('a shorter one is answered', async () => {
  await expect(transactionHandlers(chain).getTransactions(history(16), call)).resolves.toBeDefined()
})
