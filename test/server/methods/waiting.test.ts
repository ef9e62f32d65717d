// Calls that wait for messages: what they cost while they wait, and how many of them there may be.

import { getEventListeners, setMaxListeners } from 'node:events'
import { Address, beginCell, external, storeMessage } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { readBoc } from '../../../server/cell/index.ts'
import { IndexHeads } from '../../../server/indexer/indexHead.ts'
import { readSentMessage, sentMessageOf } from '../../../server/methods/waiting/sentMessage.ts'
import { SentWatch } from '../../../server/methods/waiting/sentWatch.ts'
import { MessageWaits } from '../../../server/methods/waiting/waiting.ts'
import { WaitSeats } from '../../../server/methods/waiting/waitSeats.ts'
import { StoreError } from '../../../server/store/index.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const ROOM_MS = 120_000

const messageOf = (number: number) => {
  const body = beginCell().storeUint(number, 32).endCell()
  const message = external({ to: Address.parse(`0:${'ab'.repeat(32)}`), body })
  const boc = beginCell().store(storeMessage(message)).endCell().toBoc()
  return sentMessageOf(readBoc(boc), boc)
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function setUp(stopping?: AbortSignal) {
  const heads = new IndexHeads()
  const queries: string[] = []
  let failure: Error | null = null
  const store = {
    query: async ({ text }: { readonly text: string }) => {
      queries.push(text)
      if (failure !== null) throw failure
      return []
    },
  }
  const fail = (error: Error) => {
    failure = error
  }
  const head = async (seqno: number) => {
    heads.set({ seqno, rootHash: new Uint8Array([seqno]), utime: seqno, at: seqno })
    for (let i = 0; i < 5; i++) await turn()
  }
  return { watch: new SentWatch(store, heads, stopping), head, heads, queries, fail }
}

describe('waiting', () => {
  test('costs two statements for each block, for however many callers', async () => {
    const { watch, head, queries } = setUp()
    await head(1)
    const gone = new AbortController()
    setMaxListeners(0, gone.signal)
    const limits = { signal: gone.signal, timeoutMs: ROOM_MS }
    const all = Array.from({ length: 500 }, (_, i) =>
      watch.until(messageOf(i), 'finalized', limits).catch(() => 'left'),
    )
    for (let i = 0; i < 5; i++) await turn()
    expect(queries).toHaveLength(2)
    await head(2)
    await head(3)
    expect(queries).toHaveLength(6)
    // Another one is checked alone at first.
    const late = watch.until(messageOf(1000), 'finalized', limits).catch(() => 'left')
    for (let i = 0; i < 5; i++) await turn()
    expect(queries).toHaveLength(8)
    gone.abort()
    expect(await late).toBe('left')
    expect(new Set(await Promise.all(all))).toEqual(new Set(['left']))
    await head(4)
    expect(queries).toHaveLength(8)
  })

  test('ends with the time or the caller, and leaves nothing behind', async () => {
    const { watch, head, queries } = setUp()
    await head(1)
    const gone = new AbortController()
    expect(await watch.until(messageOf(1), 'confirmed', { signal: gone.signal, timeoutMs: 1 })).toBeNull()
    const waiting = watch.until(messageOf(2), 'confirmed', { signal: gone.signal, timeoutMs: ROOM_MS })
    gone.abort(new Error('hung up'))
    await expect(waiting).rejects.toThrow('hung up')
    expect(getEventListeners(gone.signal, 'abort')).toEqual([])
    const before = queries.length
    await head(2)
    expect(queries).toHaveLength(before)
  })

  test('ends for all when the service stops, at once', async () => {
    const stop = new AbortController()
    const { watch, head } = setUp(stop.signal)
    await head(1)
    const { signal } = new AbortController()
    const waiting = [1, 2, 3].map((i) => watch.until(messageOf(i), 'finalized', { signal, timeoutMs: ROOM_MS }))
    stop.abort()
    expect(await Promise.all(waiting)).toEqual([null, null, null])
    expect(await watch.until(messageOf(4), 'finalized', { signal, timeoutMs: ROOM_MS })).toBeNull()
  })

  test('fails when the index cannot be read', async () => {
    const { watch, head, fail } = setUp()
    await head(1)
    fail(new StoreError('unavailable', 'gone'))
    const { signal } = new AbortController()
    await expect(watch.until(messageOf(1), 'confirmed', { signal, timeoutMs: ROOM_MS })).rejects.toThrow('gone')
  })
})

test('a message is not sent before the index has the newest block, also while that is being proven', async () => {
  const { heads, head } = setUp()
  await head(7)
  let sent = 0
  const chain = {
    traits: { canRewind: false },
    head: async ({ isNewest = false }) => ({ id: { seqno: isNewest ? 8 : 7 } }),
    send: async () => void sent++,
  }
  // The casts: nothing else of them is read.
  const tools = { chain, store: { query: async () => [] }, index: heads, mempool: { has: () => false } }
  const call = { signal: new AbortController().signal, caller: { subject: 'me' } }
  const { boc } = messageOf(1)
  const order = { boc, level: 'pending', timeoutMs: 1 } as const
  const waits = new MessageWaits(tools as unknown as ConstructorParameters<typeof MessageWaits>[0])
  const waiting = waits.run(order, call as unknown as Parameters<MessageWaits['run']>[1])
  await expect(waiting).rejects.toMatchObject({
    kind: 'indexBehind',
    message: expect.stringContaining('at 7, the chain at 8'),
  })
  expect(sent).toBe(0)
})

describe('seats', () => {
  test('are limited by caller and in total, and are free again afterwards', async () => {
    const seats = new WaitSeats({ total: 3, perCaller: 2 })
    let free = () => {}
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const mine = [1, 2].map(() => seats.hold('me', () => held))
    await expect(seats.hold('me', () => held)).rejects.toMatchObject({
      kind: 'busy',
      data: { limit: 2, retryAfter: 1 },
    })
    const other = seats.hold('you', () => held)
    await expect(seats.hold('they', () => held)).rejects.toMatchObject({ kind: 'busy', data: { limit: 3 } })
    free()
    await Promise.all([...mine, other])
    expect(seats.taken).toBe(0)
    await expect(seats.hold('me', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
    expect(seats.taken).toBe(0)
  })
})

test('a message of thousands of cells is read in pieces, and one that is none is refused in words', async () => {
  let body = beginCell().endCell()
  for (let i = 0; i < 400; i++) {
    const some = beginCell().storeRef(body)
    for (let k = 0; k < 3; k++)
      some.storeRef(
        beginCell()
          .storeUint(3 * i + k, 32)
          .endCell(),
      )
    body = some.endCell()
  }
  const message = external({ to: Address.parse(`0:${'ab'.repeat(32)}`), body })
  const boc = beginCell().store(storeMessage(message)).endCell().toBoc()
  const { found: read, turns } = await turnsOf(() => readSentMessage(boc, { sliceMs: 0 }))
  expect(turns).toBeGreaterThan(0)
  const { hash, hashNorm, key } = sentMessageOf(readBoc(boc), boc)
  expect([read.hash, read.hashNorm, read.key]).toEqual([hash, hashNorm, key])
  await expect(readSentMessage(body.toBoc(), {})).rejects.toMatchObject({ kind: 'invalidParams' })
})
