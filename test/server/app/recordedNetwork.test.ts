// Networks that the public C++ node made, over a lite port, as a service and its doctor see them: with the right clock, and
// with one that is a day off.

import { expect, onTestFinished, test } from 'vitest'
import { remoteReadiness } from '../../../server/app/network/remoteReadiness.ts'
import { adviceOn, adviceOnAge } from '../../../server/cli/doctor/table.ts'
import {
  answerLiteQuery,
  connectLiteServer,
  createAdnlListener,
  createServerPool,
  examineServer,
  LiteError,
  type ServerAddress,
  Trust,
  WHOLE_SHARD,
} from '../../../server/node/index.ts'
import { recordedServer, SESSIONS, type SessionName, zerostateOf } from '../../setup/recordedSession.ts'

const DAY = 86_400
/** Of public networks. */
const OLD_HEAD_S = 15
const AHEAD_S = 60
/** Proofs were recorded with another mode, of which the answer is the same. */
const isBlockProof = (request: Uint8Array): boolean => request[0] === 0x44 && request[1] === 0x9c
const keyOf = (request: Uint8Array): string =>
  Buffer.from(isBlockProof(request) ? request.subarray(8) : request).toString('base64')

async function open(session: SessionName) {
  const recorded = recordedServer(session, keyOf)
  const seed = new Uint8Array(32).fill(5)
  const onQuery = (query: Uint8Array) => answerLiteQuery(recorded, query)
  const { port, key, close } = await createAdnlListener({ host: '127.0.0.1', port: 0, seed, onQuery }).then((one) => ({
    port: one.port,
    key: one.key,
    close: () => one.close(),
  }))
  onTestFinished(close)
  const zerostate = { ...zerostateOf(session), shard: WHOLE_SHARD, seqno: 0 }
  const address: ServerAddress = { name: 'recorded', host: '127.0.0.1', port, key, slices: null }
  return { address, start: { zerostate, block: zerostate }, info: await recorded.masterchainInfo() }
}

/** What a service on a public network says a few seconds after its start, by a clock so many seconds off. */
async function served({ address, start, info }: Awaited<ReturnType<typeof open>>, shift: number) {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const pool = createServerPool({ servers: [address], connect: connectLiteServer, log, zerostate: start.zerostate })
  onTestFinished(() => pool.close())
  const now = info.now + shift
  // Parts of the configuration, which show the age of the keys, were recorded otherwise.
  const trust = new Trust(pool, { start, aheadS: AHEAD_S, isStaleAccepted: true, clock: () => now * 1000 })
  await pool.ready(300_000)
  const head = await trust.read().then(
    ({ id }) => id.seqno,
    (error: unknown) => error,
  )
  return { head, ...remoteReadiness(pool, trust, { oldHeadS: OLD_HEAD_S, now }) }
}

test.each(SESSIONS)('%s, by the right clock', async (session) => {
  const scene = await open(session)
  const { seqno } = scene.info.last
  expect(await served(scene, 0)).toMatchObject({
    head: seqno,
    ready: true,
    words: expect.stringMatching(/^block \d+, 1\.0 s ago, 1 of 1/),
  })
  const examined = await examineServer(scene.address, { start: scene.start, now: () => scene.info.now })
  expect(examined).toMatchObject({ isUsable: true, skew: 0, head: { seqno }, key: { isNewest: true } })
  expect(examined.steps.filter(({ fault }) => fault !== null)).toEqual([])
})

test.each(SESSIONS)('%s, by a clock that is a day ahead: the clock is named', async (session) => {
  const scene = await open(session)
  const { head, ready, words } = await served(scene, DAY)
  expect([head, ready]).toEqual([scene.info.last.seqno, false])
  expect(words).toMatch(
    /864\d\d\.\d s ago, 1 of 1 lite server; the clock of this machine is 864\d\d s ahead of theirs$/,
  )
  await doctorNamesTheClock(scene, DAY)
})

test.each(SESSIONS)('%s, by a clock that is a day behind: the clock is named', async (session) => {
  const scene = await open(session)
  const { head, ready, words } = await served(scene, -DAY)
  // The clock may be wrong: the server is not said to lie.
  expect(head).toBeInstanceOf(LiteError)
  expect(ready).toBe(false)
  expect(words).toMatch(
    /was made 86399 s in the future, where 60 s are allowed: set this machine's clock, or use other/,
  )
  expect(words).toMatch(/the clock of this machine is 86\d\d\d s behind theirs$/)
  await doctorNamesTheClock(scene, -DAY)
})

/** And says neither that the network stands nor that the server lies. */
async function doctorNamesTheClock({ address, start, info }: Awaited<ReturnType<typeof open>>, shift: number) {
  const now = info.now + shift
  const examined = await examineServer(address, { start, now: () => now })
  expect(examined.isUsable).toBe(true)
  // Clocks of servers are in whole seconds.
  expect(Math.abs((examined.skew ?? 0) + shift)).toBeLessThanOrEqual(1)
  expect(adviceOnAge([examined], now)).toEqual([])
  expect(adviceOn([examined], () => 0)).toEqual([
    expect.stringMatching(/^recorded: clock: [+-]86[34]\d\d s; set the clock by a time server/),
  ])
}
