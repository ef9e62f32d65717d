// Laws of answers about the demo, whatever it holds: an answer names the accounts in it, a transaction or message is the same
// wherever it is shown, pages are parts of one list, and v2 says what v3 says.

import { expect, test } from 'vitest'
import type { Action, Message, Transaction } from '../../client/index.ts'
import { allOf, playedForAllTests } from '../setup/playedDemo.ts'

const ROOM_MS = 600_000
const { url, client } = playedForAllTests()

/** One of each type. */
async function eachType(): Promise<Action[]> {
  const actions = await allOf(client().v3.actions.each({ limit: 500 }))
  const byType = new Map(actions.map((action) => [action.type, action]))
  expect(byType.size).toBeGreaterThan(35)
  return [...byType.values()]
}

interface Named {
  readonly address_book: object
  readonly metadata?: object
}

/** Accounts in an answer that it does not name, and those that it names without need. */
function misnamed({ address_book, metadata: _, ...rest }: Named) {
  const there = new Set(JSON.stringify(rest).match(/(?<=")-?\d+:[0-9A-F]{64}(?=")/g))
  const named = new Set(Object.keys(address_book))
  return { missing: [...there].filter((one) => !named.has(one)), extra: [...named].filter((one) => !there.has(one)) }
}
const NONE = { missing: [], extra: [] }

test('an action names all accounts in it, those of what is included too', { timeout: ROOM_MS }, async () => {
  const extras = ['accounts', 'transactions', 'balance_changes'].map((name) => ({ [`include_${name}`]: true }))
  const found: Record<string, unknown> = {}
  for (const { action_id, type } of await eachType())
    for (const extra of [{}, ...extras]) {
      const page = await client().v3.actions({ action_id: [action_id], ...extra })
      const wrong = misnamed(page)
      if (wrong.missing.length + wrong.extra.length > 0) found[`${type} ${JSON.stringify(extra)}`] = wrong
    }
  expect(found).toEqual({})
})

test('a trace names all accounts in it, those that gain and what they gain too', { timeout: ROOM_MS }, async () => {
  for (const { trace_id } of await eachType())
    for (const extra of [{}, { include_actions: true }, { include_balance_changes: true }]) {
      const page = await client().v3.traces({ trace_id: [trace_id ?? ''], ...extra })
      expect([trace_id, extra, misnamed(page)]).toEqual([trace_id, extra, NONE])
    }
})

test('a transaction is the same in every list that shows it', { timeout: ROOM_MS }, async () => {
  const { v3 } = client()
  const transactions = await allOf(v3.transactions.each({ limit: 500 }))
  const known = new Map(transactions.map((one) => [one.hash, one]))
  const shown: Transaction[] = []
  for await (const { transactions: own = {} } of v3.traces.each({ limit: 200 })) shown.push(...Object.values(own))
  expect(shown).toHaveLength(transactions.length)
  for await (const { transactions_full: own = [] } of v3.actions.each({ limit: 200, include_transactions: true }))
    shown.push(...own)
  for (const one of shown) expect(one).toEqual(known.get(one.hash))
})

test('a message is the same in its list, its sender and its receiver', { timeout: ROOM_MS }, async () => {
  const { v3 } = client()
  const known = new Map<string, Message>()
  const ends = new Map<string, readonly [string | undefined, string | undefined]>()
  for await (const { in_msg_tx_hash, out_msg_tx_hash, ...message } of v3.messages.each({ limit: 500 })) {
    known.set(message.hash, message)
    ends.set(message.hash, [in_msg_tx_hash, out_msg_tx_hash])
  }
  expect(known.size).toBeGreaterThan(500)
  for await (const { hash, in_msg, out_msgs } of v3.transactions.each({ limit: 500 })) {
    if (in_msg !== null) expect([in_msg, ends.get(in_msg.hash)?.[0]]).toEqual([known.get(in_msg.hash), hash])
    for (const one of out_msgs) expect([one, ends.get(one.hash)?.[1]]).toEqual([known.get(one.hash), hash])
  }
})

const LISTS = [
  'blocks',
  'transactions',
  'messages',
  'traces',
  'actions',
  'jetton/transfers',
  'nft/transfers',
  'nft/items',
]

test.each(LISTS)('pages of %s are parts of one list', { timeout: ROOM_MS }, async (name) => {
  const read = async (query: string) => {
    const body: unknown = await (await fetch(`${url()}/api/v3/${name}?${query}`)).json()
    const rows = Object.values(body as Record<string, unknown>).find((value) => Array.isArray(value))
    return (rows as object[]).map((row) => JSON.stringify(row))
  }
  for (const sort of ['desc', 'asc']) {
    const whole = await read(`limit=30&sort=${sort}`)
    expect(new Set(whole).size).toBe(whole.length)
    for (const limit of [1, 4, 7]) {
      const pages: string[] = []
      for (let offset = 0; offset < 28; offset += limit)
        pages.push(...(await read(`limit=${limit}&sort=${sort}&offset=${offset}`)))
      expect(pages).toEqual(whole.slice(0, 28))
    }
  }
})

test('v2 has the balances, states and newest transactions that v3 has', { timeout: ROOM_MS }, async () => {
  const transactions = await allOf(client().v3.transactions.each({ limit: 500 }))
  const address = [...new Set(transactions.map(({ account }) => account))]
  const { accounts } = await client().v3.accountStates({ address })
  expect(accounts).toHaveLength(address.length)
  for (const one of accounts) {
    if (one.status === 'nonexist') continue
    const { balance, last_transaction_id } = await client().getAddressInformation({ address: one.address })
    const v2 = [balance, last_transaction_id.lt, last_transaction_id.hash]
    expect([one.address, ...v2]).toEqual([one.address, one.balance, one.last_transaction_lt, one.last_transaction_hash])
  }
})
