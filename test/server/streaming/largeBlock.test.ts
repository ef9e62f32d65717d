// A block of ten thousand transactions: which subscribers and webhooks it concerns is found in pieces.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import { makingRowsOfBatch } from '../../../server/store/feed/blockRows.ts'
import type { BlockRows, TransactionFound } from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { Concerns } from '../../../server/webhooks/concerns.ts'
import { eventsOf } from '../../../server/webhooks/webhookEvent.ts'
import { filledRows } from '../../setup/filler.ts'
import { restingAlways } from '../../setup/othersTurns.ts'

const COUNT = 10_000
const [filled] = filledRows({ transactions: COUNT, accounts: 3000, atOnce: 1000 })
const [master] = filled?.blocks ?? []
const [trace] = filled?.traces ?? []
if (filled === undefined || master === undefined || trace === undefined) throw new Error('nothing was filled')
const { mcSeqno, traceId } = { mcSeqno: master.mcSeqno, traceId: trace.traceId }
/** All of it in one block, and half of it in one trace. */
const together = {
  ...filled,
  blocks: filled.blocks.filter((block) => block.mcSeqno === mcSeqno),
  transactions: filled.transactions.map((row, i) => ({ ...row, mcSeqno, ...(i % 2 === 0 ? { traceId } : {}) })),
  traces: filled.traces.map((row) => ({ ...row, mcSeqnoStart: mcSeqno, externalHash: row.traceId })),
}
const [whole] = inOnePiece(makingRowsOfBatch(together, { actions: [] }, new Map()))
if (whole === undefined) throw new Error('there is no block')

/** The most transactions that work on the block looks at in one turn of the event loop. */
async function mostInOneTurn(work: (rows: BlockRows) => Promise<unknown>): Promise<number> {
  let looks = new Set<TransactionFound>()
  let most = 0
  const transactions = whole?.transactions.map((one) => ({
    ...one,
    get row() {
      looks.add(one)
      return one.row
    },
  }))
  let next = setImmediate(function turn() {
    most = Math.max(most, looks.size)
    looks = new Set()
    next = setImmediate(turn)
  })
  await restingAlways(() => work({ ...whole, transactions, itemOwners: () => Promise.resolve([]) } as BlockRows))
  clearImmediate(next)
  return Math.max(most, looks.size)
}

// The casts: nothing of the block concerns a subscriber, so that nothing is read.
const notices = new BlockNotices({ traces: {}, log: {} } as ConstructorParameters<typeof BlockNotices>[0])
const nobody = `0:${'7'.repeat(64)}`

test.each(['transactions', 'account_state_change'])('which subscribers of %s it concerns', async (type) => {
  const waiting = notices.waiting<string>()
  waiting.add('one', await notices.read({ types: [type], addresses: [nobody] }, 10))
  expect(await mostInOneTurn((rows) => waiting.concernedBy(rows))).toBeLessThanOrEqual(COUNT / 20)
})

const filter = { subscription: null, accounts: new Set([nobody]), opcodes: new Set([7]), newContracts: true }

test('which webhooks it concerns', async () => {
  const concerns = new Concerns<object>(notices)
  await concerns.add({}, filter)
  expect(await mostInOneTurn((rows) => concerns.of(rows))).toBeLessThanOrEqual(COUNT / 10)
})

test('which events it has for one', async () => {
  const events = (rows: BlockRows) => eventsOf(notices, rows, { filter, after: -1 })
  expect(await mostInOneTurn(events)).toBeLessThanOrEqual(COUNT / 20)
})
