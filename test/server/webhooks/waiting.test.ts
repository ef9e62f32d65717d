// Webhooks that have nothing to deliver wait together: each hears what it would hear alone, and a block costs nothing for those
// it does not concern.

import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { RunSettings } from '../../../server/contracts/index.ts'
import { createLiveBooks, LiveTraces } from '../../../server/methods/index.ts'
import { createLog } from '../../../server/observe/index.ts'
import { IndexFeed, sql } from '../../../server/store/index.ts'
import { BlockNotices } from '../../../server/streaming/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { createWebhooksService, Deliverer } from '../../../server/webhooks/index.ts'
import { claim, readClaim } from '../../../server/webhooks/webhook.ts'
import { eventsOf } from '../../../server/webhooks/webhookEvent.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { play, prepare, type Scene } from '../devchain/traffic.ts'
import { index, openNode, upToDate } from '../indexer/indexScene.ts'

/** Kind and hash: of bodies that differ a report would be too long. */
const shortOf = (body: string): string =>
  `${body.slice(0, 40)} ${createHash('sha256').update(body).digest('hex').slice(0, 12)}`

const log = createLog({ format: 'json', level: 'silent' })

async function openScene() {
  const { chain, node } = await openNode()
  const store = await freshDatabase('pglite')
  onTestFinished(() => store[Symbol.asyncDispose]())
  const spent = { transactions: 0, blocks: 0 }
  const running = { transactions: 0, most: 0 }
  const readings = { now: 0, most: 0 }
  const transaction: typeof store.transaction = (work, options) => {
    spent.transactions++
    running.most = Math.max(running.most, ++running.transactions)
    return store.transaction(work, options).finally(() => running.transactions--)
  }
  const database = { kind: store.kind, read: store.read, transaction }
  const indexer = index({ node, database: store })
  await upToDate(indexer, chain)
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const feed = new IndexFeed({ store: store.read, heads: indexer, canRewind: true })
  const parts = {
    store: store.read,
    log,
    traces: new LiveTraces({ chain: node, pool, store: store.read, settings: new RunSettings(node) }),
    books: createLiveBooks({ store: store.read, testOnly: true }),
  }
  const notices = new BlockNotices(parts)
  const alone = new BlockNotices(parts)
  notices.ofBlock = async (...of) => {
    spent.blocks++
    readings.most = Math.max(readings.most, ++readings.now)
    try {
      return await alone.ofBlock(...of)
    } finally {
      readings.now--
    }
  }
  const heard = new Map<string, string[]>()
  const post = async ({ endpoint, body }: { readonly endpoint: string; readonly body: string }) => {
    const all = heard.get(endpoint) ?? []
    heard.set(endpoint, [...all, shortOf(body)])
    return { status: 200, ms: 0, error: '' }
  }
  const deliverer = new Deliverer({
    feed,
    database,
    notices,
    post,
    log,
    canRewind: true,
    holders: async () => new Map([['key', { allAccounts: false }]]),
    isOurs: () => true,
  })
  onTestFinished(() => deliverer.close())
  const serve = createWebhooksService({
    database: store,
    feed,
    notices,
    post,
    rules: { allowsPrivate: true },
    parse: (text) => JSON.parse(text) as unknown,
    changed: (id) => deliverer.changed(id),
  })
  const caller = { subject: 'key', keyId: 'key', tier: null }
  const ask = async (verb: string, path: string, value?: unknown): Promise<Record<string, unknown>> => {
    const body = value === undefined ? '' : JSON.stringify(value)
    return JSON.parse(
      (await serve({ verb, path, query: '', body, caller, mayControl: false }, new AbortController().signal)).json,
    )
  }
  const add = async (name: string, subscription?: unknown): Promise<number> => {
    const endpoint = `http://127.0.0.1:1/${name}`
    return Number((await ask('POST', '/webhooks', { endpoint, ...(subscription ? { subscription } : {}) })).webhook_id)
  }
  const isAtWork = () => running.transactions + readings.now > 0
  return { chain, indexer, store, feed, alone, heard, spent, readings, running, isAtWork, ask, add }
}

const addressesOf = ({ wallets }: Scene): string[] =>
  wallets.map(({ address: { workchain, id } }) => `${workchain}:${Buffer.from(id).toString('hex').toUpperCase()}`)

