// A trace of thousands of transactions: what it means to its readers is written in pieces, and others get their turn in between.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type LiveTrace, rawOfKey } from '../../../server/methods/index.ts'
import { emit } from '../../../server/streaming/emit.ts'
import { emitTrace } from '../../../server/streaming/emitBlock.ts'
import { JsonText } from '../../../server/streaming/jsonText.ts'
import { trace as traceNotices } from '../../../server/streaming/notifications/trace.ts'
import { transactionNotices } from '../../../server/streaming/notifications/transactions.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { emitParts } from '../../setup/emitParts.ts'
import { filledRows } from '../../setup/filler.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'

const LENGTH = 1000
const READERS = 20

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
if (usual === undefined) throw new Error('no transaction was filled')

const names = { hash: usual.row.hash, hashNorm: usual.row.hash, traceId: usual.row.traceId }
const long: LiveTrace = {
  ...names,
  actions: [],
  isWhole: true,
  nodes: Array.from({ length: LENGTH }, (_, i) => ({
    found: { ...usual, row: { ...usual.row, hash: Buffer.alloc(32, `${i} `), lt: BigInt(i) } },
    finality: 'finalized',
  })),
}

const reader = (sent: string[]) =>
  textReader(sent, {
    types: new Set(['transactions', 'trace']),
    addresses: new Set([rawOfKey(usual.row.account)]),
    hashes: new Set([Buffer.from(names.hashNorm).toString('base64')]),
  })

test.each([transactionNotices, traceNotices])('$name: others get their turn after each transaction', async (type) => {
  const routes = new RoutesToMany()
  const sent: string[] = []
  for (let i = 0; i < READERS; i++) routes.add(reader(sent))
  let rests = 0
  const rest = async (): Promise<void> => {
    rests++
    await nextTurn()
  }
  const parts = emitParts({ routes, pace: { isDue: true, rest } })
  await emit(parts, type, long, () => 'a cursor')
  expect(rests).toBeGreaterThanOrEqual(LENGTH - 1)
  expect(sent).toHaveLength(READERS)
  expect(new Set(sent).size).toBe(1)
  const { finality, cursor, transactions } = JSON.parse(sent[0] ?? '')
  expect({ finality, cursor }).toEqual({ finality: 'finalized', cursor: 'a cursor' })
  const lts = Object.values<{ lt: string }>(transactions).map(({ lt }) => Number(lt))
  expect(lts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LENGTH }, (_, i) => i))
})

test('transactions are written once for both types that have them, and again for a trace that has changed', async () => {
  const routes = new RoutesToMany()
  const sent: string[] = []
  routes.add(reader(sent))
  const pace = { isDue: false, rest: () => Promise.resolve() }
  const parts = emitParts({ routes, pace })
  const later: LiveTrace = { ...long, traceId: Buffer.alloc(32, 1) }
  const writing = vi.spyOn(JSON, 'stringify')
  const written = () => writing.mock.calls.filter(([value]) => value?.in_msg !== undefined).length
  try {
    await emitTrace(parts, long)
    expect(written()).toBe(LENGTH)
    await emitTrace(parts, later)
    expect(written()).toBe(2 * LENGTH)
  } finally {
    writing.mockRestore()
  }
  const ids = sent.map(
    (text) => new Set(Object.values<{ trace_id: string }>(JSON.parse(text).transactions).map((one) => one.trace_id)),
  )
  const [first, second] = [long, later].map(({ traceId }) => new Set([Buffer.from(traceId ?? []).toString('base64')]))
  expect(ids).toEqual([first, first, second, second])
  expect(sent.map((text) => JSON.parse(text).type)).toEqual(['transactions', 'trace', 'transactions', 'trace'])
})

test('all that follow one account of a trace share the list of what they named', () => {
  const routes = new RoutesToMany()
  const readers = Array.from({ length: READERS }, () => reader([]))
  for (const one of readers) routes.add(one)
  const audience = routes.ofParts(long.nodes.map(({ found }) => [rawOfKey(found.row.account)]))
  expect(audience.size).toBe(READERS)
  expect(new Set(audience.values()).size).toBe(1)
})

test('of long notifications, each for another reader, few are in memory at once', async () => {
  const LONG = 1 << 20
  const routes = new RoutesToMany()
  const readers = Array.from({ length: 2 * READERS }, () => reader([]))
  for (const one of readers) routes.add(one)
  let written = 0
  let most = 0
  const type: typeof transactionNotices = {
    ...transactionNotices,
    audience: () => new Map(readers.map((one, i) => [one, [i]])),
    selector: () => ({
      key: (_, parts) => parts.join(),
      write() {
        most = Math.max(most, ++written - sent.length)
        return { members: { transactions: new JsonText('x'.repeat(LONG)) }, accounts: null }
      },
    }),
  }
  const sent: string[] = []
  for (const one of readers) Object.assign(one.sink, { send: (text: string) => void sent.push(text) })
  const pace = { isDue: false, rest: () => Promise.resolve() }
  await emit(emitParts({ routes, pace }), type, long, () => 'a cursor')
  expect(sent).toHaveLength(2 * READERS)
  expect(most).toBeLessThanOrEqual(8)
})
