import { z } from 'zod'
import { parseAddress } from '../address.ts'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { parseHash } from '../parseHash.ts'
import { AnyAddress, Int32, LogicalTime, optionalName, Seqno, Shard } from '../primitives.ts'
import { blockIdExample, TonBlockIdExt, TransactionId, transactionIdExample } from './tonlib.ts'
import { BlockTransaction, ExtTransaction, ShortTransactionId, TransactionStd } from './transaction.ts'
import { transactionExamples } from './transactionExamples.ts'

const group = 'transactions'

const MOST_TRANSACTIONS = 1000
const MOST_IN_BLOCK = 10_000

const optionalHash = (description: string) =>
  optionalName('hash', parseHash).meta({ format: 'ton-hash', description }).optional()

const history = z.strictObject({
  address: AnyAddress.describe('The account, in raw or friendly form.'),
  limit: z
    .int()
    .min(1, 'limit should be positive')
    .max(MOST_TRANSACTIONS, `limit should be less or equal ${MOST_TRANSACTIONS}`)
    .default(10)
    .describe('Maximum number of transactions.'),
  lt: LogicalTime.optional().meta({
    description: 'Logical time of the transaction to start at; requires `hash`; default: the newest.',
  }),
  hash: optionalHash('Hash of the transaction to start at; requires `lt`.'),
  to_lt: LogicalTime.optional().meta({ description: 'Return only transactions with a greater logical time.' }),
  archival: z.boolean().optional().meta({ description: 'Ignored: accepted for clients that send it.' }),
})

const inBlock = z.strictObject({
  workchain: Int32.describe('-1 for the masterchain, 0 for the basechain.'),
  shard: Shard.describe('Shard prefix, 64 bits: signed decimal or 16 hex digits; 8000000000000000 is the whole.'),
  seqno: Seqno.describe('Height of the block in its shard.'),
  root_hash: optionalHash('Root hash of the block; used only with `file_hash`.'),
  file_hash: optionalHash('File hash of the block; used only with `root_hash`.'),
  after_lt: LogicalTime.optional().meta({
    description: 'Logical time of the last transaction of the previous page; requires `after_hash`.',
  }),
  after_hash: optionalName('account hash', (text) => parseHash(text) ?? parseAddress(text)?.hash ?? null)
    .meta({ format: 'ton-hash', description: 'Account of that transaction: its address or the 32 bytes of it.' })
    .optional(),
  count: z
    .int()
    .min(1, 'count should be positive')
    .max(MOST_IN_BLOCK, `count should be less or equal ${MOST_IN_BLOCK}`)
    .default(40)
    .describe('Maximum number of transactions.'),
})

const message = z.strictObject({
  source: AnyAddress.describe('Sender of the message.'),
  destination: AnyAddress.describe('Recipient of the message.'),
  created_lt: LogicalTime.meta({ description: 'Logical time the message was created at: `created_lt` of it.' }),
})

const { WALLET } = exampleValues
const MESSAGE = { source: WALLET, destination: WALLET, created_lt: '47670702000007' }

const listed = {
  id: TonBlockIdExt.describe('The block.'),
  req_count: z.int().describe('`count` of the request.'),
  incomplete: z.boolean().describe('Whether the block has more: continue with `after_lt` and `after_hash`.'),
}

export const transactionsV2 = {
  getTransactions: method({
    summary: 'Transactions of an account, newest first.',
    description:
      'To page, pass `lt` and `hash` of the last one: it is returned again as the first. For filters, time ranges or several accounts use v3.transactions.',
    group,
    params: history,
    result: z.array(ExtTransaction),
    rest: readsV2('getTransactions'),
    freshness: 'block',
    example: { params: { address: WALLET, limit: 1 }, result: [transactionExamples.legacy] },
  }),

  getTransactionsStd: method({
    summary: 'Transactions of an account, newest first, with the id of the next page.',
    description: 'To page, pass `lt` and `hash` of `previous_transaction_id`: nothing is returned twice.',
    group,
    params: history,
    result: z
      .object({
        '@type': z.literal('raw.transactions'),
        transactions: z.array(TransactionStd).describe('Newest first.'),
        previous_transaction_id: TransactionId.describe('Where the next page starts; zeros at the end of the history.'),
      })
      .meta({ id: 'RawTransactions', description: 'A page of transactions.' }),
    rest: readsV2('getTransactionsStd'),
    freshness: 'block',
    example: {
      params: { address: WALLET, limit: 1 },
      result: {
        '@type': 'raw.transactions',
        transactions: [transactionExamples.std],
        previous_transaction_id: transactionIdExample,
      },
    },
  }),

  getBlockTransactions: method({
    summary: 'Ids of the transactions of a block.',
    description: 'In the order of accounts. Small: for whole transactions use getBlockTransactionsExt.',
    group,
    params: inBlock,
    result: z
      .object({
        '@type': z.literal('blocks.transactions'),
        ...listed,
        transactions: z.array(ShortTransactionId).describe('By account and logical time.'),
      })
      .meta({ id: 'BlockTransactions', description: 'Ids of the transactions of a block.' }),
    rest: readsV2('getBlockTransactions'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: '-9223372036854775808', seqno: 1 },
      result: {
        '@type': 'blocks.transactions',
        id: blockIdExample,
        req_count: 40,
        incomplete: false,
        transactions: [transactionExamples.short],
      },
    },
  }),

  getBlockTransactionsExt: method({
    summary: 'Transactions of a block.',
    description: 'In the order of accounts. A full block is megabytes: keep `count` small or use getBlockTransactions.',
    group,
    params: inBlock,
    result: z
      .object({
        '@type': z.literal('blocks.transactionsExt'),
        ...listed,
        transactions: z.array(BlockTransaction).describe('By account and logical time.'),
      })
      .meta({ id: 'BlockTransactionsExt', description: 'Transactions of a block.' }),
    rest: readsV2('getBlockTransactionsExt'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: '-9223372036854775808', seqno: 1 },
      result: {
        '@type': 'blocks.transactionsExt',
        id: blockIdExample,
        req_count: 40,
        incomplete: false,
        transactions: [transactionExamples.inBlock],
      },
    },
  }),

  tryLocateTx: method({
    summary: 'Transaction that received a message.',
    description:
      'Searches the blocks of the recipient; an error 404 until the message arrived. By hash of the message use v3.transactionsByMessage.',
    group,
    params: message,
    result: ExtTransaction,
    rest: readsV2('tryLocateTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),

  tryLocateResultTx: method({
    summary: 'Transaction that received a message.',
    description: 'Another name of tryLocateTx.',
    group,
    params: message,
    result: ExtTransaction,
    rest: readsV2('tryLocateResultTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),

  tryLocateSourceTx: method({
    summary: 'Transaction that sent a message.',
    description: 'Searches the blocks of the sender. By hash of the message use v3.transactionsByMessage.',
    group,
    params: message,
    result: ExtTransaction,
    rest: readsV2('tryLocateSourceTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),
}
