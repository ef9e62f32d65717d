// Pages of messages are written from the columns as the database sent them: the same text as from rows, whatever these have.

import { describe, expect, onTestFinished, test } from 'vitest'
import { beginCell, type Cell, writeBoc } from '../../../server/cell/index.ts'
import { toIndexedMessage } from '../../../server/methods/view/v3/message.ts'
import {
  type MessageFilter,
  messagesRead,
  readPage,
  type SortDirection,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { ask } from '../../setup/calls.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledRows } from '../../setup/filler.ts'
import { serveV3Over } from '../../setup/v3Chain.ts'

const [filled] = filledRows({ transactions: 120, accounts: 12, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const [usual] = filled.messages.filter(({ kind }) => kind === 'internal')
if (usual === undefined) throw new Error('there are no messages')

const comment = (text: string): Cell => beginCell().storeUint(0, 32).storeBytes(new TextEncoder().encode(text)).end()

const withBody = (body: Cell) => ({ bodyHash: body.hashBytes(), body: writeBoc(body) })

/** Longer than what stands in the row of its message. */
const long = (seed: number): Cell =>
  [1, 2, 3, 4, 5].reduce<Cell | null>((ref, i) => {
    const cell = beginCell()
    for (let word = 0; word < 31; word++) cell.storeUint((seed * word + i) % 256, 32)
    return (ref === null ? cell : cell.storeRef(ref)).end()
  }, null) as Cell

const account = new Uint8Array(33).fill(0xab).fill(127, 0, 1)
const of63Bits = 2n ** 63n - 1n
const of64Bits = 2n ** 63n

/** What a row can have, from a message that has nothing to one that has all. */
const odd = [
  {
    source: null,
    destination: null,
    value: null,
    valueExtra: null,
    fwdFee: null,
    ihrFee: null,
    extraFlags: null,
    importFee: null,
    createdLt: null,
    createdAt: null,
    opcode: null,
    ihrDisabled: null,
    bounce: null,
    bounced: null,
    initHash: null,
    init: null,
    outTxHash: null,
    outLt: null,
    hashNorm: null,
  },
  { ...withBody(comment('"quotes", \\ back\nand ü – 😀 \u2028')), opcode: 0 },
  { ...withBody(comment('\u0000\u001f ends')), opcode: -1, source: account, destination: account },
  { ...withBody(long(3)), opcode: 0x5fcc3d14, init: writeBoc(long(5)), initHash: long(5).hashBytes() },
  { init: writeBoc(comment('init')), initHash: comment('init').hashBytes() },
  { value: 2n ** 120n - 1n, valueExtra: { '239': '12', '4294967295': String(2n ** 200n) }, extraFlags: 3n },
  { opcode: -2, bounced: true },
  { opcode: -2, bounced: false },
  { createdLt: of63Bits, createdAt: 2 ** 32 - 1, opcode: -(2 ** 31), ihrDisabled: false, bounce: false, bounced: true },
  {
    kind: 'externalIn',
    source: null,
    createdLt: null,
    createdAt: null,
    importFee: of63Bits,
    hashNorm: account.slice(1),
  },
  { kind: 'externalIn', source: null, createdLt: null, createdAt: null, importFee: of64Bits },
  { kind: 'externalIn', source: null, createdLt: null, createdAt: null, importFee: 2n ** 120n - 1n },
] as const

async function setUp(driver: Driver) {
  const store = await emptyStore(driver)
  onTestFinished(() => store[Symbol.asyncDispose]())
  const messages = odd.map((fields, i) => ({ ...usual, ...fields, hash: new Uint8Array(32).fill(i + 1) }))
  const rows = { ...filled, messages: [...(filled?.messages ?? []), ...messages] } as NonNullable<typeof filled>
  await store.transaction((to) => writeMasterBlocks(to, rows))
  const service = await serveV3Over(store.read)
  onTestFinished(() => service[Symbol.asyncDispose]())
  return { store, service }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const raw = (key: Uint8Array): string => encodeURIComponent(`${(key[0] ?? 0) - 128}:${hex(key.subarray(1))}`)

const some =
  filled.messages.filter(({ destination, source }) => destination !== null && source !== null).at(-9) ?? usual
const { source, destination } = some

const filters: readonly (readonly [query: string, filter: MessageFilter])[] = [
  ['', {}],
  ['direction=in', { direction: 'in' }],
  ['direction=out', { direction: 'out' }],
  ['only_externals=true', { onlyExternals: true }],
  ['exclude_externals=true', { excludeExternals: true }],
  ['source=null', { source: null }],
  ['destination=null', { destination: null }],
  [`source=${raw(source ?? account)}`, { source }],
  [`destination=${raw(destination ?? account)}`, { destination }],
  [`opcode=${usual.opcode}`, { opcode: usual.opcode ?? 0 }],
  [`body_hash=${hex(usual.bodyHash)}`, { bodyHash: usual.bodyHash }],
  [`msg_hash=${hex(some.hash)}`, { hashes: [some.hash] }],
  [`msg_hash=${'00'.repeat(32)}`, { hashes: [new Uint8Array(32)] }],
  [`end_lt=${some.createdLt}`, { endLt: some.createdLt ?? 0n }],
  [`start_utime=${some.createdAt}`, { startUtime: some.createdAt ?? 0 }],
]

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

describe.each(drivers)('%s', (driver) => {
  test('pages are the text of their rows, with each filter, from both ends', async () => {
    const { store, service } = await setUp(driver)
    const sorts: readonly SortDirection[] = ['asc', 'desc']
    const seen = new Set<string>()
    for (const [query, filter] of filters)
      for (const sort of sorts)
        for (const limit of [3, 1000]) {
          const request = { limit, offset: 0, after: null }
          const { rows, next } = await readPage(store.read, messagesRead(filter, request, sort))
          const expected = rows.map((row) => ({
            ...toIndexedMessage(row),
            ...(row.inTxHash === null ? {} : { in_msg_tx_hash: base64(row.inTxHash) }),
            ...(row.outTxHash === null ? {} : { out_msg_tx_hash: base64(row.outTxHash) }),
          }))
          for (const row of rows) seen.add(hex(row.hash))
          const { text } = await ask(service, `/api/v3/messages?${query}&sort=${sort}&limit=${limit}`)
          const list = `{"messages":${JSON.stringify(expected)},"cursor":${next === null ? 'null' : '"'}`
          expect(text.slice(0, list.length), `${query} ${sort} ${limit}`).toBe(list)
        }
    // No page was empty for want of rows: each message was on one.
    expect(seen.size).toBe((filled?.messages.length ?? 0) + odd.length)
  })

  test('names are those of the accounts at the ends, each once, in order', async () => {
    const { service } = await setUp(driver)
    const { body } = await ask(service, '/api/v3/messages?limit=40')
    const { messages, address_book, metadata } = body as {
      readonly messages: readonly { readonly source: string | null; readonly destination: string | null }[]
      readonly address_book: Readonly<Record<string, unknown>>
      readonly metadata: Readonly<Record<string, unknown>>
    }
    const ends = messages.flatMap(({ source, destination }) => [source, destination]).filter((end) => end !== null)
    expect(Object.keys(address_book)).toEqual([...new Set(ends)].sort())
    expect(metadata).toEqual({})
    const without = await ask(service, '/api/v3/messages?limit=40', { headers: { 'x-no-address-book': 'true' } })
    expect(without.body).toEqual({ ...body, address_book: {} })
  })
  test('a page along one index is one statement, with names and tokens', async () => {
    const { store } = await setUp(driver)
    let statements = 0
    const counted: typeof store.read = {
      query(statement, options) {
        statements++
        return store.read.query(statement, options)
      },
    }
    const service = await serveV3Over(counted)
    onTestFinished(() => service[Symbol.asyncDispose]())
    await ask(service, '/api/v3/messages?limit=40')
    statements = 0
    const { text } = await ask(service, `/api/v3/messages?source=${raw(source ?? account)}&limit=40`)
    expect(text).toContain('"address_book":{"')
    expect(statements).toBe(1)
  })
})
