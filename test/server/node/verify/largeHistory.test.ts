// A transaction has the message that caused it, of some thousand cells at most, and a history sixteen at once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCell, writeBoc } from '../../../../server/cell/index.ts'
import { createRemoteChain, createVerifiedLiteServer, ProofError, Trust } from '../../../../server/node/index.ts'
import { readAhead, verifyDispatchMessages } from '../../../../server/node/verify/index.ts'
import { loadTransaction } from '../../../../server/tlb/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

const COUNT = 16
const CELLS = 4_000
const account = { workchain: 0, hash: new Uint8Array(32).fill(0x71) }

let scene: LiteScene
let from: { readonly lt: bigint; readonly hash: Uint8Array }
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const to = { workchain: account.workchain, id: account.hash }
  const { control, reader } = scene.chain
  for (let i = 0; i < COUNT; i++)
    await control.sendInternal({ from: to, to, value: 10n ** 9n, bounce: false, body: treeOf(CELLS, i) })
  const found = reader.moment().shard.accounts.get(account.hash)
  if (found === undefined) throw new Error('there is no such account')
  from = { lt: found.lastTransLt, hash: found.lastTransHash }
})
afterAll(() => scene.close())

type History = Awaited<ReturnType<LiteScene['lite']['transactions']>>

/** The lite server of the chain, which says when it has answered. */
const serving = (arrived: () => void, altered = (answer: History): History => answer) => ({
  ...scene.lite,
  transactions: async (...query: Parameters<typeof scene.lite.transactions>) => {
    const answer = altered(await scene.lite.transactions(...query))
    arrived()
    return answer
  },
})

test('behavior: large ones are read in pieces, by the service', async () => {
  const query = { account, ...from, count: COUNT }
  const { found, turns } = await turnsOf((arrived) => createRemoteChain(serving(arrived)).transactions(query))
  expect(found).toHaveLength(COUNT)
  expect(found[0]?.cell.hashBytes()).toEqual(from.hash)
  expect(turns).toBeGreaterThan(1)
})

test('behavior: a page that is cached has the cells of its transactions, and not what was parsed to check them', async () => {
  const query = { account, ...from, count: COUNT }
  const found = await createRemoteChain(scene.lite).transactions(query)
  for (const one of found) {
    expect(Object.keys(one)).toEqual(['cell'])
    expect(one.transaction).toEqual(loadTransaction(openCell(one.cell)))
  }
})

test('error: one that is altered, and bytes that cannot be read', async () => {
  const ways: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
    (bytes) => bytes.with(bytes.length >> 1, 1),
    (bytes) => bytes.with(4, 0xff),
    (bytes) => bytes.subarray(0, bytes.length - 9),
  ]
  for (const way of ways) {
    const source = serving(
      () => undefined,
      (answer) => ({ ...answer, transactions: way(answer.transactions) }),
    )
    const query = { account, ...from, count: COUNT }
    await expect(createRemoteChain(source).transactions(query)).rejects.toThrow(ProofError)
    await expect(createVerifiedLiteServer(source, new Trust(source)).transactions(query)).rejects.toThrow(ProofError)
  }
})

test('error: bodies of no message, which were read in pieces, are not read again in one', async () => {
  const { id } = scene.chain.head().master
  const query = { count: 16, account: account.hash, afterLt: 0n, wantProof: true, wantBodies: true }
  const bodies = writeBoc(treeOf(CELLS))
  const answer = await readAhead({ ...(await scene.lite.dispatchMessages(id, query)), bodies })
  bodies.fill(0)
  expect(() => verifyDispatchMessages(id, query, answer)).toThrow('not one body for each message')
})
