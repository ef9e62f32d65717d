// The transactions of a large batch are joined with their messages: others have turns meanwhile.

import { expect, test } from 'vitest'
import { Classifier } from '../../../../server/indexer/actions/classifier.ts'
import { filledRows } from '../../../setup/filler.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

test('behavior: messages are joined in pieces', async () => {
  const [rows] = filledRows({ transactions: 2_000, accounts: 25, atOnce: 2_000 })
  if (rows === undefined) throw new Error('nothing was filled')
  const classifier = new Classifier({ transaction: () => Promise.reject(new Error('nothing is read')) }, () => {})
  const pending = rows.traces.map((trace) => ({ ...trace, state: 'pending' as const }))
  const { turns } = await turnsOf(() => classifier.classify({ ...rows, accounts: [], codes: [], traces: pending }, []))
  expect(turns).toBeGreaterThan(rows.transactions.length)
})
