// Transactions by hash, account, time and block.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type TransactionRow, transactions } from '../tables/chain.ts'
import type { AccountKey } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { traces } from '../tables/traces.ts'
import { hasShard, hasWorkchain } from './blocks.ts'
import { distinctValues } from './bytesKey.ts'
import { deepStart, isDeep } from './deepPage.ts'
import { selectsOfValues, type ValueList } from './merge.ts'
import { afterKey, byBytes, byNumber, fromKey, orderBy, type RowOrder, type SortDirection } from './order.ts'
import { bounds, boundsOfPart, type PagedRead, type PageRequest, rowsByKeys, whereAll } from './page.ts'
import { possibleAccounts } from './possibleAccounts.ts'
import type { StoreRead } from './read.ts'
import { isInBlock, ltsOfBlocks, ltsOfTimes } from './shardTimes.ts'
import { equalsHash, isAccount } from './shortKey.ts'
import { isTimed, type TimeAndLtBounds, WHOLE_SHARD_PREFIX, withinBounds } from './timesOfLts.ts'

export interface TransactionFilter extends TimeAndLtBounds {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  /** Committed by this masterchain block. */
  readonly mcSeqno?: number | undefined
  readonly accounts?: readonly AccountKey[] | undefined
  readonly excludeAccounts?: readonly AccountKey[] | undefined
  /** Without transactions that the chain makes itself. */
  readonly excludeSystem?: boolean | undefined
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly lt?: bigint | undefined
  readonly traceId?: Uint8Array | undefined
}

const MASTERCHAIN = -1

const COLUMNS = transactions.select('t')

/** All columns of transactions `t`. */
export const SELECT_TRANSACTIONS = sql`select ${COLUMNS} from transactions t`

/** By logical time; at the same one by account. */
export const byLt = (sort: SortDirection): RowOrder => [byNumber('lt', sort), byBytes('account', 'asc')]

/** Without columns that are equal in all rows: the planner then finds the index with the rest of the order. */
function orderOf(filter: TransactionFilter, sort: SortDirection): RowOrder {
  const { lt, hashes, accounts, mcSeqno } = filter
  if (lt !== undefined) return [byBytes('account', sort)]
  if (hashes !== undefined) return byLt(sort)
  const timed = isTimed(filter) ? [byNumber('now', sort)] : []
  if (accounts?.length === 1) return [...timed, byNumber('lt', sort)]
  return mcSeqno === undefined ? [...timed, ...byLt(sort)] : byLt(sort)
}

/**
 * Without a shard for the planner one of two: taken for a rare value, which it is without statistics, it would sort nearly all rows. The
 * masterchain has indexes of its own.
 */
function isOfWorkchain(workchain: number, shard: bigint | undefined): SqlText {
  const condition = sql`t.workchain = ${workchain}::int4`
  return shard === undefined && workchain !== MASTERCHAIN ? sql`coalesce(${condition}, false)` : condition
}

function conditions(filter: TransactionFilter): SqlText[] {
  const { workchain, shard, seqno, mcSeqno, accounts, excludeAccounts, hashes, lt } = filter
  const parts: SqlText[] = []
  if (hashes !== undefined) parts.push(sql`t.hash = any(${hashes})`)
  if (lt !== undefined) parts.push(sql`t.lt = ${lt}`)
  if (mcSeqno !== undefined) parts.push(isInBlock(mcSeqno, accounts?.length === 1))
  if (seqno !== undefined) parts.push(sql`t.seqno = ${seqno}`)
  if (shard !== undefined) parts.push(sql`t.shard = ${shard}`)
  if (workchain !== undefined) parts.push(isOfWorkchain(workchain, shard))
  const seconds = isAlongShard(filter) ? sql`coalesce(t.now, 0)` : sql`t.now`
  parts.push(...withinBounds({ seconds, lt: sql`t.lt` }, filter))
  if (excludeAccounts !== undefined) parts.push(sql`t.account <> all(${excludeAccounts})`)
  return parts
}

/** Whether the filter matches few rows, which are quickly sorted. */
const isNarrow = ({ hashes, lt, mcSeqno, seqno }: TransactionFilter): boolean =>
  hashes !== undefined || lt !== undefined || mcSeqno !== undefined || seqno !== undefined

