// Every read behind a v3 method with each filter it has, and each two of them: what a filled store is queried for.

import {
  type AccountKey,
  accountsInRead,
  accountsRead,
  adjacentRead,
  type BalanceFilter,
  balancesRead,
  blocksRead,
  bookRead,
  byHashRead,
  endsOfMessagesRead,
  hashesInRead,
  type MessageFilter,
  masterRead,
  messagesRead,
  nearestBlockRead,
  neighbouringAccountsRead,
  neighbouringHashesRead,
  type PagedRead,
  type PageKey,
  type PageKeyPart,
  type PageRequest,
  type RowOrder,
  type SortDirection,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatisticsFilter,
  shardStateRead,
  sql,
  statisticsRead,
  type TraceFilter,
  type TransactionFilter,
  type TransactionRow,
  topAccountsRead,
  tracesRead,
  transactionsByMessageRead,
  transactionsOfTracesRead,
  transactionsRead,
} from '../../server/store/index.ts'
import type { BlockFilter } from '../../server/store/read/blocks.ts'
import { presentPartsRead, presentStatesRead } from '../../server/store/read/transactionParts.ts'

/** What there is to ask for, from the middle of the store. */
export interface Sample {
  readonly busy: AccountKey
  readonly quiet: AccountKey
  readonly mcSeqno: number
  readonly transaction: SqlRow
  readonly message: SqlRow
  readonly external: SqlRow
  readonly traceIds: readonly Uint8Array[]
}

/** Those that look for something to ask go through whole tables. */
const PATIENCE = { timeoutMs: 600_000 }

async function one(from: Sql, statement: SqlText): Promise<SqlRow> {
  const [row] = await from.query(statement, PATIENCE)
  if (!row) throw new Error('the store has no such row')
  return row
}

export async function sampleOf(from: Sql): Promise<Sample> {
  const { first_mc_seqno: first, last_mc_seqno: last } = await one(from, sql`select * from indexer_cursor`)
  const mcSeqno = Math.floor((Number(first) + Number(last)) / 2)
  const transaction = await one(
    from,
    sql`select * from transactions where mc_seqno = ${mcSeqno} and in_msg_hash is not null
      and hash in (select out_tx_hash from messages) order by lt limit 1`,
  )
  const busy = await one(from, sql`select account from transactions group by account order by count(*) desc limit 1`)
  const quiet = await one(
    from,
    sql`select account from transactions group by account order by count(*), account limit 1`,
  )
  const traces = await from.query(sql`select trace_id from traces where mc_seqno_end = ${mcSeqno} limit 10`)
  // The casts: the columns are of these types.
  return {
    busy: busy.account as AccountKey,
    quiet: quiet.account as AccountKey,
    mcSeqno,
    transaction,
    message: await one(from, sql`select * from messages where out_tx_hash = ${transaction.hash as Uint8Array} limit 1`),
    external: await one(from, sql`select * from messages where hash_norm is not null limit 1`),
    traceIds: traces.map((row) => row.trace_id as Uint8Array),
  }
}

export interface ReadCase {
  readonly name: string
  readonly statement: SqlText
  /** It has one filter at most: what is read is what is found. */
  readonly single: boolean
  /** Rows up to the end of its page; absent for what has no page. */
  readonly wanted?: number
}

const LIMIT = 10

/** A page of a list: from either end, or from a place in the middle. */
export interface PageVariant {
  readonly name: string
  readonly sort: SortDirection
  readonly limit: number
  readonly offset: number
  readonly isFromMiddle?: boolean
}

const FIRST_PAGES: readonly PageVariant[] = [
  { name: 'newest first', sort: 'desc', limit: LIMIT, offset: 0 },
  { name: 'oldest first', sort: 'asc', limit: LIMIT, offset: 0 },
  { name: 'from the middle', sort: 'desc', limit: LIMIT, offset: 0, isFromMiddle: true },
]

/** The same, long ones and those far from the beginning. */
export const ALL_PAGES: readonly PageVariant[] = [
  ...FIRST_PAGES,
  { name: 'oldest first from the middle', sort: 'asc', limit: LIMIT, offset: 0, isFromMiddle: true },
  { name: 'the longest page', sort: 'desc', limit: 1000, offset: 0 },
  { name: 'oldest first, far from the beginning', sort: 'asc', limit: LIMIT, offset: 2000 },
]

/** Each filter alone, each two that can stand together, and none. */
function combinations<F extends object>(filters: Readonly<Record<string, F>>): [name: string, filter: F][] {
  const all = Object.entries(filters)
  // A value that both have is no filter but a part of all of them.
  const differ = (a: F, b: F, name: string) => Reflect.get(a, name) !== Reflect.get(b, name)
  const isPart = (a: F, b: F) => Object.keys(a).every((name) => name in b && !differ(a, b, name))
  const goTogether = (a: F, b: F) =>
    !isPart(a, b) && !isPart(b, a) && !Object.keys(a).some((name) => name in b && differ(a, b, name))
  const pairs = all.flatMap(([a, one], i) =>
    all
      .slice(i + 1)
      .filter(([, other]) => goTogether(one, other))
      .map(([b, other]): [string, F] => [`${a} and ${b}`, { ...one, ...other }]),
  )
  return [...all, ...pairs]
}

