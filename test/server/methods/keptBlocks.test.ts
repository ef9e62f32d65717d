// Pages of blocks that were shown before are put together from their kept texts: they are the same as pages that are read.

import { describe, expect, onTestFinished, test } from 'vitest'
import { KeptBlocks } from '../../../server/methods/v3/kept/keptBlocks.ts'
import { type Sql, type SqlText, sql, writeMasterBlocks } from '../../../server/store/index.ts'
import { ask } from '../../setup/calls.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledRows } from '../../setup/filler.ts'
import { serveV3Over } from '../../setup/v3Chain.ts'

async function setUp(driver: Driver) {
  const store = await emptyStore(driver)
  onTestFinished(() => store[Symbol.asyncDispose]())
  for (const rows of filledRows({ transactions: 900, accounts: 30, atOnce: 20 }))
    await store.transaction((to) => writeMasterBlocks(to, rows))
  const sent: SqlText[] = []
  const watched: Sql = {
    query(statement, options) {
      sent.push(statement)
      return store.read.query(statement, options)
    },
  }
  const serve = async (over: Sql) => {
    const service = await serveV3Over(over)
    onTestFinished(() => service[Symbol.asyncDispose]())
    return async (query: string) => (await ask(service, `/api/v3/${query}`)).text
  }
  /** Whether whole blocks were read since the last call. */
  const areRead = () => sent.splice(0).some(({ text }) => text.includes('b.rand_seed'))
  const page = await serve(watched)
  /** Shows a page until it is put together from kept texts; after a page with a new block some are read. */
  const show = async (query: string): Promise<void> => {
    do {
      sent.length = 0
      await page(query)
    } while (areRead())
  }
  return { store, serve, page, show, areRead }
}

const QUERIES = [
  ...['asc', 'desc'].flatMap((sort) => [
    ...[0, 1, 7].map((offset) => `blocks?sort=${sort}&limit=40&offset=${offset}`),
    ...[0, -1].map((workchain) => `blocks?sort=${sort}&limit=32&workchain=${workchain}`),
    `blocks?sort=${sort}&limit=1000`,
    `blocks?sort=${sort}&limit=100&offset=5000`,
  ]),
  'blocks?limit=33&mc_seqno=2',
  'masterchainBlockShards?seqno=2&limit=50',
]

describe.each(drivers)('%s', (driver) => {
  test('pages of blocks that were shown are the same without reading the blocks', async () => {
    const { store, serve, page, show, areRead } = await setUp(driver)
    const all = await page('blocks?limit=1000')
    expect(all.split('"root_hash"').length).toBeGreaterThan(50)
    expect(areRead()).toBe(true)
    await show('blocks?limit=1000')
    for (const query of QUERIES) {
      const text = await page(query)
      expect(areRead(), query).toBe(false)
      const fresh = await serve(store.read)
      expect(text, query).toBe(await fresh(query))
      const cursor = /"cursor":"([^"]+)"/.exec(text)?.[1]
      if (cursor === undefined) continue
      const further = `${query.replace(/&offset=\d+/, '')}&cursor=${encodeURIComponent(cursor)}`
      expect(await page(further), further).toBe(await fresh(further))
    }
  })

  test('a short page is read, and one with a block that was not shown', async () => {
    const { page, show, areRead } = await setUp(driver)
    await show('blocks?limit=40&sort=asc')
    await page('blocks?limit=10&sort=asc')
    expect(areRead()).toBe(true)
    await page('blocks?limit=40&sort=asc')
    expect(areRead()).toBe(false)
    await page('blocks?limit=41&sort=asc')
    expect(areRead()).toBe(true)
  })

  test('a block that another masterchain block commits after a revert is shown with that one', async () => {
    const { store, serve, page, show } = await setUp(driver)
    await show('blocks?limit=1000')
    await store.transaction((to) =>
      to.query(sql`update blocks set mc_seqno = mc_seqno + 1 where workchain = 0 and mc_seqno > 5`),
    )
    const fresh = await serve(store.read)
    for (const limit of [500, 999]) {
      const query = `blocks?limit=${limit}`
      expect(await page(query)).toBe(await fresh(query))
    }
  })
})

const text = (length: number): Uint8Array => Buffer.alloc(length, 'x')

describe('kept texts', () => {
  test('are a list in the order of the names', () => {
    const kept = new KeptBlocks()
    for (const name of ['a', 'b', 'c']) kept.keep(name, Buffer.from(`{"name":"${name}"}`))
    expect(kept.list(['c', 'a', 'c'])?.toString()).toBe('[{"name":"c"},{"name":"a"},{"name":"c"}]')
    expect(kept.list([])?.toString()).toBe('[]')
    expect(kept.list(['a', 'd'])).toBeNull()
  })

  test('have a bound: the first are given up for the last, and long ones are not kept', () => {
    const kept = new KeptBlocks()
    for (let i = 0; i < 5000; i++) kept.keep(String(i), Buffer.from(String(i)))
    expect(kept.list(['0'])).toBeNull()
    expect(kept.list(['4999', '4000'])?.toString()).toBe('[4999,4000]')
    kept.keep('long', text(100_000))
    expect(kept.list(['long'])).toBeNull()
    expect(kept.list(['4999', '4000'])?.toString()).toBe('[4999,4000]')
  })

  test('after a block that is not kept the next pages are read at once: more of them after each, until one is kept', () => {
    const kept = new KeptBlocks()
    kept.keep('a', text(10))
    expect(kept.isPromising(1)).toBe(false)
    const untilLook = (): number => {
      let pages = 0
      while (!kept.isPromising(100)) pages++
      return pages
    }
    const afterMiss = (): number => {
      expect(kept.list(['b'])).toBeNull()
      return untilLook()
    }
    expect(untilLook()).toBe(0)
    const [first = 0, second = 0, ...others] = Array.from({ length: 20 }, afterMiss)
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(first)
    expect(Math.max(...others)).toBeLessThan(1000)
    expect(kept.list(['a'])).not.toBeNull()
    expect(untilLook()).toBe(0)
    expect(afterMiss()).toBe(first)
  })
})
