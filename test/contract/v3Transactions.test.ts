// Transactions of v3, held against what they are by definition.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MessageRow, TransactionRow } from '../../server/store/index.ts'
import { accountForms, base64, byCursor, byOffset, get, hashForms, hexShard, pageOf, rawOf } from '../setup/v3Ask.ts'
import { v3ForAllTests } from '../setup/v3Chain.ts'
import {
  type MessageQuestion,
  type Sort,
  type TransactionQuestion,
  transactionsByMessageLike,
  transactionsLike,
} from '../setup/v3Model.ts'

const chain = v3ForAllTests({ transactions: 300, accounts: 25 })
const service = () => chain().service
const rows = () => chain().rows
const hashes = (found: readonly TransactionRow[]) => found.map(({ hash }) => base64(hash))
const listed = (found: readonly Readonly<Record<string, unknown>>[]) => found.map(({ hash }) => hash)

const sort = fc.constantFrom<Sort>('asc', 'desc')
/** Left out so many times as often as not. */
const some = <T>(one: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })
const row = fc.nat().map((n) => rows().transactions[n % rows().transactions.length] as TransactionRow)
/** Now and then one that is not there. */
const hash = fc.oneof({ weight: 9, arbitrary: row.map((one) => one.hash) }, fc.constant(new Uint8Array(32).fill(1)))

/** Leaves out what was not chosen. */
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never

const rare = 6

/** Of one row in most of its filters, so that mostly there is something to find. */
const question: fc.Arbitrary<TransactionQuestion> = row
  .chain((anchor) => {
    const one = fc.oneof({ weight: 5, arbitrary: fc.constant(anchor) }, row)
    const list = (arbitrary: fc.Arbitrary<Uint8Array>, minLength: number) =>
      fc.array(arbitrary, { minLength, maxLength: 4 })
    const accounts = list(
      row.map(({ account }) => account),
      0,
    ).map((others) => [anchor.account, ...others])
    const named = list(hash, 0).map((others) => [...others, anchor.hash])
    return fc.record({
      workchain: some(fc.constantFrom(anchor.block.workchain, 0, -1, 5), rare),
      shard: some(
        one.map(({ block }) => block.shard),
        rare,
      ),
      seqno: some(
        one.map(({ block }) => block.seqno),
        rare,
      ),
      accounts: some(accounts, 1),
      excludeAccounts: some(
        list(
          row.map(({ account }) => account),
          1,
        ),
        rare,
      ),
      hashes: some(named, rare),
      lt: some(
        one.map(({ lt }) => lt),
        rare,
      ),
      mcSeqno: some(
        one.map(({ mcSeqno }) => mcSeqno),
        rare,
      ),
      startUtime: some(
        row.map(({ now }) => Math.min(now, anchor.now)),
        rare,
      ),
      endUtime: some(
        row.map(({ now }) => Math.max(now, anchor.now)),
        rare,
      ),
      startLt: some(
        row.map(({ lt }) => (lt < anchor.lt ? lt : anchor.lt)),
        rare,
      ),
      endLt: some(
        row.map(({ lt }) => (lt > anchor.lt ? lt : anchor.lt)),
        rare,
      ),
      traceId: some(
        one.map(({ traceId }) => traceId),
        rare,
      ),
      excludeSystem: some(fc.constant(true), 1),
    })
  })
  .map(given)

