// Actions on the wire, where they differ from how they are kept.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charsOfKey, keyOfAccount } from '../../../../server/methods/keyOfAccount.ts'
import { writeAction } from '../../../../server/methods/v3/actions/writtenActions.ts'
import { accountsOfDetails, toAction } from '../../../../server/methods/view/v3/action.ts'
import type { ActionRow, ListedAction } from '../../../../server/store/index.ts'
import { ByteSpan } from '../../../../server/store/span.ts'
import { actions } from '../../../../server/store/tables/actions.ts'
import { ACTION_TIMES } from '../../../setup/actionTimes.ts'

const row = (type: string, details: object): ActionRow => ({
  type,
  details: JSON.stringify(details),
  success: true,
  ...ACTION_TIMES,
  transactions: [],
  accounts: [],
  ancestorTypes: [],
  traceId: new Uint8Array(32),
  actionId: new Uint8Array(32),
  parentActionId: null,
  parentGaslessAction: null,
  traceExternalHash: null,
  traceExternalHashNorm: null,
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

/** Bytes between others. */
function spanOf(bytes: Uint8Array): ByteSpan {
  const source = Buffer.concat([Buffer.from('"0:'), bytes, Buffer.from('A":{')])
  return new ByteSpan(source, 3, 3 + bytes.length)
}

const maybe = (bytes: Uint8Array | null): ByteSpan | null => (bytes === null ? null : spanOf(bytes))

/** As it comes from the database: with details as they are stored, or as older indexes have them. */
function listed(row: ActionRow, isPacked: boolean): ListedAction {
  const stored = actions.written.find(({ name }) => name === 'details')?.encode({ ...row, isSystem: false })
  const { accounts, ancestorTypes: _, parentActionId: __, ...others } = row
  return {
    ...others,
    parties: accounts,
    traceId: spanOf(row.traceId),
    actionId: spanOf(row.actionId),
    type: spanOf(Buffer.from(row.type)),
    details: spanOf(Buffer.from(isPacked ? String(stored) : row.details)),
    traceExternalHash: maybe(row.traceExternalHash),
    traceExternalHashNorm: maybe(row.traceExternalHashNorm),
    parentGaslessAction: maybe(row.parentGaslessAction),
  }
}

const parties = ['A', '7', 'C'].map((digit) =>
  keyOfAccount({ workchain: 0, hash: Buffer.from(digit.repeat(64), 'hex') }),
)

test.each([true, false])('the text is that of the object, whatever the details are; packed: %s', (isPacked) => {
  const hash = new Uint8Array(32).fill(200)
  fc.assert(
    fc.property(details, fc.boolean(), fc.boolean(), (some, isKnown, isSame) => {
      const known = isKnown ? hash : null
      const whole = {
        ...row('ton_transfer', some),
        transactions: [hash, new Uint8Array(32)],
        accounts: parties,
        startLt: 2n ** 63n - 1n,
        endLt: 0n,
        endUtime: 2 ** 32 - 1,
        startUtime: 0,
        traceExternalHash: known,
        traceExternalHashNorm: known,
        parentGaslessAction: known,
      }
      const { text, names } = writeAction({
        ...listed(whole, isPacked),
        ...(isSame && isKnown ? { traceExternalHashNorm: spanOf(new Uint8Array()) } : {}),
      })
      expect(text.toString()).toBe(JSON.stringify(toAction(whole)))
      const said = accountsOfDetails(JSON.parse(whole.details))
      expect(names).toEqual(new Set(said.map(charsOfKey)))
    }),
  )
})
