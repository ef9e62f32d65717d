// Servers of a chain that its owner can revert: slow ones are not taken for ones that went back.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteChain, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene } from './poolScene.ts'
import { hang } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened } = poolScene(() => scene)

async function chainOf(count: number, latencyMs: number) {
  const servers = serversOf(count)
  for (const server of servers) server.latencyMs = latencyMs
  const { pool } = await opened(clock(), servers)
  await clock().sleep(10_000)
  const chain = createRemoteChain(pool, { canRewind: true })
  await chain.head()
  const unknown = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 1, rootHash: new Uint8Array(32) }
  const read = () =>
    chain.header({ ...unknown, fileHash: new Uint8Array(32) }).then(
      () => 'answered',
      (error: Error) => error.name,
    )
  return { servers, read }
}

test.each([
  [1, 50],
  [1, 1_500],
  [3, 1_500],
  [3, 3_500],
])(
  'behavior: a block that none of %i servers knows is unknown, and no sign of a revert, when each takes %i ms',
  async (count, latencyMs) => {
    const { read } = await chainOf(count, latencyMs)
    expect(await read()).toBe('LiteError')
  },
)

test('behavior: of servers that are silent nothing is known', async () => {
  const { servers, read } = await chainOf(2, 50)
  let refused = 0
  for (const server of servers)
    server.fault = (verb, args, honest) =>
      verb === 'header' && refused++ < 3
        ? Promise.reject(new LiteError('notReady', 'block handle not in db'))
        : hang(verb, args, honest)
  expect(await read()).toBe('LiteError')
})

test.each([50, 1_500])(
  'behavior: servers that went back are noticed, also when each takes %i ms',
  async (latencyMs) => {
    const { servers, read } = await chainOf(3, latencyMs)
    for (const server of servers) server.head = 2
    expect(await read()).toBe('ChainReverted')
  },
)
