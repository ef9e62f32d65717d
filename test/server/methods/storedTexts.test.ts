// Stored texts of transactions: pages read by them are those that are made again, whatever happens between.

import { afterEach, describe, expect, test } from 'vitest'
import { startTextKeeper } from '../../../server/methods/index.ts'
import { charsOfKey } from '../../../server/methods/keyOfAccount.ts'
import { makeText, TEXT_FORMAT, textVersion, textVersionOf } from '../../../server/methods/v3/texts/storedText.ts'
import { keepTexts } from '../../../server/methods/v3/texts/textKeeper.ts'
import { WrittenTransactions } from '../../../server/methods/v3/written/writtenTransactions.ts'
import {
  adjacentRead,
  advanceTexts,
  type Database,
  type MasterBlockRows,
  readTextProgress,
  readTransactionParts,
  rollbackTo,
  sql,
  type TextSource,
  tracesRead,
  transactionsByHashRead,
  transactionsOfTracesRead,
  transactionsRead,
  writeMasterBlocks,
  writeTexts,
} from '../../../server/store/index.ts'
import { drivers, type TestDatabase } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { NOTHING } from '../../setup/emptyBlock.ts'
import { filledRows } from '../../setup/filler.ts'
import { jsonOf, writtenList } from '../../setup/writtenList.ts'

const PATIENT = { timeoutMs: 600_000 }
const silent = { info: () => undefined, warn: () => undefined }

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const first = filled.cursor.firstMcSeqno
const last = filled.cursor.lastMcSeqno

let database: TestDatabase
afterEach(() => database[Symbol.asyncDispose]())

async function setUp(driver: (typeof drivers)[number], rows: MasterBlockRows = filled as MasterBlockRows) {
  database = await emptyStore(driver)
  await database.transaction((to) => writeMasterBlocks(to, rows))
  return database
}

async function keepAll(store: Database): Promise<void> {
  while ((await keepTexts(store)) !== null);
}

/** Some account, and hash, of the chain. */
const some = filled.transactions[filled.transactions.length >> 1]
if (some === undefined) throw new Error('there are no transactions')

const sources: readonly [string, TextSource][] = [
  ['all', transactionsRead({}, { limit: 1000, offset: 0, after: null }, 'desc')],
  ['a page', transactionsRead({}, { limit: 30, offset: 11, after: null }, 'asc')],
  ['of an account', transactionsRead({ accounts: [some.account] }, { limit: 5, offset: 0, after: null }, 'desc')],
  ['of a block', transactionsRead({ mcSeqno: some.mcSeqno }, { limit: 20, offset: 0, after: null }, 'asc')],
  ['by time', transactionsRead({ startUtime: some.now }, { limit: 40, offset: 0, after: null }, 'asc')],
  ['none', transactionsRead({ lt: 1n }, { limit: 40, offset: 0, after: null }, 'asc')],
  ['next to one', adjacentRead(some.hash, null)],
]

/** The lists, each with the statements it took. */
async function lists(store: Database, which = sources) {
  let statements = 0
  const counted = {
    query: ((statement, options) => {
      statements++
      return store.read.query(statement, options)
    }) as Database['read']['query'],
  }
  const found = []
  for (const [name, source] of which) {
    statements = 0
    const list = await new WrittenTransactions(counted).list(source, PATIENT, true)
    const { book, next } = list
    const { json, isEmpty, accounts } = await writtenList(list)
    const rows = [...book].sort((a, b) => (a.chars < b.chars ? -1 : 1))
    const texts = JSON.parse(json) as Readonly<Record<string, unknown>>[]
    expect(isEmpty).toBe(texts.length === 0)
    const shown = { name, json, texts, accounts, book: rows, next }
    found.push({ shown, statements })
  }
  return found
}

/** All traces as pages have them, and the statements that took. */
async function traceParts(store: Database) {
  let statements = 0
  const query: Database['read']['query'] = (statement, options) => {
    statements++
    return store.read.query(statement, options)
  }
  const ids = [...new Map(filled?.transactions.map(({ traceId }) => [traceId.join(), traceId])).values()]
  const names = { book: true, tokens: true }
  const texts = await new WrittenTransactions({ query }).ofTraces(transactionsOfTracesRead(ids), names, PATIENT)
  const accounts = new Set([...texts.book.map(({ chars }) => chars), ...texts.unnamed.map(charsOfKey)])
  return { statements, accounts, parts: texts.parts.map(({ text, ...part }) => ({ ...part, text: jsonOf(text) })) }
}