/** Lists of a shard by seconds go along its index of logical times, which has the same order: in a shard both only grow. */
const isAlongShard = (filter: TransactionFilter): boolean =>
  filter.shard !== undefined && filter.accounts === undefined && isTimed(filter) && !isNarrow(filter)

/** The masterchain is one shard: a list of another would look at all its transactions to find none. */
const isOfMaster = ({ shard }: TransactionFilter): boolean => shard === undefined || shard === WHOLE_SHARD_PREFIX

/** All workchains of TON. */
const CHAINS = [MASTERCHAIN, 0]

const chainOf = ([biased = 0]: AccountKey): number => biased - 128

/** Parts of a list, each by its conditions: they are read along different indexes, and merged. */
type Source = readonly (readonly SqlText[])[]

const ofUsers = (workchain: number | undefined): SqlText =>
  workchain === MASTERCHAIN ? sql`t.workchain = -1 and not t.is_system` : sql`not t.is_system`

/** Along the indexes of all transactions: system transactions, of the masterchain alone, have their own. */
function ofChain({ excludeSystem }: TransactionFilter, workchain: number | undefined): Source {
  const isWithSystem = excludeSystem !== true && (workchain === undefined || workchain === MASTERCHAIN)
  return isWithSystem ? [[ofUsers(workchain)], [sql`t.is_system`]] : [[ofUsers(workchain)]]
}

/** Only in the masterchain an account has system transactions. */
const isOfUsers = ({ excludeSystem }: TransactionFilter, workchain: number): boolean =>
  excludeSystem === true && workchain === MASTERCHAIN

/** Along the indexes of an account. */
const ofAccount = (filter: TransactionFilter, workchain: number): Source =>
  isOfUsers(filter, workchain) ? [[ofUsers(workchain)]] : [[]]

/** The index without system transactions is of whole accounts. */
const isOwner = (filter: TransactionFilter, workchain: number, account: SqlText): SqlText =>
  isOfUsers(filter, workchain) ? sql`t.account = ${account}` : isAccount(sql`t.account`, account)

/** Of few rows, found by other conditions: without statistics a planner that saw this one would read a whole index of users' rows. */
const ofFew = ({ excludeSystem }: TransactionFilter): Source =>
  excludeSystem === true ? [[sql`not coalesce(t.is_system, false)`]] : [[]]

/**
 * Without accounts that cannot match, whose workchain says no more then: for the planner it would make the rows of an account so
 * few that it sorts them all.
 */
function possible(filter: TransactionFilter): TransactionFilter {
  const { accounts } = filter
  if (accounts === undefined) return filter
  return { ...filter, accounts: possibleAccounts(accounts, filter), excludeAccounts: undefined, workchain: undefined }
}

type Walk = (of: Source, own: readonly SqlText[]) => SqlText[]

/** The rows of several accounts; those of the masterchain have indexes of their own. */
function ofAccounts(filter: TransactionFilter, accounts: readonly AccountKey[], walk: Walk): SqlText[] {
  const isInMaster = (account: AccountKey) => chainOf(account) === MASTERCHAIN
  const listOf = (values: readonly AccountKey[], workchain: number): ValueList => ({
    values,
    selectsOf: (value) => walk(ofAccount(filter, workchain), [isOwner(filter, workchain, value)]),
  })
  const ofMaster = accounts.filter(isInMaster)
  const others = accounts.filter((account) => !isInMaster(account))
  return selectsOfValues([listOf(ofMaster, MASTERCHAIN), listOf(others, 0)])
}

/** Parts of the list, each in order: of several accounts, or of a shard in each workchain. Null for a list of one part. */
function partsOf(filter: TransactionFilter, walk: Walk): SqlText[] | null {
  if (isNarrow(filter)) return null
  const { accounts, workchain, shard } = filter
  if (accounts !== undefined) return accounts.length === 1 ? null : ofAccounts(filter, distinctValues(accounts), walk)
  if (shard === undefined || workchain !== undefined) return null
  return CHAINS.flatMap((chain) => {
    const value = sql`${chain}::int2`
    const own = [sql`t.workchain = ${value}`, hasShard(value, shard), ...ltsOfTimes(value, shard, filter)]
    return walk(ofChain(filter, chain), own)
  })
}

