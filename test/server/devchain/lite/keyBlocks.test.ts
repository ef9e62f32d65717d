// Proofs on chains whose key blocks are far apart, or were undone.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BlockIdExt, MASTERCHAIN } from '../../../../server/node/index.ts'
import { verifyBlockProof } from '../../../setup/verifyAtOnce.ts'
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

test('behavior: the way to the newest block is read once, and anew after each block and on another branch', async () => {
  const { chain, lite } = scene
  const read = vi.spyOn(chain.reader, 'block')
  const ask = async (from: BlockIdExt, target: BlockIdExt | null) => {
    const before = read.mock.calls.length
    const answer = await lite.blockProof(from, target, 0)
    return { answer, reads: read.mock.calls.length - before }
  }
  const expectWay = async (): Promise<BlockIdExt> => {
    const { id } = chain.head().master
    const first = await ask(idAt(1), null)
    expect(first.reads).toBeGreaterThan(0)
    expect(verifyBlockProof(idAt(1), id, first.answer).complete).toBe(true)
    expect(await ask(idAt(1), null)).toEqual({ ...first, reads: 0 })
    // From elsewhere, and to elsewhere.
    const back = await lite.blockProof(id, idAt(1), 0)
    expect(verifyBlockProof(id, idAt(1), back).complete).toBe(true)
    expect((await lite.blockProof(idAt(2), null, 0)).from).toEqual(idAt(2))
    return id
  }
  for (let made = 0; made < 2; made++) {
    await chain.control.mine()
    await expectWay()
  }
  const mark = await chain.control.snapshot()
  await chain.control.mine(2)
  const undone = await expectWay()
  const asked = lite.blockProof(idAt(3), null, 0).catch((error: unknown) => error)
  await chain.control.revert(mark)
  await asked
  await chain.control.mine(2)
  const now = await expectWay()
  expect([now.seqno, now]).not.toEqual([now.seqno, undone])
  expect((await lite.blockProof(idAt(3), null, 0)).to).toEqual(now)
  await expect(lite.blockProof(undone, null, 0)).rejects.toThrow('is unknown from the perspective of')
  await expect(lite.blockProof(idAt(1), undone, 0)).rejects.toThrow('is unknown from the perspective of')
  read.mockRestore()
})
