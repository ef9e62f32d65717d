// What streams do with what cannot be reported. After a finalized block the service closes them, and their clients resume.

import { expect, test, vi } from 'vitest'
import type { BlockRows } from '../../../server/store/index.ts'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { feedOf, HASH, ofTrace, rowsOfBlock, subscriptionTo, wholeTrace } from './hubScene.ts'

const block = { kind: 'block', rows: { ...rowsOfBlock, mcSeqno: 5, traces: [wholeTrace] } }

test('a finalized block that cannot be read ends the streams, so that their readers resume', async () => {
  const log: string[] = []
  const parts = {
    feed: feedOf(block),
    sent: { onSent: () => () => undefined },
    traces: {
      head: async () => null,
      follow: () => undefined,
      forget: () => undefined,
      ofBlock: () => Promise.reject(new Error('the database has gone')),
    },
    counts: { delayed: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
    log: { warn: (_: object, text: string) => log.push(text) },
  }
  const hub = new StreamHub(parts as unknown as HubParts)
  const ended = new Promise<void>((resolve) => {
    const sink = { send: () => log.push('sent'), drained: async () => undefined, fail: resolve, isClosed: false }
    hub.add(new Subscriber(sink, subscriptionTo(ofTrace)))
  })
  await ended
  expect(log).toEqual(['block not reported to all streams'])
  hub.close()
})

test('a prediction that cannot be written is left out, and what comes after it is reported', async () => {
  const log: string[] = []
  let onSent = (_: object): void => undefined
  const trace = {
    hash: HASH,
    hashNorm: HASH,
    nodes: [{ found: { row: { account: HASH }, inMessage: { body: HASH }, outMessages: [] }, finality: 'pending' }],
    actions: [],
    isWhole: true,
  }
  const feed = {
    head: () => null,
    onPrepared: () => () => undefined,
    async *from(_: number, { signal }: { readonly signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield* []
    },
  }
  const sent = {
    onSent(listener: typeof onSent) {
      onSent = listener
      return () => undefined
    },
  }
  const traces = { head: async () => ({ seqno: 4 }), ofMessage: async () => trace }
  const warn = (_: object, text: string) => log.push(text)
  const parts = { feed, sent, traces, counts: {}, limits: { predictedMs: 60_000, sweepMs: 60_000 }, log: { warn } }
  const hub = new StreamHub(parts as unknown as HubParts)
  const subscription = subscriptionTo({ ...ofTrace, min_finality: 'pending' })
  const sink = { send: () => log.push('sent'), drained: async () => undefined, fail: () => undefined, isClosed: false }
  hub.add(new Subscriber(sink, subscription))
  onSent({ hash: HASH, hashNorm: HASH, to: 'x', accepted: Promise.resolve(true) })
  await vi.waitFor(() => expect(log).toEqual(['prediction not reported to all streams']), 300_000)
  expect(await hub.run(() => 'reported')).toBe('reported')
  hub.close()
})

test('a message that leads to nothing yet is predicted again on the next two blocks, and no more', async () => {
  const log: string[] = []
  let onSent = (_: object): void => undefined
  const blocks: ((seqno: number) => void)[] = []
  const feed = {
    head: () => ({ seqno: 4, rootHash: HASH }),
    onPrepared: () => () => undefined,
    async *from() {
      for (;;) {
        const mcSeqno = await new Promise<number>((resolve) => blocks.push(resolve))
        yield { kind: 'block', rows: { ...block.rows, mcSeqno, traces: [] } }
      }
    },
  }
  const sent = {
    onSent(listener: typeof onSent) {
      onSent = listener
      return () => undefined
    },
  }
  const traces = {
    head: async () => ({ seqno: 4 }),
    follow: () => undefined,
    forget: () => undefined,
    async ofMessage({ hashNorm }: { readonly hashNorm: Buffer }, { seqno }: { readonly seqno: number }) {
      log.push(`${hashNorm[0]} on ${seqno}`)
      // One whose sender has made the block behind the one that is known here, and one that no state takes.
      return hashNorm[0] === 1 && seqno === 5
        ? { hash: hashNorm, hashNorm, nodes: [], actions: [], isWhole: true }
        : null
    },
  }
  const parts = {
    feed,
    sent,
    traces,
    books: {},
    counts: { delayed: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
    log: { warn: () => log.push('warned') },
  }
  const hub = new StreamHub(parts as unknown as HubParts)
  const subscription = subscriptionTo({
    types: ['transactions'],
    addresses: [`0:${'00'.repeat(32)}`],
    min_finality: 'pending',
  })
  const sink = { send: () => undefined, drained: async () => undefined, fail: () => undefined, isClosed: false }
  hub.add(new Subscriber(sink, subscription))
  const accepted = Promise.resolve(true)
  for (const name of [1, 2]) onSent({ hash: HASH, hashNorm: Buffer.alloc(32, name), to: `account ${name}`, accepted })
  const expected = ['1 on 4', '2 on 4']
  await vi.waitFor(() => expect(log).toEqual(expected), 300_000)
  for (const [seqno, tries] of [
    [5, ['1 on 5', '2 on 5']],
    [6, ['2 on 6']],
    [7, []],
    [8, []],
  ] as const) {
    await vi.waitFor(() => expect(blocks.length).toBe(seqno - 4), 300_000)
    blocks.at(-1)?.(seqno)
    await vi.waitFor(() => expect(hub.processed).toBe(seqno), 300_000)
    expected.push(...tries)
    await vi.waitFor(() => expect(log).toEqual(expected), 300_000)
  }
  hub.close()
})

test('a block that is sent again waits for its reader between its notifications', async () => {
  const accounts = Array.from({ length: 5 }, (_, i) => Buffer.alloc(33, i + 1).fill(0x80, 0, 1))
  const changed = accounts.map((account) => ({ account, hash: HASH, balance: 1n, status: 'active' }))
  const rows = { ...block.rows, traces: [], changed }
  const hub = new StreamHub({
    traces: {},
    counts: { sent: () => undefined },
    books: {},
    limits: {},
  } as unknown as HubParts)
  const addresses = accounts.map((account) => `0:${account.toString('hex', 1)}`)
  const subscription = subscriptionTo({ types: ['account_state_change'], addresses })
  const log: string[] = []
  const sink = {
    send: () => log.push('sent'),
    drained: async () => void log.push('taken'),
    fail: () => undefined,
    isClosed: false,
  }
  const replay = async (isHurried: boolean) => {
    log.length = 0
    const subscriber = new Subscriber(sink, subscription)
    await hub.replay(rows as unknown as BlockRows, subscriber, { after: -1, isHurried })
    return log
  }
  expect(await replay(false)).toEqual(accounts.flatMap(() => ['sent', 'taken']))
  expect(await replay(true)).toEqual(accounts.map(() => 'sent'))
})