/** The question as a query, spelled this way or that. */
function queryFor(requested: TransactionQuestion, spelling: number): Record<string, unknown> {
  const spelled = (forms: readonly string[]) => forms[spelling % forms.length]
  const { shard, accounts, excludeAccounts, hashes: named, lt, startLt, endLt, traceId, ...rest } = requested
  return given({
    workchain: rest.workchain,
    seqno: rest.seqno,
    mc_seqno: rest.mcSeqno,
    start_utime: rest.startUtime,
    end_utime: rest.endUtime === undefined ? undefined : rest.endUtime + (spelling % 2) / 2,
    shard: shard === undefined ? undefined : [hexShard(shard), `0x${hexShard(shard)}`, String(shard)][spelling % 3],
    account: accounts?.map((one) => spelled(accountForms(one))),
    exclude_account: excludeAccounts?.map((one) => spelled(accountForms(one))),
    hash: named?.map((one) => spelled(hashForms(one))),
    lt,
    start_lt: startLt,
    end_lt: endLt,
    trace_id: traceId === undefined ? undefined : spelled(hashForms(traceId)),
    exclude_system: rest.excludeSystem,
  })
}

describe('transactions', () => {
  test('any filters, either way round, any page: the rows by definition', async () => {
    let full = 0
    await fc.assert(
      fc.asyncProperty(
        question,
        sort,
        fc.nat({ max: 50 }),
        fc.nat({ max: 12 }),
        async (requested, order, spelling, offset) => {
          const expected = hashes(transactionsLike(rows().transactions, requested, order))
          if (expected.length > offset) full++
          const query = { ...queryFor(requested, spelling), sort: order }
          const limit = 1 + (spelling % 20)
          const { status, body } = await get(service(), 'transactions', { ...query, limit, offset })
          const found = (body.transactions ?? []) as { hash: string }[]
          expect(status).toBe(200)
          expect(listed(found)).toEqual(expected.slice(offset, offset + limit))
          expect(body.cursor === null).toBe(expected.length <= offset + limit)
        },
      ),
      { numRuns: 180 },
    )
    expect(full).toBeGreaterThan(50)
  }, 600_000)

  test('pages by offset and by cursor add up to the whole, and one way is the other reversed', async () => {
    const busy = rows().transactions[0]?.account ?? new Uint8Array(33)
    const some = [...new Set(rows().transactions.map(({ account }) => rawOf(account)))].slice(0, 5)
    const sizes = new Map<string, number>()
    for (const { traceId } of rows().transactions) sizes.set(base64(traceId), (sizes.get(base64(traceId)) ?? 0) + 1)
    const [longest = ['']] = [...sizes].sort(([, a], [, b]) => b - a)
    for (const query of [
      {},
      { account: rawOf(busy) },
      { account: some },
      { start_utime: 0 },
      { account: rawOf(busy), end_utime: 2 ** 31 },
      { workchain: 0 },
      { mc_seqno: 1003 },
      { exclude_account: some },
      { trace_id: longest[0] },
    ]) {
      const whole = (await pageOf(service(), 'transactions', { ...query, limit: 1000 })).rows
      expect(whole.length).toBeGreaterThan(1)
      for (const limit of [Math.max(7, Math.ceil(whole.length / 5))]) {
        expect(await byOffset(service(), 'transactions', { ...query, limit })).toEqual(whole)
        expect(await byCursor(service(), 'transactions', { ...query, limit })).toEqual(whole)
        const upwards = await byCursor(service(), 'transactions', { ...query, limit, sort: 'asc' })
        const byLt = (list: typeof whole) => list.map(({ lt }) => lt)
        expect(byLt(upwards)).toEqual(byLt(whole).reverse())
        expect(new Set(listed(upwards))).toEqual(new Set(listed(whole)))
      }
    }
  })

  test('every form of an account and of a hash gives the same answer', async () => {
    const one = rows().transactions.at(-3) as TransactionRow
    const answers = await Promise.all([
      ...accountForms(one.account).map((account) => pageOf(service(), 'transactions', { account, lt: one.lt })),
      ...hashForms(one.hash).map((hash) => pageOf(service(), 'transactions', { hash })),
    ])
    expect(listed(answers[0]?.rows ?? [])).toEqual([base64(one.hash)])
    for (const { rows: found } of answers) expect(found).toEqual(answers[0]?.rows)
  })

  test('a transaction has all of itself, and the book names everybody in it', async () => {
    const sender = rows().transactions.find(
      ({ hash, inMsgHash }) =>
        inMsgHash &&
        rows().messages.filter(({ outTxHash }) => outTxHash && base64(outTxHash) === base64(hash)).length > 1,
    ) as TransactionRow
    const { body } = await get(service(), 'transactions', { hash: base64(sender.hash) })
    const [found] = body.transactions as Record<string, unknown>[]
    const sent = rows().messages.filter(({ outTxHash }) => outTxHash && base64(outTxHash) === base64(sender.hash))
    expect(found).toMatchObject({
      account: rawOf(sender.account),
      lt: String(sender.lt),
      now: sender.now,
      mc_block_seqno: sender.mcSeqno,
      trace_id: base64(sender.traceId),
      prev_trans_hash: base64(sender.prevHash),
      prev_trans_lt: String(sender.prevLt),
      total_fees: String(sender.totalFees),
      description: JSON.parse(sender.description),
      block_ref: { workchain: 0, shard: hexShard(sender.block.shard), seqno: sender.block.seqno },
      in_msg: { hash: base64(sender.inMsgHash as Uint8Array) },
      emulated: false,
      finality: 'finalized',
    })
    const byLt = [...sent].sort((a, b) => Number((a.createdLt ?? 0n) - (b.createdLt ?? 0n)))
    expect(listed(found?.out_msgs as never)).toEqual(byLt.map(({ hash }) => base64(hash)))
    const book = Object.keys(body.address_book as object)
    const named = [sender.account, ...sent.flatMap(({ destination }) => destination ?? [])].map(rawOf)
    expect(book).toEqual(expect.arrayContaining(named))
    expect(book).toEqual([...book].sort())
  })

  test('error: a masterchain block that is not indexed; one without what is requested is an empty list', async () => {
    expect(await get(service(), 'transactions', { mc_seqno: 99999999 })).toMatchObject({
      status: 404,
      body: { error: 'masterchain block 99999999 not found' },
    })
    const { status, body } = await get(service(), 'transactions', { mc_seqno: 1003, lt: 1 })
    expect([status, body]).toEqual([200, { transactions: [], address_book: {}, cursor: null }])
  })
})

