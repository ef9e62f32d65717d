import { expect, test } from 'vitest'
import { viewFacts } from '../../../../server/docs/pages/viewFacts.ts'
import { viewOf } from '../../../../shared/explorer/views.ts'
import { traceExample } from '../../../../shared/v3/traces.ts'

const [hash = ''] = traceExample.transactions_order ?? []
const transaction = traceExample.transactions?.[hash]
const view = viewOf(`/trace/${'ab'.repeat(32)}`, 'devnet')

/** What is said of a trace whose only transaction ended so. */
function whyOf(description: object): ReturnType<typeof viewFacts> {
  if (view === null || transaction === undefined) throw new Error('the example has no transaction')
  const { compute_ph: _, action: __, bounce: ___, ...others } = transaction.description
  const transactions = { [hash]: { ...transaction, description: { ...others, ...description } } }
  const book = { [transaction.account]: { user_friendly: 'UQfriendly', domain: null, interfaces: [] } }
  const reply = { traces: [{ ...traceExample, transactions }], address_book: book }
  return viewFacts(view, new Map([['v3.traces {}', JSON.stringify(reply)]]))
}

const SKIPPED = { skipped: true, reason: 'no_state' }

test.each([
  [{ action: { success: false, result_code: 37 } }, 'result code 37: not enough TON'],
  [{ compute_ph: SKIPPED, bounce: { type: 'ok' } }, 'skipped: nothing is deployed here'],
  [
    { compute_ph: { skipped: false, success: false, exit_code: 777 } },
    'exit code 777: an error of the contract itself',
  ],
])('why %j failed is said in words, with an address as people know it', (description, why) => {
  const { headline, rows } = whyOf(description)
  expect(headline).toBe(`Failed: ${why}`)
  expect(rows).toContainEqual(['Why', `UQfriendly ${why}`])
  expect(rows).toContainEqual(['Accounts', 'UQfriendly'])
})

test('what a message came to that is not to be sent back is no failure', () => {
  expect(whyOf({ compute_ph: SKIPPED }).headline).toBe('Success')
})

test('of a trace that came without its transactions no outcome is made up', () => {
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