test('each hears what it would hear alone, also of blocks that are undone', async () => {
  const { chain, indexer, store, feed, alone, heard, ask, add } = await openScene()
  const scene = await prepare(chain, 4)
  await upToDate(indexer, chain)
  const wallets = addressesOf(scene)
  const everything = { types: ['transactions', 'actions', 'account_state_change', 'jettons_change'] }
  const ids: number[] = []
  for (const [i, raw] of wallets.entries()) ids.push(await add(`wallet ${i}`, { ...everything, addresses: [raw] }))
  ids.push(await add('two', { types: ['transactions'], addresses: wallets.slice(1, 3) }))
  ids.push(await add('nobody', { ...everything, addresses: [`0:${'EE'.repeat(32)}`] }))
  ids.push(await add('blocks', { types: ['blocks'] }))
  ids.push(await add('heads', { types: ['heads'] }))
  const accounts = await add('accounts')
  await ask('POST', `/webhooks/${accounts}/account-tx/subscribe`, {
    accounts: wallets.slice(2).map((account_id) => ({ account_id })),
  })
  const opcode = await add('opcode')
  await ask('POST', `/webhooks/${opcode}/subscribe-msg-opcode/0x0`)
  const contracts = await add('contracts')
  await ask('POST', `/webhooks/${contracts}/subscribe-new-contracts`)
  const claimed = await store.transaction(async (to) => {
    const found = []
    for (const id of [...ids, accounts, opcode, contracts]) found.push(await claim(to, BigInt(id)))
    return found.filter((one) => one !== null)
  })
  const all = await Promise.all(claimed.map((one) => readClaim(alone, one)))
  // Claimed above: each is delivered again under an epoch of its own.
  for (const { row } of all) await ask('POST', `/webhooks/${row.id}/back-online`)
  const expected = new Map<string, string[]>(all.map(({ row }) => [row.endpoint, []]))
  const ending = new AbortController()
  let listened = 0
  const listening = (async () => {
    for await (const item of feed.from((feed.head()?.seqno ?? 0) + 1, { signal: ending.signal })) {
      for (const { row, filter } of all) {
        const list = expected.get(row.endpoint)
        if (item.kind === 'reverted') list?.push(shortOf(`{"type":"chain_reverted","mc_seqno":${item.mcSeqno}}`))
        else {
          const { events } = await eventsOf(alone, item.rows, { filter, after: -1 })
          for (const { body } of events) list?.push(shortOf(body))
        }
      }
      listened = item.kind === 'block' ? item.rows.mcSeqno : item.mcSeqno
    }
  })()
  const same = async () => {
    await upToDate(indexer, chain)
    await eventually(
      () =>
        listened === chain.head().master.id.seqno &&
        [...expected].every(([endpoint, bodies]) => (heard.get(endpoint)?.length ?? 0) >= bodies.length)
          ? true
          : undefined,
      'an event is lacking',
    )
    expect(Object.fromEntries(heard)).toEqual(
      Object.fromEntries([...expected].filter(([, bodies]) => bodies.length > 0)),
    )
  }
  await play(chain, scene, { count: 60, seed: 1 })
  await same()
  const name = await chain.control.snapshot()
  const numbers = scene.wallets.map(({ seqno }) => seqno)
  await play(chain, scene, { count: 40, seed: 2 })
  await same()
  await chain.control.revert(name)
  for (const [i, wallet] of scene.wallets.entries()) wallet.seqno = numbers[i] ?? 0
  await upToDate(indexer, chain)
  await play(chain, scene, { count: 40, seed: 3 })
  await same()
  ending.abort()
  await listening
  expect([...expected.values()].filter((bodies) => bodies.length > 10).length).toBeGreaterThan(6)
})

test('a block costs a thousand that it does not concern nothing', async () => {
  const { chain, indexer, store, heard, spent, isAtWork, ask, add } = await openScene()
  const scene = await prepare(chain, 4)
  await upToDate(indexer, chain)
  await add('idle', { types: ['transactions', 'actions'], addresses: [`0:${'EE'.repeat(32)}`] })
  const columns = sql`owner, endpoint, description, token, secret, subscription, created_at, cursor, status_at, last_online_at`
  await store.transaction((to) =>
    to.query({
      text: `insert into webhooks (${columns.text}) select ${columns.text} from webhooks, generate_series(2, 999) where id = 1`,
      values: [],
    }),
  )
  const [first = ''] = addressesOf(scene)
  await add('concerned', { types: ['transactions'], addresses: [first] })
  // One look at each, so that all are delivered.
  for (let id = 2; id < 1000; id++) await ask('POST', `/webhooks/${id}/back-online`)
  const [wallet] = scene.wallets
  if (wallet === undefined) throw new Error('no wallet')
  await play(chain, scene, { count: 60, seed: 1 })
  await upToDate(indexer, chain)
  await eventually(() => (heard.size > 0 ? true : undefined), 'nothing is delivered')
  const quiet = async (): Promise<void> => {
    for (let before = -1; before !== spent.blocks + spent.transactions || isAtWork(); ) {
      before = spent.blocks + spent.transactions
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
  await quiet()
  const before = { ...spent }
  const blocks = chain.head().master.id.seqno
  const notified = heard.get('http://127.0.0.1:1/concerned')?.length ?? 0
  await play(chain, scene, { count: 60, seed: 2 })
  await upToDate(indexer, chain)
  await quiet()
  const made = chain.head().master.id.seqno - blocks
  const count = () => (heard.get('http://127.0.0.1:1/concerned')?.length ?? 0) - notified
  // A busy machine may rest between an event and its statement.
  await eventually(
    () => (count() > 5 && spent.transactions - before.transactions >= count()) || undefined,
    'what was delivered is not stored',
  )
  const posted = count()
  expect(made).toBeGreaterThan(5)
  expect(posted).toBeGreaterThan(5)
  expect(spent.blocks - before.blocks).toBeLessThanOrEqual(2 * made)
  // A statement for each event, and now and then one for the places of all others.
  expect(spent.transactions - before.transactions).toBeGreaterThanOrEqual(posted)
  expect(spent.transactions - before.transactions).toBeLessThan(posted + 20)
})

test('a block that many wait for is looked into for a few of them at once', async () => {
  const { chain, indexer, heard, readings, running, add } = await openScene()
  const scene = await prepare(chain, 2)
  await upToDate(indexer, chain)
  const [first = ''] = addressesOf(scene)
  const subscription = { types: ['transactions', 'actions'], addresses: [first] }
  for (let i = 0; i < 60; i++) await add(`one ${i}`, subscription)
  running.most = 0
  await play(chain, scene, { count: 40, seed: 1 })
  await upToDate(indexer, chain)
  const all = await eventually(() => {
    const texts = [...heard.values()].filter((one) => one.length > 0)
    return texts.length === 60 && new Set(texts.map((one) => one.join())).size === 1 ? texts : undefined
  })
  expect(all[0]?.length).toBeGreaterThan(0)
  expect(readings.most).toBeLessThanOrEqual(8)
  // The index is written through the same queue: it does not wait for one of each.
  expect(running.most).toBeLessThanOrEqual(4)
})
