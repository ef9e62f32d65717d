// Traces with their actions and balance changes, and actions with their transactions, take several statements. What an index keeps may
// end, or the chain be reverted, between any two of them.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { storedHandlers } from '../../../server/methods/v3/indexed.ts'
import { Written } from '../../../server/methods/written.ts'
import {
  type Database,
  moveBound,
  type PrunedSlice,
  pruneSlice,
  rollbackTo,
  type Sql,
  sql,
} from '../../../server/store/index.ts'
import { ApiError } from '../../../shared/errors.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { fillActions } from '../../setup/filledActions.ts'

const PATIENT_MS = 120_000
const call = {
  caller: { subject: 'test', keyId: null, tier: null },
  requestId: 'test',
  signal: new AbortController().signal,
  timeoutMs: PATIENT_MS,
  modifiers: { noAddressBook: true, noMetadata: true, actionsVersion: null },
}

interface Scene {
  readonly store: Database & AsyncDisposable
  readonly traceId: string
  readonly actionId: string
  readonly account: string
}

async function setUp(driver: Driver): Promise<Scene> {
  const store = await emptyStore(driver)
  const actions = await fillActions(store, { transactions: 100, accounts: 12, atOnce: 20 })
  const [oldest] = actions.toSorted((a, b) => (a.traceEndLt < b.traceEndLt ? -1 : 1))
  if (oldest === undefined) throw new Error('there are no actions')
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const [account = new Uint8Array()] = oldest.accounts
  return {
    store,
    traceId: hex(oldest.traceId),
    actionId: hex(oldest.actionId),
    account: `${(account[0] ?? 128) - 128}:${hex(account.subarray(1))}`,
  }
}

async function removeOldest({ store }: Scene): Promise<void> {
  await store.transaction((to) => moveBound(to, 1))
  let next: PrunedSlice['next'] | undefined
  while (next !== null) next = (await store.transaction((to) => pruneSlice(to, 200, next ?? undefined))).next
}

async function revertNewest({ store }: Scene): Promise<void> {
  const [row] = await store.read.query<{ middle: number }>(
    sql`select ((min(mc_seqno) + max(mc_seqno)) / 2)::int4 as middle from transactions`,
  )
  await store.transaction((to) => rollbackTo(to, { mcSeqno: row?.middle ?? 0, accounts: [], gone: [] }))
}

interface TraceOfSeveral {
  readonly id: Buffer
  readonly nodes: number
  readonly account: Uint8Array
}

/** With actions. */
async function oldestOfSeveral({ store }: Scene): Promise<TraceOfSeveral> {
  const [trace] = await store.read.query<{ id: Buffer; nodes: number; account: Uint8Array }>(
    sql`select k.trace_id as id, k.nodes, (select t.account from transactions t where t.trace_id = k.trace_id order by t.lt desc limit 1) as account
      from traces k where k.nodes > 1 and k.state = 'complete' and exists (select from actions a where a.trace_id = k.trace_id)
      order by k.mc_seqno_end limit 1`,
  )
  if (trace === undefined) throw new Error('there is no trace of several transactions')
  return { ...trace, id: Buffer.from(trace.id) }
}

/** As pruning does, until the trace has one transaction less. */
async function removeSlice({ store }: Scene, traceId: Uint8Array): Promise<void> {
  const count = async () =>
    (await store.read.query(sql`select from transactions where trace_id = ${traceId}::bytea`)).length
  const before = await count()
  await store.transaction((to) => moveBound(to, 1))
  while ((await count()) === before) await store.transaction((to) => pruneSlice(to, 1))
}

/** Whoever does it. */
async function removeFirst({ store }: Scene, traceId: Uint8Array): Promise<void> {
  await store.transaction((to) =>
    to.query(sql`delete from transactions where hash in (
      select hash from transactions where trace_id = ${traceId}::bytea order by lt limit 1)`),
  )
}

type Method = 'v3.traces' | 'v3.actions' | 'v3.balanceChanges'

async function textOf(from: Sql, method: Method, query: Readonly<Record<string, unknown>>): Promise<string> {
  const handlers = storedHandlers({ store: from, chain: null, testOnly: true })
  // The cast: the methods are called by their names here.
  const run = handlers[method] as (query: unknown, call: unknown) => Promise<unknown>
  const answer = await run(query, call)
  return answer instanceof Written ? answer.json : JSON.stringify(answer)
}

