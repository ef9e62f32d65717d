// The transactions of a large batch are joined with their messages, and its accounts taken up: others have turns meanwhile.

import { expect, test } from 'vitest'
import { Classifier } from '../../../../server/indexer/actions/classifier.ts'
import { FactsBook } from '../../../../server/indexer/actions/factsBook.ts'
import { filledRows } from '../../../setup/filler.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const nothingIsRead = () => Promise.reject(new Error('nothing is read'))

test('behavior: messages are joined in pieces', async () => {
  const [rows] = filledRows({ transactions: 2_000, accounts: 25, atOnce: 2_000 })
  if (rows === undefined) throw new Error('nothing was filled')
  const classifier = new Classifier({ transaction: nothingIsRead }, () => {})
  const pending = rows.traces.map((trace) => ({ ...trace, state: 'pending' as const }))
  const { turns } = await turnsOf(() => classifier.classify({ ...rows, accounts: [], codes: [], traces: pending }, []))
  expect(turns).toBeGreaterThan(rows.transactions.length)
})

test('behavior: accounts are taken up in pieces', async () => {
  const [rows] = filledRows({ transactions: 4_000, accounts: 1_000, atOnce: 4_000 })
  if (rows === undefined) throw new Error('nothing was filled')
  const { accounts, codes } = rows
  const book = new FactsBook({ transaction: nothingIsRead })
  const { turns } = await turnsOf(() => book.take(codes, [{ accounts, found: () => ({}), codes: [] }]))
  expect(accounts.length).toBeGreaterThan(500)
  expect(turns).toBeGreaterThan(accounts.length)
})
