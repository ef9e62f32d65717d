// Watchers of blocks in the v4 interface: the newest block at once, then each one, with the accounts it changed.

import { Address } from '@ton/core'
import { TonClient4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openSocket } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const HEADS = '/api/v4/block/watch'
const CHANGES = '/api/v4/block/watch/changed'
const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)

const service = forAllTests(() => serve({ withIndex: true, config: { seed: 'none', mining: 'manual', limits: 'off' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })

/** Mines a block and waits until it is indexed and its frames have come. */
async function mined(...sockets: readonly Awaited<ReturnType<typeof openSocket>>[]): Promise<number> {
  await client().dev.mine({ blocks: 1 })
  const { seqno } = (await client().getMasterchainInfo()).last
  await untilIndexed(client(), seqno)
  for (const { frames } of sockets) await frames.first((frame) => frame.seqno === seqno)
  return seqno
}

test('behavior: the newest block, then each one, in order', async () => {
  const seqno = await mined()
  const first = await openSocket(service(), HEADS)
  await first.frames.first((frame) => frame.seqno === seqno)
  await mined(first)
  const second = await openSocket(service(), HEADS)
  await second.frames.first((frame) => frame.seqno === seqno + 1)
  await mined(first, second)
  expect(first.frames.all.map((frame) => frame.seqno)).toEqual([seqno, seqno + 1, seqno + 2])
  expect(second.frames.all).toEqual(first.frames.all.slice(1))
  const { now } = await new TonClient4({ endpoint: `${service().url}/api/v4`, timeout: 300_000 }).getLastBlock()
  expect(first.frames.all.at(-1)).toEqual({ seqno: seqno + 2, time: now, now })
})

test('behavior: accounts that a block changed, each with its last transaction', async () => {
  const watcher = await openSocket(service(), CHANGES)
  await client().dev.faucet({ address: RECEIVER.toRawString(), amount: '1000000000' })
  const seqno = await mined(watcher)
  const ton4 = new TonClient4({ endpoint: `${service().url}/api/v4`, timeout: 300_000 })
  const found: Record<string, unknown> = {}
  for (let at = seqno; !(RECEIVER.toString() in found); at--) {
    const frame = await watcher.frames.first((one) => one.seqno === at)
    const { shards } = await ton4.getBlock(at)
    const expected = new Map<string, { lt: string; hash: string }>()
    for (const { account, lt, hash } of shards.flatMap(({ transactions }) => transactions))
      if (BigInt(lt) > BigInt(expected.get(account)?.lt ?? 0)) expected.set(account, { lt, hash })
    expect(frame).toEqual({ seqno: at, changed: Object.fromEntries(expected), lastUtime: expect.any(Number) })
    Object.assign(found, frame.changed)
  }
  const { account } = await ton4.getAccount(seqno, RECEIVER)
  expect(found[RECEIVER.toString()]).toEqual(account.last)
})

test('behavior: watching goes on after all others have left', async () => {
  const first = await openSocket(service(), HEADS)
  const left = await mined(first)
  first.socket.close()
  await first.frames.end()
  await mined()
  const second = await openSocket(service(), HEADS)
  const seqno = await mined(second)
  expect(seqno).toBe(left + 2)
  expect(second.frames.all.map((frame) => frame.seqno)).toEqual([left + 1, seqno])
})

test('behavior: after a revert the block that is the newest then, also for new watchers', async () => {
  const first = await openSocket(service(), HEADS)
  const { id } = await client().dev.snapshot({})
  const kept = await mined(first)
  await client().dev.revert({ id })
  const { seqno } = (await client().getMasterchainInfo()).last
  expect(seqno).toBe(kept - 1)
  await eventually(() => first.frames.all.at(-1)?.seqno === seqno || undefined)
  const second = await openSocket(service(), HEADS)
  await second.frames.first((frame) => frame.seqno === seqno)
  expect(await mined(first, second)).toBe(kept)
  expect(second.frames.all.map((frame) => frame.seqno)).toEqual([seqno, kept])
})

test('error: more watchers than a key may have', async () => {
  let time = 0
  // Budgets are full again with each call.
  const now = () => (time += 10_000)
  await using own = await serve({ withIndex: true, config: { seed: 'none', mining: 'manual', limits: 'on' }, now })
  const { key } = await own.newKey({ plan: 'free' })
  const open = (path: string) => openSocket(own, `${path}?api_key=${key}`)
  const watchers = [await open(HEADS), await open(HEADS), await open(HEADS), await open(CHANGES), await open(CHANGES)]
  await expect(open(HEADS)).rejects.toThrow('429')
  watchers[0]?.socket.close()
  await eventually(() => open(CHANGES).catch(() => undefined))
})

test('error: frames that say too much', async () => {
  const watcher = await openSocket(service(), HEADS)
  for (let i = 0; i < 1000; i++) watcher.send('hello')
  await watcher.frames.end()
  expect(watcher.closed).toEqual({ code: 1008, reason: expect.stringContaining('too many refused frames') })
})

test('error: a plain request is told to upgrade', async () => {
  for (const path of [HEADS, CHANGES]) {
    const { status, headers, body } = await ask(service(), path)
    expect([status, headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(body.error).toBe('this path is a WebSocket: connect with Upgrade: websocket')
  }
})
