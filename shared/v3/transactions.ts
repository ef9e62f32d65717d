import { z } from 'zod'
import { method } from '../method.ts'
import { cursorPage, NextCursor, RULE, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import {
  AccountFilter,
  AccountList,
  HashFilter,
  HashList,
  LtFilter,
  OpcodeFilter,
  placeFilters,
  timeBounds,
} from './filters.ts'
import { AddressBook, sideExample } from './sideObjects.ts'
import { chainExamples, Transaction } from './transaction.ts'
import { readsV3 } from './values.ts'

const group = 'transactions'

const Transactions = z
  .object({ transactions: z.array(Transaction), address_book: AddressBook })
  .meta({ id: 'TransactionsResponse' })
const TransactionsPage = z
  .object({ transactions: z.array(Transaction), address_book: AddressBook, cursor: NextCursor })
  .meta({ id: 'TransactionsPage' })

const { address_book } = sideExample
const found = { transactions: [chainExamples.transaction], address_book }
const page = { ...found, cursor: null }

const DIRECTIONS: Readonly<Record<string, 'in' | 'out'>> = { in: 'in', out: 'out' }

export const Direction = z
  .string()
  .max(8)
  .transform((text, context): 'in' | 'out' => {
    const direction = Object.hasOwn(DIRECTIONS, text) ? DIRECTIONS[text] : undefined
    if (direction) return direction
    context.addIssue({ code: 'custom', message: 'direction should be one of: in, out', params: RULE })
    return z.NEVER
  })
  .meta({ id: 'Direction', description: '`in` or `out`.' })

/** Whatever else is said means both. */
const EitherWay = z
  .string()
  .max(128)
  .transform((text) => (Object.hasOwn(DIRECTIONS, text) ? (DIRECTIONS[text] ?? null) : null))
  .meta({ description: '`in` for who sent the message it took in, `out` for who took in what it sent; else both.' })

export const transactions = {
  'v3.transactions': method({
    summary: 'Transactions by logical time. All filters that are given hold together.',
    group,
    params: z.strictObject({
      ...placeFilters,
      mc_seqno: Int32.optional().meta({ description: 'Committed by this masterchain block.' }),
      account: AccountList.optional(),
      exclude_account: AccountList.optional(),
      hash: HashList.optional(),
      lt: LtFilter.optional(),
      ...timeBounds,
      ...cursorPage(),
      sort: Sort,
    }),
    result: TransactionsPage,
    rest: readsV3('transactions'),
    freshness: 'index',
    paged: true,
    example: { params: { account: [chainExamples.WALLET], limit: 1 }, result: page },
  }),

  'v3.transactionsByMasterchainBlock': method({
    summary: 'Transactions of a masterchain block and of all blocks of shards it committed.',
    group,
    params: z.strictObject({
      seqno: Int32.default(0).meta({ description: 'Of the masterchain block.' }),
      ...cursorPage(),
      sort: Sort,
    }),
    result: TransactionsPage,
    rest: readsV3('transactionsByMasterchainBlock'),
    freshness: 'index',
    paged: true,
    example: { params: { seqno: 1 }, result: page },
  }),

  'v3.transactionsByMessage': method({
    summary: 'The transactions that sent or took in a message, found by its hash, its body or its opcode.',
    group,
    params: z.strictObject({
      msg_hash: HashList.optional().meta({ description: 'Either of its hashes.' }),
      body_hash: HashFilter.optional(),
      opcode: OpcodeFilter.optional().meta({ description: 'Only transactions that took such a message in.' }),
      direction: Direction.optional(),
      source: AccountFilter.optional(),
      destination: AccountFilter.optional(),
      ...cursorPage(),
      sort: Sort,
    }),
    result: TransactionsPage,
    rest: readsV3('transactionsByMessage'),
    freshness: 'index',
    paged: true,
    example: { params: { msg_hash: [chainExamples.received.hash] }, result: page },
  }),

  'v3.adjacentTransactions': method({
    summary: 'The transactions next to one in its trace: who sent what it took in, who took in what it sent.',
    group,
    params: z.strictObject({ hash: HashFilter.optional(), direction: EitherWay.optional() }),
    result: Transactions,
    rest: readsV3('adjacentTransactions'),
    freshness: 'index',
    example: { params: { hash: chainExamples.transaction.hash }, result: found },
  }),
}
