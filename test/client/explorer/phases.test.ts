// The words of phases that no transaction of the demo has.

import { expect, test } from 'vitest'
import { phasesOf } from '../../../client/explorer/trace/phasesOf.ts'
import type { Transaction } from '../../../client/index.ts'

test.each([
  ['0', undefined, 'no rent due'],
  ['5', undefined, 'rent paid'],
  ['0', '7', 'rent due'],
  ['5', '7', 'rent due'],
])('rent of which %s was collected and %s is owed: %s', (storage_fees_collected, storage_fees_due, text) => {
  const storage = { status_change: 'unchanged', storage_fees_collected, storage_fees_due }
  // The cast: of a transaction the phase alone is read.
  const transaction = { in_msg: null, total_fees: '0', description: { storage_ph: storage } } as unknown as Transaction
  expect(phasesOf(transaction)[0]).toMatchObject({ name: 'Storage', text })
})
