// Traces that were completed get their actions, which are written in the SQL transaction of the blocks that completed them.

import { LRUCache } from 'lru-cache'
import { type AccountsFacts, type ClassifiedAction, classifyingTrace, type TraceInput } from '../../actions/index.ts'
import { type BinaryHash, base64Of, hashFromBytes } from '../../cell/index.ts'
import {
  isSystem,
  isTickTock,
  rawAccountKey,
  readFacts,
  type TracePart,
  toActionRow,
  toTraceInput,
  traceTransactions,
} from '../../facts/index.ts'
import { inPieces, inSlices, lightInSlices, SlicedWork } from '../../fairness/index.ts'
import {
  type AccountKey,
  type ActionWrites,
  type Database,
  factRows,
  groupBy,
  JoinedMessages,
  type MasterBlockRows,
  readAll,
  readTransactionMessages,
  type Sql,
  type TraceRow,
  type TransactionRow,
  transactionsOfTracesRead,
  type WrittenAction,
} from '../../store/index.ts'
import { FactsBook, type StepAccounts } from './factsBook.ts'

/** A trace of more transactions is not classified. */
const MOST_TRANSACTIONS = 4_000
/** Maximum number of transactions in memory at once; a single trace may exceed it. */
const MOST_AT_ONCE = 8_000

/** Transactions, or actions, that are soon read or written. */
const MOST_UNDIVIDED = 50

/** Called when a trace could not be classified. */
export type OnFailure = (traceId: Uint8Array, failure: unknown) => void

/** Every complete trace counts as classified from the start; what failed is marked after. */
export const asClassified = (trace: TraceRow): TraceRow =>
  trace.state === 'complete' ? { ...trace, classification: 'ok' } : trace

/** Cached transactions of unfinished traces; the store has them too. */
const MOST_KEPT = 20_000

/** Classifies traces together with the rows that complete them, before those are written. */
export class Classifier {
  readonly #database: Pick<Database, 'transaction'>
  readonly #onFailure: OnFailure
  readonly #facts: FactsBook
  /** The transactions so far of unfinished traces. */
  readonly #begun = new LRUCache<BinaryHash, readonly TracePart[]>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ length }) => length,
  })

  /** `database` is read only when all rows but those of the current batch are written. */
  constructor(database: Pick<Database, 'transaction'>, onFailure: OnFailure) {
    this.#database = database
    this.#onFailure = onFailure
    this.#facts = new FactsBook(database)
  }

  /** What the traces that are complete now did; `steps` are those of the rows. Batches come in their order, none left out. */
  async classify(rows: MasterBlockRows, steps: readonly StepAccounts[]): Promise<ActionWrites> {
    await this.#facts.take(rows.codes, steps)
    const parts = await this.#partsOf(rows)
    return classifyAll(
      rows.traces.filter(({ state }) => state === 'complete'),
      {
        parts: async (traces) => {
          const earlier = traces.filter((trace) => !isWhole(trace, parts.get(hashFromBytes(trace.traceId))))
          const stored =
            earlier.length === 0 ? null : await this.#database.transaction((sql) => partsInTables(sql, earlier))
          return (trace) => joined(stored?.get(trace), parts.get(trace))
        },
        facts: (inputs) => this.#facts.of(inputs),
      },
      this.#onFailure,
    )
  }

  /** By trace: all of its transactions if the earlier ones are cached, otherwise those of this batch. */
  async #partsOf(rows: MasterBlockRows): Promise<Parts> {
    const slices = new SlicedWork()
    const ends = new JoinedMessages()
    await lightInSlices(rows.messages, (message) => ends.add(message), slices)
    const parts = new Map(partsByTrace(await lightInSlices(rows.transactions, (row) => ends.of(row), slices)))
    for (const trace of rows.traces) {
      const key = hashFromBytes(trace.traceId)
      const all = joined(this.#begun.get(key), parts.get(key))
      if (!isWhole(trace, all)) continue
      parts.set(key, all)
      if (trace.state === 'pending' && all.length <= MOST_TRANSACTIONS) this.#begun.set(key, all)
      else this.#begun.delete(key)
    }
    return parts
  }
}

/** Whether these are all transactions a trace has so far. */
const isWhole = ({ nodes }: TraceRow, parts: readonly TracePart[] = []): boolean => parts.length === nodes

/** Actions of traces whose rows are all in the tables of `sql`. */
export function classifyStored(sql: Sql, complete: readonly TraceRow[], onFailure: OnFailure): Promise<ActionWrites> {
  const parts = async (traces: readonly TraceRow[]) => {
    const stored = await partsInTables(sql, traces)
    return (trace: BinaryHash) => stored.get(trace) ?? []
  }
  const facts = async (inputs: readonly TraceInput[]) => {
    const found = await readFacts(factRows(sql), inputs)
    return () => found
  }
  return classifyAll(complete, { parts, facts }, onFailure)
}

