import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LookBell } from '../../../server/indexer/lookBell.ts'
import { headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

const HOUR_MS = 3_600_000

test('a ring ends the pause, and those after it until the block is there, but not for ever', async () => {
  const end = new AbortController()
  const bell = new LookBell()
  const pause = (seqno: number) => bell.pause({ pollMs: HOUR_MS, seqno }, end.signal)
  const isLong = async (seqno: number) => {
    const stopped = new AbortController()
    const paused = bell.pause({ pollMs: HOUR_MS, seqno }, stopped.signal).then(() => 'over')
    const first = await Promise.race([paused, sleep(200, 'long')])
    stopped.abort()
    await paused
    return first === 'long'
  }
  const first = pause(1)
  bell.ring(2)
  await first
  await pause(1)
  expect(await isLong(2)).toBe(true)
  bell.ring(2 ** 32)
  for (let i = 0; i < 10; i++) await pause(2)
  expect(await isLong(2)).toBe(true)
  const last = pause(2)
  end.abort()
  await last
  await pause(2)
})

test('a process that only reads is woken by the one that writes', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const writer = index({ node, database })
  await upToDate(writer, chain)
  const reader = index({ node, database, writes: false, watchMs: HOUR_MS })
  await reader.readable()
  const waits = reader.waitFor(headSeqno(chain) + 1, { timeoutMs: HOUR_MS })
  writer.onIndexed((head) => reader.lookSoon(head?.seqno ?? 0))
  await chain.control.mine(1)
  expect(await waits).toBe(true)
})
