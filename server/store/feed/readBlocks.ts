// Several masterchain blocks that follow each other, read with a few statements.

import { inPieces } from '../../fairness/index.ts'
import type { MasterId, Sql } from '../database.ts'
import { groupBy, grouping } from '../groupBy.ts'
import { bytesKey, distinctValues } from '../read/bytesKey.ts'
import { messageBytesOfBlocks } from '../read/listBytes.ts'
import { orderBy } from '../read/order.ts'
import { inRounds, readAll, type StoreRead } from '../read/read.ts'
import { equalsAnyHash } from '../read/shortKey.ts'
import { WHOLE_SHARD_PREFIX } from '../read/timesOfLts.ts'
import type { TransactionFound } from '../read/transactionParts.ts'
import { byLt, SELECT_TRANSACTIONS } from '../read/transactions.ts'
import { sql } from '../sql.ts'
import { type ActionRow, actions } from '../tables/actions.ts'
import { type BlockRow, blocks, type TransactionRow, transactions } from '../tables/chain.ts'
import type { AccountKey } from '../tables/column.ts'
import { contractTables, type JettonWalletRow } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type TraceRow, traces } from '../tables/traces.ts'
import { keying, makingRowsOfBlock, masterBlockOf, type ReadBlockRows } from './blockRows.ts'
import { readPartsInSlices } from './partsInSlices.ts'

/** Of one read; a single block may have more transactions. */
const MOST_BLOCKS = 16
const MOST_TRANSACTIONS = 1000
/** Transactions that are read without a look at the bytes of their messages. */
const FEW = 2

const blocksRead = (from: number, to: number): StoreRead<BlockRow> => ({
  statement: sql`select ${blocks.select('b')} from blocks b where b.mc_seqno >= ${from} and b.mc_seqno <= ${to}
    order by b.mc_seqno, b.workchain, b.shard, b.seqno`,
  toValue: blocks.decode,
})

const transactionsRead = (from: number, to: number): StoreRead<TransactionRow> => ({
  statement: sql`${SELECT_TRANSACTIONS} where t.mc_seqno >= ${from} and t.mc_seqno <= ${to}
    ${orderBy(byLt('asc'), sql`t`)}`,
  toValue: transactions.decode,
})

const tracesRead = (ids: readonly Uint8Array[]): StoreRead<TraceRow> => ({
  statement: sql`select ${traces.select('k')} from traces k where k.trace_id = any(${ids}::bytea[])`,
  toValue: traces.decode,
})

/** All actions of some traces. */
export const allActionsRead = (ids: readonly Uint8Array[]): StoreRead<ActionRow> => ({
  statement: sql`select ${actions.select('a')} from actions a where ${equalsAnyHash(sql`a.trace_id`, ids)}
    order by a.trace_id, a.start_lt, a.end_lt, a.action_id`,
  toValue: actions.decode,
})

export const walletsRead = (accounts: readonly AccountKey[]): StoreRead<JettonWalletRow> => ({
  statement: sql`select ${contractTables.jettonWallets.select('w')} from jetton_wallets w
    where w.account = any(${accounts}::bytea[])`,
  toValue: contractTables.jettonWallets.decode,
})

const { seqno, rootHash } = blocks.fields
const decodeMaster = decoderOf({ seqno, rootHash })

const SELECT_MASTERS = sql`select b.seqno, b.root_hash from blocks b
  where b.workchain = -1 and b.shard = ${WHOLE_SHARD_PREFIX}`

/** Hashes of masterchain blocks, the last first. */
export const mastersRead = (from: number, to: number): StoreRead<MasterId> => ({
  statement: sql`${SELECT_MASTERS} and b.seqno >= ${from} and b.seqno <= ${to} order by b.seqno desc`,
  toValue: decodeMaster,
})

