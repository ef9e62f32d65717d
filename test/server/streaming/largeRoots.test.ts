// A block with thousands of messages from outside is compared with what was predicted in pieces.

import { expect, test, vi } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { readingSubscription } from '../../../server/streaming/readSubscription.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { feedOf, HASH } from './hubScene.ts'

const COUNT = 5_000

test('others have their turns meanwhile', async () => {
  let looks = 0
  let most = 0
  let next = setImmediate(function turn() {
    most = Math.max(most, looks)
    looks = 0
    next = setImmediate(turn)
  })
  const transaction = {
    get row() {
      looks++
      return { account: Buffer.alloc(33) }
    },
    inMessage: { kind: 'externalIn', hash: HASH, hashNorm: null },
  }
  const blocks = [{ workchain: -1, fileHash: HASH }]
  const none = { actions: [], jettonWallets: [], changed: [], traces: [] }
  const rows = {
    mcSeqno: 5,
    rootHash: HASH,
    utime: 1,
    blocks,
    transactions: new Array(COUNT).fill(transaction),
    ...none,
  }
  const reported = new Promise<void>((resolve) => {
    const parts = {
      feed: feedOf({ kind: 'block', rows }),
      sent: { onSent: () => () => undefined },
      traces: { head: async () => null, follow: () => undefined, forget: () => undefined },
      counts: { delayed: resolve },
      limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
      log: { warn: () => undefined },
    }
    // The cast: nothing else is used for a block without traces.
    const hub = new StreamHub(parts as unknown as HubParts)
    const rules = { transport: 'sse', actionsVersion: null, maxAddresses: 10 } as const
    const subscription = inOnePiece(readingSubscription({ types: ['blocks'], min_finality: 'finalized' }, rules))
    const sink = { send: () => undefined, drained: async () => undefined, fail: () => undefined, isClosed: true }
    hub.add(new Subscriber(sink, subscription))
  })
  // Every slice of time is used up at once.
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  await reported.finally(() => clock.mockRestore())
  clearImmediate(next)
  most = Math.max(most, looks)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(COUNT / 5)
})
