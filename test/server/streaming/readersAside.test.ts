// A trace of tens of thousands of transactions is sent to those it concerns beside all others, who hear of the next blocks meanwhile.

import { expect, test, vi } from 'vitest'
import { Reverts } from '../../../server/store/index.ts'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { resume, type StreamResumeParts } from '../../../server/streaming/resume.ts'
import { endOfBlock } from '../../../server/streaming/streamCursor.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { feedOf, HASH, rowsOfBlock, subscriptionTo, wholeTrace } from './hubScene.ts'

const keyOf = (byte: number) => Buffer.alloc(33, byte).fill(0x80, 0, 1)
const rawOf = (byte: number) => `0:${keyOf(byte).toString('hex', 1)}`
const OF_TRACE = 1
const OTHER = 2
const changed = [OF_TRACE, OTHER].map((byte) => ({ account: keyOf(byte), hash: HASH, balance: 1n, status: 'active' }))
const large = { ...wholeTrace, mcSeqnoStart: 4, nodes: 5000 }
const block = (mcSeqno: number, traces: readonly object[] = []): object => ({
  kind: 'block',
  rows: { ...rowsOfBlock, mcSeqno, changed, traces },
})

/** A hub that reports some items, and what its two readers hear; `release` lets the large trace of block 5 be read. */
function scene(items: readonly object[]) {
  const heard: string[] = []
  const resumed: unknown[][] = []
  let release = (): void => undefined
  const isRead = new Promise<void>((resolve) => {
    release = resolve
  })
  const parts = {
    feed: feedOf(...items),
    sent: { onSent: () => () => undefined },
    traces: {
      head: async () => null,
      follow: () => undefined,
      forget: () => undefined,
      large: {
        async *accounts() {
          yield [keyOf(OF_TRACE)]
        },
        head: async () => ({ hash: HASH, hashNorm: HASH, traceId: HASH, nodes: [], actions: [], isWhole: true }),
        async *parts() {
          await isRead
          yield* []
        },
      },
    },
    books: {},
    counts: { delayed: () => undefined, sent: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
    log: { warn: (_: object, text: string) => heard.push(text) },
    resume: async (...how: unknown[]) => void resumed.push(how),
  }
  const hub = new StreamHub(parts as unknown as HubParts)
  const reader = (byte: number): Subscriber => {
    const send = (text: string): void => {
      const { type } = JSON.parse(text) as { readonly type: string }
      heard.push(`${byte}: ${type}`)
    }
    const sink = { send, drained: async () => undefined, fail: () => heard.push('failed'), isClosed: false }
    const types = ['transactions', 'account_state_change']
    const subscriber = new Subscriber(sink, subscriptionTo({ types, addresses: [rawOf(byte)] }))
    hub.add(subscriber)
    return subscriber
  }
  const ofTrace = reader(OF_TRACE)
  reader(OTHER)
  return { hub, heard, resumed, release, ofTrace }
}

const change = (byte: number): string => `${byte}: account_state_change`
const end = endOfBlock({ mcSeqno: 5, rootHash: HASH })

test('the readers of others do not wait, and its own go on behind its block', async () => {
  const { hub, heard, resumed, release, ofTrace } = scene([block(5, [large]), block(6)])
  await vi.waitFor(() => expect(hub.processed).toBe(6), 300_000)
  expect(heard).toEqual([change(OTHER), change(OTHER)])
  expect(hub.subscriptions).toBe(2)
  release()
  await vi.waitFor(() => expect(resumed).toEqual([[ofTrace, end, 0]]), 300_000)
  expect(heard.slice(2)).toEqual([change(OF_TRACE)])
  hub.close()
})

test('what was unsubscribed meanwhile is not sent', async () => {
  const { hub, heard, resumed, release, ofTrace } = scene([block(5, [large])])
  await vi.waitFor(() => expect(hub.processed).toBe(5), 300_000)
  hub.change(ofTrace, () => ofTrace.narrow([rawOf(OF_TRACE)], []))
  release()
  await vi.waitFor(() => expect(resumed).toHaveLength(1), 300_000)
  expect(heard).toEqual([change(OTHER)])
  hub.close()
})

test('of a block that is undone meanwhile nothing more is sent', async () => {
  const { hub, heard, resumed, release, ofTrace } = scene([block(5, [large]), { kind: 'revert', mcSeqno: 4 }])
  await vi.waitFor(() => expect(hub.reverts.lowestSince(0)).toBe(4), 300_000)
  release()
  await vi.waitFor(() => expect(resumed).toEqual([[ofTrace, end, 0]]), 300_000)
  expect(heard).not.toContain(change(OF_TRACE))
  hub.close()
})

test('who was beside the others goes on when its block was undone and they have not heard of it yet, who comes back does not', async () => {
  const log: string[] = []
  const parts = {
    feed: { block: async () => ({ ...rowsOfBlock, mcSeqno: 5, rootHash: keyOf(OTHER) }) },
    hub: {
      reverts: new Reverts(),
      processed: null,
      hold: () => () => undefined,
      run: (task: () => unknown) => task(),
      add: () => log.push('follows'),
    },
    // There is no index: nothing was missed.
    inTurn: (read: () => Promise<unknown>) => read().catch(() => []),
  }
  const sink = {
    send: () => undefined,
    drained: async () => undefined,
    fail: () => log.push('failed'),
    isClosed: false,
  }
  const subscriber = new Subscriber(sink, subscriptionTo({ types: ['blocks'] }))
  // The cast: nothing else is used for a reader that has missed nothing.
  for (const heard of [0, undefined]) await resume(parts as unknown as StreamResumeParts, subscriber, end, heard)
  expect(log).toEqual(['follows', 'failed'])
})
