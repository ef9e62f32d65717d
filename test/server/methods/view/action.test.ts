// Actions on the wire, where they differ from how they are kept.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawOfKey } from '../../../../server/methods/keyOfAccount.ts'
import { accountsOfDetails, toAction, writeAction } from '../../../../server/methods/view/v3/action.ts'
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

const account = fc
  .tuple(fc.constantFrom('0', '-1', '127', '-128', '128', '-129', '1234'), fc.constantFrom('A', '7', 'a'))
  .map(([workchain, digit]) => `${workchain}:${digit.repeat(64)}`)
/** An account, one that is not all of its text, or one that only looks like a value. */
const value = fc.oneof(
  account,
  account.map((raw) => ` ${raw}`),
  account.map((raw) => `"${raw}`),
  account.map((raw) => `,"${raw}","`),
  account.map((raw) => `\\"${raw}`),
  fc.string({ unit: 'binary' }),
  fc.constant(null),
)
const name = fc.oneof(account, fc.constantFrom('source', 'extra_currencies', 'value_extra_currencies', '100'))
const details = fc.dictionary(
  name,
  fc.oneof(value, fc.array(value), fc.dictionary(name, fc.oneof(value, fc.array(value)))),
)

test('the text is that of the object, whatever the details are, and names the same accounts', () => {
  const hash = new Uint8Array(32).fill(200)
  fc.assert(
    fc.property(details, fc.boolean(), (some, isKnown) => {
      const known = isKnown ? hash : null
      const action = {
        ...row('ton_transfer', some),
        transactions: [hash, new Uint8Array(32)],
        traceExternalHash: known,
      }
      const whole = { ...action, traceExternalHashNorm: known, parentGaslessAction: known }
      const { text, accounts } = writeAction(whole)
      expect(text).toBe(JSON.stringify(toAction(whole)))
      const said = accountsOfDetails(JSON.parse(whole.details))
      expect(new Set(accounts.map(rawOfKey))).toEqual(new Set(said.map(rawOfKey)))
    }),
  )
})