/** Pages of traces as they are listed, and the statements each took. */
async function tracePages(store: Database) {
  let statements = 0
  const query: Database['read']['query'] = (statement, options) => {
    statements++
    return store.read.query(statement, options)
  }
  const written = new WrittenTransactions({ query })
  const found = []
  for (const [limit, ofTrace, ofPage] of [
    [1000, 4000, 20_000],
    [5, 4000, 20_000],
    [30, 2, 20_000],
    [30, 4000, 3],
  ] as const) {
    statements = 0
    const wanted = { book: true, tokens: true, most: { ofTrace, ofPage } }
    const read = tracesRead({}, { limit, offset: 1, after: null }, 'desc')
    const { rows, next, parts, book, unnamed } = await written.tracePage(read, wanted, PATIENT)
    const texts = parts.map(({ text, ...part }) => ({ ...part, text: jsonOf(text) }))
    const accounts = new Set([...book.map(({ chars }) => chars), ...unnamed.map(charsOfKey)])
    found.push({ shown: { rows, next, texts, accounts }, statements })
  }
  return found
}

const shownOf = (found: Awaited<ReturnType<typeof lists>>) => found.map(({ shown }) => shown)

const progressOf = async (store: Database) => {
  const progress = await readTextProgress(store.read)
  return progress && [progress.version, progress.firstMcSeqno, progress.lastMcSeqno]
}

