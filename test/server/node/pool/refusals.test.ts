// Servers that refuse what another one answers: no call fails for that, and operators learn which server it is.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteChain, LiteError, type MasterchainInfo } from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { type Fault, refuse } from './wrappedServers.ts'

const LATER = 5_000

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

test('behavior: a server that lacks blocks which another one has says so, and what to do', async () => {
  const servers = serversOf(2)
  const [bad] = servers
  if (bad) bad.fault = refuse(651, 'block handle not in db')
  const { pool } = await opened(clock(), servers)
  for (let i = 0; i < 60; i++) expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
  expect(stateOf(pool)).toEqual({ server0: 'failing', server1: 'ready' })
  expect(pool.servers[0]?.reason).toMatch(/^it lacks blocks that the others have, around block 2: .*ask its operator/)
})

test('error: that a server lacks something says more than that another one is over its limit', async () => {
  const servers = serversOf(2)
  const [limited, lacking] = servers
  if (limited) limited.fault = refuse(228, 'too many requests')
  if (lacking) lacking.fault = refuse(651, 'block handle not in db')
  for (let i = 0; i < 10; i++) {
    const { pool } = await opened(clock(), servers)
    await expect(pool.header(blockAt(2))).rejects.toMatchObject({ code: 651 })
  }
})

test('behavior: a server that gets a block a moment later than another is called for old transactions as before', async () => {
  const servers = serversOf(2)
  const [late] = servers
  const { pool } = await opened(clock(), servers)
  const read = (lt: bigint) => pool.attempt?.((one) => one.header(blockAt(2)), { lt })
  if (late) late.fault = refuse(651, 'ltdb: block not found')
  for (let i = 0; i < 4 || late?.calls.get('header') === undefined; i++) await read(1_000n)
  if (late) late.fault = null
  const before = late?.calls.get('header') ?? 0
  for (let i = 0; i < 40; i++) await read(900n)
  expect(late?.calls.get('header')).toBeGreaterThan(before + 5)
})

test('behavior: of three servers two send what cannot be read: the third one answers, and they are hardly called any more', async () => {
  const servers = serversOf(3)
  const cause = new Error('Not enough data to read at 20')
  for (const server of servers.slice(1))
    server.fault = async (verb, _args, honest) => {
      if (verb === 'masterchainInfo') return await honest()
      throw new LiteError('protocol', `the server's answer cannot be read: ${cause.message}`, { cause })
    }
  const { pool } = await opened(clock(), servers)
  for (let i = 0; i < 60; i++) expect((await pool.header(blockAt(2))).id.seqno).toBe(2)
  expect(stateOf(pool)).toEqual({ server0: 'ready', server1: 'failing', server2: 'failing' })
})

test('behavior: of a block that is on the chain two servers are not believed that the query is wrong: the third one answers', async () => {
  const servers = serversOf(3)
  const [one, two] = servers
  if (one) one.fault = refuse(0, 'nothing here')
  if (two) two.fault = refuse(-400, 'invalid account')
  const { pool } = await opened(clock(), servers)
  const about = blockAt(2)
  const read = () => pool.attempt?.((server) => server.header(about), { about, mcSeqno: 2, isWide: true })
  for (let i = 0; i < 60; i++) expect((await read())?.id.seqno).toBe(2)
  expect(stateOf(pool)).toEqual({ server0: 'failing', server1: 'failing', server2: 'ready' })
  for (const server of servers) server.fault = refuse(-400, 'wrong')
  await expect(read()).rejects.toMatchObject({ message: 'wrong' })
})

test.each(['header', 'blockProof'])(
  'behavior: a new head of which two servers refuse %s is read at the third one',
  async (refused) => {
    const servers = serversOf(3)
    for (const [i, server] of servers.slice(1).entries())
      server.fault = (verb, args, honest) =>
        verb === refused ? refuse([0, -400][i] ?? 0, 'nothing here')(verb, args, honest) : honest()
    for (let i = 0; i < 10; i++) {
      const { pool } = await opened(clock(), servers)
      expect((await createRemoteChain(pool).head()).id.seqno).toBe(servers[0]?.head)
    }
  },
)

test('behavior: a refusal of the only server that is free is not held back for long', async () => {
  const servers = serversOf(2)
  for (const server of servers) server.fault = refuse(-400, 'requested entry count limit must be positive')
  const { pool } = await opened(clock(), servers, { perSecond: 1 })
  await clock().sleep(5_000)
  const begun = clock().now()
  for (let i = 0; i < 6; i++) await expect(pool.header(blockAt(2))).rejects.toMatchObject({ code: -400 })
  expect(clock().now() - begun).toBeLessThan(20_000)
})

/** Of a chain that is much longer. */
const later: Fault = async (verb, _args, honest) => {
  const answer = await honest()
  if (verb !== 'masterchainInfo') return answer
  const info = answer as MasterchainInfo
  return { ...info, last: { ...info.last, seqno: info.last.seqno + LATER } }
}
const withoutOld: Fault = (verb, args, honest) =>
  verb === 'masterchainInfo'
    ? later(verb, args, honest)
    : Promise.reject(new LiteError(651, 'cannot load block (0,8000000000000000,1) : not in db'))

test.each([{ exists: true }, { isWide: true }])(
  'behavior: the only one that keeps old blocks of shards is found, and then known: %o',
  async (known) => {
    const servers = serversOf(6)
    for (const server of servers) server.fault = server === servers[0] ? later : withoutOld
    const { pool } = await opened(clock(), servers)
    const [about] = scene.blocks(0)
    if (about === undefined) throw new Error('a block of the basechain was expected')
    const read = (mcSeqno: number) => pool.attempt?.((one) => one.block(about), { about, mcSeqno, ...known })
    for (let i = 0; i < 20; i++) await read(2)
    const before = servers.map(({ total }) => total)
    for (let i = 0; i < 20; i++) await read(2)
    expect(servers.map(({ total }, i) => total - (before[i] ?? 0))).toEqual([20, 0, 0, 0, 0, 0])
    // What is new they may have.
    for (const server of servers) server.fault = later
    for (let i = 0; i < 60; i++) await read(LATER)
    expect(Math.min(...servers.slice(1).map(({ total }, i) => total - (before[i + 1] ?? 0)))).toBeGreaterThan(0)
  },
)

test('behavior: of calls at once the one that was refused is named', async () => {
  const servers = serversOf(2)
  for (const server of servers)
    server.fault = (verb, args, honest) =>
      verb === 'header' ? refuse(-400, 'not today')(verb, args, honest) : honest()
  const { pool } = await opened(clock(), servers)
  const calls = pool.attempt?.((one) => Promise.all([one.header(blockAt(2)), one.shards(blockAt(3))]))
  await expect(calls).rejects.toMatchObject({ message: 'not today', asked: { verb: 'header', seqno: 2 } })
})
