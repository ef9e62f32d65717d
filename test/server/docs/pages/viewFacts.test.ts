import { expect, test } from 'vitest'
import { viewFacts } from '../../../../server/docs/pages/viewFacts.ts'
import { viewOf } from '../../../../shared/explorer/views.ts'
import { traceExample } from '../../../../shared/v3/traces.ts'

test('of a trace that came without its transactions no outcome is made up', () => {
  const view = viewOf(`/trace/${'ab'.repeat(32)}`, 'devnet')
  if (view === null) throw new Error('no page has this path')
  const { trace: _, transactions: __, transactions_order: ___, ...rest } = traceExample
  const large = { ...rest, is_incomplete: true, trace_info: { ...rest.trace_info, transactions: 10_101 } }
  const facts = (trace: object) =>
    viewFacts(view, new Map([['v3.traces {}', JSON.stringify({ traces: [trace], address_book: {} })]]))
  expect(facts(traceExample)).toMatchObject({ headline: 'Success' })
  expect(facts(large)).toEqual({
    headline: '10101 transactions',
    rows: [
      ['Transactions', '10101'],
      ['Time', '2025-08-02 18:09:43 UTC'],
    ],
  })
})
