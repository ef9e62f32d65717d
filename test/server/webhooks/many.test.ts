// A thousand webhooks of one key: making and changing one costs what it costs beside ten.

import { expect, onTestFinished, test } from 'vitest'
import { RunSettings } from '../../../server/contracts/index.ts'
import { createLiveBooks, LiveTraces } from '../../../server/methods/index.ts'
import { createLog } from '../../../server/observe/index.ts'
import { type Database, IndexFeed, type Sql, sql } from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { createPost, createWebhooksService, Deliverer } from '../../../server/webhooks/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { index, openNode, upToDate } from '../indexer/indexScene.ts'

const MANY = 1000
const log = createLog({ format: 'json', level: 'silent' })

/** A database that counts what transactions ask of it; what a webhook reads of blocks afterwards comes when it comes. */
function counted(database: Database) {
  const spent = { statements: 0, rows: 0, transactions: 0 }
  const atOnce = { running: 0, most: 0 }
  /** Webhooks in the order in which they were claimed. */
  const claimed: unknown[] = []
  const over = (sql: Sql): Sql => ({
    async query(statement, options) {
      const rows = await sql.query(statement, options)
      spent.statements++
      spent.rows += rows.length
      if (statement.text.startsWith('update webhooks set epoch')) claimed.push(rows[0]?.id)
      // The cast: what was asked for is handed on.
      return rows as never
    },
  })
  const transaction: Database['transaction'] = async (work, options) => {
    atOnce.most = Math.max(atOnce.most, ++atOnce.running)
    const result = await database.transaction((to) => work(over(to)), options)
    atOnce.running--
    spent.transactions++
    return result
  }
  return { kind: database.kind, read: database.read, transaction, spent, atOnce, claimed }
}

async function openScene(driver: (typeof drivers)[number]) {
  const { chain, node } = await openNode()
  const database = await freshDatabase(driver)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  const { spent, atOnce, claimed, ...store } = counted(database)
  const feed = new IndexFeed({ store: store.read, heads: indexer, canRewind: true })
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const notices = new BlockNotices({
    store: store.read,
    log,
    traces: new LiveTraces({ chain: node, pool, store: store.read, settings: new RunSettings(node) }),
    books: createLiveBooks({ store: store.read, testOnly: true }),
  })
  const rules = { allowsPrivate: true }
  const post = createPost(rules)
  let listed = 0
  const deliver = () => {
    const deliverer = new Deliverer({
      feed,
      database: store,
      notices,
      post,
      log,
      canRewind: true,
      holders: async () => {
        listed++
        return new Map(['key', 'other'].map((name) => [name, { allAccounts: false }]))
      },
      isOurs: () => true,
      // No poll in this test: what is delivered comes of the change itself.
      pollMs: 3_600_000,
    })
    onTestFinished(() => deliverer.close())
    return deliverer
  }
  const deliverer = deliver()
  const serve = createWebhooksService({
    database: store,
    feed,
    notices,
    post,
    rules,
    parse: (text) => JSON.parse(text) as unknown,
    changed: (id) => deliverer.changed(id),
  })
  const sendAs =
    (keyId: string) =>
    async (verb: string, path: string, value?: unknown): Promise<unknown> => {
      const body = value === undefined ? '' : JSON.stringify(value)
      const request = { verb, path, query: '', body, mayControl: false }
      const caller = { subject: keyId, keyId, tier: null }
      return JSON.parse((await serve({ ...request, caller }, new AbortController().signal)).json)
    }
  const send = sendAs('key')
  await eventually(() => (spent.transactions === 1 ? true : undefined), 'no look at all webhooks at the start')

  /** What it takes until the webhook is delivered again: three transactions, one of the change, one look, one claim. */
  async function costOf(change: () => Promise<unknown>) {
    const before = { ...spent, listed }
    await change()
    await eventually(() => (spent.transactions >= before.transactions + 3 ? true : undefined))
    return {
      statements: spent.statements - before.statements,
      rows: spent.rows - before.rows,
      keys: listed - before.listed,
    }
  }
  /** Ends the deliveries, and begins them anew. */
  async function restart() {
    await deliverer.close()
    atOnce.most = 0
    claimed.length = 0
    deliver()
  }
  return { database, send, sendAs, costOf, restart, atOnce, claimed }
}

/** Copies the tenth webhook up to an id. */
async function multiply(database: Database, last: number): Promise<void> {
  const columns = sql`owner, endpoint, description, token, secret, subscription, created_at, cursor, status_at, last_online_at`
  await database.transaction((to) =>
    to.query({
      text: `insert into webhooks (${columns.text})
        select ${columns.text} from webhooks, generate_series(12, ${last}) where id = 10`,
      values: [],
    }),
  )
}

test.each(drivers)('%s: making the thousandth, and changing it, costs no more than the tenth', async (driver) => {
  const { database, send, costOf } = await openScene(driver)
  const endpoint = 'http://127.0.0.1:1/'
  const add = () => costOf(() => send('POST', '/webhooks', { endpoint }))
  const accounts = [{ account_id: `0:${'AB'.repeat(32)}` }]
  const subscribe = (id: number) => costOf(() => send('POST', `/webhooks/${id}/account-tx/subscribe`, { accounts }))
  for (let i = 1; i < 10; i++) await add()
  const tenth = [await add(), await subscribe(10)]
  await multiply(database, MANY)
  const last = [await add(), await subscribe(MANY)]
  expect(last).toEqual(tenth)
  const { webhooks } = (await send('GET', '/webhooks')) as { webhooks: { id: number }[] }
  expect(webhooks.map(({ id }) => id)).toEqual(Array.from({ length: MANY }, (_, i) => i + 1))
  await expect(send('POST', '/webhooks', { endpoint })).rejects.toThrow(
    'too many webhooks of one key: 1000 at most; delete one',
  )
})

test.each(drivers)(
  '%s: a start with a thousand reads few at once, that of another key among the first',
  async (driver) => {
    const { database, send, costOf, restart, atOnce, claimed } = await openScene(driver)
    const add = () => costOf(() => send('POST', '/webhooks', { endpoint: 'http://127.0.0.1:1/' }))
    for (let i = 1; i <= 11; i++) await add()
    await multiply(database, MANY)
    await database.transaction((to) => to.query(sql`update webhooks set owner = 'other' where id = ${MANY}`))
    await restart()
    // One may be claimed again before the last one is.
    await eventually(() => new Set(claimed).size === MANY || undefined)
    expect(claimed.indexOf(BigInt(MANY))).toBeLessThan(20)
    expect(atOnce.most).toBeLessThan(20)
  },
)

test.each(drivers)(
  '%s: fifty requests of a key are few transactions at once, and no other key waits for all',
  async (driver) => {
    const { send, sendAs, atOnce } = await openScene(driver)
    await send('POST', '/webhooks', { endpoint: 'http://127.0.0.1:1/' })
    atOnce.most = 0
    const answered: string[] = []
    const ask = (keyId: string) => sendAs(keyId)('GET', '/webhooks').then(() => answered.push(keyId))
    await Promise.all([...Array.from({ length: 50 }, () => ask('key')), ask('other')])
    expect(answered.indexOf('other')).toBeLessThan(10)
    // A transaction of the deliverer may run beside the four of the two callers.
    expect(atOnce.most).toBeLessThan(6)
  },
)