/** Where transactions and facts for classification come from. */
interface Source {
  parts(traces: readonly TraceRow[]): Promise<(trace: BinaryHash) => readonly TracePart[]>
  facts(inputs: readonly TraceInput[]): Promise<(input: TraceInput) => AccountsFacts>
}

async function classifyAll(complete: readonly TraceRow[], from: Source, onFailure: OnFailure): Promise<ActionWrites> {
  const small = complete.filter(({ nodes }) => nodes <= MOST_TRANSACTIONS)
  const broken = complete.filter(({ nodes }) => nodes > MOST_TRANSACTIONS).map(({ traceId }) => traceId)
  const actions: WrittenAction[] = []
  const failed: Uint8Array[] = []
  for (const traces of portions(small)) {
    const partsOf = await from.parts(traces)
    const system = new Set<string>()
    const slices = new SlicedWork()
    const inputs: TraceInput[] = []
    for (const trace of traces) {
      if (slices.isDue) await slices.rest()
      const parts = partsOf(hashFromBytes(trace.traceId))
      const read = traceTransactions()
      const work = (part: TracePart) => {
        if (isHousekeeping(part)) system.add(base64Of(part.row.hash))
        return read(part)
      }
      const isLong = parts.length > MOST_UNDIVIDED
      inputs.push(toTraceInput(trace, parts, isLong ? await inSlices(parts, work, slices) : parts.map(work)))
    }
    const factsOf = await from.facts(inputs)
    for (const input of inputs) {
      if (slices.isDue) await slices.rest()
      const { rows: found, failure } = await classified(input, { facts: factsOf(input), system }, slices)
      for (const action of found) actions.push(action)
      if (failure === null) continue
      const traceId = Buffer.from(input.traceId, 'base64')
      failed.push(traceId)
      onFailure(traceId, failure)
    }
  }
  return { actions, failed, broken }
}

/** Transactions of these traces, by trace. */
async function partsInTables(sql: Sql, traces: readonly TraceRow[]): Promise<Parts> {
  const rows = await readAll(sql, transactionsOfTracesRead(traces.map(({ traceId }) => traceId)))
  return partsByTrace(await readTransactionMessages(sql, rows))
}

const isHousekeeping = ({ row: { account, description }, inMessage }: TracePart): boolean =>
  isSystem({ account, inMessage }, () => isTickTock(description))

/** The account of the first transaction. */
function starterOf({ traceId, transactions }: TraceInput): AccountKey | null {
  const first = transactions.find(({ hash }) => hash === traceId)
  return first === undefined ? null : rawAccountKey(first.account)
}

interface Classified {
  readonly rows: WrittenAction[]
  readonly failure: unknown
}

interface Known {
  readonly facts: AccountsFacts
  /** Transactions of housekeeping. */
  readonly system: ReadonlySet<string>
}

/** A failure here concerns one trace only; indexing continues. */
async function classified(input: TraceInput, { facts, system }: Known, slices: SlicedWork): Promise<Classified> {
  const isOfSystem = ({ transactions }: ClassifiedAction): boolean =>
    transactions.length > 0 && transactions.every((hash) => system.has(hash))
  try {
    const { actions, failure } = await inPieces(classifyingTrace(input, facts), slices)
    const starter = starterOf(input)
    const toRow = (action: ClassifiedAction): WrittenAction => {
      return { ...toActionRow(action, input), isSystem: isOfSystem(action), starter }
    }
    const isLong = actions.length > MOST_UNDIVIDED
    return { rows: isLong ? await inSlices(actions, toRow, slices) : actions.map(toRow), failure }
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

type Parts = ReadonlyMap<BinaryHash, readonly TracePart[]>

/** Of one trace, by logical time and account. */
function joined(before: readonly TracePart[] = [], now: readonly TracePart[] = []): readonly TracePart[] {
  if (before.length === 0) return now
  const compare = (a: TracePart['row'], b: TracePart['row']): number =>
    a.lt === b.lt ? Buffer.compare(a.account, b.account) : a.lt < b.lt ? -1 : 1
  return [...before, ...now].sort((a, b) => compare(a.row, b.row))
}

type StoredPart = TracePart & { readonly row: Pick<TransactionRow, 'traceId'> }

const partsByTrace = (parts: readonly StoredPart[]): Parts => groupBy(parts, ({ row }) => hashFromBytes(row.traceId))
