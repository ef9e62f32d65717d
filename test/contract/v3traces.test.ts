// Traces of v3 through a running service, held against the rows they were made of.

import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import { sql, type TraceRow } from '../../server/store/index.ts'
import { toBase64, toBase64Url } from '../../shared/base64.ts'
import { toHex } from '../../shared/hex.ts'
import type { TraceNode } from '../../shared/v3/traces.ts'
import { ask, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { v3ForAll } from '../setup/v3Service.ts'

const running = v3ForAll({ transactions: 250 })

type Params = Readonly<Record<string, unknown>>
interface Trace {
  readonly trace_id: string
  readonly end_lt: string
  readonly end_utime: number
  readonly trace: TraceNode
  readonly transactions_order: string[]
  readonly transactions: Record<string, { account: string; lt: string; in_msg: { hash: string } | null }>
  readonly trace_info: Params
  readonly [name: string]: unknown
}

const get = async (params: Params = {}, path = 'traces', headers: Record<string, string> = {}) => {
  const { status, body } = await ask(running().service, `/api/v3/${path}${queryOf(params)}`, { headers })
  return { status, body }
}

async function tracesBy(params: Params): Promise<Trace[]> {
  const { status, body } = await get({ limit: 1000, ...params })
  expect([status, body.error]).toEqual([200, undefined])
  return body.traces as Trace[]
}

const compare = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b)
/** Complete ones, the last to end first. */
const complete = (): TraceRow[] =>
  [...running().known.traces.values()]
    .filter(({ state }) => state === 'complete')
    .sort((a, b) => (a.endLt === b.endLt ? compare(b.traceId, a.traceId) : a.endLt < b.endLt ? 1 : -1))

const idsOf = (traces: readonly Trace[]) => traces.map(({ trace_id }) => trace_id)
const names = (rows: readonly TraceRow[]) => rows.map(({ traceId }) => toBase64(traceId))
const largest = (): TraceRow => {
  const [first, ...others] = complete()
  if (!first) throw new Error('no trace is complete')
  return others.reduce((most, one) => (one.nodes > most.nodes ? one : most), first)
}

