// Traces of which a part is still on its way, as pending ones are.

import { describe, expect, test } from 'vitest'
import {
  type ClassifiedAction,
  classifyTrace,
  type TraceInput,
  type TraceTransaction,
} from '../../../server/actions/index.ts'
import type { Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, typesOf } from './madeFlows.ts'
import { readTraceFixture, traceNames } from './traceFixtures.ts'

const byLt = (a: TraceTransaction, b: TraceTransaction): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)

/** What the trace would be without one message and all that it leads to. */
function without(lost: TraceTransaction, all: readonly TraceTransaction[]): TraceTransaction[] {
  const gone = new Set([lost.inMessage?.hash])
  return all.filter(({ inMessage, outMessages }) => {
    if (!gone.has(inMessage?.hash)) return true
    for (const { hash } of outMessages) gone.add(hash)
    return false
  })
}

/** The trace after each of its transactions, and without each of its messages. */
function partsOf({ transactions, traceId }: TraceInput): (readonly TraceTransaction[])[] {
  const all = [...transactions].sort(byLt)
  const lost = all.filter(({ hash }) => hash !== traceId).map((one) => without(one, all))
  return [...all.slice(1).map((_, at) => all.slice(0, at + 1)), ...lost]
}

describe('what ends well never reads as failed while a part of it is on its way', () => {
  test.each(traceNames)('%s', (name) => {
    const { trace, facts } = readTraceFixture(name)
    const aborted = new Set(trace.transactions.filter((one) => one.aborted).map(({ hash }) => hash))
    const failed = classifyTrace(trace, facts).actions.filter(({ success }) => !success)
    const isKnown = ({ type, transactions }: ClassifiedAction): boolean =>
      (type === 'call_contract' && transactions.some((hash) => aborted.has(hash))) ||
      failed.some((whole) => transactions.every((hash) => whole.transactions.includes(hash)))
    for (const transactions of partsOf(trace)) {
      const { actions, failure } = classifyTrace({ ...trace, transactions }, facts)
      expect(failure).toBeNull()
      expect(actions.filter((action) => !action.success && !isKnown(action))).toEqual([])
    }
  })
})

test('what a wallet has sent has not failed while nobody has taken it', () => {
  for (const name of traceNames) {
    const { trace, facts } = readTraceFixture(name)
    const transactions = trace.transactions.filter(
      ({ hash, outMessages }) => hash === trace.traceId && outMessages.length > 0,
    )
    const { actions } = classifyTrace({ ...trace, transactions }, facts)
    expect(
      actions.filter(({ success }) => !success),
      name,
    ).toEqual([])
  }
})

test('what came back has failed, whatever else is on its way', () => {
  const USER = account('1')
  const MASTER = account('2')
  const WALLET = account('3')
  const minted = call(0x178d4519).storeCoins(5n).end()
  const body = address(call(0x15), USER).storeCoins(3n).storeRef(minted).end()
  const shown = (aborted: boolean, sent: Cell) =>
    typesOf(
      actionsOf({
        from: USER,
        to: MASTER,
        body,
        aborted,
        leads: [{ from: MASTER, to: aborted ? USER : WALLET, body: sent, isOnItsWay: true }],
      }),
    )
  expect(shown(false, minted)).toEqual(['call_contract'])
  expect(shown(true, call(0xffffffff).end())).toEqual(['jetton_mint failed'])
})
