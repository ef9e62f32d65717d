import { z } from 'zod'
import { listedWords } from '../listedWords.ts'
import { method } from '../method.ts'
import { cursorPage, RULE, Sort } from '../page.ts'
import { Int32 } from '../primitives.ts'
import {
  AccountFilter,
  AccountList,
  blockFilters,
  ExcludeSystem,
  HashFilter,
  HashList,
  LtFilter,
  OpcodeFilter,
  timeBounds,
} from './filters.ts'
import { bookField, bookPageFields, sideExample } from './sideObjects.ts'
import { chainExamples, Transaction } from './transaction.ts'
import { readsV3 } from './values.ts'

const group = 'transactions'

const Transactions = z
  .object({ transactions: z.array(Transaction).describe('Transactions found.'), ...bookField })
  .meta({ id: 'TransactionsResponse' })
const TransactionsPage = z
  .object({
    transactions: z.array(Transaction).describe('Transactions of this page.'),
    ...bookPageFields,
  })
  .meta({ id: 'TransactionsPage' })

const { address_book } = sideExample
const found = { transactions: [chainExamples.transaction], address_book }
const page = { ...found, cursor: null }

const DIRECTIONS: Readonly<Record<string, 'in' | 'out'>> = { in: 'in', out: 'out' }

export const Direction = listedWords(
  z
    .string()
    .max(8)
    .transform((text, context): 'in' | 'out' => {
      const direction = Object.hasOwn(DIRECTIONS, text) ? DIRECTIONS[text] : undefined
      if (direction) return direction
      context.addIssue({ code: 'custom', message: 'direction should be one of: in, out', params: RULE })
      return z.NEVER
    }),
  ['in', 'out'],
  { id: 'Direction', description: '`in` or `out`.' },
)

/** Any other text means both. */
const EitherWay = listedWords(
  z
    .string()
    .max(128)
    .transform((text) => (Object.hasOwn(DIRECTIONS, text) ? (DIRECTIONS[text] ?? null) : null)),
  ['in', 'out'],
)

/** What is said of a message that a transaction received or sent. */
const byMessage = {
  msg_hash: HashList.optional().describe('Messages by hash or normalized hash.'),
  body_hash: HashFilter.optional().describe('Only messages with this body hash.'),
  opcode: OpcodeFilter.optional().describe('Only received messages with this opcode.'),
  direction: Direction.optional().describe('`in`: transactions that received the message; `out`: that sent it.'),
  source: AccountFilter.optional().describe('Only messages from this account.'),
  destination: AccountFilter.optional().describe('Only messages to this account.'),
}

export const transactionsV3 = {
  'v3.transactions': method({
    summary: 'Transactions by logical time. Filters are combined with AND.',
    description:
      'The history of one or several accounts: pass `account` and page with `cursor`. v3.actions has it in terms of a user (a transfer, a swap), v3.traces everything a transaction led to; a trace that is too large for that comes in pages with `trace_id`.',
    group,
    params: z.strictObject({
      ...blockFilters,
      mc_seqno: Int32.optional().describe('Only transactions committed by this masterchain block.'),
      account: AccountList.optional().describe('Only transactions of these accounts.'),
      exclude_account: AccountList.optional().describe('No transactions of these accounts.'),
      hash: HashList.optional().describe('Only transactions with these hashes.'),
      lt: LtFilter.optional().describe('Only transactions with this logical time.'),
      trace_id: HashFilter.optional().describe(
        'Only transactions of this trace, finished or not: the hash of its first one.',
      ),
      ...timeBounds,
      ...byMessage,
      exclude_system: ExcludeSystem,
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
    summary: 'Transactions of a masterchain block and of all shard blocks it committed.',
    description:
      'To process every transaction once, call it for each seqno up to that of v3.masterchainInfo. For some accounts only use v3.transactions with `mc_seqno`.',
    group,
    params: z.strictObject({
      seqno: Int32.default(0).describe('Seqno of the masterchain block.'),
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
    summary: 'Transactions that sent or received a message, by its hash, body hash or opcode.',
    description:
      'To see what became of a message: pass its hash or normalized hash as `msg_hash`. Empty until the block is indexed; before that use v3.pendingTransactions.',
    group,
    params: z.strictObject({
      ...byMessage,
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
    summary: 'Neighbours of a transaction in its trace: the sender of its message, the receivers of its messages.',
    description:
      'One step along a trace without reading all of it; 404 when there is no neighbour. For the whole trace use v3.traces.',
    group,
    params: z.strictObject({
      hash: HashFilter.optional().describe('Transaction to start from.'),
      direction: EitherWay.optional().describe(
        '`in` for the sender of its message, `out` for the receivers of its messages; else both.',
      ),
    }),
    result: Transactions,
    rest: readsV3('adjacentTransactions'),
    freshness: 'index',
    example: { params: { hash: chainExamples.transaction.hash }, result: found },
  }),
}
