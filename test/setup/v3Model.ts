// What v3's lists are by definition: all rows of an index in memory, filtered one by one and sorted. Slow and plain, for
// the answers of the service to be held against.

import type { BlockRow, MessageRow, TransactionRow, WrittenTransaction } from '../../server/store/index.ts'

export type Sort = 'asc' | 'desc'
type Part = bigint | number | Uint8Array | null

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0
const isAmong = (list: readonly Uint8Array[], one: Uint8Array | null): boolean =>
  list.some((other) => isSame(other, one))

/** Null is more than any value. */
function compare(a: Part, b: Part): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

type Rule<R> = readonly [part: (row: R) => Part, sort: Sort]

const sorted = <R>(rows: readonly R[], rules: readonly Rule<R>[]): R[] =>
  [...rows].sort((a, b) => {
    for (const [part, sort] of rules) {
      const order = compare(part(a), part(b))
      if (order !== 0) return sort === 'asc' ? order : -order
    }
    return 0
  })

export interface Times {
  readonly startUtime?: number
  readonly endUtime?: number
  readonly startLt?: bigint
  readonly endLt?: bigint
}

const isWithin = (utime: number | null, lt: bigint | null, times: Times): boolean =>
  (times.startUtime === undefined || (utime !== null && utime >= times.startUtime)) &&
  (times.endUtime === undefined || (utime !== null && utime <= times.endUtime)) &&
  (times.startLt === undefined || (lt !== null && lt >= times.startLt)) &&
  (times.endLt === undefined || (lt !== null && lt <= times.endLt))

const isTimed = ({ startUtime, endUtime }: Times): boolean => startUtime !== undefined || endUtime !== undefined

interface Place {
  readonly workchain?: number
  readonly shard?: bigint
  readonly seqno?: number
}

const isAt = (block: Required<Place>, { workchain, shard, seqno }: Place): boolean =>
  (workchain === undefined || block.workchain === workchain) &&
  (shard === undefined || block.shard === shard) &&
  (seqno === undefined || block.seqno === seqno)

export interface BlockQuestion extends Times, Place {
  readonly rootHash?: Uint8Array
  readonly fileHash?: Uint8Array
  readonly mcSeqno?: number
}

export const blocksLike = (rows: readonly BlockRow[], question: BlockQuestion, sort: Sort): BlockRow[] =>
  sorted(
    rows.filter(
      (row) =>
        isAt(row, question) &&
        isWithin(row.genUtime, row.startLt, question) &&
        (question.rootHash === undefined || isSame(row.rootHash, question.rootHash)) &&
        (question.fileHash === undefined || isSame(row.fileHash, question.fileHash)) &&
        (question.mcSeqno === undefined || row.mcSeqno === question.mcSeqno),
    ),
    [
      [(row) => row.genUtime, sort],
      [(row) => row.mcSeqno, sort],
      [(row) => row.workchain, 'asc'],
      [(row) => row.shard, 'asc'],
      [(row) => row.seqno, sort],
    ],
  )

export interface TransactionQuestion extends Times, Place {
  readonly mcSeqno?: number
  readonly accounts?: readonly Uint8Array[]
  readonly excludeAccounts?: readonly Uint8Array[]
  readonly hashes?: readonly Uint8Array[]
  readonly lt?: bigint
  readonly traceId?: Uint8Array
  readonly excludeSystem?: boolean
}

function transactionRules(question: TransactionQuestion, sort: Sort): Rule<TransactionRow>[] {
  const lt: Rule<TransactionRow> = [(row) => row.lt, sort]
  const now: Rule<TransactionRow> = [(row) => row.now, sort]
  const account: Rule<TransactionRow> = [(row) => row.account, 'asc']
  if (question.lt !== undefined) return [[(row) => row.account, sort]]
  if (question.hashes !== undefined) return [lt, account]
  if (question.accounts?.length === 1) return isTimed(question) ? [now, lt] : [lt]
  if (question.mcSeqno !== undefined) return [lt, account]
  return isTimed(question) ? [now, lt, account] : [lt, account]
}

