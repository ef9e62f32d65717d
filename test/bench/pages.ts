// B8 and B9: pages of transactions by account, compared with the same statements in a bare loop: of transactions that no one requested
// yet, before their texts are stored and after it, and of those that were requested; and a page far down the list by cursor, compared with the first one. `PAGES=200000` sets how
// many transactions there are.

import { createAccess, createFileKeyStore } from '../../server/access/index.ts'
import { createDispatch, createResultCache, NO_MODIFIERS, type WritingHandlers } from '../../server/methods/index.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { keepTexts } from '../../server/methods/v3/texts/textKeeper.ts'
import { indexedTransactionHandlers } from '../../server/methods/v3/transactions.ts'
import { createLog, createMetrics } from '../../server/observe/index.ts'
import { applyMemoryPlan } from '../../server/process/index.ts'
import { type Sql, type SqlText, sql } from '../../server/store/index.ts'
import { transactionsV3 } from '../../shared/v3/transactions.ts'
import { fill } from '../setup/filler.ts'
import { openMemoryStore } from '../setup/memoryStore.ts'
import { rawOf } from '../setup/v3Ask.ts'
import { compare, type Row, table } from './compare.ts'

const ROUND = 150
/** One to warm up, and those that are measured. */
const ROUNDS = 6
const DEPTH = 10_000

// As the service does, or its heap is cleaned up more often than there.
applyMemoryPlan(0)
const store = await openMemoryStore()
await fill(store, { transactions: Number(process.env.PAGES ?? 100_000), atOnce: 100 })
await store.read.query(sql`analyze`)
const busy = await store.read.query<{ account: Uint8Array }>(
  sql`select account from transactions group by account order by count(*) desc limit ${ROUND * ROUNDS}`,
)
if (busy.length < ROUND * ROUNDS) throw new Error('there are too few accounts in the store')

/** Remembers the statements of one page, so that they can be run again without anything around them. */
const requested: SqlText[] = []
const recording: Sql = {
  query(statement, options) {
    requested.push(statement)
    return store.read.query(statement, options)
  },
}

function dispatchOver(read: Sql) {
  const handlers: WritingHandlers<typeof transactionsV3> = indexedTransactionHandlers(
    read,
    createSideObjects({ store: read, testOnly: true }),
  )
  return createDispatch({
    registry: transactionsV3,
    handlers,
    access: createAccess({ network: 'devnet', limits: 'off', store: createFileKeyStore('.') }),
    cache: createResultCache(1_000_000),
    log: createLog({ format: 'json', level: 'warn' }),
    metrics: createMetrics(),
    timeoutMs: 10_000,
    statementMs: 3_000,
    checkResults: false,
  })
}

const dispatch = dispatchOver(store.read)
const call = {
  caller: { subject: 'bench', keyId: null, tier: null },
  requestId: 'bench',
  signal: new AbortController().signal,
  budget: null,
  whyNoControl: null,
  modifiers: NO_MODIFIERS,
}

const page = (params: Record<string, unknown>, through = dispatch) =>
  through.run('v3.transactions', params, { ...call })

async function perSecond(once: (i: number) => unknown): Promise<number> {
  const began = performance.now()
  for (let i = 0; i < ROUND; i++) await once(i)
  return (ROUND * 1000) / (performance.now() - began)
}

interface RecordedPage {
  readonly params: Record<string, unknown>
  readonly statements: readonly SqlText[]
}

/** Pages of as many accounts as are read in all rounds, and the statements of each. */
async function recordedPages(): Promise<readonly [RecordedPage, ...RecordedPage[]]> {
  const pages: RecordedPage[] = []
  for (const { account } of busy) {
    const params = { account: [rawOf(account)], limit: 10 }
    await page(params, dispatchOver(recording))
    pages.push({ params, statements: requested.splice(0) })
  }
  const [first, ...others] = pages
  if (first === undefined) throw new Error('there are no pages')
  return [first, ...others]
}

async function bare(statements: readonly SqlText[]): Promise<void> {
  for (const statement of statements) await store.read.query(statement)
}

async function unread(when: string): Promise<Row> {
  const pages = await recordedPages()
  const [first] = pages
  let round = 0
  const ofRound = (i: number) => pages[(round % ROUNDS) * ROUND + i] ?? first
  return await compare({
    name: `B8 page of 10 by account, not read before, ${when}: ${first.statements.length} statements`,
    unit: 'pages/s',
    here: true,
    target: 0.8,
    ours: () => {
      const fresh = dispatchOver(store.read)
      return perSecond((i) => page(ofRound(i).params, fresh))
    },
    theirs: async () => {
      const rate = await perSecond((i) => bare(ofRound(i).statements))
      round++
      return rate
    },
  })
}

const beforeTexts = await unread('its texts not stored yet')
while ((await keepTexts(store)) !== null);
await store.read.query(sql`analyze`)
const withTexts = await unread('its texts stored')
const [first] = await recordedPages()

let cursor: string | null = null
for (let depth = 0; depth < DEPTH; depth += 1000) {
  const { json } = await page({ limit: 1000, ...(cursor === null ? {} : { cursor }) })
  cursor = (JSON.parse(json) as { cursor: string | null }).cursor
}
if (cursor === null) throw new Error(`the list is shorter than ${DEPTH}`)
const deep = { limit: 10, cursor }

console.log(
  table([
    beforeTexts,
    withTexts,
    await compare({
      name: 'B8 the same page, read before',
      unit: 'pages/s',
      here: true,
      target: 0.8,
      ours: () => perSecond(() => page(first.params)),
      theirs: () => perSecond(() => bare(first.statements)),
    }),
    await compare({
      name: `B9 page at depth ${DEPTH.toLocaleString('en')} by cursor, beside the first`,
      unit: 'pages/s',
      here: true,
      target: 0.83,
      ours: () => perSecond(() => page(deep)),
      theirs: () => perSecond(() => page({ limit: 10 })),
    }),
  ]),
)
await store.close()
