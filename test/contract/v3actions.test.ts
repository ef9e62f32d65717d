// Actions of v3 over a filled database, held against the rows that are in it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supportedTypes } from '../../server/actions/index.ts'
import { actionHandlers } from '../../server/methods/v3/actions/actions.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { type ActionRow, actionsOfTracesRead, readAll, sql } from '../../server/store/index.ts'
import { actionsV3 } from '../../shared/v3/actions.ts'
import { rpc, STRICT } from '../setup/calls.ts'
import { fillActions } from '../setup/filledActions.ts'
import { type MemoryStore, openMemoryStore } from '../setup/memoryStore.ts'
import { serveMethods, type TestService } from '../setup/service.ts'
import { accountForms, base64, byCursor, byOffset, get, hashForms, type Listed, pageOf, rawOf } from '../setup/v3Ask.ts'

let store: MemoryStore
let service: TestService
let rows: readonly ActionRow[]
const PARENT = 'multisig_execute'

/** Rows that have parts, which no message of the filled chain makes. */
async function nestSome(written: readonly ActionRow[]): Promise<readonly ActionRow[]> {
  const parts = written.filter(({ type }, i) => type === 'ton_transfer' && i % 7 === 0)
  await store.transaction((to) =>
    to.query(sql`update actions set ancestor_types = ${[PARENT]}::text[]
      where action_id = any(${parts.map(({ actionId }) => actionId)}::bytea[])`),
  )
  return written.map((row) => (parts.includes(row) ? { ...row, ancestorTypes: [PARENT] } : row))
}