/** A short name of the answer. */
async function answerOf(from: Sql, method: Method, query: Readonly<Record<string, unknown>>): Promise<string> {
  try {
    return createHash('sha256')
      .update(await textOf(from, method, query))
      .digest('hex')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
}

const PAGE = { limit: 300, offset: 0, sort: 'asc' }
const asBytes = (hex: string) => Buffer.from(hex, 'hex')

const asked: readonly (readonly [string, Method, (scene: Scene) => Readonly<Record<string, unknown>>])[] = [
  ['traces with actions', 'v3.traces', () => ({ ...PAGE, include_actions: true })],
  ['traces with balance changes', 'v3.traces', () => ({ ...PAGE, include_balance_changes: true })],
  [
    'a trace with both',
    'v3.traces',
    ({ traceId }) => ({
      ...PAGE,
      trace_id: [asBytes(traceId)],
      include_actions: true,
      include_balance_changes: true,
    }),
  ],
  ['actions with transactions', 'v3.actions', () => ({ ...PAGE, include_transactions: true })],
  ['actions with balance changes', 'v3.actions', () => ({ ...PAGE, include_balance_changes: true })],
  ['balance changes of a trace', 'v3.balanceChanges', ({ traceId }) => ({ trace_id: asBytes(traceId) })],
  ['balance changes of an action', 'v3.balanceChanges', ({ actionId }) => ({ action_id: asBytes(actionId) })],
]

describe.each(drivers)('%s', (driver) => {
  test.each(asked)('%s are of one state, whatever goes while they are read', async (_, method, queryOf) => {
    for (const change of [removeOldest, revertNewest]) {
      const states: string[] = []
      let statements = 0
      {
        const scene = await setUp(driver)
        await using store = scene.store
        const counted: Sql['query'] = (statement, options) => {
          statements++
          return store.read.query(statement, options)
        }
        states.push(await answerOf({ query: counted }, method, queryOf(scene)))
        await change(scene)
        states.push(await answerOf(store.read, method, queryOf(scene)))
      }
      expect(statements).toBeGreaterThan(2)
      for (let changedAt = 1; changedAt <= statements; changedAt++) {
        const scene = await setUp(driver)
        await using store = scene.store
        let sent = 0
        const query: Sql['query'] = async (statement, options) => {
          if (++sent === changedAt) await change(scene)
          return store.read.query(statement, options)
        }
        const found = await answerOf({ query }, method, queryOf(scene))
        expect(states, `${change.name} before statement ${changedAt}`).toContain(found)
      }
    }
  })

  test('balance changes of a trace of which a part is removed are none', async () => {
    const scene = await setUp(driver)
    await using store = scene.store
    const [trace] = await store.read.query<{ id: Buffer; nodes: number }>(
      sql`select trace_id as id, nodes from traces where nodes > 1 and state = 'complete' order by mc_seqno_end limit 1`,
    )
    if (trace === undefined) throw new Error('there is no trace of several transactions')
    const changes = () => answerOf(store.read, 'v3.balanceChanges', { trace_id: trace.id })
    expect(await changes()).toMatch(/^[0-9a-f]{64}$/)
    await store.transaction((to) =>
      to.query(sql`delete from transactions where hash in (
        select hash from transactions where trace_id = ${trace.id}::bytea order by lt limit 1)`),
    )
    expect(await changes()).toContain('only a part of the trace')
    await removeOldest(scene)
    expect(await changes()).toBe('trace not found')
  })

  test('balance changes of a trace of too many transactions are refused before these are read', async () => {
    const { store: own, traceId } = await setUp(driver)
    await using store = own
    await store.transaction((to) =>
      to.query(sql`update traces set nodes = 20001 where trace_id = ${Buffer.from(traceId, 'hex')}::bytea`),
    )
    const asked = answerOf(store.read, 'v3.balanceChanges', { trace_id: Buffer.from(traceId, 'hex') })
    expect(await asked).toBe('the trace has 20001 transactions, of which 20000 at most are added up')
  })

  test('a trace of which a part is removed is in no list, and neither are its actions', async () => {
    for (const removePart of [removeSlice, removeFirst]) {
      const scene = await setUp(driver)
      await using store = scene.store
      const trace = await oldestOfSeveral(scene)
      const found = async () => {
        const named = { ...PAGE, trace_id: [trace.id], include_actions: true }
        const asked = [named, { ...PAGE, account: trace.account }, { ...PAGE, include_actions: true }]
        const texts = await Promise.all(asked.map((query) => textOf(store.read, 'v3.traces', query)))
        return texts.map((text) => text.includes(`"trace_id":"${trace.id.toString('base64')}"`))
      }
      expect(await found(), removePart.name).toEqual([true, true, true])
      const actions = () => textOf(store.read, 'v3.actions', { ...PAGE, trace_id: [trace.id] })
      expect(await actions()).toContain('"action_id"')
      await removePart(scene, trace.id)
      const left = sql`select from transactions where trace_id = ${trace.id}::bytea`
      expect((await store.read.query(left)).length).toBe(trace.nodes - 1)
      expect(await found(), removePart.name).toEqual([false, false, false])
      if (removePart === removeSlice) expect(await actions()).not.toContain('"action_id"')
      await removeOldest(scene)
      expect(await store.read.query(left)).toEqual([])
    }
  })
})