export interface Listed<F extends object> {
  readonly name: string
  readonly filters: Readonly<Record<string, F>>
  readonly allowed?: (filter: F) => boolean
  readonly read: (filter: F, ask: PageRequest, sort: SortDirection) => PagedRead<unknown>
}

/** The place of the sample in any order, so that a page can begin in the middle of a list. */
function placeIn(order: RowOrder, { transaction, message, traceIds, mcSeqno }: Sample): PageKey {
  return placeOf(order, {
    ...transaction,
    ...message,
    end_lt: transaction.lt,
    end_utime: transaction.now,
    gen_utime: transaction.now,
    trace_id: traceIds[0],
    mc_seqno: mcSeqno,
    start: transaction.now,
  })
}

/** The place of a row in an order. */
export const placeOf = (order: RowOrder, row: SqlRow): PageKey =>
  order.map(({ name }): PageKeyPart => {
    const value = row[name]
    // The cast: all columns of orders are numbers, texts or bytes.
    return typeof value === 'number' ? BigInt(value) : (value as PageKeyPart)
  })

type CasesOfList = <F extends object>(list: Listed<F>, sample: Sample) => ReadCase[]

/** A list with its filters from either end, and from a place in the middle. */
export function casesOf<F extends object>(
  list: Listed<F>,
  placeOf: (order: RowOrder) => PageKey,
  pages: readonly PageVariant[] = FIRST_PAGES,
): ReadCase[] {
  const { name, filters, allowed = () => true, read } = list
  return combinations(filters)
    .filter(([, filter]) => allowed(filter))
    .flatMap(([words, filter]) => {
      const { order } = read(filter, { limit: LIMIT, offset: 0, after: null }, 'desc')
      return pages.map(({ name: where, sort, limit, offset, isFromMiddle }) => ({
        name: `${name} by ${words}, ${where}`,
        statement: read(filter, { limit, offset, after: isFromMiddle === true ? placeOf(order) : null }, sort)
          .statement,
        single: !words.includes(' and '),
        wanted: limit + offset,
      }))
    })
}

const timesOf = (utime: number, lt: bigint) => ({
  'start time': { startUtime: utime },
  'end time': { endUtime: utime },
  'start lt': { startLt: lt },
  'end lt': { endLt: lt },
})

