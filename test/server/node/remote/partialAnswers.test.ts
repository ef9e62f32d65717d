// Histories and lists of which a lite server leaves out a part or changes the order, with every cell in them true.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBocRoots, writeBoc } from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  configParts,
  createRemoteChain,
  MASTERCHAIN,
  ProofError,
} from '../../../../server/node/index.ts'
import type { BlockTransactionsAnswer, TransactionsAnswer } from '../../../../server/node/liteAnswers.ts'
import { type Lie, lyingServer } from '../../../setup/lyingServer.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { madeWallet } from '../../devchain/wallets.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 3 })
})
afterAll(() => scene.close())

const account = { workchain: 0, hash: madeWallet(0).address.id }

async function history(lie: Lie | null) {
  const chain = createRemoteChain(lyingServer(scene.lite, lie).node)
  const { shardAccount } = await chain.account((await chain.head()).id, account)
  if (shardAccount === null) throw new Error('the wallet is not there')
  const { lastTransLt: lt, lastTransHash: hash } = shardAccount
  return (await chain.transactions({ account, lt, hash, count: 4 })).map(({ transaction }) => transaction.lt)
}

/** The same transactions and their blocks, chosen anew. */
function chosen(name: string, choose: <T>(all: readonly T[]) => readonly T[]): Lie {
  const answer = async (honest: unknown) => {
    // The cast: the altered answer is always one to `transactions`, the verb below.
    const { ids, transactions } = honest as TransactionsAnswer
    return { ids: choose(ids), transactions: writeBoc(choose(readBocRoots(transactions))) }
  }
  return { name, verb: 'transactions', answer }
}

test('error: a history without one in the middle, in another order, or with one twice', async () => {
  expect((await history(null)).length).toBe(4)
  const lies = [
    chosen('without the second', (all) => all.filter((_, i) => i !== 1)),
    chosen('without the first', (all) => all.slice(1)),
    chosen('in another order', (all) => [...all].reverse()),
    chosen('one twice', (all) => all.flatMap((one, i) => (i === 1 ? [one, one] : i === 3 ? [] : [one]))),
  ]
  for (const lie of lies) await expect(history(lie), lie.name).rejects.toThrow(ProofError)
})

test('behavior: a history that is cut is the beginning of the true one', async () => {
  const all = await history(null)
  expect(await history(chosen('cut', (found) => found.slice(0, 2)))).toEqual(all.slice(0, 2))
})

test('error: a list of a block that ends too early, whether it says so or not', async () => {
  let id: BlockIdExt | null = null
  for (const block of scene.blocks(0)) if ((await scene.touched(block)).length > 1) id = block
  if (id === null) throw new Error('a block with transactions was expected')
  const block = id
  const read = (lie: Lie | null) =>
    createRemoteChain(lyingServer(scene.lite, lie).node).listTransactions(block, { count: 100 })
  expect((await read(null)).transactions.length).toBeGreaterThan(0)
  for (const incomplete of [true, false]) {
    const cut = async (honest: unknown) => {
      // The cast: the altered answer is always one to `listTransactions`, the verb below.
      const answer = honest as BlockTransactionsAnswer
      return { ...answer, ids: answer.ids.slice(0, -1), incomplete }
    }
    await expect(read({ name: 'cut', verb: 'listTransactions', answer: cut })).rejects.toThrow(ProofError)
  }
})

test('error: parameters without the state they are from, as if a key block had been named', async () => {
  const id = scene.blocks(MASTERCHAIN).findLast((one) => scene.chain.reader.byId(one)?.isKey)
  if (id === undefined) throw new Error('a key block was expected')
  const answer = () => scene.lite.config(id, [0], configParts.fromKeyBlock)
  const chain = createRemoteChain(lyingServer(scene.lite, { name: 'of a key block', verb: 'config', answer }).node)
  await expect(chain.config(id, [0])).rejects.toThrow(ProofError)
})
