// The last stream is closed while something is reported to it, and another one comes before that has ended: it follows from the
// newest block, and what it missed before it is sent up to there.

import { expect, test } from 'vitest'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { HASH, ofTrace, rowsOfBlock, subscriptionTo, wholeTrace } from './hubScene.ts'

const subscriberOf = (also = {}) => {
  const sink = { send: () => undefined, drained: async () => undefined, fail: () => undefined, isClosed: false }
  return new Subscriber(sink, subscriptionTo({ ...ofTrace, ...also }))
}

/** A hub whose feed has one item, and whose newest block is the one of the test. */
function hubOf(item: object, ofBlock: () => Promise<unknown>, also = {}) {
  const forgotten: number[] = []
  const newest = { seqno: 4, rootHash: HASH }
  const items = [item]
  const parts = {
    feed: {
      head: () => ({ ...newest }),
      block: async () => ({ ...rowsOfBlock, rootHash: newest.rootHash }),
      onPrepared: () => () => undefined,
      async *from(_: number, { signal }: { readonly signal: AbortSignal }) {
        yield* items.splice(0)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    },
    sent: { onSent: () => () => undefined },
    traces: { head: async () => null, follow: () => undefined, forget: () => forgotten.push(newest.seqno), ofBlock },
    counts: { delayed: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
    log: { warn: () => undefined },
    ...also,
  }
  return { hub: new StreamHub(parts as unknown as HubParts), newest, forgotten }
}

/** Where streams stand when block 6 is the newest, others come, and what was held up ends. */
async function standsAfter({ hub, newest }: ReturnType<typeof hubOf>, end: () => void): Promise<number | null> {
  newest.seqno = 6
  const release = hub.hold()
  end()
  const stands = await hub.run(() => hub.processed)
  release()
  return stands
}

test('where streams stand does not go back to a block that was reported to those before', async () => {
  let began = (): void => undefined
  let end = (): void => undefined
  const reporting = new Promise<void>((resolve) => {
    began = resolve
  })
  const ofBlock = () => {
    began()
    return new Promise<readonly []>((resolve) => {
      end = () => resolve([])
    })
  }
  const scene = hubOf({ kind: 'block', rows: { ...rowsOfBlock, mcSeqno: 5, traces: [wholeTrace] } }, ofBlock)
  const { hub } = scene
  const first = subscriberOf()
  hub.add(first)
  await reporting
  hub.remove(first)
  expect(await standsAfter(scene, () => end())).toBe(6)
})

test('nor to a revert that was read for them', async () => {
  const scene = hubOf({ kind: 'reverted', mcSeqno: 3 }, async () => [])
  const { hub } = scene
  let end = (): void => undefined
  void hub.run(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const first = subscriberOf()
  hub.add(first)
  // The item is queued behind the task.
  for (let i = 0; i < 20; i++) await Promise.resolve()
  hub.remove(first)
  expect(await standsAfter(scene, () => end())).toBe(6)
})

test('nor are messages predicted on the block before', async () => {
  let send = (_: object): void => undefined
  const messageTo = (at: number) => ({
    hashNorm: Buffer.alloc(32, at),
    to: `0:${'00'.repeat(31)}0${at}`,
    share: '',
    accepted: Promise.resolve(true),
  })
  const predictedOn: unknown[] = []
  let end = (): void => undefined
  const first = new Promise<null>((resolve) => {
    end = () => resolve(null)
  })
  const { hub } = hubOf({ kind: 'block', rows: { ...rowsOfBlock, mcSeqno: 5, traces: [] } }, async () => [], {
    sent: {
      onSent: (listener: typeof send) => {
        send = listener
        return () => undefined
      },
    },
    traces: {
      head: async () => 'newest',
      follow: () => undefined,
      forget: () => undefined,
      ofMessage: (_: object, at: unknown) => {
        predictedOn.push(at)
        return first
      },
    },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 60_000 },
  })
  const pending = { min_finality: 'pending' }
  const one = subscriberOf(pending)
  hub.add(one)
  // Its prediction is waited for before the block is reported.
  send(messageTo(1))
  await expect.poll(() => predictedOn.length).toBe(1)
  hub.remove(one)
  hub.add(subscriberOf(pending))
  end()
  await hub.run(() => undefined)
  send(messageTo(2))
  await expect.poll(() => predictedOn.length).toBe(2)
  expect(predictedOn).toEqual(['newest', 'newest'])
  hub.close()
})

test('what streams knew of traces that go on is forgotten when the block they left at is undone meanwhile, and only then', async () => {
  const { hub, newest, forgotten } = hubOf(
    { kind: 'block', rows: { ...rowsOfBlock, mcSeqno: 4, traces: [] } },
    async () => [],
  )
  const followed = async (): Promise<void> => {
    const release = hub.hold()
    await hub.run(() => undefined)
    release()
  }
  await followed()
  await followed()
  expect(forgotten).toEqual([4])
  newest.rootHash = Buffer.alloc(32, 8)
  newest.seqno = 5
  await followed()
  expect(forgotten).toEqual([4, 5])
})