describe('a trace', () => {
  test('has all its transactions, in a tree and by hash', async () => {
    const row = largest()
    const [trace] = await tracesBy({ trace_id: toBase64(row.traceId), include_actions: true })
    if (!trace) throw new Error('the trace is not there')
    const own = running().known.transactions.filter(({ traceId }) => compare(traceId, row.traceId) === 0)
    expect(own.length).toBe(row.nodes)
    const ordered = own.sort((a, b) => (a.lt === b.lt ? compare(a.account, b.account) : a.lt < b.lt ? -1 : 1))
    expect(trace.transactions_order).toEqual(ordered.map(({ hash }) => toBase64(hash)))
    expect(Object.keys(trace.transactions)).toEqual([...trace.transactions_order].sort())
    const inTree: string[] = []
    const walk = (node: TraceNode, parent: TraceNode | null) => {
      inTree.push(node.tx_hash)
      expect(node.in_msg_hash).toBe(trace.transactions[node.tx_hash]?.in_msg?.hash)
      if (parent)
        expect(Number(trace.transactions[node.tx_hash]?.lt)).toBeGreaterThan(
          Number(trace.transactions[parent.tx_hash]?.lt),
        )
      for (const child of node.children) walk(child, node)
    }
    walk(trace.trace, null)
    expect([...inTree].sort()).toEqual(Object.keys(trace.transactions))
    expect(trace.trace.tx_hash).toBe(trace.trace_id)
    expect(trace).toMatchObject({
      external_hash: row.externalHash && toBase64(row.externalHash),
      mc_seqno_start: String(row.mcSeqnoStart),
      mc_seqno_end: String(row.mcSeqnoEnd),
      start_lt: String(row.startLt),
      start_utime: row.startUtime,
      end_lt: String(row.endLt),
      end_utime: row.endUtime,
      is_incomplete: false,
      actions: [],
      trace_info: {
        trace_state: 'complete',
        messages: row.edges,
        transactions: row.nodes,
        pending_messages: 0,
        classification_state: 'unclassified',
      },
    })
    expect(trace).not.toHaveProperty('warning')
  })

  test('with more transactions than are wanted comes with the part of the account', async () => {
    const row = largest()
    const ofTrace = running().known.transactions.filter(({ traceId }) => compare(traceId, row.traceId) === 0)
    const [{ account } = { account: new Uint8Array() }] = ofTrace
    const own = ofTrace.filter((one) => compare(one.account, account) === 0).sort((a, b) => (a.lt < b.lt ? -1 : 1))
    const wanted = { account: rawOfKey(account), include_actions: true }
    const most = row.nodes - 1
    const whole = await tracesBy(wanted)
    const parts = await tracesBy({ ...wanted, max_transactions: most })
    expect(idsOf(parts)).toEqual(idsOf(whole))
    const isSmall = ({ trace_info: info }: Trace) => Number(info.transactions) <= most
    expect(parts.filter(isSmall)).toEqual(whole.filter(isSmall))
    const id = toBase64(row.traceId)
    const large = parts.find(({ trace_id }) => trace_id === id)
    expect(large).toMatchObject({ is_incomplete: true, actions: [], trace_info: { transactions: row.nodes } })
    expect(large).not.toHaveProperty('trace')
    expect(large?.transactions_order).toEqual(own.slice(0, 20).map(({ hash }) => toBase64(hash)))
    const all = whole.find(({ trace_id }) => trace_id === id)
    for (const hash of large?.transactions_order ?? [])
      expect(large?.transactions[hash]).toEqual(all?.transactions[hash])
    const [named] = await tracesBy({ trace_id: id, max_transactions: most })
    expect(named).toMatchObject({ is_incomplete: true, warning: 'trace is too large' })
    expect(named).not.toHaveProperty('transactions')
  })

  test('is found by each of its names, in every spelling of a hash', async () => {
    const row = complete().find(({ externalHash, nodes }) => externalHash !== null && nodes > 2)
    const own = running().known.transactions.filter(({ traceId }) => row && compare(traceId, row.traceId) === 0)
    const [, second] = own
    if (!row?.externalHash || !second?.inMsgHash) throw new Error('no such trace')
    const [whole] = await tracesBy({ trace_id: toBase64(row.traceId) })
    const [external] = await running().store.read.query<{ hash: Uint8Array; hash_norm: Uint8Array | null }>(
      sql`select hash, hash_norm from messages where hash = ${row.externalHash}`,
    )
    const hashes = [
      ['trace_id', row.traceId],
      ['tx_hash', second.hash],
      ['msg_hash', second.inMsgHash],
      ['msg_hash', row.externalHash],
      ['msg_hash', external?.hash_norm ?? row.externalHash],
    ] as const
    for (const [name, hash] of hashes) {
      for (const text of [toBase64(hash), toBase64Url(hash), toHex(hash), `0x${toHex(hash).toUpperCase()}`]) {
        expect(await tracesBy({ [name]: text })).toEqual([whole])
      }
    }
    expect(await tracesBy({ tx_hash: own.map(({ hash }) => toBase64(hash)) })).toEqual([whole])
  })

  test('is not there before it is complete', async () => {
    const pending = [...running().known.traces.values()].filter(({ state }) => state === 'pending')
    expect(pending.length).toBeGreaterThan(0)
    expect(await tracesBy({ trace_id: names(pending) })).toEqual([])
  })

  test('that is too large is said to be there, and nothing more', async () => {
    const row = largest()
    await running().store.transaction((to) =>
      to.query(sql`update traces set nodes = 4001 where trace_id = ${row.traceId}`),
    )
    try {
      const [trace] = await tracesBy({ trace_id: toBase64(row.traceId), include_actions: true })
      expect(trace).toMatchObject({ is_incomplete: true, warning: 'trace is too large' })
      for (const name of ['trace', 'transactions', 'transactions_order', 'actions'])
        expect(trace).not.toHaveProperty(name)
    } finally {
      await running().store.transaction((to) =>
        to.query(sql`update traces set nodes = ${row.nodes} where trace_id = ${row.traceId}`),
      )
    }
  })
})

