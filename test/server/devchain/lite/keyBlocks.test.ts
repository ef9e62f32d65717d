// Proofs on chains whose key blocks are far apart, or were undone.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BlockIdExt, MASTERCHAIN, verifyBlockProof } from '../../../../server/node/index.ts'
import { type LiteScene, makeKeyBlock, openScene } from './liteScene.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 77 })
})
afterAll(() => scene.close())

const idAt = (seqno: number): BlockIdExt => {
  const facts = scene.chain.reader.bySeqno(MASTERCHAIN, seqno)
  if (facts === undefined) throw new Error('No such block')
  return facts.id
}

/** The seqnos a proof from the first block to the newest leads over. */
async function wayToHead(): Promise<number[]> {
  const { id } = scene.chain.head().master
  const answer = await scene.lite.blockProof(idAt(1), id)
  expect(verifyBlockProof(idAt(1), id, answer).complete).toBe(true)
  return answer.steps.map(({ to }) => to.seqno)
}

const keysOf = (): number[] =>
  scene.blocks(MASTERCHAIN).flatMap(({ seqno }) => {
    const facts = scene.chain.reader.bySeqno(MASTERCHAIN, seqno)
    return facts?.isKey === true && seqno > 1 ? [seqno] : []
  })

test('behavior: the blocks between are not looked at', async () => {
  await scene.chain.control.mine(200)
  const looks = vi.spyOn(scene.chain.reader, 'bySeqno')
  const way = await wayToHead()
  expect(looks.mock.calls.length).toBeLessThan(50)
  looks.mockRestore()
  expect(way).toEqual([...keysOf(), scene.chain.head().master.id.seqno])
})

test('behavior: key blocks that were undone are on no way', async () => {
  const before = keysOf()
  const name = await scene.chain.control.snapshot()
  await makeKeyBlock(scene.chain, 2)
  await scene.chain.control.mine(3)
  expect((await wayToHead()).length).toBe(before.length + 2)
  await scene.chain.control.revert(name)
  await scene.chain.control.mine(6)
  expect(keysOf()).toEqual(before)
  expect(await wayToHead()).toEqual([...before, scene.chain.head().master.id.seqno])
  await makeKeyBlock(scene.chain, 2)
  await scene.chain.control.mine()
  expect((await wayToHead()).length).toBe(before.length + 2)
})
