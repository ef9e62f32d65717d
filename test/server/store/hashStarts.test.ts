// Transactions and actions are found by the first bytes of the hash of their trace: those of another trace whose hash begins alike are
// not shown, and an index of before gets such indexes in place.

import { describe, expect, test } from 'vitest'
import {
  actionsOfAccountRead,
  actionsOfTracesRead,
  actionsRead,
  type PageRequest,
  readAll,
  type SqlText,
  type StoreRead,
  sql,
  tracesRead,
  transactionsOfAccountRead,
  transactionsOfTracesRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { forgetActions } from '../../../server/store/write/actions.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { indexesOf, migrateInTwo } from '../../setup/olderIndex.ts'
import { forgetHashStarts } from '../../setup/olderTables.ts'
import { faultsOf, planOf } from '../../setup/plans.ts'

const INDEXES = ['transactions_by_trace', 'actions_by_trace']
const PAGE: PageRequest = { limit: 50, offset: 0, after: null }
const SHOWN = { types: ['ton_transfer', 'jetton_transfer', 'contract_deploy', 'call_contract'], hiddenWithin: [] }

async function filled(driver: (typeof drivers)[number], transactions: number): Promise<TestDatabase> {
  const store = await freshDatabase(driver)
  await fillActions(store, { transactions, accounts: transactions / 10 })
  return store
}

interface Sent {
  readonly trace: Uint8Array
  readonly transaction: Uint8Array
  readonly account: Uint8Array
  readonly [column: string]: unknown
}

/** Two traces with actions. */
const twoTraces = (store: TestDatabase): Promise<readonly Sent[]> =>
  store.read.query<Sent>(sql`select trace_id as trace, hash as transaction, account from transactions t
    where hash = trace_id and exists (select from actions a where a.trace_id = t.trace_id)
    order by lt limit 2`)

/** Gives the rows of a hash another one that has the first bytes of `like`. */
async function makeAlike(store: TestDatabase, hash: Uint8Array, like: Uint8Array): Promise<Uint8Array> {
  const alike = Buffer.concat([like.subarray(0, 16), hash.subarray(16)])
  const columns = { transactions: 'trace_id', actions: 'trace_id', traces: 'trace_id' }
  await store.transaction(async (to) => {
    for (const [table, name] of Object.entries(columns)) {
      const column = sql.identifier(name)
      await to.query(sql`update ${sql.identifier(table)} set ${column} = ${alike} where ${column} = ${hash}`)
    }
  })
  return alike
}

/** What is found of a trace and its first transaction. */
async function found(store: TestDatabase, { trace, transaction, account }: Sent): Promise<readonly unknown[][]> {
  const of = (read: StoreRead<unknown>) => readAll(store.read, read)
  const actions = actionsRead({ traceIds: [trace], hiddenWithin: [] }, PAGE, 'asc')
  const named = actionsRead({ txHashes: [transaction], hiddenWithin: [] }, PAGE, 'asc')
  const reads: readonly StoreRead<unknown>[] = [
    transactionsOfTracesRead([trace]),
    transactionsOfAccountRead([trace], account, 10),
    transactionsRead({ traceId: trace }, PAGE, 'asc'),
    actionsOfTracesRead([trace], SHOWN),
    actionsOfAccountRead([trace], account, { ...SHOWN, most: 10 }),
    actions,
    named,
    tracesRead({ txHashes: [transaction] }, PAGE, 'asc'),
  ]
  return (await Promise.all(reads.map(of))).map((rows) => [...rows])
}

const plansOf = ([one, other]: readonly [Sent, Sent]): Readonly<Record<string, SqlText>> => ({
  transactions: transactionsOfTracesRead([one.trace, other.trace]).statement,
  page: transactionsRead({ traceId: one.trace }, PAGE, 'asc').statement,
  actions: actionsOfTracesRead([one.trace, other.trace], SHOWN).statement,
})

describe.each(drivers)('%s', (driver) => {
  test('rows of a trace whose hash begins like that of another one are not among those of the other one', async () => {
    await using store = await filled(driver, 400)
    const [one, other] = await twoTraces(store)
    if (one === undefined || other === undefined) throw new Error('no two traces')
    const before = await found(store, one)
    expect(before.every((rows) => rows.length > 0)).toBe(true)
    const alike = await makeAlike(store, other.trace, one.trace)
    expect(await found(store, one)).toEqual(before)
    const left = actionsOfTracesRead([alike], SHOWN)
    const rows = await readAll(store.read, left)
    await store.transaction((to) => forgetActions(to, [one.trace]))
    expect(await readAll(store.read, left)).toEqual(rows)
    expect(await readAll(store.read, actionsOfTracesRead([one.trace], SHOWN))).toEqual([])
  })

  test.each(['with', 'without'])('they are found along an index, %s statistics', async (word) => {
    await using store = await filled(driver, 5000)
    const [one, other] = await twoTraces(store)
    if (one === undefined || other === undefined) throw new Error('no two traces')
    if (word === 'with') await store.transaction((to) => to.query(sql`analyze`, { timeoutMs: 60_000 }))
    for (const [name, statement] of Object.entries(plansOf([one, other]))) {
      const plan = await planOf(store.read, statement, store.kind)
      expect({ name, faults: faultsOf(plan, { single: word === 'with' }) }).toEqual({ name, faults: [] })
    }
  })

  test('a trace that most transactions are of is read along the index, and each page of it has its rows alone', async () => {
    await using store = await filled(driver, 3000)
    const [one] = await twoTraces(store)
    if (one === undefined) throw new Error('no trace')
    await store.transaction(async (to) => {
      await to.query(
        sql`update transactions set trace_id = ${one.trace} where lt < (select max(lt) - 100 from transactions)`,
      )
      await to.query(sql`analyze`, { timeoutMs: 60_000 })
    })
    const { statement } = transactionsRead({ traceId: one.trace }, { limit: 10, offset: 0, after: null }, 'asc')
    const plan = await planOf(store.read, statement, store.kind)
    const ofTable = plan.nodes.filter((node) => node['Relation Name'] === 'transactions' || node['Index Name'])
    expect(ofTable.map((node) => node['Index Name'])).toContain('transactions_by_trace')
    expect(ofTable.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  })

  test('an index of before gets them in place, also cut short in between', async () => {
    await using store = await filled(driver, 300)
    const all = await indexesOf(store)
    expect(all.filter(({ name }) => INDEXES.includes(String(name)))).toHaveLength(INDEXES.length)
    const meanwhile = async () => expect(await indexesOf(store)).not.toEqual(all)
    const step = { step: '0032_hashStarts', forget: forgetHashStarts, cutAt: 2, meanwhile }
    expect(await migrateInTwo(store, step)).toEqual([1, 2, 2])
    expect(await indexesOf(store)).toEqual(all)
  })
})