describe('a list of traces', () => {
  test('has the last to end first, ten by default', async () => {
    const { body } = await get()
    expect(idsOf(body.traces as Trace[])).toEqual(names(complete()).slice(0, 10))
    expect(idsOf(await tracesBy({}))).toEqual(names(complete()))
  })

  test('asc is desc turned around', async () => {
    for (const filter of [
      {},
      { start_utime: 1 },
      { account: rawOfKey(running().known.transactions[3]?.account ?? new Uint8Array(33)) },
    ]) {
      const down = idsOf(await tracesBy({ ...filter, sort: 'desc' }))
      expect(idsOf(await tracesBy({ ...filter, sort: 'ASC' }))).toEqual(down.reverse())
    }
  })

  test('pages add up to the whole, by offset and by cursor', async () => {
    const account = rawOfKey(running().known.transactions[3]?.account ?? new Uint8Array(33))
    for (const filter of [{}, { account }, { end_utime: 2 ** 31 }]) {
      const whole = idsOf(await tracesBy(filter))
      const byOffset: string[] = []
      for (let offset = 0; ; offset += 13) {
        const page = idsOf(await tracesBy({ ...filter, limit: 13, offset }))
        byOffset.push(...page)
        if (page.length < 13) break
      }
      expect(byOffset).toEqual(whole)
      const byCursor: string[] = []
      let cursor: unknown
      do {
        const { body } = await get({ ...filter, limit: 13, ...(cursor ? { cursor } : {}) })
        byCursor.push(...idsOf(body.traces as Trace[]))
        cursor = body.cursor
      } while (cursor !== null)
      expect(byCursor).toEqual(whole)
    }
  })

  test('by account has those the account takes part in', async () => {
    const { transactions } = running().known
    const account = transactions[5]?.account ?? new Uint8Array(33)
    const its = new Set(
      transactions.filter((one) => compare(one.account, account) === 0).map(({ traceId }) => toHex(traceId)),
    )
    const expected = complete().filter(({ traceId }) => its.has(toHex(traceId)))
    expect(idsOf(await tracesBy({ account: rawOfKey(account) }))).toEqual(names(expected))
    const seqno = expected[0]?.mcSeqnoEnd ?? 0
    const inBlock = expected.filter(({ mcSeqnoEnd }) => mcSeqnoEnd === seqno)
    expect(idsOf(await tracesBy({ account: rawOfKey(account), mc_seqno: seqno }))).toEqual(names(inBlock))
  })

  test('by when they ended, bounds included', async () => {
    const rows = complete()
    const middle = rows[Math.floor(rows.length / 2)] ?? largest()
    const utime = middle.endUtime
    const where = (keep: (row: TraceRow) => boolean) => names(rows.filter(keep)).sort()
    const ids = async (params: Params) => idsOf(await tracesBy(params)).sort()
    expect(await ids({ start_lt: middle.endLt })).toEqual(where(({ endLt }) => endLt >= middle.endLt))
    expect(await ids({ end_lt: middle.endLt })).toEqual(where(({ endLt }) => endLt <= middle.endLt))
    expect(await ids({ start_utime: utime })).toEqual(where(({ endUtime }) => endUtime >= utime))
    expect(await ids({ end_utime: utime })).toEqual(where(({ endUtime }) => endUtime <= utime))
    expect(await ids({ start_utime: utime, end_utime: utime })).toEqual(where(({ endUtime }) => endUtime === utime))
    const { mcSeqnoEnd } = middle
    expect(await ids({ mc_seqno: mcSeqnoEnd })).toEqual(where((row) => row.mcSeqnoEnd === mcSeqnoEnd))
  })

  test('events are the same with actions', async () => {
    const { body } = await get({ include_actions: 'true', limit: 5 })
    const events = await get({ limit: 5 }, 'events')
    expect(events.status).toBe(200)
    expect(events.body.events).toEqual(body.traces)
    expect(events.body.address_book).toEqual(body.address_book)
    expect(events.body).not.toHaveProperty('traces')
    for (const event of events.body.events as Trace[]) expect(event.actions).toEqual([])
  })

  test('JSON-RPC says the same as REST', async () => {
    const { body } = await get({ limit: 3 })
    expect((await rpc(running().service, STRICT, 'v3.traces', { limit: 3 })).body.result).toEqual(body)
  })

  test('the address book has every account of every transaction, unless it is not wished for', async () => {
    const { body } = await get({ limit: 3 })
    const book = Object.keys(body.address_book as object)
    for (const { transactions } of body.traces as Trace[])
      for (const { account } of Object.values(transactions)) expect(book).toContain(account)
    expect(book).toEqual([...book].sort())
    const { body: bare } = await get({ limit: 3 }, 'traces', { 'X-No-Address-Book': 'true', 'X-No-Metadata': 'true' })
    expect(bare).toEqual({ ...body, address_book: {}, metadata: {} })
  })
})

describe('refusals', () => {
  const HASH = `${'A'.repeat(43)}=`
  const ONE = 'only one of account, trace_id, tx_hash, msg_hash should be specified'
  test.each([
    [{ trace_id: HASH, tx_hash: HASH }, ONE],
    [{ account: `0:${'0'.repeat(64)}`, msg_hash: HASH }, ONE],
    [{ account: 'x' }, 'error converting value for "account"'],
    [{ account: '' }, 'error converting value for "account"'],
    [{ trace_id: '' }, 'error converting value for index 0 of "trace_id"'],
    [{ tx_hash: [HASH, 'zz'] }, 'error converting value for index 1 of "tx_hash"'],
    [{ msg_hash: `${HASH},x` }, 'error converting value for index 1 of "msg_hash"'],
    [{ mc_seqno: 'x' }, 'error converting value for "mc_seqno"'],
    [{ start_utime: -1 }, '"start_utime"'],
    [{ end_utime: 2 ** 32 }, '"end_utime"'],
    [{ start_lt: '-1' }, 'error converting value for "start_lt"'],
    [{ end_lt: '18446744073709551616' }, 'error converting value for "end_lt"'],
    [{ include_actions: 'perhaps' }, 'error converting value for "include_actions"'],
    [{ sort: 'up' }, 'wrong value for sort parameter'],
    [{ limit: 1001 }, 'limit is not allowed: 1001 > 1000'],
    [{ cursor: 'abc' }, 'cursor is not one of this method'],
  ])('%j', async (params, words) => {
    for (const path of ['traces', 'events']) {
      const { status, body } = await get(params, path)
      expect([status, body.error]).toEqual([422, expect.stringContaining(words)])
    }
  })

  test('a masterchain block that is not indexed', async () => {
    expect(await get({ mc_seqno: 7 })).toEqual({ status: 404, body: { error: 'masterchain block 7 not found' } })
  })

  test('hashes that nothing has are no mistake', async () => {
    expect(await tracesBy({ msg_hash: HASH })).toEqual([])
  })

  test('words for actions are read, whatever they are', async () => {
    expect((await get({ limit: 1, supported_action_types: ['v2', 'no,such'] })).status).toBe(200)
  })
})