describe.each(drivers)('%s', (driver) => {
  test('default: by stored texts a list is the same, in one statement', async () => {
    const store = await setUp(driver)
    const before = await lists(store)
    expect(before[0]?.shown.texts.length).toBeGreaterThan(300)
    expect(before.map(({ shown }) => shown.next !== null)).toEqual([false, true, true, true, true, false, false])
    await keepAll(store)
    expect(await progressOf(store)).toEqual([textVersion(), first, last])
    const after = await lists(store)
    expect(shownOf(after)).toEqual(shownOf(before))
    expect(after.map(({ statements }) => statements)).toEqual(sources.map(() => 1))
  })

  test('default: by stored texts the parts of traces are the same, in one statement', async () => {
    const store = await setUp(driver)
    const before = await traceParts(store)
    expect(before.parts).toHaveLength(filled.transactions.length)
    expect(before.parts.some(({ sent }) => sent.length > 1)).toBe(true)
    await keepTexts(store)
    const some = await traceParts(store)
    await keepAll(store)
    const after = await traceParts(store)
    for (const { parts, accounts } of [some, after]) {
      expect(parts).toEqual(before.parts)
      expect(accounts).toEqual(before.accounts)
    }
    expect([before.statements > 1, after.statements]).toEqual([true, 1])
  })

  test('default: by stored texts a page of traces is the same, in one statement, without what is too large', async () => {
    const store = await setUp(driver)
    const before = await tracePages(store)
    const [all, few, small, none] = before.map(({ shown }) => shown)
    if (!all || !few || !small || !none) throw new Error('a page is missing')
    const nodes = (rows: typeof all.rows) => rows.reduce((sum, row) => sum + row.nodes, 0)
    expect([all.texts.length, few.texts.length]).toEqual([nodes(all.rows), nodes(few.rows)])
    expect([all.next, few.next !== null, few.rows.length]).toEqual([null, true, 5])
    expect(small.texts.length).toBe(nodes(small.rows.filter((row) => row.nodes <= 2)))
    expect(small.rows.some((row) => row.nodes > 2)).toBe(true)
    expect([none.rows, none.texts.length]).toEqual([all.rows.slice(0, 30), 0])
    await keepAll(store)
    const after = await tracePages(store)
    expect(after.map(({ shown }) => shown)).toEqual(before.map(({ shown }) => shown))
    expect(after.map(({ statements }) => statements)).toEqual([1, 1, 1, 1])
  })

  test('behavior: large bags are stored once, are in lists as before, and go with the last message', async () => {
    const hashOf = (n: number) => Buffer.alloc(32, n)
    const initOf = (n: number) => Buffer.alloc(380 + n, n)
    const messages = filled.messages.map((message, i) => {
      const kind = i % 9
      return i % 2 === 0 ? { ...message, initHash: hashOf(kind), init: initOf(kind) } : message
    })
    const store = await setUp(driver, { ...filled, messages })
    const large = Array.from({ length: 9 }, (_, n) => n).filter((n) => n >= 4)
    const bags = async () => {
      const rows = await store.read.query<{ hash: Uint8Array; bag: Uint8Array }>(sql`select hash, bag from shared_bags`)
      return rows.map(({ hash, bag }) => [hash[0], bag.length]).sort(([a = 0], [b = 0]) => a - b)
    }
    expect(await bags()).toEqual(large.map((n) => [n, 380 + n]))
    const before = shownOf(await lists(store))
    const partsBefore = (await traceParts(store)).parts.map(({ text }) => text)
    for (const n of large) expect(before[0]?.json, `of ${380 + n} bytes`).toContain(initOf(n).toString('base64'))
    await keepAll(store)
    const [row] = await store.read.query(sql`select count(*) as n from transaction_texts where shared <> ''`)
    expect(Number(row?.n)).toBeGreaterThan(50)
    const after = await lists(store)
    expect(shownOf(after)).toEqual(before)
    expect(after.map(({ statements }) => statements)).toEqual(sources.map(() => 1))
    expect((await traceParts(store)).parts.map(({ text }) => text)).toEqual(partsBefore)
    const gone = [...new Map(filled.transactions.map(({ account }) => [account.join(), account])).values()]
    await store.transaction((to) => rollbackTo(to, { mcSeqno: last - 1, accounts: [], gone: [] }))
    expect(await bags()).toEqual(large.map((n) => [n, 380 + n]))
    await store.transaction((to) => rollbackTo(to, { mcSeqno: first - 1, accounts: [], gone }))
    expect(await bags()).toEqual([])
  })

  test('behavior: a list of which some texts are stored is the same', async () => {
    const store = await setUp(driver)
    const before = shownOf(await lists(store))
    await keepTexts(store)
    const [, from] = (await progressOf(store)) ?? []
    expect(from).toBeGreaterThan(first)
    expect(shownOf(await lists(store))).toEqual(before)
  })

  test('behavior: texts of another version are not used, and made again', async () => {
    const store = await setUp(driver)
    const before = shownOf(await lists(store))
    await keepAll(store)
    await store.transaction(async (to) => {
      await to.query(sql`update transaction_texts set version = 0, text = 'of another program'`)
      await to.query(sql`update text_progress set version = 0`)
    })
    expect(shownOf(await lists(store))).toEqual(before)
    await keepAll(store)
    const after = await lists(store)
    expect(shownOf(after)).toEqual(before)
    expect(after[0]?.statements).toBe(1)
  })

  test('behavior: texts of other schemes are made again, also by a program that ends in the middle of it', async () => {
    const store = await setUp(driver)
    const before = shownOf(await lists(store))
    await keepAll(store)
    const earlier = textVersionOf(TEXT_FORMAT, 'earlier schemes')
    await store.transaction(async (to) => {
      await to.query(
        sql`update transaction_texts set version = ${earlier}::int2, text = '{"decoded_opcode":"earlier"}'`,
      )
      await to.query(sql`update text_progress set version = ${earlier}::int2`)
    })
    expect(shownOf(await lists(store))).toEqual(before)
    await keepTexts(store)
    const [version, from] = (await progressOf(store)) ?? []
    expect([version, from]).toEqual([textVersion(), expect.any(Number)])
    expect(from).toBeGreaterThan(first)
    expect(shownOf(await lists(store))).toEqual(before)
    const keeper = startTextKeeper({ database: store, log: silent, mayWrite: () => true, pollMs: 1 })
    await expect.poll(() => progressOf(store)).toEqual([textVersion(), first, last])
    await keeper.close()
    const after = await lists(store)
    expect(shownOf(after)).toEqual(before)
    expect(after[0]?.statements).toBe(1)
  })

  test('behavior: a transaction that comes again in another block after a rollback has a text of that', async () => {
    const store = await setUp(driver)
    await keepAll(store)
    const lost = filled.transactions.filter(({ mcSeqno }) => mcSeqno === last)
    expect(lost.length).toBeGreaterThan(0)
    const stale = await readTransactionParts(
      store.read,
      lost.map((row) => row),
    )
    await store.transaction((to) => rollbackTo(to, { mcSeqno: last - 1, accounts: [], gone: [] }))
    expect(await progressOf(store)).toEqual([textVersion(), first, last - 1])
    // Made before the rollback, written after it.
    const old = stale.map(makeText)
    await store.transaction((to) => writeTexts(to, textVersion(), old))
    const moved = lost.map((row) => ({
      ...row,
      mcSeqno: last + 5,
      block: { ...row.block, seqno: row.block.seqno + 5 },
    }))
    const cursor = { ...filled.cursor, lastMcSeqno: last + 5 }
    await store.transaction((to) =>
      writeMasterBlocks(to, { ...NOTHING, transactions: moved, messages: filled.messages, cursor, previous: last - 1 }),
    )
    await store.transaction((to) => writeTexts(to, textVersion(), old))
    const ofLost: [string, TextSource][] = [['lost', transactionsByHashRead(lost.map(({ hash }) => hash))]]
    const rebuilt = await lists(store, ofLost)
    expect(rebuilt[0]?.statements).toBeGreaterThan(1)
    await keepAll(store)
    const kept = await lists(store, ofLost)
    expect(kept[0]?.statements).toBe(1)
    expect(shownOf(kept)).toEqual(shownOf(rebuilt))
    expect(kept[0]?.shown.texts.every((text) => text.mc_block_seqno === last + 5)).toBe(true)
  })

  test('behavior: blocks do not count as done while one of their texts is missing', async () => {
    const store = await setUp(driver)
    await keepAll(store)
    await store.transaction((to) => rollbackTo(to, { mcSeqno: last - 1, accounts: [], gone: [] }))
    const transactions = filled.transactions.filter(({ mcSeqno }) => mcSeqno === last)
    await store.transaction((to) =>
      writeMasterBlocks(to, {
        ...NOTHING,
        transactions,
        messages: filled.messages,
        cursor: filled.cursor,
        previous: last - 1,
      }),
    )
    const was = await readTextProgress(store.read)
    if (was === null) throw new Error('there is no progress')
    const range = { first: last, last }
    expect(await store.transaction((to) => advanceTexts(to, was, range))).toBe(false)
    expect(await store.transaction((to) => advanceTexts(to, { ...was, lastMcSeqno: last + 9 }, range))).toBe(false)
    await keepAll(store)
    expect(await progressOf(store)).toEqual([textVersion(), first, last])
  })

  test('behavior: a text that lacks a state is not used once the state is known', async () => {
    const store = await setUp(driver)
    await keepAll(store)
    const parts = await readTransactionParts(store.read, filled.transactions.slice())
    const partial = parts.find(({ after }) => after === null)
    if (partial === undefined) throw new Error('all states are known')
    const only: [string, TextSource][] = [['partial', transactionsByHashRead([partial.row.hash])]]
    const stateOf = async () => (await lists(store, only))[0]?.shown.texts[0]?.account_state_after
    expect(await stateOf()).toMatchObject({ balance: null })
    const state = { hash: partial.row.stateAfter, balance: 77n, extra: {}, status: 'active' } as const
    await store.transaction((to) =>
      writeMasterBlocks(to, {
        ...NOTHING,
        accountStates: [{ ...state, frozenHash: null, dataHash: null, codeHash: null }],
        cursor: { ...filled.cursor, lastMcSeqno: last + 1 },
        previous: last,
      }),
    )
    expect(await stateOf()).toMatchObject({ balance: '77' })
  })

  test('behavior: texts that are not ASCII are stored, very long ones are made for each page', async () => {
    const [plain, foreign, long, ...others] = filled.transactions
    if (!plain || !foreign || !long) throw new Error('there are too few transactions')
    const noise = Array.from({ length: 20_000 }, (_, i) => [i, String(Math.imul(i, 2_654_435_761) >>> 0)])
    const transactions = [
      plain,
      { ...foreign, description: JSON.stringify({ type: 'ord', text: 'Привет, 世界 🚀 \u007f "\\' }) },
      { ...long, totalFeesExtra: Object.fromEntries(noise) },
      ...others,
    ]
    const store = await setUp(driver, { ...filled, transactions })
    const before = shownOf(await lists(store))
    await keepAll(store)
    const after = await lists(store)
    expect(shownOf(after)).toEqual(before)
    const rows = await store.read.query<{ hash: Uint8Array }>(sql`select hash from transaction_texts where text = ''`)
    expect(rows.map(({ hash }) => Buffer.from(hash))).toEqual([Buffer.from(long.hash)])
  })

  test('behavior: the keeper writes when it may, also blocks that come later, and ends', async () => {
    const store = await setUp(driver)
    let may = false
    let looks = 0
    const mayWrite = () => {
      looks++
      return may
    }
    const keeper = startTextKeeper({ database: store, log: silent, mayWrite, pollMs: 1 })
    await expect.poll(() => looks).toBeGreaterThan(3)
    expect(await progressOf(store)).toBeNull()
    may = true
    await expect.poll(() => progressOf(store)).toEqual([textVersion(), first, last])
    const cursor = { ...filled.cursor, lastMcSeqno: last + 1 }
    await store.transaction((to) => writeMasterBlocks(to, { ...NOTHING, cursor, previous: last }))
    await expect.poll(() => progressOf(store)).toEqual([textVersion(), first, last + 1])
    await keeper.close()
    const ended = looks
    await store.read.query(sql`select 1`)
    expect(looks).toBe(ended)
  })
})