export const transactionsLike = (
  rows: readonly WrittenTransaction[],
  question: TransactionQuestion,
  sort: Sort,
): WrittenTransaction[] =>
  sorted(
    rows.filter(
      (row) =>
        isAt(row.block, question) &&
        isWithin(row.now, row.lt, question) &&
        (question.mcSeqno === undefined || row.mcSeqno === question.mcSeqno) &&
        (question.accounts === undefined || isAmong(question.accounts, row.account)) &&
        (question.excludeAccounts === undefined || !isAmong(question.excludeAccounts, row.account)) &&
        (question.hashes === undefined || isAmong(question.hashes, row.hash)) &&
        (question.lt === undefined || row.lt === question.lt) &&
        (question.traceId === undefined || isAmong([question.traceId], row.traceId)) &&
        !(question.excludeSystem === true && row.isSystem),
    ),
    transactionRules(question, sort),
  )

export interface MessageQuestion extends Times {
  readonly hashes?: readonly Uint8Array[]
  readonly bodyHash?: Uint8Array
  readonly source?: Uint8Array | null
  readonly destination?: Uint8Array | null
  readonly opcode?: number
  readonly direction?: 'in' | 'out'
  readonly excludeExternals?: boolean
  readonly onlyExternals?: boolean
}

export interface Chain {
  readonly transactions: readonly WrittenTransaction[]
  readonly messages: readonly MessageRow[]
}

export const consumerOf = ({ transactions }: Chain, { hash }: MessageRow): TransactionRow | undefined =>
  sorted(
    transactions.filter(({ inMsgHash }) => isSame(inMsgHash, hash)),
    [[(row) => row.lt, 'asc']],
  )[0]

const isLike = (row: MessageRow, { hashes, bodyHash, source, destination, opcode }: MessageQuestion): boolean =>
  (hashes === undefined || isAmong(hashes, row.hash) || (row.hashNorm !== null && isAmong(hashes, row.hashNorm))) &&
  (bodyHash === undefined || isSame(row.bodyHash, bodyHash)) &&
  (source === undefined || isSame(row.source, source)) &&
  (destination === undefined || isSame(row.destination, destination)) &&
  (opcode === undefined || row.opcode === opcode)

export function messagesLike(chain: Chain, question: MessageQuestion, sort: Sort): MessageRow[] {
  const time = ({ createdAt, createdLt }: MessageRow) => (isTimed(question) ? createdAt : createdLt)
  const rows = chain.messages.filter(
    (row) =>
      isLike(row, question) &&
      isWithin(row.createdAt, row.createdLt, question) &&
      !(question.excludeExternals === true && time(row) === null) &&
      !(question.onlyExternals === true && time(row) !== null) &&
      (question.direction !== 'in' || consumerOf(chain, row) !== undefined) &&
      (question.direction !== 'out' || row.outTxHash !== null),
  )
  return sorted(rows, [
    [time, sort],
    [({ hash }) => hash, sort],
  ])
}

export function transactionsByMessageLike(chain: Chain, question: MessageQuestion, sort: Sort): TransactionRow[] {
  const { direction, opcode } = question
  const named = chain.messages.filter((row) => isLike(row, question))
  const taken = new Set(named.map(({ hash }) => Buffer.from(hash).toString('hex')))
  const sent = new Set(named.flatMap(({ outTxHash }) => (outTxHash ? [Buffer.from(outTxHash).toString('hex')] : [])))
  const has = (names: ReadonlySet<string>, hash: Uint8Array | null) =>
    hash !== null && names.has(Buffer.from(hash).toString('hex'))
  return sorted(
    chain.transactions.filter(
      ({ hash, inMsgHash }) =>
        (direction !== 'out' && has(taken, inMsgHash)) ||
        (direction !== 'in' && opcode === undefined && has(sent, hash)),
    ),
    [
      [(row) => row.lt, sort],
      [(row) => row.account, 'asc'],
    ],
  )
}
