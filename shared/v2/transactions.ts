import { z } from 'zod'
import { parseAddress } from '../address.ts'
import { parseHash } from '../hash.ts'
import { method, readsV2 } from '../method.ts'
import { Address, clip, Int32, LogicalTime, Seqno, Shard } from '../primitives.ts'
import { BlockIdExt } from './tonlib.ts'
import { BlockTransaction, ShortTransactionId, Transaction, TransactionId, TransactionStd } from './transaction.ts'
import { transactionExamples } from './transactionExamples.ts'

const group = 'transactions'

const MOST_TRANSACTIONS = 1000
const MOST_IN_BLOCK = 10_000

/** Absent when empty, as some callers send every parameter they know. */
const optionalBytes = (what: string, description: string, read: (text: string) => Uint8Array | null) =>
  z
    .string()
    .max(128)
    .transform((text, context): Uint8Array | undefined => {
      if (text === '') return undefined
      const bytes = read(text)
      if (bytes) return bytes
      context.addIssue(`invalid ${what}: '${clip(text)}'`)
      return z.NEVER
    })
    .meta({ format: 'ton-hash', description })
    .optional()

const optionalHash = (description: string) => optionalBytes('hash', description, parseHash)

const history = z.strictObject({
  address: Address,
  limit: z
    .int()
    .min(1, 'limit should be positive')
    .max(MOST_TRANSACTIONS, `limit should be less or equal ${MOST_TRANSACTIONS}`)
    .default(10),
  lt: LogicalTime.optional().meta({ description: 'Start at this transaction; goes together with `hash`.' }),
  hash: optionalHash('Hash of the transaction to start at; goes together with `lt`.'),
  to_lt: LogicalTime.optional().meta({ description: 'Only transactions after this logical time.' }),
  archival: z.boolean().optional().meta({ description: 'Accepted and ignored: all history is at hand.' }),
})

const inBlock = z.strictObject({
  workchain: Int32,
  shard: Shard,
  seqno: Seqno,
  root_hash: optionalHash('Of the block; looked up unless `file_hash` is given too.'),
  file_hash: optionalHash('Of the block; looked up unless `root_hash` is given too.'),
  after_lt: LogicalTime.optional().meta({ description: 'Go on behind this transaction; together with `after_hash`.' }),
  after_hash: optionalBytes(
    'account hash',
    'Hash of the account of that transaction, or its address.',
    (text) => parseHash(text) ?? parseAddress(text)?.hash ?? null,
  ),
  count: z
    .int()
    .min(1, 'count should be positive')
    .max(MOST_IN_BLOCK, `count should be less or equal ${MOST_IN_BLOCK}`)
    .default(40),
})

const message = z.strictObject({
  source: Address,
  destination: Address,
  created_lt: LogicalTime.meta({ description: 'Logical time the message was created at.' }),
})

const WALLET = '0:a9d768fabaa98823a00533997be583369d0ea125e71aa2d0d9cad36d9cb8d118'
const MESSAGE = { source: WALLET, destination: WALLET, created_lt: '47670702000007' }

const listed = { id: BlockIdExt, req_count: z.int(), incomplete: z.boolean() }

export const transactions = {
  getTransactions: method({
    summary: 'Transactions of an account, newest first; the one to start at is the first of them.',
    group,
    params: history,
    result: z.array(Transaction),
    rest: readsV2('getTransactions'),
    freshness: 'block',
    example: { params: { address: WALLET, limit: 1 }, result: [transactionExamples.legacy] },
  }),

  getTransactionsStd: method({
    summary: 'Transactions of an account, newest first, and where to go on.',
    group,
    params: history,
    result: z
      .object({
        '@type': z.literal('raw.transactions'),
        transactions: z.array(TransactionStd),
        previous_transaction_id: TransactionId,
      })
      .meta({ id: 'RawTransactions' }),
    rest: readsV2('getTransactionsStd'),
    freshness: 'block',
    example: {
      params: { address: WALLET, limit: 1 },
      result: {
        '@type': 'raw.transactions',
        transactions: [transactionExamples.std],
        previous_transaction_id: transactionExamples.id,
      },
    },
  }),

  getBlockTransactions: method({
    summary: 'Names of the transactions of a block, by account and logical time.',
    group,
    params: inBlock,
    result: z
      .object({ '@type': z.literal('blocks.transactions'), ...listed, transactions: z.array(ShortTransactionId) })
      .meta({ id: 'BlockTransactions' }),
    rest: readsV2('getBlockTransactions'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: '-9223372036854775808', seqno: 1 },
      result: {
        '@type': 'blocks.transactions',
        id: transactionExamples.block,
        req_count: 40,
        incomplete: false,
        transactions: [transactionExamples.short],
      },
    },
  }),

  getBlockTransactionsExt: method({
    summary: 'Transactions of a block, by account and logical time.',
    group,
    params: inBlock,
    result: z
      .object({ '@type': z.literal('blocks.transactionsExt'), ...listed, transactions: z.array(BlockTransaction) })
      .meta({ id: 'BlockTransactionsExt' }),
    rest: readsV2('getBlockTransactionsExt'),
    freshness: 'block',
    example: {
      params: { workchain: -1, shard: '-9223372036854775808', seqno: 1 },
      result: {
        '@type': 'blocks.transactionsExt',
        id: transactionExamples.block,
        req_count: 40,
        incomplete: false,
        transactions: [transactionExamples.inBlock],
      },
    },
  }),

  tryLocateTx: method({
    summary: 'The transaction that took a message.',
    group,
    params: message,
    result: Transaction,
    rest: readsV2('tryLocateTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),

  tryLocateResultTx: method({
    summary: 'The transaction that took a message.',
    group,
    params: message,
    result: Transaction,
    rest: readsV2('tryLocateResultTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),

  tryLocateSourceTx: method({
    summary: 'The transaction that sent a message.',
    group,
    params: message,
    result: Transaction,
    rest: readsV2('tryLocateSourceTx'),
    freshness: 'block',
    example: { params: MESSAGE, result: transactionExamples.legacy },
  }),
}
