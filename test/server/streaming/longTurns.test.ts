// A trace of a thousand transactions: its list, its tree, the whole text and its way out have turns of the event loop of their own.

import { expect, test, vi } from 'vitest'
import type { LiveTrace } from '../../../server/methods/index.ts'
import { emit } from '../../../server/streaming/emit.ts'
import { trace as traceNotices } from '../../../server/streaming/notifications/trace.ts'
import { RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { emitParts } from '../../setup/emitParts.ts'
import { filledRows } from '../../setup/filler.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
if (usual === undefined) throw new Error('no transaction was filled')

const { hash, traceId } = usual.row
const names = { hash, hashNorm: hash, traceId }
const traceOf = (length: number): LiveTrace => ({
  ...names,
  actions: [],
  isWhole: true,
  nodes: Array.from({ length }, (_, i) => ({
    found: { ...usual, row: { ...usual.row, hash: Buffer.alloc(32, `${i} `), lt: BigInt(i) } },
    finality: 'finalized',
  })),
})

/** The turns in which a trace is reported to one reader: each rest ends one. */
async function turnsOf(length: number, isDue: boolean) {
  let turn = 0
  const turns = { transactions: 0, tree: 0, sent: 0 }
  const rest = async () => void turn++
  const write = JSON.stringify
  const writing = vi.spyOn(JSON, 'stringify').mockImplementation((value, ...how) => {
    if (value?.in_msg !== undefined) turns.transactions = turn
    if (value?.children !== undefined) turns.tree = turn
    return write(value, ...how)
  })
  const hashes = new Set([Buffer.from(hash).toString('base64')])
  const one = textReader([], { types: new Set(['trace']), addresses: new Set(), hashes })
  Object.assign(one.sink, { send: () => Object.assign(turns, { sent: turn }) })
  const routes = new RoutesToMany()
  routes.add(one)
  const parts = emitParts({ routes, pace: { isDue, rest } })
  try {
    await emit(parts, traceNotices, traceOf(length), () => null)
  } finally {
    writing.mockRestore()
  }
  return turns
}

test('the list is joined after the turn of the last transaction, then the tree is made, put into the text, and sent', async () => {
  const { transactions, tree, sent } = await turnsOf(1000, true)
  // Joined, and then each few transactions of the tree.
  expect(tree - transactions).toBeGreaterThan(1000 / 16)
  expect(sent - tree).toBeGreaterThanOrEqual(3)
})

test('a long text is put together and sent in two turns, also where no slice is used up; a short one at once', async () => {
  expect(await turnsOf(1000, false)).toEqual({ transactions: 0, tree: 0, sent: 2 })
  expect(await turnsOf(5, false)).toEqual({ transactions: 0, tree: 0, sent: 0 })
})
