// Traces that go on are held in memory, by their bytes: a stranger's trace of thousands of transactions with bodies of 64 kB each
// would be more than all of it.

import { expect, test } from 'vitest'
import type { LiveTrace } from '../../../server/methods/index.ts'
import { RecentParts } from '../../../server/methods/live/recentParts.ts'
import { UnfinishedTraces } from '../../../server/streaming/unfinishedTraces.ts'
import { filledRows } from '../../setup/filler.ts'
import { withMessages } from '../../setup/withMessages.ts'

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = withMessages(filled.transactions, filled.messages)
  .map((one) => ({ ...one, before: null, after: null }))
  .filter(({ outMessages }) => outMessages.length > 0)
const [message] = usual?.outMessages ?? []
const [trace] = filled.traces
if (usual === undefined || message === undefined || trace === undefined) throw new Error('no transaction sent anything')

/** One for all: what is held is counted, not allocated. */
const large = { ...message, body: Buffer.alloc(1 << 16) }
/** A megabyte. */
const found = { ...usual, outMessages: Array.from({ length: 16 }, () => large) }
const MOST = 128

const nameOf = (i: number): Buffer => Buffer.alloc(32, `${i} `)
const textOf = (i: number): string => nameOf(i).toString('base64')

const liveTrace = (i: number): LiveTrace => ({
  hash: nameOf(i),
  hashNorm: nameOf(i),
  traceId: nameOf(i),
  actions: [],
  isWhole: true,
  nodes: [{ found: { ...found, row: { ...found.row, hash: nameOf(i) } }, finality: 'pending' }],
})

test('of large unfinished traces the newest are kept whole; all of them are withdrawn when they do not happen', () => {
  let time = 0
  const traces = new UnfinishedTraces(() => time)
  const all = Array.from({ length: 2 * MOST }, (_, i) => i)
  for (time of all) traces.add(liveTrace(time), null)
  const whole = all.filter((i) => traces.get(textOf(i)) !== null)
  expect(whole.length).toBeGreaterThan(MOST / 2)
  expect(whole.length).toBeLessThanOrEqual(MOST)
  expect(whole.at(-1)).toBe(2 * MOST - 1)
  time = 2 * MOST
  expect(traces.olderThan(1)).toEqual(all.map(textOf))
  // Those that end make room again.
  for (const i of all) traces.remove(textOf(i))
  traces.add(liveTrace(1), null)
  expect(traces.get(textOf(1))).not.toBeNull()
})

const rowsWith = (i: number, nodes: number) => {
  const row = { ...found.row, traceId: nameOf(i), mcSeqno: i }
  const begun = { ...trace, traceId: nameOf(i), state: 'pending' as const, mcSeqnoStart: i, mcSeqnoEnd: i, nodes }
  const own = { mcSeqno: i, rootHash: nameOf(i), transactions: [{ ...found, row }], traces: [begun], actions: [] }
  // The cast: nothing else of a block is read.
  return { ...filled, ...own } as unknown as Parameters<RecentParts['add']>[0]
}

test('of traces that go on over blocks no more is held than there is room for', () => {
  const parts = new RecentParts()
  const count = 2 * MOST
  for (let i = 1; i <= count; i++) parts.add(rowsWith(i, 1))
  const next = rowsWith(count + 1, 1)
  const held = Array.from({ length: count }, (_, i) => parts.before(next, nameOf(i + 1))).filter(Boolean)
  expect(held.length).toBeGreaterThan(MOST / 2)
  expect(held.length).toBeLessThanOrEqual(MOST)
  expect(parts.before(next, nameOf(count))).toHaveLength(1)
})

test('one that is too large to be reported at once is not held', () => {
  const parts = new RecentParts()
  for (const nodes of [4000, 4001]) parts.add(rowsWith(nodes, nodes))
  const next = rowsWith(4002, 1)
  expect([4000, 4001].map((i) => parts.before(next, nameOf(i))?.length)).toEqual([1, undefined])
})
