// Traces that were completed get their actions, in the SQL transaction of the blocks that completed them.

import { classify, type Facts, type TraceInput } from '../../actions/index.ts'
import { type Hash, hashFromBytes } from '../../cell/index.ts'
import {
  type ActionRow,
  type ActionWrites,
  type MasterBlockRows,
  type MessageRow,
  readAll,
  readTransactionMessages,
  type Sql,
  type TraceRow,
  transactionsOfTracesRead,
} from '../../store/index.ts'
import { toActionRow } from './actionRow.ts'
import { readFacts } from './readFacts.ts'
import { type TracePart, toTraceInput } from './traceInput.ts'

/** A trace of more transactions is not looked at. */
const MOST_TRANSACTIONS = 4_000
/** Transactions that are held at once, but always those of one trace. */
const MOST_AT_ONCE = 8_000

/** Told of traces that could not be classified. */
export type OnFailure = (traceId: Uint8Array, failure: unknown) => void

/** Every complete trace counts as classified from the start; what failed is marked after. */
export const asClassified = (trace: TraceRow): TraceRow =>
  trace.state === 'complete' ? { ...trace, classification: 'ok' } : trace

/** What the traces that are complete now did. To be asked when the rows stand in the tables of `sql`. */
export function classifyTraces(sql: Sql, rows: MasterBlockRows, onFailure: OnFailure): Promise<ActionWrites> {
  const complete = rows.traces.filter(({ state }) => state === 'complete')
  const begunEarlier = new Set(rows.completedTraces.map(hashFromBytes))
  const known = partsInMemory(rows)
  return classifyAll(sql, { complete, known, isInTables: (trace) => begunEarlier.has(trace) }, onFailure)
}

/** What traces did of which everything stands in the tables. */
export const classifyStored = (sql: Sql, complete: readonly TraceRow[], onFailure: OnFailure): Promise<ActionWrites> =>
  classifyAll(sql, { complete, known: new Map(), isInTables: () => true }, onFailure)

interface Complete {
  readonly complete: readonly TraceRow[]
  readonly known: Parts
  /** Whether there is more of a trace than is known. */
  readonly isInTables: (traceId: Hash) => boolean
}

async function classifyAll(
  sql: Sql,
  { complete, known, isInTables }: Complete,
  onFailure: OnFailure,
): Promise<ActionWrites> {
  const small = complete.filter(({ nodes }) => nodes <= MOST_TRANSACTIONS)
  const broken = complete.filter(({ nodes }) => nodes > MOST_TRANSACTIONS).map(({ traceId }) => traceId)
  const actions: ActionRow[] = []
  const failed: Uint8Array[] = []
  for (const traces of portions(small)) {
    const earlier = traces.filter(({ traceId }) => isInTables(hashFromBytes(traceId)))
    const parts = new Map([...known, ...(await partsInTables(sql, earlier))])
    const inputs = traces.map((trace) => toTraceInput(trace, parts.get(hashFromBytes(trace.traceId)) ?? []))
    const facts = await readFacts(sql, inputs)
    for (const input of inputs) {
      const { rows: found, failure } = classified(input, facts)
      actions.push(...found)
      if (failure === null) continue
      const traceId = Buffer.from(input.traceId, 'base64')
      failed.push(traceId)
      onFailure(traceId, failure)
    }
  }
  return { actions, failed, broken }
}

/** Whatever goes wrong here is of one trace, and the index goes on. */
function classified(input: TraceInput, facts: Facts): { readonly rows: ActionRow[]; readonly failure: unknown } {
  try {
    const { actions, failure } = classify(input, facts)
    return { rows: actions.map((action) => toActionRow(action, input)), failure }
  } catch (failure) {
    return { rows: [], failure }
  }
}

function portions(traces: readonly TraceRow[]): TraceRow[][] {
  const portions: TraceRow[][] = []
  let count = MOST_AT_ONCE
  for (const trace of traces) {
    if (count + trace.nodes > MOST_AT_ONCE) {
      portions.push([])
      count = 0
    }
    portions.at(-1)?.push(trace)
    count += trace.nodes
  }
  return portions
}

type Parts = Map<Hash, TracePart[]>

function add(parts: Parts, traceId: Uint8Array, part: TracePart): void {
  const key = hashFromBytes(traceId)
  const list = parts.get(key)
  if (list === undefined) parts.set(key, [part])
  else list.push(part)
}

/** Transactions of the blocks at hand, by their traces. */
function partsInMemory({ transactions, messages }: MasterBlockRows): Parts {
  const byHash = new Map<Hash, MessageRow>()
  const sentBy = new Map<Hash, MessageRow[]>()
  for (const message of messages) {
    byHash.set(hashFromBytes(message.hash), message)
    if (message.outTxHash === null) continue
    const sender = hashFromBytes(message.outTxHash)
    const sent = sentBy.get(sender)
    if (sent === undefined) sentBy.set(sender, [message])
    else sent.push(message)
  }
  const parts: Parts = new Map()
  for (const row of transactions) {
    const inMessage = row.inMsgHash === null ? null : (byHash.get(hashFromBytes(row.inMsgHash)) ?? null)
    add(parts, row.traceId, { row, inMessage, outMessages: sentBy.get(hashFromBytes(row.hash)) ?? [] })
  }
  return parts
}

/** All transactions of traces some of which stand in blocks before. */
async function partsInTables(sql: Sql, traces: readonly TraceRow[]): Promise<Parts> {
  const parts: Parts = new Map()
  if (traces.length === 0) return parts
  const rows = await readAll(sql, transactionsOfTracesRead(traces.map(({ traceId }) => traceId)))
  for (const found of await readTransactionMessages(sql, rows)) add(parts, found.row.traceId, found)
  return parts
}
