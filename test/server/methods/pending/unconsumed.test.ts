// Which messages of a trace that goes on are still to be delivered.

import { expect, test } from 'vitest'
import { unconsumed } from '../../../../server/methods/pending/unconsumed.ts'
import type { TransactionFound } from '../../../../server/store/index.ts'

const ACCOUNT = new Uint8Array(33)
const hashOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)

/** A transaction by the numbers of its messages: the one it received, what it sent, and what it logged. The cast: nothing else is read. */
const sentBy = (received: number, sent: readonly number[], logged: readonly number[]) =>
  ({
    row: { inMsgHash: hashOf(received) },
    outMessages: [
      ...sent.map((number) => ({ hash: hashOf(number), destination: ACCOUNT })),
      ...logged.map((number) => ({ hash: hashOf(number), destination: null })),
    ],
  }) as unknown as TransactionFound

test('what was received and what was only logged waits for nothing', () => {
  const found = [sentBy(1, [2, 3], [4]), sentBy(2, [], [5]), sentBy(3, [6, 7], []), sentBy(6, [], [])]
  expect(unconsumed(found).map(({ outMessages }) => outMessages.map(({ hash }) => hash[0]))).toEqual([[7]])
})