/** The source of a list of one part. */
function wholeSource(filter: TransactionFilter): Source {
  const { accounts, hashes, mcSeqno, seqno, workchain } = filter
  const [only] = accounts ?? []
  if (accounts?.length === 1 && only !== undefined) return ofAccount(filter, chainOf(only))
  const isFew = [accounts, hashes, mcSeqno, seqno].some((one) => one !== undefined)
  return isFew ? ofFew(filter) : ofChain(filter, workchain)
}

/** The first page of one account, which most pages are, by its direction: its statement is put together once. */
const ofOneAccount = new Map<SortDirection, PagedRead<TransactionRow>>()

/** The only account of a list that nothing else is said of; null for other lists. */
function onlyAccount(filter: TransactionFilter, { after }: PageRequest): AccountKey | null {
  const { accounts, excludeSystem, ...others } = filter
  const [only] = accounts ?? []
  if (only === undefined || accounts?.length !== 1 || after !== null || excludeSystem === true) return null
  return Object.values(others).every((one) => one === undefined) ? only : null
}

/** A page of transactions, in an order that depends on the filter. */
export function transactionsRead(
  filter: TransactionFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<TransactionRow> {
  const only = onlyAccount(filter, request)
  if (only === null) return anyTransactionsRead(filter, request, sort)
  const read = ofOneAccount.get(sort) ?? anyTransactionsRead(filter, request, sort)
  ofOneAccount.set(sort, read)
  const values = [only, only, request.limit + 1, request.offset]
  return { ...read, limit: request.limit, statement: sql.refill(read.statement, values) }
}

/**
 * Those of one trace are found by it first, whatever else is requested of them: the index of traces has no order, and a planner that
 * expects few of many rows would walk along an index that has one.
 */
function ofTrace(filter: TransactionFilter, traceId: Uint8Array, request: PageRequest, order: RowOrder): SqlText {
  const { accounts, excludeSystem } = filter
  const parts = conditions(filter)
  if (accounts !== undefined) parts.push(sql`t.account = any(${accounts})`)
  if (excludeSystem === true) parts.push(sql`not t.is_system`)
  if (request.after !== null) parts.push(afterKey(order, request.after, sql`t`))
  const found = sql`(select * from transactions x where ${equalsHash(sql`x.trace_id`, sql`${traceId}::bytea`)} offset 0)`
  const keys = sql`select t.hash from ${found} t ${whereAll(parts)} ${orderBy(order, sql`t`)} ${bounds(request)}`
  return sql.steady(rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order }))
}