beforeAll(async () => {
  store = await openMemoryStore()
  rows = await nestSome(await fillActions(store, { transactions: 400, accounts: 20 }))
  const side = createSideObjects({ store: store.read, testOnly: true })
  const { 'v3.actions': spec } = actionsV3
  service = await serveMethods({
    registry: { 'v3.actions': spec },
    handlers: () => actionHandlers(store.read, side),
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await store.close()
})

type By = 'traceEndLt' | 'traceEndUtime'

function ordered(some: readonly ActionRow[], by: By = 'traceEndLt'): ActionRow[] {
  const compare = (a: ActionRow, b: ActionRow): number => {
    const [endA, endB] = by === 'traceEndLt' ? [a.endLt, b.endLt] : [a.endUtime, b.endUtime]
    if (a[by] !== b[by]) return a[by] < b[by] ? 1 : -1
    return (
      Buffer.compare(b.traceId, a.traceId) ||
      (endA === endB ? Buffer.compare(b.actionId, a.actionId) : endA < endB ? 1 : -1)
    )
  }
  return some.toSorted(compare)
}

const latest = supportedTypes([])
const isShown = ({ type, ancestorTypes }: ActionRow, types: ReadonlySet<string> = latest): boolean =>
  types.has(type) && !ancestorTypes.some((one) => types.has(one))
const shown = (): ActionRow[] => ordered(rows.filter((row) => isShown(row)))
const ids = (some: readonly ActionRow[]) => some.map(({ actionId }) => base64(actionId))
const idsOf = (some: readonly Listed[]) => some.map((row) => row.action_id)
const found = async (params: Listed) => idsOf((await pageOf(service, 'actions', { limit: 1000, ...params })).rows)
const refusal = async (params: Listed) => {
  const { status, body } = await get(service, 'actions', params)
  return [status, body]
}

const middle = (): ActionRow => {
  const all = shown()
  const row = all[all.length >> 1]
  if (row === undefined) throw new Error('there are no actions')
  return row
}
const has = (list: readonly Uint8Array[], one: Uint8Array): boolean =>
  list.some((bytes) => Buffer.compare(bytes, one) === 0)

describe('a list of actions', () => {
  test('has all of complete traces, the newest first, and turned around', async () => {
    expect(rows.length).toBeGreaterThan(200)
    expect(await found({})).toEqual(ids(shown()))
    expect(await found({ sort: 'asc' })).toEqual(ids(shown()).reverse())
  })

  test('pages add up to the whole, by offset and by cursor', async () => {
    expect(idsOf(await byOffset(service, 'actions', { limit: 60 }))).toEqual(ids(shown()))
    expect(idsOf(await byCursor(service, 'actions', { limit: 70, sort: 'asc' }))).toEqual(ids(shown()).reverse())
    const by = ordered(shown(), 'traceEndUtime')
    expect(idsOf(await byCursor(service, 'actions', { limit: 90, start_utime: 1 }))).toEqual(ids(by))
    const { body } = await get(service, 'actions', { limit: 3 })
    expect(body.next_cursor).toBe(body.cursor)
    expect('next_cursor' in (await get(service, 'actions', { limit: 1000 })).body).toBe(false)
  })

  test('error: a cursor that is damaged, of another order, or with an offset', async () => {
    const { cursor } = await pageOf(service, 'actions', { limit: 3 })
    const wrong = { error: 'invalid cursor' }
    expect(await refusal({ cursor, sort: 'asc' })).toEqual([422, wrong])
    expect(await refusal({ cursor, end_utime: 5 })).toEqual([422, wrong])
    for (const damaged of [`A${cursor}`, cursor?.slice(1), `${cursor}AA`, 'null', '!'])
      expect(await refusal({ cursor: damaged })).toEqual([422, wrong])
    expect((await refusal({ cursor, offset: 1 }))[0]).toBe(422)
  })

  test('error: a limit that is not allowed', async () => {
    expect(await refusal({ limit: 1001 })).toEqual([422, { error: 'limit is not allowed: 1001 > 1000' }])
  })
})

describe('actions are found', () => {
  test('by whom they concern, in every spelling', async () => {
    const account = middle().accounts[0] ?? new Uint8Array(33)
    const expected = ids(shown().filter((row) => has(row.accounts, account)))
    for (const form of accountForms(account)) expect(await found({ account: form })).toEqual(expected)
    const initiated = new Set<string>()
    for (const { hash } of await store.read.query<{ hash: Uint8Array }>(
      sql`select hash from transactions where account = ${account}`,
    ))
      initiated.add(base64(hash))
    const own = shown().filter((row) => has(row.accounts, account) && initiated.has(base64(row.traceId)))
    expect(await found({ account: rawOf(account), initiated_by_account: true })).toEqual(ids(own))
  })

  test('by a transaction of theirs, and by a message of one', async () => {
    const { transactions } = middle()
    const [hash = new Uint8Array(32)] = transactions
    const expected = ids(shown().filter((row) => has(row.transactions, hash)))
    for (const form of hashForms(hash)) expect(await found({ tx_hash: form })).toEqual(expected)
    const [message] = await store.read.query<{ hash: Uint8Array; norm: Uint8Array | null }>(
      sql`select m.hash, m.hash_norm as norm from messages m join transactions t on t.in_msg_hash = m.hash
        where t.hash = ${hash}`,
    )
    const senders = await store.read.query<{ hash: Uint8Array }>(
      sql`select out_tx_hash as hash from messages where hash = ${message?.hash ?? hash} and out_tx_hash is not null`,
    )
    const ends = [hash, ...senders.map((row) => row.hash)]
    const touching = ids(shown().filter((row) => ends.some((end) => has(row.transactions, end))))
    expect(await found({ msg_hash: base64(message?.hash ?? hash) })).toEqual(touching)
    if (message?.norm) expect(await found({ msg_hash: base64(message.norm) })).toEqual(touching)
  })

  test('by the block and the bounds their traces ended in', async () => {
    const { traceMcSeqnoEnd, traceEndLt, traceEndUtime } = middle()
    const inBlock = shown().filter((row) => row.traceMcSeqnoEnd === traceMcSeqnoEnd)
    expect(await found({ mc_seqno: traceMcSeqnoEnd })).toEqual(ids(inBlock))
    const from = shown().filter((row) => row.traceEndLt >= traceEndLt)
    expect(await found({ start_lt: traceEndLt })).toEqual(ids(from))
    expect(await found({ end_lt: traceEndLt })).toEqual(ids(shown().filter((row) => row.traceEndLt <= traceEndLt)))
    const until = shown().filter((row) => row.traceEndUtime <= traceEndUtime)
    expect(await found({ end_utime: traceEndUtime })).toEqual(ids(ordered(until, 'traceEndUtime')))
    expect(await refusal({ mc_seqno: 5 })).toEqual([404, { error: 'masterchain block 5 not found' }])
  })

  test('by several of these at once', async () => {
    const { accounts, transactions, traceMcSeqnoEnd } = middle()
    const [account = new Uint8Array(33)] = accounts
    const fits = (row: ActionRow) => has(row.accounts, account) && row.traceMcSeqnoEnd === traceMcSeqnoEnd
    expect(await found({ account: rawOf(account), mc_seqno: traceMcSeqnoEnd })).toEqual(ids(shown().filter(fits)))
    const both = shown().filter(
      (row) => has(row.accounts, account) && has(row.transactions, transactions[0] ?? account),
    )
    const params = { account: rawOf(account), tx_hash: base64(transactions[0] ?? account) }
    expect(await found(params)).toEqual(ids(both))
  })

  test('by type, of those a client understands or of those it names', async () => {
    const calls = shown().filter(({ type }) => type === 'call_contract')
    expect(await found({ action_type: 'call_contract' })).toEqual(ids(calls))
    const others = shown().filter(({ type }) => type !== 'call_contract')
    expect(await found({ exclude_action_type: 'call_contract' })).toEqual(ids(others))
    expect(await found({ action_type: ['call_contract', 'ton_transfer', ''] })).toEqual(
      ids(shown().filter(({ type }) => type === 'call_contract' || type === 'ton_transfer')),
    )
    expect(await found({ action_type: 'no.such_type' })).toEqual([])
    expect(await refusal({ action_type: 'a b' })).toEqual([422, { error: 'action_type contains invalid characters' }])
    expect(await refusal({ exclude_action_type: "'" })).toEqual([
      422,
      { error: 'exclude_action_type contains invalid characters' },
    ])
  })

  test('without housekeeping, alone and with other filters, page by page', async () => {
    const elector = `-1:${'3'.repeat(64)}`
    // No transaction but a clock's begins with nothing here.
    const taken = await store.read.query<{ hash: Uint8Array }>(
      sql`select t.hash from transactions t left join messages m on m.hash = t.in_msg_hash
        where m.hash is null or (m.source = ${Buffer.from(`7f${'00'.repeat(32)}`, 'hex')}
          and t.account = ${Buffer.from(`7f${'33'.repeat(32)}`, 'hex')})`,
    )
    const hashes = new Set(taken.map(({ hash }) => base64(hash)))
    const fees = shown().filter(({ transactions }) => transactions.every((hash) => hashes.has(base64(hash))))
    expect(fees.length).toBeGreaterThan(5)
    const rest = shown().filter((row) => !fees.includes(row))
    const without = { exclude_system: true }
    expect(await found(without)).toEqual(ids(rest))
    expect(await found({ exclude_system: false })).toEqual(ids(shown()))
    expect(idsOf(await byOffset(service, 'actions', { ...without, limit: 60 }))).toEqual(ids(rest))
    expect(idsOf(await byCursor(service, 'actions', { ...without, limit: 70, sort: 'asc' }))).toEqual(
      ids(rest).reverse(),
    )
    const transfers = rest.filter(({ type }) => type === 'ton_transfer')
    expect(await found({ ...without, action_type: 'ton_transfer' })).toEqual(ids(transfers))
    const timed = ordered(rest, 'traceEndUtime')
    expect(idsOf(await byCursor(service, 'actions', { ...without, limit: 90, start_utime: 1 }))).toEqual(ids(timed))
    const electors = rest.filter(({ accounts }) => accounts.some((one) => rawOf(one) === elector))
    expect(await found({ ...without, account: elector })).toEqual(ids(electors))
    // Who names an action gets it.
    const [fee] = ids(fees)
    expect(await found({ ...without, action_id: fee })).toEqual([fee])
  })

  test('parts of an action by clients that do not know the whole', async () => {
    const v1 = supportedTypes(['v1'])
    const flat = ordered(rows.filter((row) => isShown(row, v1)))
    expect(flat.length).toBeGreaterThan(shown().filter(({ type }) => v1.has(type)).length)
    expect(await found({ supported_action_types: 'v1' })).toEqual(ids(flat))
    const { body } = await get(service, 'actions', { limit: 1000, supported_action_types: ['v1', 'multisig'] })
    expect(idsOf(body.actions as Listed[])).toEqual(ids(shown().filter(({ type }) => v1.has(type))))
  })

  test('by their own ids or the ids of their traces, whatever else is requested', async () => {
    const row = middle()
    const nowhere = { start_lt: '9000000000000000000', mc_seqno: 5, exclude_action_type: row.type }
    const account = `0:${'F'.repeat(64)}`
    expect(await found({ action_id: base64(row.actionId), account, ...nowhere })).toEqual([base64(row.actionId)])
    const trace = base64(row.traceId)
    const own = shown().filter(({ traceId }) => base64(traceId) === trace)
    expect(await found({ trace_id: trace, ...nowhere })).toEqual(ids(own))
    expect(await found({ trace_id: trace, account })).toEqual([])
    const hidden = rows.find(({ ancestorTypes }) => ancestorTypes.length > 0)
    expect(await found({ action_id: base64(hidden?.actionId ?? row.actionId) })).toEqual([])
  })
})

test('an action says what it is made of, and more on request', async () => {
  const row = middle()
  const params = { action_id: base64(row.actionId), include_accounts: true, include_transactions: true }
  const { body } = await get(service, 'actions', params)
  const [action] = body.actions as Listed[]
  expect(action).toMatchObject({
    trace_id: base64(row.traceId),
    action_id: base64(row.actionId),
    start_lt: String(row.startLt),
    end_lt: String(row.endLt),
    trace_end_lt: String(row.traceEndLt),
    trace_mc_seqno_end: row.traceMcSeqnoEnd,
    transactions: row.transactions.map(base64),
    success: row.success,
    details: JSON.parse(row.details),
    accounts: row.accounts.map(rawOf),
    finality: 'finalized',
  })
  const full = action?.transactions_full as Listed[]
  expect(full.map(({ hash }) => hash)).toEqual(action?.transactions)
  const { source, destination } = JSON.parse(row.details) as Record<string, string>
  expect(Object.keys(body.address_book as object)).toEqual(expect.arrayContaining([source, destination]))
})

test('those of a trace stand in the order they began', async () => {
  const traceIds = rows.map(({ traceId }) => traceId)
  const listed = await readAll(store.read, actionsOfTracesRead(traceIds, { types: [...latest], hiddenWithin: [] }))
  expect(listed).toHaveLength(rows.filter(({ type }) => latest.has(type)).length)
  let sameTrace = 0
  for (const [i, { traceId, startLt }] of listed.entries()) {
    const before = listed[i - 1]
    if (before === undefined || base64(before.traceId) !== base64(traceId)) continue
    sameTrace++
    expect(before.startLt <= startLt).toBe(true)
  }
  expect(sameTrace).toBeGreaterThan(50)
})

test('the same over JSON-RPC', async () => {
  const { body } = await rpc(service, STRICT, 'v3.actions', { action_id: [base64(middle().actionId)] })
  expect((body.result as Listed).actions).toHaveLength(1)
})
