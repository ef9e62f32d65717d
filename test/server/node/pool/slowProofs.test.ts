// Servers that prove their newest block by more steps than others need for it, every one of them true.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BlockIdExt,
  type BlockProofAnswer,
  createRemoteChain,
  MASTERCHAIN,
  Trust,
} from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { type Fault, WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 4, seed: 3 })
  await scene.chain.control.mine(40)
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

const creeping: Fault = async (verb, args, truth) => {
  const [known, target] = args as [BlockIdExt, BlockIdExt]
  if (verb !== 'blockProof' || target.seqno <= known.seqno + 1) return await truth()
  const answer = await scene.lite.blockProof(known, blockAt(known.seqno + 1))
  return { ...answer, complete: false } satisfies BlockProofAnswer
}

/** Goes to other blocks and back before: each of these steps has signatures of all validators. */
const wandering: Fault = async (verb, args, truth) => {
  const answer = await truth()
  if (verb !== 'blockProof') return answer
  const [known] = args as [BlockIdExt]
  const ways = await Promise.all(
    [1, 2, 3].map(async (further) => {
      const end = blockAt(known.seqno + further)
      return [await scene.lite.blockProof(known, end), await scene.lite.blockProof(end, known)]
    }),
  )
  const { steps, ...rest } = answer as BlockProofAnswer
  return { ...rest, steps: [...ways.flat().flatMap((way) => way.steps), ...steps] }
}

test('behavior: one that goes back and forth on the way is left out, and another proves the newest block', async () => {
  const { id: zerostate } = scene.chain.reader.zerostates.master
  const idle = new WrappedServer('idle', scene, clock())
  idle.fault = wandering
  idle.latencyMs = 10
  const { pool } = await opened(clock(), [idle, ...serversOf(1)], { random: () => 0 })
  const trust = new Trust(pool, { start: { zerostate, block: zerostate }, timer: clock() })
  const { id } = await createRemoteChain(pool, { trust }).head({ timeoutMs: 60_000 })
  expect(id.seqno).toBe(scene.blocks(MASTERCHAIN).length)
  expect(idle.calls.get('blockProof')).toBeGreaterThan(0)
  expect(stateOf(pool)).toMatchObject({ server0: 'ready', idle: 'dropped' })
  await trust.close()
})

test('behavior: the newest block is proven by another server soon, and the slow one is left out', async () => {
  const { id: zerostate } = scene.chain.reader.zerostates.master
  const slow = new WrappedServer('slow', scene, clock())
  slow.fault = creeping
  slow.latencyMs = 900
  const [good] = serversOf(1)
  if (good === undefined) return
  // The first call goes to the other one.
  good.latencyMs = 901
  const { pool } = await opened(clock(), [slow, good], { random: () => 0 })
  const trust = new Trust(pool, { start: { zerostate, block: zerostate }, timer: clock() })
  const chain = createRemoteChain(pool, { trust })
  const begun = clock().now()
  const { id } = await chain.head({ timeoutMs: 60_000 })
  expect(id.seqno).toBe(scene.blocks(MASTERCHAIN).length)
  expect(slow.calls.get('blockProof')).toBeGreaterThan(0)
  expect(clock().now() - begun).toBeLessThan(10_000)
  expect(stateOf(pool)).toMatchObject({ server0: 'ready', slow: 'dropped' })
  await trust.close()
})