/** One of them, while the index keeps all blocks from a seqno on. That bound is moved before rows are removed. */
const keptMasterRead = (seqno: number, first: number): StoreRead<MasterId> => ({
  statement: sql`${SELECT_MASTERS} and b.seqno = ${seqno}
    and not exists (select from indexer_cursor c where c.pruned_before > ${first})`,
  toValue: decodeMaster,
})

/** The same for a list of seqnos; those that are not indexed are left out. */
export const readMasterHashes = (from: Sql, seqnos: readonly number[]): Promise<MasterId[]> =>
  readAll(from, {
    statement: sql`${SELECT_MASTERS} and b.seqno = any(${seqnos}::int8[]) order by b.seqno desc`,
    toValue: decodeMaster,
  })

/** Those of the blocks that one read takes: whole masterchain blocks, at least one. */
function fewOf(found: readonly BlockRow[]): readonly (readonly [number, BlockRow[]])[] {
  let left = MOST_TRANSACTIONS
  return [...groupBy(found, ({ mcSeqno }) => mcSeqno)].filter(([, own], i) => {
    left -= own.reduce((sum, { txCount }) => sum + txCount, 0)
    return i === 0 || left >= 0
  })
}

const accountsOf = (rows: readonly TransactionRow[]): AccountKey[] => distinctValues(rows.map(({ account }) => account))

/**
 * Masterchain blocks from a seqno on, up to another one: the first of them and as many as fit one read. Empty when the first is not
 * in the index, or when blocks were undone or removed while they were read.
 */
export async function readBlocks(
  from: Sql,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ReadBlockRows[]> {
  const found = await readAll(from, blocksRead(first, Math.min(last, first + MOST_BLOCKS - 1)))
  const few = fewOf(found)
  const end = few.at(-1)
  if (few[0]?.[0] !== first || end === undefined) return []
  const count = few.reduce((sum, [, own]) => sum + own.reduce((all, { txCount }) => all + txCount, 0), 0)
  const [rows, bytes] = await Promise.all([
    readAll(from, transactionsRead(first, end[0])),
    count <= FEW ? 0 : messageBytesOfBlocks(from, { first, last: end[0] }),
  ])
  const ids = distinctValues(rows.map(({ traceId }) => traceId))
  const [parts, touched, done, wallets] = await Promise.all([
    readPartsInSlices(from, rows, bytes),
    inRounds(ids, (some) => readAll(from, tracesRead(some))),
    inRounds(ids, (some) => readAll(from, allActionsRead(some))),
    inRounds(accountsOf(rows), (some) => readAll(from, walletsRead(some))),
  ])
  // Of blocks that were undone or removed meanwhile, a part may have been read before and a part after.
  const [head] = await readAll(from, keptMasterRead(end[0], first))
  const master = masterBlockOf(end[1])
  if (head === undefined || master === undefined || Buffer.compare(head.rootHash, master.rootHash) !== 0) return []
  // All who follow the index wait for it.
  return await inPieces(joining(few, { parts, touched, done, wallets }), { isPrompt: true })
}

interface Read {
  readonly parts: readonly TransactionFound[]
  readonly touched: readonly TraceRow[]
  readonly done: readonly ActionRow[]
  readonly wallets: readonly JettonWalletRow[]
}

/** In pieces: a single block may have any number of transactions. */
function* joining(few: ReturnType<typeof fewOf>, read: Read): Generator<void, ReadBlockRows[]> {
  const all = {
    transactions: yield* grouping(read.parts, ({ row }) => row.mcSeqno),
    traces: yield* keying(read.touched, ({ traceId }) => traceId),
    actions: yield* grouping(read.done, ({ traceId }) => bytesKey(traceId)),
    wallets: yield* keying(read.wallets, ({ account }) => account),
  }
  const found: ReadBlockRows[] = []
  for (const [, own] of few) {
    const rows = yield* makingRowsOfBlock(own, all)
    if (rows !== null) found.push(rows)
  }
  return found
}