function anyTransactionsRead(
  given: TransactionFilter,
  request: PageRequest,
  sort: SortDirection,
): PagedRead<TransactionRow> {
  const order = orderOf(given, sort)
  const filter = possible(given)
  const shape = { toValue: transactions.decode, order, limit: request.limit }
  const { accounts, workchain, shard, traceId } = filter
  if (traceId !== undefined) return { statement: ofTrace(filter, traceId, request, order), ...shape }
  const parts = conditions(filter)
  const ends = [filter.startLt, filter.endLt].filter((end) => end !== undefined)
  const isWhole = parts.length === ends.length
  if (request.after !== null) parts.push(afterKey(order, request.after, sql`t`))
  const along = isAlongShard(filter) ? byNumber('lt', sort) : null
  if (along !== null && request.after !== null) parts.push(fromKey(along, request.after[1] ?? null, sql`t`))
  const isEmpty = accounts?.length === 0 || (workchain === MASTERCHAIN && !isOfMaster(filter))
  if (isEmpty) return { statement: sql`${SELECT_TRANSACTIONS} where false`, ...shape }
  const by = orderBy(order, sql`t`)
  const inOrder = (columns: SqlText, own: readonly SqlText[]) =>
    sql`(select ${columns} from transactions t ${whereAll([...own, ...parts])}
      ${along === null ? sql`${by} ${boundsOfPart(request)}` : sql`${orderBy([along], sql`t`)} ${boundsOfPart(request, 'with ties')}`})`
  const inParts = (sources: Source) =>
    sql.join(
      sources.map((own) => inOrder(COLUMNS, own)),
      ' union all ',
    )
  /** Along the indexes of logical time alone, up to the page. */
  const deepIn = (sources: Source) => {
    const list = { table: sql`transactions t`, alias: sql`t`, column: byNumber('lt', sort) }
    const start = deepStart({ ...list, parts: sources.map((own) => [...own, ...parts]) }, request)
    parts.push(start.condition)
    return sql`${start.before} select ${COLUMNS} from (${inParts(sources)}) t ${by}
      limit ${request.limit + 1} offset ${start.offset}`
  }
  const several = partsOf(filter, (of, own) =>
    of.map((marks) => inOrder(sql`t.hash, t.now, t.lt, t.account`, [...own, ...marks])),
  )
  if (several) {
    const keys = sql`select t.hash from (${sql.join(several, ' union all ')}) t ${by} ${bounds(request)}`
    const statement = rowsByKeys({ keys, select: SELECT_TRANSACTIONS, alias: sql`t`, key: sql`hash`, order })
    return { statement, ...shape }
  }
  // All transactions or those of one account are along one index in this order, also between two times of it; those with some
  // hashes or of a masterchain block are looked up by these.
  const [only] = accounts ?? []
  const isNamed = (filter.hashes ?? filter.mcSeqno) !== undefined && accounts === undefined && parts.length === 1
  const isSteady = isNamed || (isWhole && (accounts === undefined || accounts.length === 1))
  if (accounts !== undefined) {
    parts.unshift(
      accounts.length === 1 && only ? isOwner(filter, chainOf(only), sql`${only}`) : sql`t.account = any(${accounts})`,
      ...ltsOfBlocks(filter, accounts),
    )
  } else if (workchain !== undefined) {
    // Without that, a list of a workchain without blocks scans the index of times from end to end.
    parts.push(hasWorkchain(workchain))
    if (along !== null && shard !== undefined) parts.push(...ltsOfTimes(sql`${workchain}::int4`, shard, filter))
  }
  const sources = wholeSource(filter)
  if (isWhole && accounts === undefined && isDeep(request)) return { statement: sql.steady(deepIn(sources)), ...shape }
  const [marks = [], ...others] = sources
  const statement =
    others.length === 0 && along === null
      ? sql`${SELECT_TRANSACTIONS} ${whereAll([...parts, ...marks])} ${by} ${bounds(request)}`
      : sql`select ${COLUMNS} from (${inParts(sources)}) t ${by} ${bounds(request)}`
  return { statement: isSteady ? sql.steady(statement) : statement, ...shape }
}

/** The parent of a transaction, which sent its message, or its children, which received its messages, or both. */
export function adjacentRead(hash: Uint8Array, direction: 'in' | 'out' | null): StoreRead<TransactionRow> {
  // `offset 0` has them looked up one by one, also without statistics.
  const parent = sql`select m.out_tx_hash as hash from transactions x cross join lateral (
      select m.out_tx_hash from messages m where m.hash = x.in_msg_hash offset 0) m
    where x.hash = ${hash} and m.out_tx_hash is not null`
  const children = sql`select c.hash from messages m cross join lateral (
      select t.hash from transactions t where t.in_msg_hash = m.hash offset 0) c
    where m.out_tx_hash = ${hash}`
  const ends = direction === null ? sql`${parent} union ${children}` : direction === 'in' ? parent : children
  return {
    statement: sql.steady(
      sql`${SELECT_TRANSACTIONS} where t.hash = any(array(${ends})) ${orderBy(byLt('asc'), sql`t`)}`,
    ),
    toValue: transactions.decode,
  }
}

/** How many transactions a trace has: it says the same while they are removed, some of them at a time. */
export const nodesOfTraceRead = (traceId: Uint8Array): StoreRead<{ readonly nodes: number }> => ({
  statement: sql.steady(sql`select nodes from traces where trace_id = ${traceId}::bytea`),
  toValue: decoderOf({ nodes: traces.fields.nodes }),
})
