import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { plainSentence } from '../../../client/explorer/actions/plainSentence.ts'
import { sentenceOf } from '../../../client/explorer/actions/sentence.ts'
import { TYPES_OF_KIND } from '../../../shared/explorer/historyKinds.ts'
import { actionDetails } from '../../../shared/v3/actionDetails/index.ts'

const ACCOUNT = `0:${'AB'.repeat(32)}`
const OTHER = `0:${'CD'.repeat(32)}`

/** The least a schema accepts: null where it may be, else the shortest value. */
function leastOf(schema: z.ZodType): unknown {
  // The cast: definitions of zod name their parts so.
  const def = schema._zod.def as unknown as {
    type: string
    shape?: Record<string, z.ZodType>
    innerType?: z.ZodType
    entries?: Record<string, string>
  }
  if (def.type === 'nullable') return null
  if (def.type === 'optional') return undefined
  if (def.type === 'object')
    return Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, one]) => [name, leastOf(one)]))
  if (def.type === 'enum') return Object.values(def.entries ?? {})[0]
  return { array: [], record: {}, boolean: false, number: 0, int: 0 }[def.type] ?? '0'
}

const written = (type: string, details: object): string =>
  plainSentence(sentenceOf({ type, details }), (part) =>
    'account' in part
      ? (part.account?.slice(0, 4) ?? 'someone')
      : 'amount' in part
        ? `${part.amount}${part.asset === null ? ' nanotons' : ' units'}`
        : 'quote' in part
          ? part.quote
          : `item ${part.index ?? 'unknown'}`,
  )

test('every type of action is of one kind, by which histories are filtered', () => {
  expect(Object.values(TYPES_OF_KIND).flat().sort()).toEqual(Object.keys(actionDetails).sort())
})

