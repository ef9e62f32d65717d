// Accounts that the embedded chain has an answer of without waiting: the same as the verb gives.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { type AccountId, answerLiteQuery, type BlockIdExt, MASTERCHAIN } from '../../../../server/node/index.ts'
import { decodeAnswer, encodeRequest, wrapQuery } from '../../../../server/tl/index.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
let head: BlockIdExt
let accounts: readonly AccountId[]
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 47 })
  head = scene.chain.head().master.id
  const touched = await Promise.all([...scene.blocks(0), ...scene.blocks(MASTERCHAIN)].map((id) => scene.touched(id)))
  const nobody = { workchain: 0, hash: new Uint8Array(32).fill(0xab) }
  accounts = [...touched.flat().map(({ account }) => account), nobody, { ...nobody, workchain: MASTERCHAIN }]
})
afterAll(() => scene.close())

/** That has read nothing yet. */
const fresh = (): DevchainLiteServer => createDevchainLiteServer(scene.chain, { pool: scene.pool, keptBytes: 0 })

const atOnce = (lite: DevchainLiteServer, id: BlockIdExt, account: AccountId) =>
  lite.accountState.atOnce?.(id, account) ?? null

describe('accounts at once', () => {
  test('default: once an account of a state was read, others need not be waited for, of the newest blocks as well', async () => {
    const lite = fresh()
    let ready = 0
    for (const id of scene.blocks(MASTERCHAIN).slice(-3)) {
      for (const account of accounts) {
        const answer = await lite.accountState(id, account)
        const same = atOnce(lite, id, account)
        if (same === null) continue
        expect(same).toEqual(answer)
        ready++
      }
    }
    expect(ready).toBeGreaterThan(accounts.length)
    lite.close()
  })

  test('behavior: a query is answered with the same bytes, and a caller that has gone is not', async () => {
    const lite = fresh()
    const [account] = accounts
    if (account === undefined) throw new Error('There are no accounts')
    const query = wrapQuery(
      encodeRequest('getAccountState', {
        id: { ...head, root_hash: head.rootHash, file_hash: head.fileHash },
        account: { workchain: account.workchain, id: account.hash },
      }),
    )
    const waited = await answerLiteQuery(lite, query)
    expect(atOnce(lite, head, account)).not.toBeNull()
    expect(await answerLiteQuery(lite, query)).toEqual(waited)
    const gone = await answerLiteQuery(lite, query, { signal: AbortSignal.abort() })
    expect(decodeAnswer('getAccountState', gone ?? new Uint8Array()).refusal).toBeDefined()
    lite.close()
  })

  test('error: what has to be refused or waited for is left to the verb', async () => {
    const lite = fresh()
    const [account] = accounts
    if (account === undefined) throw new Error('There are no accounts')
    await lite.accountState(head, account)
    expect(atOnce(lite, head, account)).not.toBeNull()
    const other = new Uint8Array(32).fill(1)
    for (const id of [
      { ...head, rootHash: other },
      { ...head, fileHash: other },
      { ...head, seqno: head.seqno + 1 },
      { ...head, seqno: -1 },
      ...scene.blocks(0).slice(-1),
    ])
      expect(atOnce(lite, id, account)).toBeNull()
    expect(atOnce(lite, head, { ...account, workchain: 7 })).toBeNull()
    expect(atOnce(lite, head, { ...account, hash: account.hash.subarray(1) })).toBeNull()
    lite.close()
  })

  test('behavior: of a block that was undone there is no answer', async () => {
    const lite = fresh()
    const [account] = accounts
    if (account === undefined) throw new Error('There are no accounts')
    const mark = await scene.chain.control.snapshot()
    await scene.chain.control.mine(2)
    const { id } = scene.chain.head().master
    await lite.accountState(id, account)
    expect(atOnce(lite, id, account)).not.toBeNull()
    await scene.chain.control.revert(mark)
    expect(atOnce(lite, id, account)).toBeNull()
    await scene.chain.control.mine(2)
    expect(atOnce(lite, id, account)).toBeNull()
    lite.close()
  })
})

test('behavior: look-ups that find one block share their answer, and one by number has its own', async () => {
  const { lite, chain } = scene
  const last = chain.head().master.id
  const facts = chain.reader.bySeqno(MASTERCHAIN, 5)
  if (facts === undefined) throw new Error('There is no block 5')
  const { workchain, shard } = last
  const [first, second, byNumber] = await Promise.all([
    lite.lookupWithProof({ workchain, shard, lt: facts.endLt }, last),
    lite.lookupWithProof({ workchain, shard, lt: facts.endLt - 1n }, last),
    lite.lookupWithProof({ workchain, shard, seqno: 5 }, last),
  ])
  expect(second).toBe(await lite.lookupWithProof({ workchain, shard, lt: facts.endLt }, last))
  expect(first.id).toEqual(facts.id)
  expect([first.mode, byNumber.mode]).toEqual([2, 1])
  expect([first.previousHeader.length > 0, byNumber.previousHeader.length]).toEqual([true, 0])
})
