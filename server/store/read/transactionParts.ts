// The parts of a transaction that are rows of other tables: its messages, and its account before and after. Two statements for
// a page, or for each part of a long one.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { addToGroup } from '../groupBy.ts'
import { sql } from '../sql.ts'
import { type AccountStateRow, accountStates } from '../tables/accounts.ts'
import { type MessageRow, messages, type TransactionRow } from '../tables/chain.ts'
import { bool, bytea } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { bytesKey } from './bytesKey.ts'
import { MESSAGE_COLUMNS, OWN_MESSAGE_COLUMNS, wholeBag } from './messages.ts'
import { inRounds, readAll, type StoreRead } from './read.ts'

export interface TransactionFound {
  readonly row: TransactionRow
  readonly inMessage: MessageRow | null
  /** In the order they were sent. */
  readonly outMessages: readonly MessageRow[]
  /** Null where only the hash is known. */
  readonly before: AccountStateRow | null
  readonly after: AccountStateRow | null
}

interface End {
  readonly message: MessageRow
  /** True for a message that one of the transactions sent, false for a received one. */
  readonly sent: boolean
}

const decodeSent = decoderOf({ sent: bool })
const decodePresent = decoderOf({ present: bytea })

/** A transaction that was there at the instant of the other rows. */
type Present = ReturnType<typeof decodePresent>

const fromPresent = (transactions: readonly TransactionRow[]): SqlText =>
  sql`from transactions t where t.hash = any(${transactions.map(({ hash }) => hash)}::bytea[])`

const decodedOr =
  <T>(decode: (row: SqlRow) => T) =>
  (row: SqlRow): T | Present =>
    row.present === null ? decode(row) : decodePresent(row)

const nullsOf = (columns: readonly { readonly sqlType: string }[]): SqlText =>
  sql.join(columns.map(({ sqlType }) => sql.raw(`null::${sqlType}`)))

const OWN_COLUMNS = messages.columns.filter(
  ({ name, role }) => role !== 'search' && !['out_tx_hash', 'body', 'init'].includes(name),
)
/** The columns of a message, all null. */
const NO_MESSAGE = nullsOf([...OWN_COLUMNS, { sqlType: 'bytea' }, { sqlType: 'bytea' }, { sqlType: 'bytea' }])
const NO_STATE = nullsOf(accountStates.columns.filter(({ role }) => role !== 'search'))

/** A body or an initial state of messages `m` with no more bytes, else no bytes. */
const shortBag = (name: 'body' | 'init', most: number): SqlText =>
  sql`(select case when octet_length(b.bag) > ${most} then ''::bytea else b.bag end from (select ${wholeBag('m', name)} as bag) b)`

function messagesOf(transactions: readonly TransactionRow[], mostOfBag?: number): SqlText {
  const hashes = transactions.map(({ hash }) => hash)
  const received = transactions.flatMap(({ inMsgHash }) => (inMsgHash === null ? [] : [inMsgHash]))
  const columns =
    mostOfBag === undefined
      ? MESSAGE_COLUMNS
      : sql`${OWN_MESSAGE_COLUMNS}, ${shortBag('body', mostOfBag)} as body, ${shortBag('init', mostOfBag)} as init`
  return sql`select ${columns}, m.out_tx_hash, true as sent, null::bytea as present from messages m
      where m.out_tx_hash = any(${hashes}::bytea[]) and m.out_tx_hash is not null
      union all
      select ${columns}, m.out_tx_hash, false, null::bytea from messages m where m.hash = any(${received}::bytea[])`
}

const decodeEnd = (row: SqlRow): End => ({ message: messages.decode(row), ...decodeSent(row) })

/**
 * The messages that transactions sent and received, one between two of them twice; and the hashes of those transactions that are
 * there, at the same instant.
 */
export const presentPartsRead = (
  transactions: readonly TransactionRow[],
  mostOfBag?: number,
): StoreRead<End | Present> => ({
  statement: sql.steady(sql`${messagesOf(transactions, mostOfBag)}
      union all
      select ${NO_MESSAGE}, null::bool, t.hash ${fromPresent(transactions)}`),
  toValue: decodedOr(decodeEnd),
})

const statesOf = (transactions: readonly TransactionRow[], more: SqlText): SqlText =>
  sql`select ${accountStates.select('s')}${more} from account_states s
    where s.hash = any(${transactions.flatMap(({ stateBefore, stateAfter }) => [stateBefore, stateAfter])}::bytea[])`