describe('a sentence for', () => {
  test.each(Object.entries(actionDetails))('%s, also when the trace shows nothing of it', (type, schema) => {
    const text = written(type, leastOf(schema) as object)
    expect(text).toMatch(/^(?:someone|some|[A-Z]|item)/)
    expect(text).not.toMatch(/undefined|null|\[object|NaN/)
    expect(sentenceOf({ type, details: leastOf(schema) as object }).title).toMatch(/^[A-Za-z]/)
  })

  test('a type this page does not know', () => {
    expect(written('sudden_idea', { source: ACCOUNT })).toBe('sudden idea')
    expect(written('toString', {})).toBe('toString')
  })
})

test.each([
  [
    'ton_transfer',
    { source: ACCOUNT, destination: null, value: '5', comment: 'hi' },
    '0:AB sent 5 nanotons to someone “hi”',
  ],
  [
    'ton_transfer',
    { source: ACCOUNT, destination: ACCOUNT, value: '5', comment: 'x', encrypted: true },
    '0:AB sent 5 nanotons to 0:AB with an encrypted comment',
  ],
  [
    'jetton_transfer',
    { sender: ACCOUNT, receiver: ACCOUNT, amount: '7', asset: ACCOUNT, comment: null },
    '0:AB sent 7 units to 0:AB',
  ],
  [
    'call_contract',
    { source: ACCOUNT, destination: ACCOUNT, opcode: '0x7e8764ef', value: '50' },
    '0:AB called 0x7e8764ef of 0:AB with 50 nanotons',
  ],
  // Sent back: the first bits of a message, or the whole of one.
  ...['0xffffffff', '0xfffffffe'].map((opcode): [string, object, string] => [
    'call_contract',
    { source: ACCOUNT, destination: ACCOUNT, opcode, value: '50' },
    '0:AB sent 50 nanotons back to 0:AB',
  ]),
  // So the elector answers a stake that it refuses, and a request for one that it does not have.
  ...['0xee6f454c', '0xfffffffe'].map((opcode): [string, object, string] => [
    'call_contract',
    { source: `-1:${'3'.repeat(64)}`, destination: ACCOUNT, opcode, value: '50' },
    '-1:3 sent 50 nanotons back to 0:AB',
  ]),
  // The source pays: the destination has signed, and has no TON.
  [
    'gasless_request',
    { source: ACCOUNT, destination: OTHER, value: '50' },
    '0:AB brought a request of 0:CD with 50 nanotons for its fees',
  ],
  [
    'nft_finish_auction',
    { owner: ACCOUNT, nft_item: null, nft_item_index: '3', marketplace: 'getgems' },
    'The auction of item 3 on getgems ended: it belongs to 0:AB',
  ],
  [
    'nft_put_on_auction',
    { owner: ACCOUNT, nft_item: null, nft_item_index: '3', min_bid: '50', marketplace: 'getgems' },
    '0:AB put item 3 up for auction on getgems, from 50 nanotons',
  ],
  [
    'extra_currency_transfer',
    {
      source: ACCOUNT,
      destination: ACCOUNT,
      value: '0',
      value_extra_currencies: { 100: '2500', 7: '1' },
      comment: 'hi',
    },
    '0:AB sent 1 of currency 7, 2\u202f500 of currency 100 to 0:AB “hi”',
  ],
  // A refused swap gives back what came in; one may pay somebody else.
  [
    'jetton_swap',
    {
      sender: ACCOUNT,
      dex: 'stonfi_v2',
      asset_in: null,
      asset_out: ACCOUNT,
      dex_incoming_transfer: { asset: null, amount: '50' },
      dex_outgoing_transfer: { asset: null, amount: '50', destination: ACCOUNT },
    },
    '0:AB swapped 50 nanotons for 50 nanotons on stonfi_v2',
  ],
  [
    'jetton_swap',
    {
      sender: ACCOUNT,
      dex: 'dedust',
      asset_in: null,
      asset_out: ACCOUNT,
      dex_incoming_transfer: { asset: null, amount: '50' },
      dex_outgoing_transfer: { asset: ACCOUNT, amount: '7', destination: OTHER },
    },
    '0:AB swapped 50 nanotons for 7 units to 0:CD on dedust',
  ],
  // Until the other side comes, no pool has the first one.
  [
    'dex_deposit_liquidity',
    { source: ACCOUNT, pool: null, destination_liquidity: OTHER, dex: 'dedust', amount_1: '7', amount_2: null },
    '0:AB put 7 nanotons into 0:CD on dedust',
  ],
  // One side of a deposit in two traces; fees in one asset alone; a withdrawal that the pool refused.
  [
    'dex_deposit_liquidity',
    {
      source: ACCOUNT,
      pool: ACCOUNT,
      dex: 'dedust_v2',
      amount_1: null,
      asset_1: null,
      amount_2: '7',
      asset_2: ACCOUNT,
    },
    '0:AB put 7 units into 0:AB on dedust_v2',
  ],
  [
    'dedust_v2_claim_fees',
    { source: ACCOUNT, pool: ACCOUNT, dex: 'dedust_v2', amount_1: '0', asset_1: null, amount_2: '7', asset_2: ACCOUNT },
    '0:AB took fees of 7 units out of 0:AB on dedust_v2',
  ],
  [
    'dex_withdraw_liquidity',
    { source: ACCOUNT, pool: ACCOUNT, dex: null, amount_1: null, asset_1: null, amount_2: null, asset_2: null },
    '0:AB took liquidity out of 0:AB',
  ],
  // Of a refused withdrawal only the id of the asset is known: the amount alone would be TON.
  [
    'evaa_withdraw',
    { recipient: ACCOUNT, master: ACCOUNT, amount: '7', asset: null, fail_reason: 'withdraw_locked_excess' },
    '0:AB took some out of 0:AB',
  ],
  [
    'vesting_add_whitelist',
    { source: ACCOUNT, vesting: OTHER, accounts_added: [ACCOUNT, OTHER] },
    '0:AB allowed 0:CD to pay to 0:AB, 0:CD',
  ],
  [
    'vesting_add_whitelist',
    { source: ACCOUNT, vesting: OTHER, accounts_added: [] },
    '0:AB allowed 0:CD to pay to no further account',
  ],
  // A message has room for a thousand.
  ...([6, 1024] as const).map((many): [string, object, string] => [
    'vesting_add_whitelist',
    { source: ACCOUNT, vesting: OTHER, accounts_added: Array.from({ length: many }, () => ACCOUNT) },
    `0:AB allowed 0:CD to pay to 0:AB, 0:AB, 0:AB, 0:AB, 0:AB and ${many - 5} more`,
  ]),
  // The debt is in an asset of its own.
  [
    'evaa_liquidate',
    { source: ACCOUNT, borrower: ACCOUNT, debt_amount: '60', amount: '9', asset: null, collateral: null },
    '0:AB paid off debt of 0:AB for 9 nanotons',
  ],
  [
    'evaa_liquidate',
    { source: ACCOUNT, borrower: ACCOUNT, amount: '0', asset: null, collateral: null, fail_reason: 'unknown' },
    '0:AB paid off debt of 0:AB for some',
  ],
  [
    'nft_transfer',
    { is_purchase: true, new_owner: ACCOUNT, real_old_owner: ACCOUNT, price: '9', nft_item_index: '3' },
    '0:AB bought item 3 from 0:AB for 9 nanotons',
  ],
])('%s', (type, details, sentence) => expect(written(type, details)).toBe(sentence))
