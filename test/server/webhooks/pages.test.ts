// What was posted, page by page: nothing twice, nothing left out. Of old attempts the newest stay.

import { expect, test } from 'vitest'
import { addWebhookRow, type BlockRowsFeed, type Database, noteAttempts } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { createWebhooksService } from '../../../server/webhooks/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const OWN = { owner: '', endpoint: '', description: '', token: '', secret: '', subscription: '', created_at: 0n }
const KEPT = 1_000

const addWebhook = (database: Database) =>
  database.transaction((to) => addWebhookRow(to, { ...OWN, cursor: '', trail: '' }))

/** One attempt, named by its number; each second one fails. */
function noteAttempt(database: Database, id: bigint, number: number, { kept = KEPT, isPruned = false } = {}) {
  const isTaken = number % 2 === 0
  const result = isTaken
    ? { status: 200, error: '', next: null }
    : { status: 500, error: 'answered 500', next: { status: 'offline', reason: 'answered 500', at: 1n } }
  const attempt = { id, epoch: 0n, cursor: '', trail: '', at: BigInt(number), event: `event${number}`, mcSeqno: number }
  const rest = { attempt: 1, ms: 1, isTaken, isPruned, account: null }
  return database.transaction((to) => noteAttempts(to, [{ ...attempt, ...result, ...rest }], kept))
}

function openPages(database: Database) {
  // The casts: what no page needs.
  const parts = { feed: null as unknown as BlockRowsFeed, notices: null as unknown as BlockNotices }
  const serve = createWebhooksService({
    ...parts,
    database,
    rules: { allowsPrivate: true },
    parse: (text: string): unknown => JSON.parse(text),
    post: () => Promise.reject(new Error('nothing is posted')),
    changed: () => undefined,
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  return async (path: string, query: string): Promise<Record<string, unknown>> => {
    const request = { verb: 'GET', path, query, body: '', caller, mayControl: true }
    return JSON.parse((await serve(request, new AbortController().signal)).json)
  }
}

/** The names of events on each page, and what the last one says of the next. */
async function walk(
  read: (next: string) => Promise<Record<string, unknown>>,
  list: string,
  next: string,
  name: string,
) {
  const pages: unknown[] = []
  for (let query = ''; ; ) {
    const page = await read(query)
    pages.push((page[list] as readonly { event_type: string }[]).map(({ event_type }) => event_type))
    if (page[next] === undefined) return pages
    query = `&${name}=${page[next]}`
  }
}

test.each(drivers)('deliveries by their cursor, failures by their offset (%s)', async (driver) => {
  await using database = await freshDatabase(driver)
  const id = await addWebhook(database)
  const other = await addWebhook(database)
  for (let number = 1; number <= 5; number++) {
    await noteAttempt(database, id, number)
    await noteAttempt(database, other, number + 10)
  }
  const ask = openPages(database)
  const deliveries = (limit: number) =>
    walk((next) => ask(`/webhooks/${id}/deliveries`, `limit=${limit}${next}`), 'deliveries', 'next_cursor', 'cursor')
  expect(await deliveries(2)).toEqual([['event5', 'event4'], ['event3', 'event2'], ['event1']])
  expect(await deliveries(5)).toEqual([['event5', 'event4', 'event3', 'event2', 'event1'], []])
  expect(await deliveries(6)).toEqual([['event5', 'event4', 'event3', 'event2', 'event1']])
  const logs = (limit: number) =>
    walk((next) => ask(`/webhooks/${id}/logs`, `limit=${limit}${next}`), 'logs', 'next_offset', 'offset')
  expect(await logs(2)).toEqual([['event5', 'event3'], ['event1']])
  expect(await logs(4)).toEqual([['event5', 'event3', 'event1']])
  expect(await ask(`/webhooks/${id}/logs`, 'limit=0'), 'no pages without end').toEqual({ logs: [] })
})

test.each(drivers)('the newest attempts of a webhook are kept, and those of others (%s)', async (driver) => {
  await using database = await freshDatabase(driver)
  const id = await addWebhook(database)
  const other = await addWebhook(database)
  for (let number = 1; number <= 4; number++) {
    await noteAttempt(database, other, number)
    await noteAttempt(database, id, number)
  }
  await noteAttempt(database, id, 5, { isPruned: true, kept: 3 })
  await noteAttempt(database, other, 5, { isPruned: true, kept: 5 })
  const ask = openPages(database)
  const left = async (of: bigint) =>
    ((await ask(`/webhooks/${of}/deliveries`, '')).deliveries as readonly { mc_seqno: number }[]).map(
      ({ mc_seqno }) => mc_seqno,
    )
  expect([await left(id), await left(other)]).toEqual([
    [5, 4, 3],
    [5, 4, 3, 2, 1],
  ])
})
