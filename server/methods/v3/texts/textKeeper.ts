// Makes texts of indexed transactions: of new blocks a moment after they are indexed, and of older ones from the newest on, few
// at a time, so that callers and the indexer notice little of it. A page that needs a text before it is there makes its own.

import { inSlices } from '../../../fairness/index.ts'
import type { Log } from '../../../observe/index.ts'
import { pause } from '../../../process/index.ts'
import {
  advanceTexts,
  type BlockRange,
  beginTexts,
  type Database,
  firstKept,
  readAll,
  readIndexState,
  readTextProgress,
  readTransactionParts,
  rowsToWriteRead,
  type TextProgressRow,
  type TransactionRow,
  writeTexts,
} from '../../../store/index.ts'
import { makeText, textVersion } from './storedText.ts'

/** Transactions of one round, unless one masterchain block has more. */
const ROUND = 200
const POLL_MS = 1_000
/** Pauses between rounds, as a multiple of the time they take. */
const PAUSES = 2
/** While the index gets new blocks in each round: it and its readers go first, as a page can make its own texts. */
const PAUSES_UNDER_LOAD = 8
const REPORT_MS = 10_000
const SUBJECT = 'stored texts'

export interface TextKeeperOptions {
  readonly database: Database
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Whether this process writes the index, and is near the head of the chain. */
  readonly mayWrite: () => boolean
  readonly pollMs?: number
}

export interface TextKeeper {
  close(): Promise<void>
}

/** The next blocks to make texts of, and their transactions; null when all have texts. */
interface Work {
  readonly range: BlockRange
  readonly rows: readonly TransactionRow[]
}

interface NextWork extends Work {
  readonly was: TextProgressRow
  /** The newest block of the index. */
  readonly newest: number
}

/** A whole number of blocks with about as many transactions as a round has. */
async function workOf({ read }: Database, within: BlockRange, direction: 'asc' | 'desc'): Promise<Work> {
  const rows = await readAll(read, rowsToWriteRead(within, direction, ROUND))
  const begin = rows[0]
  const end = rows.at(-1)
  if (begin === undefined || end === undefined || rows.length < ROUND) return { range: within, rows }
  const isAscending = direction === 'asc'
  if (begin.mcSeqno === end.mcSeqno) {
    const only = { first: end.mcSeqno, last: end.mcSeqno }
    const range = isAscending ? { first: within.first, last: only.last } : { first: only.first, last: within.last }
    return { range, rows: await readAll(read, rowsToWriteRead(only, direction, null)) }
  }
  // The last block may have more than was read of it.
  const range = isAscending
    ? { first: within.first, last: end.mcSeqno - 1 }
    : { first: end.mcSeqno + 1, last: within.last }
  return { range, rows: rows.filter(({ mcSeqno }) => mcSeqno !== end.mcSeqno) }
}

async function nextWork(database: Database): Promise<NextWork | null> {
  const { cursor } = await readIndexState(database.read)
  if (cursor === null) return null
  const newest = cursor.lastMcSeqno
  const was = await readTextProgress(database.read)
  if (was?.version !== textVersion()) {
    await database.transaction((to) => beginTexts(to, textVersion(), { last: newest }))
    return nextWork(database)
  }
  if (was.lastMcSeqno < newest)
    return { was, newest, ...(await workOf(database, { first: was.lastMcSeqno + 1, last: newest }, 'asc')) }
  const first = firstKept(cursor)
  if (was.firstMcSeqno > first)
    return { was, newest, ...(await workOf(database, { first, last: was.firstMcSeqno - 1 }, 'desc')) }
  return null
}

interface Round {
  readonly count: number
  /** The newest block of the index when it began. */
  readonly newest: number
}

/** Makes the texts of one round; null when none is missing. */
export async function keepTexts(database: Database): Promise<Round | null> {
  const work = await nextWork(database)
  if (work === null) return null
  const { rows, range, was, newest } = work
  for (let from = 0; from < rows.length; from += ROUND) {
    const found = await readTransactionParts(database.read, rows.slice(from, from + ROUND))
    const made = await inSlices(found, makeText, { subject: SUBJECT })
    await database.transaction((to) => writeTexts(to, textVersion(), made))
  }
  // A replica may be behind, and a rollback may have come between: then the same blocks are read again in the next round.
  await database.transaction((to) => advanceTexts(to, was, range))
  return { count: rows.length, newest }
}

export function startTextKeeper({ database, log, mayWrite, pollMs = POLL_MS }: TextKeeperOptions): TextKeeper {
  const closing = new AbortController()
  let made = 0
  let reportedAt = performance.now()
  let indexed = 0

  async function round(): Promise<number> {
    const began = performance.now()
    const done = await keepTexts(database)
    if (done === null) {
      if (made > ROUND) log.info({ transactions: made }, 'texts of transactions are stored')
      made = 0
      return pollMs
    }
    const { count, newest } = done
    const isGrowing = newest > indexed
    indexed = newest
    made += count
    const now = performance.now()
    if (made > ROUND && now - reportedAt > REPORT_MS) {
      reportedAt = now
      log.info({ transactions: made }, 'storing texts of transactions')
    }
    // New blocks are waited for, so that several are written at once.
    if (count < ROUND / 2) return pollMs
    return (isGrowing ? PAUSES_UNDER_LOAD : PAUSES) * (now - began)
  }

  async function run(): Promise<void> {
    let isFailing = false
    while (!closing.signal.aborted) {
      let wait = pollMs
      try {
        if (mayWrite()) wait = await round()
        isFailing = false
      } catch (error) {
        if (!isFailing && !closing.signal.aborted) log.warn({ err: error }, 'texts of transactions cannot be stored')
        isFailing = true
        wait = 10 * pollMs
      }
      await pause(wait, closing.signal, { ref: false })
    }
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
