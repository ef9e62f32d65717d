// The short events of single transactions: which there are, in what order, and each byte of them.

import { expect, test } from 'vitest'
import { keyOfAccount } from '../../../server/methods/index.ts'
import type { BlockRows } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import { eventsOf, isNewContract, type WebhookFilter } from '../../../server/webhooks/webhookEvent.ts'

const idOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

interface Made {
  readonly byte: number
  readonly change: readonly [before: string, after: string]
  readonly opcode?: number | null
}

/** The cast: of a transaction only this is read. */
const transaction = ({ byte, change: [origStatus, endStatus], opcode = null }: Made) => ({
  row: {
    account: keyOfAccount({ workchain: 0, hash: idOf(byte) }),
    hash: idOf(0xf0 + byte),
    lt: 2n ** 63n + BigInt(byte),
    origStatus,
    endStatus,
  },
  inMessage: opcode === null ? null : { opcode },
})
const blockOf = (...all: readonly Made[]) => ({ transactions: all.map(transaction) }) as unknown as BlockRows

// Nothing has a subscription.
const none = null as unknown as BlockNotices
const NOTHING: WebhookFilter = { subscription: null, accounts: new Set(), opcodes: new Set(), newContracts: false }
const bodiesOf = async (rows: BlockRows, filter: Partial<WebhookFilter>, after = -1) =>
  (await eventsOf(none, rows, { filter: { ...NOTHING, ...filter }, after })).events.map(({ body }) => body)

const about = (type: string, byte: number, more = '') => {
  const [account, hash] = [idOf(byte), idOf(0xf0 + byte)].map((bytes) => Buffer.from(bytes).toString('hex'))
  return `{"event_type":"${type}","account_id":"0:${account}","tx_hash":"${hash}"${more},"lt":922337203685477580${8 + byte}}`
}

test('a new contract is an account that becomes active, and none that was frozen', async () => {
  const rows = blockOf(
    { byte: 0, change: ['nonexist', 'active'] },
    { byte: 1, change: ['frozen', 'active'] },
    ...['active', 'uninit', 'frozen', 'nonexist'].map((after): Made => ({ byte: 1, change: ['active', after] })),
    { byte: 1, change: ['nonexist', 'uninit'] },
    { byte: 1, change: ['uninit', 'active'] },
  )
  const expected = [about('new_contracts', 0), about('new_contracts', 1)]
  expect(await bodiesOf(rows, { newContracts: true })).toEqual(expected)
  expect(rows.transactions.map(isNewContract).flatMap((isNew, i) => (isNew ? [i] : []))).toEqual([0, 7])
  expect(await bodiesOf(rows, {})).toEqual([])
})

test('kind by kind in the order of transactions, and behind a position only what follows it', async () => {
  const rows = blockOf(
    { byte: 0, change: ['uninit', 'active'], opcode: 0 },
    { byte: 1, change: ['active', 'active'], opcode: -2 },
    { byte: 0, change: ['active', 'active'], opcode: 7 },
  )
  const accounts = new Set([`0:${'00'.repeat(32)}`])
  const filter = { accounts, opcodes: new Set([0, 0xfffffffe]), newContracts: true }
  const expected = [
    about('account_tx', 0),
    about('account_tx', 0),
    about('opcode_msg', 0, ',"opcode":"0x00000000"'),
    about('opcode_msg', 1, ',"opcode":"0xfffffffe"'),
    about('new_contracts', 0),
  ]
  expect(await bodiesOf(rows, filter)).toEqual(expected)
  const { events } = await eventsOf(none, rows, { filter: { ...NOTHING, ...filter }, after: -1 })
  for (const [i, { position }] of events.entries())
    expect(await bodiesOf(rows, filter, position)).toEqual(expected.slice(i + 1))
})
