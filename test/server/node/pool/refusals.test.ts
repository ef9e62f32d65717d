// Servers that refuse what another one answers: no call fails for that, and operators learn which server it is.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { refuse } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const { clock, serversOf, opened, blockAt } = poolScene(() => scene)

test.each([
  [-400, 'too many requests'],
  [0, 'rate limit'],
  [621, 'Unknown constructor found'],
  [-777, 'go away'],
])('behavior: a server that refuses everything with code %i harms no call, and is named', async (code, text) => {
  const servers = serversOf(3)
  const [bad] = servers
  if (bad) bad.fault = refuse(code, text)
  const { pool, lines } = await opened(clock(), servers)
  for (let i = 0; i < 60; i++) expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
  expect(stateOf(pool)).toEqual({ server0: 'failing', server1: 'ready', server2: 'ready' })
  expect(pool.servers[0]?.reason).toBe(text)
  const facts = { server: 'server0', verb: 'header', seqno: 2, code, reason: text }
  expect(lines).toEqual([{ level: 'warn', facts, text: 'lite server refused what another one answers' }])
  if (bad) bad.fault = null
  await clock().sleep(300_000)
  expect(stateOf(pool)).toMatchObject({ server0: 'ready' })
})

test('behavior: a refusal of the only server that is free is not held back for long', async () => {
  const servers = serversOf(2)
  for (const server of servers) server.fault = refuse(-400, 'requested entry count limit must be positive')
  const { pool } = await opened(clock(), servers, { perSecond: 1 })
  await clock().sleep(5_000)
  const begun = clock().now()
  for (let i = 0; i < 6; i++) await expect(pool.header(blockAt(2))).rejects.toMatchObject({ code: -400 })
  expect(clock().now() - begun).toBeLessThan(20_000)
})