/** All of them for what is in the store. */
export function readCases(sample: Sample, pages: readonly PageVariant[] = FIRST_PAGES): ReadCase[] {
  const casesOfList: CasesOfList = (list) => casesOf(list, (order) => placeIn(order, sample), pages)
  const { busy, quiet, mcSeqno, transaction, message, external, traceIds } = sample
  // The casts: the columns are of these types.
  const bytes = (value: unknown) => value as Uint8Array
  const lt = transaction.lt as bigint
  const utime = Number(transaction.now)
  const times = timesOf(utime, lt)
  const place = {
    workchain: { workchain: 0 },
    masterchain: { workchain: -1 },
    shard: { shard: transaction.shard as bigint },
    seqno: { seqno: transaction.seqno as number },
    'masterchain block': { mcSeqno },
  }
  const hash = bytes(transaction.hash)
  const elector = new Uint8Array(33).fill(0x33).fill(0x7f, 0, 1)
  const transactions: Listed<TransactionFilter> = {
    name: 'transactions',
    filters: {
      nothing: {},
      ...place,
      ...times,
      'a busy account': { accounts: [busy] },
      'a quiet account': { accounts: [quiet] },
      'two accounts': { accounts: [busy, quiet] },
      'all accounts but one': { excludeAccounts: [busy] },
      'the elector': { accounts: [elector] },
      'no housekeeping': { excludeSystem: true },
      hash: { hashes: [hash] },
      lt: { lt },
      'a trace': { traceId: bytes(transaction.trace_id) },
    },
    read: transactionsRead,
  }
  const blocks: Listed<BlockFilter> = {
    name: 'blocks',
    filters: { nothing: {}, ...place, ...times, 'root hash': { rootHash: hash }, 'file hash': { fileHash: hash } },
    read: blocksRead,
  }
  const ends = {
    'a busy source': { source: busy },
    'a quiet source': { source: quiet },
    'a busy destination': { destination: busy },
    'a quiet destination': { destination: quiet },
  }
  const content = {
    hashes: { hashes: [bytes(message.hash), bytes(external.hash_norm)] },
    'a common body': { bodyHash: new Uint8Array(32).fill(7) },
    body: { bodyHash: bytes(message.body_hash) },
    'a common opcode': { opcode: 0 },
    'an opcode': { opcode: 0x5fcc3d14 },
  }
  const directions = { in: { direction: 'in' }, out: { direction: 'out' } } as const
  const messages: Listed<MessageFilter> = {
    name: 'messages',
    filters: {
      nothing: {},
      ...content,
      ...ends,
      'no source': { source: null },
      'no destination': { destination: null },
      ...times,
      ...directions,
      'no externals': { excludeExternals: true },
      'only externals': { onlyExternals: true },
    },
    read: messagesRead,
  }
  const byMessage: Listed<MessageFilter> = {
    name: 'transactions by message',
    filters: { ...content, ...ends, ...directions },
    allowed: ({ hashes, bodyHash, opcode }) => [hashes, bodyHash, opcode].some((one) => one !== undefined),
    read: transactionsByMessageRead,
  }
  const traces: Listed<TraceFilter> = {
    name: 'traces',
    filters: {
      nothing: {},
      'a busy account': { account: busy },
      'a quiet account': { account: quiet },
      'trace ids': { traceIds },
      'a transaction': { txHashes: [hash] },
      'a message': { msgHashes: [bytes(message.hash), bytes(external.hash_norm)] },
      'masterchain block': { mcSeqno },
      ...times,
    },
    allowed: ({ account, traceIds: ids, txHashes, msgHashes }) =>
      [account, ids, txHashes, msgHashes].filter((one) => one !== undefined).length <= 1,
    read: tracesRead,
  }
  const balances: Listed<Omit<BalanceFilter, 'account'>> = {
    name: 'balances',
    filters: {
      nothing: {},
      'start time': { startUtime: utime },
      'end time': { endUtime: utime },
      interval: { interval: 3600 },
    },
    read: (filter, ask, sort) => balancesRead({ account: busy, ...filter }, ask, sort),
  }
  const counts: Listed<Omit<StatisticsFilter, 'span'>> = {
    name: 'counts',
    filters: { nothing: {}, 'start time': { startUtime: utime }, 'end time': { endUtime: utime } },
    read: (filter, ask, sort) => statisticsRead({ span: 60, ...filter }, ask, sort),
  }
  return [
    ...casesOfList(transactions, sample),
    ...casesOfList(blocks, sample),
    ...casesOfList(messages, sample),
    ...casesOfList(byMessage, sample),
    ...casesOfList(traces, sample),
    ...casesOfList(balances, sample),
    ...casesOfList(counts, sample),
    ...singleReads(sample),
  ]
}

/** The keys that begin with the same three bytes. */
const beginningOf = (key: Uint8Array) => ({ from: key.slice().fill(0, 3), to: key.slice().fill(0xff, 3) })

/** Reads without a page. */
function singleReads({ busy, quiet, mcSeqno, transaction, traceIds }: Sample): ReadCase[] {
  // The casts: the columns are of these types; the last one names what those reads look at of a row.
  const hash = transaction.hash as Uint8Array
  const codeHashes = [hash]
  const rows = [
    { hash, inMsgHash: transaction.in_msg_hash, stateBefore: transaction.state_before, stateAfter: hash },
  ] as unknown as readonly TransactionRow[]
  const reads = {
    accounts: accountsRead({ accounts: [busy, quiet], bags: true }),
    'accounts of some code': accountsRead({ accounts: [busy, quiet], codeHashes, bags: false }),
    'address book': bookRead([busy, quiet]),
    'richest accounts': topAccountsRead({ limit: LIMIT, offset: 0 }),
    'richest accounts, next page': topAccountsRead({ limit: LIMIT, offset: LIMIT }),
    'transactions next to one': adjacentRead(hash, null),
    'transaction before one': adjacentRead(hash, 'in'),
    'transactions after one': adjacentRead(hash, 'out'),
    'masterchain block': masterRead(mcSeqno),
    'shards at a masterchain block': shardStateRead(mcSeqno),
    'transactions of traces': transactionsOfTracesRead(traceIds),
    'transactions that received or sent a message': endsOfMessagesRead({ hashes: [hash], source: busy }),
    'messages of transactions': presentPartsRead(rows),
    'states of transactions': presentStatesRead(rows),
    'search: a hash': byHashRead(hash),
    'search: the beginning of a hash': hashesInRead(beginningOf(transaction.trace_id as Uint8Array), LIMIT),
    'search: next to a hash': neighbouringHashesRead(hash),
    'search: the beginning of an address': accountsInRead(beginningOf(busy), LIMIT),
    'search: next to an address': neighbouringAccountsRead(busy),
    'search: a block': nearestBlockRead({ workchain: 0, shard: transaction.shard as bigint, seqno: mcSeqno }),
  }
  return Object.entries(reads).map(([name, { statement }]) => ({ name, statement, single: true }))
}
