// Actions on the wire, where they differ from how they are kept.

import { expect, test } from 'vitest'
import { toAction } from '../../../../server/methods/view/v3/action.ts'
import type { ActionRow } from '../../../../server/store/index.ts'

const row = (type: string, details: object): ActionRow => ({
  ...{ type, details: JSON.stringify(details), success: true, startLt: 1n, endLt: 2n, startUtime: 3, endUtime: 4 },
  ...{ traceEndLt: 5n, traceEndUtime: 6, traceMcSeqnoEnd: 7, transactions: [], accounts: [], ancestorTypes: [] },
  ...{ traceId: new Uint8Array(32), actionId: new Uint8Array(32), parentActionId: null, parentGaslessAction: null },
  ...{ traceExternalHash: null, traceExternalHashNorm: null },
})

test.each([
  ['ton_transfer', 'value_extra_currencies'],
  ['call_contract', 'extra_currencies'],
])('a %s that carries another currency goes by a name of its own', (type, name) => {
  expect(toAction(row(type, { [name]: { 100: '7' } }))).toMatchObject({
    type: 'extra_currency_transfer',
    details: { [name]: { 100: '7' } },
  })
  expect(toAction(row(type, { [name]: {} })).type).toBe(type)
})

test('what is not known is left out, not said to be nothing', () => {
  const action = toAction(row('tick_tock', {}))
  for (const name of ['trace_external_hash', 'trace_external_hash_norm', 'parent_gasless_action', 'accounts'])
    expect(action).not.toHaveProperty(name)
})