export const statesOfRead = (transactions: readonly TransactionRow[]): StoreRead<AccountStateRow> => ({
  statement: sql.steady(statesOf(transactions, sql.empty)),
  toValue: accountStates.decode,
})

/** The same, and the hashes of those transactions that are there, at the same instant. */
export const presentStatesRead = (transactions: readonly TransactionRow[]): StoreRead<AccountStateRow | Present> => ({
  statement: sql.steady(sql`${statesOf(transactions, sql`, null::bytea as present`)}
      union all
      select ${NO_STATE}, t.hash ${fromPresent(transactions)}`),
  toValue: decodedOr(accountStates.decode),
})

const sentBefore = (a: MessageRow, b: MessageRow): number => {
  const one = a.createdLt ?? 0n
  const other = b.createdLt ?? 0n
  return one < other ? -1 : one > other ? 1 : 0
}

type WithMessages<T extends TransactionRow> = Pick<TransactionFound, 'inMessage'> & {
  readonly row: T
  readonly outMessages: MessageRow[]
}

/** Messages by the transactions that they belong to. */
export class JoinedMessages {
  readonly #received = new Map<string, MessageRow>()
  readonly #sent = new Map<string, MessageRow[]>()

  addReceived(message: MessageRow): void {
    this.#received.set(bytesKey(message.hash), message)
  }

  addSent(message: MessageRow): void {
    if (message.outTxHash !== null) addToGroup(this.#sent, bytesKey(message.outTxHash), message)
  }

  /** One that is there once, also when it is between two of the transactions. */
  add(message: MessageRow): void {
    this.addReceived(message)
    this.addSent(message)
  }

  /** What it sent is in the order of sending: a batch begins with the messages that the masterchain received. */
  of<T extends TransactionRow>(row: T): WithMessages<T> {
    return {
      row,
      inMessage: row.inMsgHash === null ? null : (this.#received.get(bytesKey(row.inMsgHash)) ?? null),
      outMessages: (this.#sent.get(bytesKey(row.hash)) ?? []).sort(sentBefore),
    }
  }
}

/** Those of the transactions that were there, and the other rows. */
function sorted<T extends TransactionRow, R extends object>(
  transactions: readonly T[],
  rows: readonly (R | Present)[],
): { readonly there: readonly T[]; readonly others: readonly R[] } {
  const isPresent = (row: R | Present): row is Present => 'present' in row
  const known = new Set(rows.filter(isPresent).map((row) => bytesKey(row.present)))
  return {
    there: transactions.filter(({ hash }) => known.has(bytesKey(hash))),
    others: rows.filter((row): row is R => !isPresent(row)),
  }
}

export interface PartsOptions extends StatementOptions {
  /** Bodies and initial states of messages with more bytes come without any: no bag has none. */
  readonly mostOfBag?: number
}

/**
 * The transactions with all their parts, in the same order. Without those that were removed after they were read: their messages and
 * states may be gone.
 */
export async function readTransactionParts(
  from: Sql,
  transactions: readonly TransactionRow[],
  { mostOfBag, ...options }: PartsOptions = {},
): Promise<TransactionFound[]> {
  return await inRounds(transactions, async (some) => {
    const [ends, known] = await Promise.all([
      readAll(from, presentPartsRead(some, mostOfBag), options),
      readAll(from, presentStatesRead(some), options),
    ])
    const { there, others } = sorted(some, ends)
    const states = sorted(there, known)
    const byHash = new Map(states.others.map((state) => [bytesKey(state.hash), state]))
    return withEnds(states.there, others).map((one) => ({
      before: byHash.get(bytesKey(one.row.stateBefore)) ?? null,
      after: byHash.get(bytesKey(one.row.stateAfter)) ?? null,
      ...one,
    }))
  })
}

/** The same with their messages only. */
export async function readTransactionMessages(
  from: Sql,
  transactions: readonly TransactionRow[],
  options?: StatementOptions,
): Promise<Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>[]> {
  return await inRounds(transactions, async (some) => {
    const { there, others } = sorted(some, await readAll(from, presentPartsRead(some), options))
    return withEnds(there, others)
  })
}

function withEnds(
  transactions: readonly TransactionRow[],
  rows: readonly End[],
): Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>[] {
  const ends = new JoinedMessages()
  for (const { message, sent } of rows)
    if (sent) ends.addSent(message)
    else ends.addReceived(message)
  return transactions.map((row) => ends.of(row))
}
