// v3.transactions by what is said of a message, alone and next to its own filters.

import { describe, expect, test } from 'vitest'
import { base64, byCursor, get, pageOf, rawOf } from '../setup/v3Ask.ts'
import { v3ForAllTests } from '../setup/v3Chain.ts'

const chain = v3ForAllTests({ transactions: 200, accounts: 20 })
const service = () => chain().service
const hashes = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ hash }) => hash)

/** A message with both its transactions. */
function moved() {
  const { messages, transactions } = chain().rows
  for (const message of messages) {
    const sender = transactions.find(
      ({ hash }) => message.outTxHash !== null && base64(hash) === base64(message.outTxHash),
    )
    const receiver = transactions.find(
      ({ inMsgHash }) => inMsgHash !== null && base64(inMsgHash) === base64(message.hash),
    )
    if (sender !== undefined && receiver !== undefined) return { message, sender, receiver }
  }
  throw new Error('no message with both its transactions')
}

const listOf = (query: Readonly<Record<string, unknown>>) => byCursor(service(), 'transactions', query)
const refused = async (query: Readonly<Record<string, unknown>>) => {
  const { status, body } = await get(service(), 'transactions', query)
  return [status, body.error]
}

describe('transactions', () => {
  test('by a message alone they are those of transactionsByMessage', async () => {
    const { message } = moved()
    const opcode = chain().rows.messages.find((one) => one.opcode !== null)?.opcode ?? 0
    for (const query of [
      { msg_hash: base64(message.hash) },
      { msg_hash: base64(message.hash), direction: 'out' },
      { body_hash: base64(message.bodyHash), sort: 'asc' },
      { opcode: `0x${(opcode >>> 0).toString(16)}`, limit: 3 },
    ]) {
      const expected = await byCursor(service(), 'transactionsByMessage', query)
      expect(expected.length).toBeGreaterThan(0)
      expect(await listOf(query)).toEqual(expected)
    }
  })

  test('by a message next to an account, a time or other filters', async () => {
    const { message, sender, receiver } = moved()
    const named = { msg_hash: base64(message.hash) }
    expect(hashes(await listOf({ ...named, account: rawOf(receiver.account) }))).toContain(base64(receiver.hash))
    expect(hashes(await listOf({ ...named, hash: base64(sender.hash) }))).toEqual([base64(sender.hash)])
    expect(hashes(await listOf({ ...named, lt: String(receiver.lt) }))).toEqual([base64(receiver.hash)])
    expect(hashes(await listOf({ ...named, end_utime: sender.now - 1 }))).toEqual([])
    expect((await pageOf(service(), 'transactions', { ...named, account: `0:${'57'.repeat(32)}` })).rows).toEqual([])
  })

  test('what names no message is refused', async () => {
    const { message } = moved()
    const account = rawOf(moved().receiver.account)
    const direction = 'direction can be specified only with msg_hash or opcode'
    expect(await refused({ direction: 'in' })).toEqual([422, direction])
    expect(await refused({ direction: 'in', body_hash: base64(message.bodyHash) })).toEqual([422, direction])
    expect(await refused({ direction: 'up', msg_hash: base64(message.hash) })).toEqual([
      422,
      'direction should be one of: in, out',
    ])
    expect(await refused({ source: account })).toEqual([
      422,
      'at least one of msg_hash, body_hash, opcode should be specified',
    ])
    expect(await refused({ opcode: '0x1', account })).toEqual([422, expect.stringContaining('msg_hash')])
  })
})
