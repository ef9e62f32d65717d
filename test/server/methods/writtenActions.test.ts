// Actions as text, with the balance changes of thousands of transactions.

import { expect, test } from 'vitest'
import { type ActionExtras, writeActionList } from '../../../server/methods/v3/actions/writtenActions.ts'
import { ByteSpan, type ListedAction } from '../../../server/store/index.ts'
import { ACTION_TIMES } from '../../setup/actionTimes.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const spanOf = (bytes: Uint8Array) => new ByteSpan(bytes, 0, bytes.length)

const hash = new Uint8Array(32)

// The cast: nothing else of it is written.
const row = {
  traceId: spanOf(hash),
  actionId: spanOf(hash),
  type: spanOf(Buffer.from('call_contract')),
  details: spanOf(Buffer.from('{}')),
  ...ACTION_TIMES,
  transactions: [hash],
  parties: [],
  success: true,
  traceExternalHash: null,
  traceExternalHashNorm: null,
  parentGaslessAction: null,
} as unknown as ListedAction

test('others have their turn while the balance changes of one action are added up', async () => {
  const pieces = 5
  const shown = { ton: '1', fees: '2', jettons: {} } as const
  function* changesOf(): ReturnType<NonNullable<ActionExtras['changesOf']>> {
    for (let i = 0; i < pieces; i++) yield
    return { '0:AB': { ...shown, nfts: [] } }
  }
  const extras = { accounts: false, changesOf, transactionsOf: null }
  const { found, turns } = await turnsOf(() => writeActionList([row, row], extras, { sliceMs: 0 }))
  expect(turns).toBeGreaterThanOrEqual(2 * pieces)
  const written: { balance_changes: unknown }[] = JSON.parse(found.text.json)
  expect(written.map((one) => one.balance_changes)).toMatchObject([{ '0:AB': shown }, { '0:AB': shown }])
})
