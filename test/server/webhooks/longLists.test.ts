// Requests for webhooks that are as long as a body may be: they are read in pieces, and no further than their first fault.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import { inPieces } from '../../../server/fairness/index.ts'
import { rawOfKey } from '../../../server/methods/index.ts'
import {
  addWebhookAccounts,
  addWebhookRow,
  type BlockRowsFeed,
  type Database,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
} from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { createWebhooksService } from '../../../server/webhooks/index.ts'
import { readingAccounts } from '../../../server/webhooks/listedAccounts.ts'
import { claim } from '../../../server/webhooks/webhook.ts'
import { AccountFilter } from '../../../shared/v3/filters.ts'
import { freshDatabase } from '../../setup/database.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0').toUpperCase()}`
const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
// The cast: a subscription is read without them.
const notices = new BlockNotices({} as ConstructorParameters<typeof BlockNotices>[0])

test('a subscription to thousands of accounts is read in pieces', async () => {
  const addresses = Array.from({ length: 13_000 }, (_, i) => account(i))
  const { found, turns } = await turnsOf(() => notices.read({ types: ['transactions'], addresses }, 13_000))
  expect(found.addresses).toEqual(new Set(addresses))
  expect(turns).toBeGreaterThan(100)
  await expect(notices.read({ types: ['transactions'], addresses }, 12_999)).rejects.toThrow('too many addresses')
})

/** Serves one request for the accounts of a webhook, whose body is this. */
async function serveAccounts(database: Database, verb: string, accounts: readonly unknown[]): Promise<unknown> {
  const id = await database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: '', trail: '' }))
  const serve = createWebhooksService({
    // The cast: no block is read.
    feed: null as unknown as BlockRowsFeed,
    notices,
    database,
    rules: { allowsPrivate: true },
    parse: () => ({ accounts }),
    post: () => Promise.reject(new Error('nothing is posted')),
    changed: () => undefined,
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  const path = `/webhooks/${id}/account-tx/${verb}`
  const request = { verb: 'POST', path, query: '', body: '{}', caller, mayControl: true }
  return await serve(request, new AbortController().signal)
}

const forms = [
  ['subscribe', (text: string) => ({ account_id: text })],
  ['unsubscribe', (text: string) => text],
] as const

test.each(forms)('thousands of accounts to %s are written some at a time', async (verb, form) => {
  await using database = await freshDatabase('pglite')
  let most = 0
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction((to) => {
      const query: Sql['query'] = (statement, how) => {
        for (const value of statement.values) if (Array.isArray(value)) most = Math.max(most, value.length)
        return to.query(statement, how)
      }
      return work({ query })
    }, options)
  const accounts = Array.from({ length: 3_000 }, (_, i) => form(account(i)))
  expect(await serveAccounts({ ...database, transaction }, verb, accounts)).toMatchObject({ status: 200 })
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(1000)
  const wrong = [...accounts.slice(0, 2_990), form('nonsense')]
  await expect(serveAccounts(database, verb, wrong)).rejects.toThrow('accounts.2990')
})

test('the accounts of a webhook are taken over some at a time', async () => {
  await using database = await freshDatabase('pglite')
  const id = await database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: '', trail: '' }))
  const accounts = Array.from({ length: 5_000 }, (_, i) => account(i))
  await database.transaction((to) =>
    addWebhookAccounts(to, id, inOnePiece(readingAccounts(AccountFilter, { accounts }))),
  )
  let most = 0
  const claimed = await database.transaction((to) => {
    const query: Sql['query'] = async <R extends SqlRow>(statement: SqlText, how?: StatementOptions) => {
      const rows = await to.query<R>(statement, how)
      most = Math.max(most, rows.length)
      return rows
    }
    return claim({ query }, id)
  })
  expect(claimed?.accounts.map((one) => rawOfKey(one.account))).toEqual(accounts)
  expect(most).toBeLessThanOrEqual(2_000)
})

test('thousands of accounts are read in pieces', async () => {
  const accounts = Array.from({ length: 12_000 }, (_, i) => account(i))
  const { found, turns } = await turnsOf(() => inPieces(readingAccounts(AccountFilter, { accounts })))
  expect(found.map(rawOfKey)).toEqual(accounts)
  expect(turns).toBeGreaterThan(100)
})

test.each([{}, { accounts: 'all' }, { accounts: [] }, [], 'accounts'])('no list of accounts: %j', (body) => {
  expect(() => inOnePiece(readingAccounts(AccountFilter, body))).toThrow(/accounts|body/)
})

test.each(['subscribe', 'unsubscribe'])('accounts to %s are looked at up to the first that is none', async (verb) => {
  await using database = await freshDatabase('pglite')
  let looks = 0
  const accounts = new Proxy([...new Array(60_000).fill(0)], {
    get(list, name) {
      looks++
      return Reflect.get(list, name)
    },
  })
  await expect(serveAccounts(database, verb, accounts)).rejects.toThrow('accounts.0')
  expect(looks).toBeLessThan(100)
})
