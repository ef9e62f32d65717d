// Answers that are here, and wait for their turn to be read: no fault of the server that sent them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiteOptions } from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'

const CALLS = 12

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

/** A server whose answers come after so long, and are read so long after that. */
async function waiting({ comes, read }: { comes: number; read: number }) {
  const servers = serversOf(1)
  for (const server of servers)
    server.fault = async (verb, args, answer) => {
      if (verb !== 'header') return await answer()
      const { arrived, signal } = args.at(-1) as LiteOptions
      await clock().sleep(comes, signal)
      arrived?.()
      await clock().sleep(read, signal)
      return await answer()
    }
  const { pool } = await opened(clock(), servers)
  const answers = await Promise.allSettled(Array.from({ length: CALLS }, () => pool.header(blockAt(2))))
  return { pool, answers }
}

test('behavior: an answer that came in time may be read later', async () => {
  const { pool, answers } = await waiting({ comes: 3_000, read: 3_000 })
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CALLS }, () => 'fulfilled'))
  expect(stateOf(pool)).toEqual({ server0: 'ready' })
})

test('error: one that is not read for long is given up, and its server not blamed', async () => {
  const { pool, answers } = await waiting({ comes: 1_000, read: 600_000 })
  for (const answer of answers)
    expect(answer).toMatchObject({
      reason: { kind: 'timeout', message: expect.stringContaining('was not read in time') },
    })
  expect(stateOf(pool)).toEqual({ server0: 'ready' })
  expect(pool.servers).toMatchObject([{ failures: 0 }])
})

test('error: one that does not come is', async () => {
  const { pool, answers } = await waiting({ comes: 600_000, read: 0 })
  for (const answer of answers) expect(answer).toMatchObject({ reason: { kind: 'timeout' } })
  expect(stateOf(pool)).not.toEqual({ server0: 'ready' })
})
