// Laws of streams about the demo: what is sent of its last hours, to a reader that comes back to their beginning, is what v3 has,
// each once, and with all names.

import { beforeAll, expect, test } from 'vitest'
import type { Action, Message, Transaction } from '../../client/index.ts'
import { type StreamNotification, stream } from '../../client/ws.ts'
import { endOfBlock, writeStreamCursor } from '../../server/streaming/streamCursor.ts'
import { allOf, playedForAllTests } from '../setup/playedDemo.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'

const ROOM_MS = 600_000
/** A cursor is good for a day. */
const LAST_HOURS = 20 * 3600
const TYPES = [
  'transactions',
  'actions',
  'account_state_change',
  'jettons_change',
  'nfts_change',
  'blocks',
  'heads',
] as const

const { url, client } = playedForAllTests()
const heard: StreamNotification[] = []
/** The block behind which all was heard. */
let begin = 0

beforeAll(async () => {
  // After it there is no block that waited for the start of the service.
  const { seqno } = await client().dev.mine({ blocks: 1 })
  await untilIndexed(client(), seqno)
  const blocks = await allOf(client().v3.blocks.each({ workchain: -1, limit: 500, sort: 'asc' }))
  const head = blocks.at(-1)
  const first = blocks.find(({ gen_utime }) => Number(gen_utime) > Number(head?.gen_utime) - LAST_HOURS)
  begin = first?.seqno ?? 0
  const after = writeStreamCursor(
    endOfBlock({ mcSeqno: begin, rootHash: Buffer.from(first?.root_hash ?? '', 'base64') }),
  )
  const wish = { addresses: ['*'], include_address_book: true, include_metadata: true, after }
  for await (const one of stream({ url: url(), types: TYPES, ...wish })) {
    heard.push(one)
    if (one.type === 'heads' && one.head.seqno === head?.seqno) break
  }
}, ROOM_MS)

/** Streams name a message from outside by its normalised hash also where that is its hash, and give it no currencies. */
const fromOutside = ({ hash_norm: _, ...message }: Message): Message => ({ ...message, value_extra_currencies: null })
const asInV3 = (row: Transaction): Transaction =>
  row.in_msg === null || row.in_msg.source !== null ? row : { ...row, in_msg: fromOutside(row.in_msg) }

/** Traces that began outside and ended in the blocks that were heard. */
let traces: ReadonlySet<string> = new Set()
beforeAll(async () => {
  const listed = await allOf(client().v3.traces.each({ limit: 200 }))
  const began = listed.filter(({ trace_id, mc_seqno_end, transactions = {} }) => {
    const root = transactions[trace_id ?? '']?.in_msg
    return Number(mc_seqno_end) > begin && root?.source === null
  })
  traces = new Set(began.map(({ trace_id }) => trace_id ?? ''))
}, ROOM_MS)

test('transactions are those of v3, each once', { timeout: ROOM_MS }, async () => {
  expect(traces.size).toBeGreaterThan(80)
  const wanted = (await allOf(client().v3.transactions.each({ limit: 500 }))).filter(({ trace_id }) =>
    traces.has(trace_id ?? ''),
  )
  const found = heard.flatMap((one) => (one.type === 'transactions' ? one.transactions : []))
  const byHash = new Map(found.map((row) => [row.hash, row]))
  expect(found).toHaveLength(wanted.length)
  expect(new Set(byHash.keys())).toEqual(new Set(wanted.map(({ hash }) => hash)))
  for (const row of wanted) expect(asInV3(byHash.get(row.hash) ?? row)).toEqual(asInV3(row))
})

test('actions are those of v3, each once', { timeout: ROOM_MS }, async () => {
  const listed = await allOf(client().v3.actions.each({ limit: 500, include_accounts: true }))
  const wanted = listed.filter(({ trace_id }) => traces.has(trace_id ?? ''))
  const found = heard.flatMap((one) => (one.type === 'actions' ? one.actions : []))
  // In v3 an action of the type unknown has no normalised hash.
  const plain = (action: Action) => ({
    ...action,
    trace_external_hash_norm: undefined,
    accounts: new Set(action.accounts),
  })
  const byId = new Map(found.map((action) => [action.action_id, action]))
  expect(found).toHaveLength(wanted.length)
  expect(new Set(byId.keys())).toEqual(new Set(wanted.map(({ action_id }) => action_id)))
  for (const action of wanted) expect(plain(byId.get(action.action_id) ?? action)).toEqual(plain(action))
})

test('the last states of accounts and jetton wallets are those of v3', { timeout: ROOM_MS }, async () => {
  const states = new Map(
    heard.flatMap((one) => (one.type === 'account_state_change' ? [[one.account, one.state]] : [])),
  )
  expect(states.size).toBeGreaterThan(50)
  const { accounts } = await client().v3.accountStates({ address: [...states.keys()] })
  expect(accounts).toHaveLength(states.size)
  for (const { address, account_state_hash, balance, code_hash = null, data_hash = null } of accounts) {
    const state = states.get(address)
    expect([address, state?.hash]).toEqual([address, account_state_hash])
    // Of an account that is no more, only the hash is known.
    if (state?.account_status !== null) expect(state).toMatchObject({ balance, code_hash, data_hash })
  }
  const wallets = new Map(
    heard.flatMap((one) => (one.type === 'jettons_change' ? [[one.jetton.address, one.jetton]] : [])),
  )
  const { jetton_wallets } = await client().v3.jetton.wallets({ address: [...wallets.keys()], limit: 500 })
  expect(jetton_wallets.map((one) => wallets.get(one.address))).toEqual(jetton_wallets)
  expect(wallets.size).toBe(jetton_wallets.length)
})

test('blocks are those of v3, each once', { timeout: ROOM_MS }, async () => {
  const nameOf = (block: { workchain: number; seqno: number }) => `${block.workchain} ${block.seqno}`
  const listed = await allOf(client().v3.blocks.each({ limit: 500 }))
  const masters = new Set(listed.filter(({ workchain, seqno }) => workchain === -1 && seqno > begin).map(nameOf))
  const found = heard.flatMap((one) => (one.type === 'blocks' ? [one.block] : []))
  expect(new Set(found.map(nameOf)).size).toBe(found.length)
  expect(new Set(found.filter(({ workchain }) => workchain === -1).map(nameOf))).toEqual(masters)
  const known = new Map(listed.map((block) => [nameOf(block), block]))
  for (const block of found) expect(block).toEqual(known.get(nameOf(block)))
})

test('each notification has a cursor of its own, and names all accounts in it and no more', () => {
  const cursors = heard.map((one) => ('cursor' in one ? one.cursor : undefined))
  expect(new Set(cursors).size).toBe(heard.length)
  for (const one of heard) {
    if (!('address_book' in one)) continue
    const { address_book, metadata: _, ...rest } = one
    const there = new Set(JSON.stringify(rest).match(/(?<=")-?\d+:[0-9A-F]{64}(?=")/g))
    expect([rest, new Set(Object.keys(address_book ?? {}))]).toEqual([rest, there])
  }
})
