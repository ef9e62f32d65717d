// True transactions of a chain in answers to other questions: of another account, at another time, more or fewer than wanted.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCell, readBocRoots, writeBoc } from '../../../../server/cell/index.ts'
import type { BlockIdExt } from '../../../../server/node/index.ts'
import {
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyOneTransaction,
  verifyTransactions,
} from '../../../../server/node/verify/index.ts'
import { loadTransaction, toCell } from '../../../../server/tlb/index.ts'
import { storeTransaction } from '../../../setup/writtenTransaction.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

const [ALICE, BOB] = [0x71, 0x72].map((byte) => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })) as [Id, Id]
const COUNT = 3
const NOTHING = new Uint8Array()

interface Id {
  readonly workchain: number
  readonly hash: Uint8Array
}

let scene: LiteScene
/** Of the basechain, with the last transaction of Alice. */
let block: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  for (let i = 0; i < COUNT; i++)
    for (const { workchain, hash: id } of [BOB, ALICE]) {
      const to = { workchain, id }
      await scene.chain.control.sendInternal({ from: to, to, value: 10n ** 9n, bounce: false })
    }
  const last = lastOf(ALICE)
  const { ids } = await scene.lite.transactions({ account: ALICE, ...last, count: 1 })
  block = ids[0] ?? expect.unreachable()
})
afterAll(() => scene.close())

/** Time and hash of the newest transaction. */
function lastOf({ hash }: Id): { readonly lt: bigint; readonly hash: Uint8Array } {
  const found = scene.chain.reader.moment().shard.accounts.get(hash) ?? expect.unreachable()
  return { lt: found.lastTransLt, hash: found.lastTransHash }
}

describe('a history', () => {
  const pageOf = async (account: Id) => {
    const from = { ...lastOf(account), count: COUNT }
    return { from, answer: await scene.lite.transactions({ account, ...from }) }
  }

  test('error: the transactions of another account, whose time and hash the caller gave', async () => {
    const { from, answer } = await pageOf(BOB)
    expect(verifyTransactions(BOB, from, answer)).toHaveLength(COUNT)
    expect(() => verifyTransactions(ALICE, from, answer)).toThrow('a transaction of another account')
    const short = { ...BOB, hash: BOB.hash.subarray(1) }
    expect(() => verifyTransactions(short, from, answer)).toThrow('an account id has 32 bytes')
  })

  test('error: a transaction at another logical time than its own', async () => {
    const { from, answer } = await pageOf(BOB)
    expect(() => verifyTransactions(BOB, { ...from, lt: from.lt + 1n }, answer)).toThrow(
      `a transaction with lt ${from.lt} where ${from.lt + 1n} was expected`,
    )
  })

  test('error: more than wanted, none, or not one block for each', async () => {
    const { from, answer } = await pageOf(BOB)
    expect(() => verifyTransactions(BOB, { ...from, count: 1 }, answer)).toThrow(
      '3 transactions where up to 1 were wanted',
    )
    expect(() => verifyTransactions(BOB, from, { ids: [], transactions: NOTHING })).toThrow(
      'the transaction is not shown',
    )
    const fewer = { ...answer, ids: answer.ids.slice(1) }
    expect(() => verifyTransactions(BOB, from, fewer)).toThrow('not one block for each transaction')
  })

  test('error: in blocks of another chain or shard', async () => {
    const { from, answer } = await pageOf(BOB)
    for (const place of [{ workchain: -1 }, { shard: 3n << 62n }]) {
      const elsewhere = answer.ids.map((id) => ({ ...id, ...place }))
      expect(() => verifyTransactions(BOB, from, { ...answer, ids: elsewhere })).toThrow(
        'a transaction is said to be in a block of another shard',
      )
    }
  })

  test('error: one before the first, and one that names a later one before it', async () => {
    const { from, answer } = await pageOf(BOB)
    const roots = readBocRoots(answer.transactions, { maxRoots: COUNT })
    const first = loadTransaction(openCell(roots.at(-1) ?? expect.unreachable()))
    expect(first.prevLt).toBe(0n)
    const more = { ids: [...answer.ids, block], transactions: writeBoc([...roots, ...roots.slice(0, 1)]) }
    expect(() => verifyTransactions(BOB, { ...from, count: 4 }, more)).toThrow('a transaction before the first one')
    const made = toCell({ ...first, prevLt: first.lt }, storeTransaction)
    const one = { ids: [block], transactions: writeBoc(made) }
    const start = { lt: first.lt, hash: made.hashBytes(), count: 1 }
    expect(() => verifyTransactions(BOB, start, one)).toThrow('the transaction before is not an earlier one')
  })
})

describe('one transaction of a block', () => {
  test('error: of another workchain or shard, or one that is not there', async () => {
    const { lt } = lastOf(ALICE)
    const answer = await scene.lite.oneTransaction(block, { account: ALICE, lt })
    expect(verifyOneTransaction(block, ALICE, lt, answer)?.transaction.lt).toBe(lt)
    const inMaster = { ...ALICE, workchain: -1 }
    expect(() => verifyOneTransaction(block, inMaster, lt, answer)).toThrow('the account lives in another workchain')
    const id = { ...block, shard: 3n << 62n }
    expect(() => verifyOneTransaction(id, ALICE, lt, { ...answer, id })).toThrow('the account lives in another shard')
    const absent = await scene.lite.oneTransaction(block, { account: ALICE, lt: 1n })
    expect(verifyOneTransaction(block, ALICE, 1n, absent)).toBeNull()
    const { transaction } = answer
    expect(() => verifyOneTransaction(block, ALICE, 1n, { ...absent, transaction })).toThrow(
      'a transaction is shown that is not proven',
    )
  })
})

describe('the transactions of a block', () => {
  test('error: more than wanted, and more than there are', async () => {
    const query = { count: 10, wantProof: true }
    const ids = await scene.lite.listTransactions(block, query)
    const whole = await scene.lite.listTransactionsExt(block, query)
    const count = ids.ids.length
    expect(verifyBlockTransactions(block, query, ids).transactions).toHaveLength(count)
    expect(verifyBlockTransactionsExt(block, query, whole).transactions).toHaveLength(count)
    const twice = { ...ids, ids: [...ids.ids, ...ids.ids] }
    expect(() => verifyBlockTransactions(block, query, twice)).toThrow('more transactions are shown than are proven')
    expect(() => verifyBlockTransactions(block, { ...query, count: 1 }, twice)).toThrow(
      `${2 * count} transactions where up to 1 were wanted`,
    )
    const roots = readBocRoots(whole.transactions, { maxRoots: 10 })
    const doubled = { ...whole, transactions: writeBoc([...roots, ...roots]) }
    expect(() => verifyBlockTransactionsExt(block, query, doubled)).toThrow(
      'more transactions are shown than are proven',
    )
  })
})
