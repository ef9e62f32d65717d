// A block may have 256 transactions of a thousand cells each, and a state any number of accounts of 65,000: what a lite server
// makes of them, and what is checked of its answers, leaves others their turns.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, hashFromBytes } from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  type LiteServer,
  ProofError,
  Trust,
} from '../../../../server/node/index.ts'
import { verifyBlockTransactionsExt } from '../../../../server/node/verify/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

const MESSAGES = 30
const CELLS = 3_000

let scene: LiteScene
let block: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const { control } = scene.chain
  control.setMining('manual')
  for (let i = 0; i < MESSAGES; i++) {
    const to = { workchain: 0, id: new Uint8Array(32).fill(i + 1) }
    void control.sendInternal({ from: to, to, value: 10n ** 9n, bounce: false, body: treeOf(CELLS, i) })
  }
  for (let listed = 0; listed < MESSAGES; ) {
    await control.mine(1)
    const newest = scene.chain.head().shard?.id
    if (newest === undefined) throw new Error('there is no block')
    block = newest
    listed = (await scene.lite.listTransactions(block, { count: 256 })).ids.length
  }
})
afterAll(() => scene.close())

/** The lite server of the chain, which says when it has answered. */
const serving = (arrived: () => void): LiteServer => ({
  ...scene.lite,
  listTransactionsExt: async (...query) => {
    const answer = await scene.lite.listTransactionsExt(...query)
    arrived()
    return answer
  },
  state: async (...query) => {
    const answer = await scene.lite.state(...query)
    arrived()
    return answer
  },
})

test('behavior: a lite server lists the large transactions of a block in pieces, and proves them', async () => {
  const query = { count: MESSAGES, wantProof: true }
  const { found, turns } = await turnsOf(() => scene.lite.listTransactionsExt(block, query))
  expect(turns).toBeGreaterThan(1)
  expect(verifyBlockTransactionsExt(block, query, found).transactions).toHaveLength(MESSAGES)
})

test('behavior: they are checked in pieces, by the service and for lite clients', async () => {
  const chain = await turnsOf((began) => createRemoteChain(serving(began)).blockTransactions(block, { count: 20 }))
  expect(chain.turns).toBeGreaterThan(1)
  expect(chain.found.transactions).toHaveLength(20)
  const query = { count: 20 }
  const clients = await turnsOf((began) => {
    const source = serving(began)
    return createVerifiedLiteServer(source, new Trust(source)).listTransactionsExt(block, query)
  })
  expect(clients.turns).toBeGreaterThan(1)
  const named = (await scene.lite.listTransactions(block, query)).ids.map(({ hash }) => hashFromBytes(hash))
  expect(chain.found.transactions.map(({ cell }) => cell.hash())).toEqual(named)
})

test('behavior: a whole state is written and checked in pieces', async () => {
  await scene.chain.control.setAccount({
    workchain: 0,
    id: new Uint8Array(32).fill(0x77),
    balance: 10n ** 9n,
    code: treeOf(40_000, 1000),
    data: beginCell().end(),
  })
  await scene.chain.control.mine(1)
  const id = scene.chain.head().shard?.id ?? block
  const written = await turnsOf(() => scene.lite.state(id))
  expect(written.turns).toBeGreaterThan(1)
  const read = await turnsOf((began) => createRemoteChain(serving(began)).state(id))
  expect(read.turns).toBeGreaterThan(1)
  expect(read.found.hashBytes()).toEqual(written.found.rootHash)
})

test('error: a list with a bit changed, and one that cannot be read', async () => {
  const ways: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
    (bytes) => bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)),
    (bytes) => bytes.with(4, 0xff),
    (bytes) => bytes.subarray(0, bytes.length - 9),
  ]
  for (const way of ways) {
    const source: LiteServer = {
      ...scene.lite,
      listTransactionsExt: async (...query) => {
        const answer = await scene.lite.listTransactionsExt(...query)
        return { ...answer, transactions: way(answer.transactions) }
      },
    }
    const query = { count: 20 }
    await expect(createRemoteChain(source).blockTransactions(block, query)).rejects.toThrow(ProofError)
    const server = createVerifiedLiteServer(source, new Trust(source))
    await expect(server.listTransactionsExt(block, query)).rejects.toThrow(ProofError)
  }
})
