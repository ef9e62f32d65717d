// Messages of v3, held against what they are by definition.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MessageRow } from '../../server/store/index.ts'
import { accountForms, base64, byCursor, byOffset, get, hashForms, pageOf, rawOf } from '../setup/v3Ask.ts'
import { v3ForAllTests } from '../setup/v3Chain.ts'
import { consumerOf, type MessageQuestion, messagesLike, type Sort } from '../setup/v3Model.ts'

const chain = v3ForAllTests({ transactions: 300, accounts: 25 })
const service = () => chain().service
const rows = () => chain().rows
const listed = (found: readonly Readonly<Record<string, unknown>>[]) => found.map(({ hash }) => hash)

const sort = fc.constantFrom<Sort>('asc', 'desc')
/** Left out so many times as often as not. */
const some = <T>(one: fc.Arbitrary<T>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never

const message = fc.nat().map((n) => rows().messages[n % rows().messages.length] as MessageRow)
const time = fc.nat().map((n) => rows().transactions[n % rows().transactions.length]?.now ?? 0)
const lt = fc.nat().map((n) => rows().transactions[n % rows().transactions.length]?.lt ?? 0n)

/** Of one message in what it says, so that mostly there is something to find. */
const question: fc.Arbitrary<MessageQuestion> = message
  .chain((anchor) => {
    const names = fc.array(
      message.map(({ hash, hashNorm }) => hashNorm ?? hash),
      { maxLength: 4 },
    )
    return fc.record({
      hashes: some(names.map((others) => [...others, anchor.hash])),
      bodyHash: some(fc.constant(anchor.bodyHash), 6),
      source: some(fc.constantFrom(anchor.source, anchor.source, null)),
      destination: some(fc.constantFrom(anchor.destination, anchor.destination, null)),
      opcode: some(fc.constantFrom(anchor.opcode ?? 0, anchor.opcode ?? 0, 7), 6),
      direction: some(fc.constantFrom('in' as const, 'out' as const)),
      startUtime: some(time, 8),
      endUtime: some(time, 8),
      startLt: some(lt, 8),
      endLt: some(lt, 8),
      excludeExternals: some(fc.boolean()),
      onlyExternals: some(fc.boolean(), 6),
    })
  })
  .map(given)

function queryFor(requested: MessageQuestion, spelling: number): Record<string, unknown> {
  const spelled = (forms: readonly string[]) => forms[spelling % forms.length]
  const end = (account: Uint8Array | null | undefined) =>
    account === undefined ? undefined : account === null ? 'null' : spelled(accountForms(account))
  const { opcode } = requested
  const opcodeForms = opcode === undefined ? [] : [(opcode >>> 0).toString(16), `0X${(opcode >>> 0).toString(16)}`]
  return given({
    msg_hash: requested.hashes?.map((one) => spelled(hashForms(one))),
    body_hash: requested.bodyHash && spelled(hashForms(requested.bodyHash)),
    source: end(requested.source),
    destination: end(requested.destination),
    opcode: opcode === undefined ? undefined : spelled(opcodeForms),
    direction: requested.direction,
    start_utime: requested.startUtime,
    end_utime: requested.endUtime,
    start_lt: requested.startLt,
    end_lt: requested.endLt,
    exclude_externals: requested.excludeExternals,
    only_externals: requested.onlyExternals,
  })
}

/** The transactions at the ends of a message, as far as they are shown. */
function endsOf(row: MessageRow, { direction }: MessageQuestion) {
  const consumer = direction === 'out' ? undefined : consumerOf(rows(), row)
  const producer = direction === 'in' ? null : row.outTxHash
  return {
    ...(consumer ? { in_msg_tx_hash: base64(consumer.hash) } : {}),
    ...(producer ? { out_msg_tx_hash: base64(producer) } : {}),
  }
}

describe('messages', () => {
  test('any filters, either way round, any page: the messages by definition', async () => {
    let full = 0
    await fc.assert(
      fc.asyncProperty(
        question,
        sort,
        fc.nat({ max: 50 }),
        fc.nat({ max: 12 }),
        async (requested, order, spelling, offset) => {
          const expected = messagesLike(rows(), requested, order)
          if (expected.length > offset) full++
          const limit = 1 + (spelling % 20)
          const query = { ...queryFor(requested, spelling), sort: order, limit, offset }
          const { rows: found, cursor } = await pageOf(service(), 'messages', query)
          const page = expected.slice(offset, offset + limit)
          expect(listed(found)).toEqual(page.map(({ hash }) => base64(hash)))
          expect(cursor === null).toBe(expected.length <= offset + limit)
          const shown = found.map(({ in_msg_tx_hash, out_msg_tx_hash }) => given({ in_msg_tx_hash, out_msg_tx_hash }))
          expect(shown).toEqual(page.map((row) => endsOf(row, requested)))
        },
      ),
      { numRuns: 180 },
    )
    expect(full).toBeGreaterThan(50)
  })

  test('pages by offset and by cursor add up to the whole, and one way is the other reversed', async () => {
    // Of the basechain: the masterchain's own accounts only receive.
    const [first] = rows().messages.flatMap(({ destination }) => (destination?.[0] === 128 ? [destination] : []))
    const busy = rawOf(first ?? new Uint8Array(33))
    for (const query of [
      {},
      { start_utime: 1 },
      { start_lt: 1 },
      { destination: busy },
      { source: busy },
      { opcode: '0' },
      { source: 'null' },
      { destination: 'null' },
      { only_externals: true },
      { exclude_externals: true },
      { direction: 'in' },
    ]) {
      const whole = (await pageOf(service(), 'messages', { ...query, limit: 1000 })).rows
      expect(whole.length).toBeGreaterThan(1)
      const limit = Math.max(7, Math.ceil(whole.length / 5))
      expect(await byOffset(service(), 'messages', { ...query, limit })).toEqual(whole)
      expect(await byCursor(service(), 'messages', { ...query, limit })).toEqual(whole)
      expect(await byCursor(service(), 'messages', { ...query, limit, sort: 'asc' })).toEqual([...whole].reverse())
    }
  })

  test('both hashes of a message lead to it, in every form, by either name of the parameter', async () => {
    const outside = rows().messages.find(({ hashNorm }) => hashNorm !== null) as MessageRow
    const forms = [outside.hash, outside.hashNorm as Uint8Array].flatMap(hashForms)
    const answers = await Promise.all(
      forms.flatMap((form) => [
        pageOf(service(), 'messages', { msg_hash: form }),
        pageOf(service(), 'messages', { hash: form }),
        pageOf(service(), 'messages', { msg_hash: form, hash: '00'.repeat(32) }),
      ]),
    )
    expect(listed(answers[0]?.rows ?? [])).toEqual([base64(outside.hash)])
    for (const { rows: found } of answers) expect(found).toEqual(answers[0]?.rows)
    const all = await pageOf(service(), 'messages', {})
    expect(await pageOf(service(), 'messages', { hash: 'no hash at all' })).toEqual(all)
  })

  test('a message says what it has, by kind', async () => {
    const one = async (kind: MessageRow['kind']) => {
      const row = rows().messages.find((some) => some.kind === kind) as MessageRow
      const { body } = await get(service(), 'messages', { msg_hash: base64(row.hash) })
      const [found] = body.messages as Record<string, unknown>[]
      return { row, found, body }
    }
    const internal = await one('internal')
    expect(internal.found).toMatchObject({
      source: rawOf(internal.row.source as Uint8Array),
      destination: rawOf(internal.row.destination as Uint8Array),
      value: String(internal.row.value),
      value_extra_currencies: {},
      fwd_fee: String(internal.row.fwdFee),
      created_lt: String(internal.row.createdLt),
      created_at: String(internal.row.createdAt),
      opcode: `0x${((internal.row.opcode ?? 0) >>> 0).toString(16).padStart(8, '0')}`,
      import_fee: null,
      message_content: { hash: base64(internal.row.bodyHash), body: base64(internal.row.body), decoded: null },
      init_state: null,
    })
    expect(internal.found).not.toHaveProperty('hash_norm')
    expect(Object.keys(internal.body.address_book as object).length).toBeGreaterThan(0)
    expect(internal.body.metadata).toEqual({})
    const outside = await one('externalIn')
    const nothing = { value: null, value_extra_currencies: null, fwd_fee: null, created_lt: null, created_at: null }
    expect(outside.found).toMatchObject({ source: null, ...nothing, bounce: null, import_fee: '0' })
    const log = await one('externalOut')
    expect(log.found).toMatchObject({ destination: null, value: null, import_fee: null, bounced: null })
    expect(log.found?.created_lt).toBe(String(log.row.createdLt))
  })

  test('messages from outside come first in the newest first, and last the other way', async () => {
    const kinds = async (query: Record<string, unknown>) =>
      (await pageOf(service(), 'messages', { ...query, limit: 1 })).rows.map(({ created_lt }) => created_lt === null)
    expect(await kinds({})).toEqual([true])
    expect(await kinds({ sort: 'asc' })).toEqual([false])
    expect(await kinds({ start_lt: 1 })).toEqual([false])
  })

  test('both flags of externals leave nothing', async () => {
    const { status, body } = await get(service(), 'messages', { exclude_externals: true, only_externals: true })
    expect([status, body]).toEqual([200, { messages: [], address_book: {}, metadata: {}, cursor: null }])
  })

  test.each([[{ direction: '' }], [{ direction: 'both' }]])('error: %j', async (query) => {
    const { status, body } = await get(service(), 'messages', query)
    expect([status, body]).toEqual([422, { error: 'direction should be one of: in, out' }])
  })
})
