// Accounts may have some 65,000 cells: reading one leaves others their turns.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, type Cell, loadProof, readBoc, readingBoc, writeBoc } from '../../../../server/cell/index.ts'
import { createMethodRunner, writeStack } from '../../../../server/contracts/index.ts'
import {
  createRemoteChain,
  createVerifiedLiteServer,
  ProofError,
  runParts,
  Trust,
} from '../../../../server/node/index.ts'
import { readAhead, verifyAccount } from '../../../../server/node/verify/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

const CELLS = 40_000
const LARGE = { workchain: 0, hash: new Uint8Array(32).fill(7) }
// A state that was proven is not read again: each test has its own.
const ALTERED = { workchain: 0, hash: new Uint8Array(32).fill(8) }

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const code = beginCell().storeUint(1, 8).end()
  for (const { workchain, hash: id } of [LARGE, ALTERED])
    await scene.chain.control.setAccount({ workchain, id, balance: 10n ** 9n, code, data: treeOf(CELLS) })
  await scene.chain.control.mine(1)
})
afterAll(() => scene.close())

type Answer = Awaited<ReturnType<LiteScene['lite']['accountState']>>

const verified = async (answer: Answer, account = LARGE) =>
  verifyAccount(scene.chain.head().master.id, account, await readAhead({ ...answer }))

test('behavior: a large account is read in pieces, and is what it is in one go', async () => {
  const { id } = scene.chain.head().master
  const answer = await scene.lite.accountState(id, LARGE)
  const { found, turns } = await turnsOf(() => verified(answer))
  expect(turns).toBeGreaterThan(1)
  const atOnce = verifyAccount(id, LARGE, { ...answer, state: answer.state.slice() })
  expect(found.shardAccount?.account.hashHex()).toBe(atOnce.shardAccount?.account.hashHex())
  expect({ ...found, shardAccount: null, account: null }).toEqual({ ...atOnce, shardAccount: null, account: null })
})

test('behavior: all of it, as the proof of a get-method, is written in pieces', async () => {
  const { id } = scene.chain.head().master
  const { found, turns } = await turnsOf((anew) => {
    const runMethod = async () => {
      anew()
      return { exitCode: 0, stack: new Uint8Array(0) }
    }
    const server = createVerifiedLiteServer(scene.lite, new Trust(scene.lite), { runMethod })
    return server.runMethod(id, { account: LARGE, methodId: 1, params: new Uint8Array(0), mode: runParts.stateProof })
  })
  expect(turns).toBeGreaterThan(1)
  const { shardAccount } = await verified(await scene.lite.accountState(id, LARGE))
  expect(loadProof(readBoc(found.stateProof)).hashHex()).toBe(shardAccount?.account.hashHex())
})

/** A get-method that leaves this cell, and how many turns others had. */
async function leaving(cell: Cell) {
  const { id } = scene.chain.head().master
  const stack = writeBoc(writeStack([{ kind: 'cell', cell }]))
  const left = { success: true, exitCode: 0, gasUsed: 1n, missingLibrary: null, vmLog: '' }
  const pool = { runGetMethod: async () => ({ ...left, stack: Buffer.from(stack).toString('base64') }) }
  const trust = new Trust(scene.lite)
  const runMethod = createMethodRunner({ chain: createRemoteChain(scene.lite, { trust }), pool })
  const server = createVerifiedLiteServer(scene.lite, trust, { runMethod })
  const query = { account: LARGE, methodId: 1, params: new Uint8Array(0), mode: runParts.result }
  const { found, turns } = await turnsOf(() => server.runMethod(id, query))
  expect(readBoc(found.result).equals(readBoc(stack))).toBe(true)
  return { turns, pieces: [...readingBoc(stack)].length }
}

test('behavior: what a get-method leaves is written in pieces, as it was read', async () => {
  await leaving(beginCell().end())
  const small = await leaving(beginCell().end())
  const large = await leaving(treeOf(CELLS, 1))
  expect(large.pieces).toBeGreaterThan(100)
  expect(large.turns - small.turns).toBeGreaterThan(1.5 * large.pieces)
})

test('error: a large account that is not the proven one, or cannot be read', async () => {
  const { id } = scene.chain.head().master
  const answer = await scene.lite.accountState(id, ALTERED)
  const altered = (at: number, bit = 1): Uint8Array => answer.state.map((byte, i) => (i === at ? byte ^ bit : byte))
  const { length } = answer.state
  const wrong = [
    altered(length - 9),
    altered(length >> 1),
    altered(4),
    altered(0),
    answer.state.subarray(0, length - 5),
  ]
  for (const state of wrong) await expect(verified({ ...answer, state }, ALTERED)).rejects.toThrow(ProofError)
  const proof = answer.proof.subarray(0, answer.proof.length >> 1)
  await expect(verified({ ...answer, proof }, ALTERED)).rejects.toThrow(ProofError)
})