describe('transactionsByMasterchainBlock', () => {
  test('all of a block and of the shard blocks it committed', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const expected = hashes(transactionsLike(rows().transactions, { mcSeqno: 1005 }, order))
      const query = { seqno: 1005, sort: order, limit: 7 }
      expect(listed(await byCursor(service(), 'transactionsByMasterchainBlock', query))).toEqual(expected)
    }
  })

  test.each([
    [{}, 0],
    [{ seqno: '' }, 0],
    [{ seqno: 7 }, 7],
    [{ seqno: -1 }, -1],
  ])('error: %j', async (query, named) => {
    const { status, body } = await get(service(), 'transactionsByMasterchainBlock', query)
    expect([status, body]).toEqual([404, { error: `masterchain block ${named} not found` }])
  })
})

describe('transactionsByMessage', () => {
  const message = fc.nat().map((n) => rows().messages[n % rows().messages.length] as MessageRow)
  const requested: fc.Arbitrary<MessageQuestion> = fc
    .record({
      hashes: some(
        fc.array(
          message.map((one) => one.hashNorm ?? one.hash),
          { minLength: 1, maxLength: 4 },
        ),
        1,
      ),
      bodyHash: some(
        message.map((one) => one.bodyHash),
        2,
      ),
      opcode: some(
        message.map((one) => one.opcode ?? 0),
        2,
      ),
      source: some(
        message.map((one) => one.source ?? undefined),
        rare,
      ),
      destination: some(
        message.map((one) => one.destination ?? undefined),
        rare,
      ),
      direction: some(fc.constantFrom('in' as const, 'out' as const)),
    })
    .map(given)
    .filter(({ hashes, bodyHash, opcode }) => [hashes, bodyHash, opcode].some((one) => one !== undefined))

  test('any filters, either way round: the transactions by definition, each once', async () => {
    await fc.assert(
      fc.asyncProperty(requested, sort, fc.nat({ max: 30 }), async (about, order, offset) => {
        const expected = hashes(transactionsByMessageLike(rows(), about, order))
        const query = given({
          msg_hash: about.hashes?.map((hash) => base64(hash)),
          body_hash: about.bodyHash && base64(about.bodyHash),
          opcode: about.opcode === undefined ? undefined : `0x${(about.opcode >>> 0).toString(16)}`,
          source: about.source ? rawOf(about.source) : undefined,
          destination: about.destination ? rawOf(about.destination) : undefined,
          direction: about.direction,
        })
        const limit = 5
        const page = await pageOf(service(), 'transactionsByMessage', { ...query, sort: order, limit, offset })
        expect(listed(page.rows)).toEqual(expected.slice(offset, offset + limit))
        expect(
          listed(await byCursor(service(), 'transactionsByMessage', { ...query, sort: order, limit: 50 })),
        ).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  }, 600_000)

  test.each([
    [{}, 'at least one of msg_hash, body_hash, opcode should be specified'],
    [{ direction: 'in' }, 'at least one of msg_hash, body_hash, opcode should be specified'],
    [{ opcode: '0', direction: '' }, 'direction should be one of: in, out'],
    [{ opcode: '0', direction: 'IN' }, 'direction should be one of: in, out'],
  ])('error: %j', async (query, error) => {
    const { status, body } = await get(service(), 'transactionsByMessage', query)
    expect([status, body]).toEqual([422, { error }])
  })

  test('a message that is unknown leads to nothing', async () => {
    const { status, body } = await get(service(), 'transactionsByMessage', { msg_hash: '00'.repeat(32) })
    expect([status, body]).toEqual([200, { transactions: [], address_book: {}, cursor: null }])
  })
})

describe('adjacentTransactions', () => {
  test('who sent what it took in, and who took in what it sent', async () => {
    for (const one of rows().transactions.filter((_, i) => i % 40 === 0)) {
      const parents = rows().messages.filter(
        ({ hash, outTxHash }) => outTxHash && one.inMsgHash && base64(hash) === base64(one.inMsgHash),
      )
      const sent = rows().messages.filter(({ outTxHash }) => outTxHash && base64(outTxHash) === base64(one.hash))
      const sentHashes = new Set(sent.map(({ hash }) => base64(hash)))
      const above = new Set(parents.map(({ outTxHash }) => base64(outTxHash as Uint8Array)))
      const at = (like: (row: TransactionRow) => boolean) =>
        hashes(transactionsLike(rows().transactions.filter(like), {}, 'asc'))
      const isParent = ({ hash }: TransactionRow) => above.has(base64(hash))
      const isChild = ({ inMsgHash }: TransactionRow) => inMsgHash !== null && sentHashes.has(base64(inMsgHash))
      for (const [direction, expected] of [
        ['in', at(isParent)],
        ['out', at(isChild)],
        ['any', at((row) => isParent(row) || isChild(row))],
      ] as const) {
        const { status, body } = await get(service(), 'adjacentTransactions', { hash: base64(one.hash), direction })
        expect(status).toBe(expected.length === 0 ? 404 : 200)
        expect(listed((body.transactions ?? []) as never)).toEqual(expected)
      }
    }
  })

  test.each([[{}], [{ hash: '00'.repeat(32) }]])('error: none for %j', async (query) => {
    const { status, body } = await get(service(), 'adjacentTransactions', query)
    expect([status, body]).toEqual([404, { error: 'adjacent transactions not found' }])
  })

  test.each(['', 'nonsense', 'A'.repeat(44)])('error: %j is no hash', async (hash) => {
    expect((await get(service(), 'adjacentTransactions', { hash })).status).toBe(422)
  })
})
