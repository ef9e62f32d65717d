import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { tracesV3 } from '../../../shared/v3/traces.ts'
import { inSlices } from '../../fairness/index.ts'
import {
  type AccountKey,
  actionsOfAccountRead,
  actionsOfTracesRead,
  readAll,
  readPage,
  readTransactionMessages,
  type Sql,
  type TraceFilter,
  type TraceRow,
  tracesRead,
  transactionsOfAccountRead,
  transactionsOfTracesRead,
} from '../../store/index.ts'
import { changesByAccount, changesOf, readTokens } from '../balance/changes.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { type ActionOnWire, accountsOfDetails, toAction } from '../view/v3/action.ts'
import { MOST_OF_TRACE, writePartOfTrace, writeTrace } from '../view/v3/trace.ts'
import { writeList, writeObject } from '../written.ts'
import { typesOfCaller } from './actions/filter.ts'
import { boundedKept } from './demandKept.ts'
import { demandMaster } from './demandMaster.ts'
import { type SideObjects, sideObjectsFor } from './sideObjects.ts'
import { type WrittenPart, WrittenTransactions } from './writtenTransactions.ts'

type Methods = typeof tracesV3
type Query = Params<Methods['v3.traces']>

const ONE_NAME = 'only one of account, trace_id, tx_hash, msg_hash should be specified'

/** Transactions of one page: what is read and written at once. */
const MOST_TRANSACTIONS = 20_000

/** Transactions, and actions, of the account in a trace that is too large. */
const MOST_OF_ACCOUNT = 20

function filterOf(query: Query): TraceFilter {
  const { account, trace_id: traceIds, tx_hash: txHashes, msg_hash: msgHashes } = query
  const names = { account, traceIds, txHashes, msgHashes }
  if (Object.values(names).filter((name) => name !== undefined).length > 1) {
    throw new ApiError('invalidParams', ONE_NAME)
  }
  return {
    mcSeqno: query.mc_seqno,
    startUtime: query.start_utime,
    endUtime: query.end_utime,
    startLt: query.start_lt,
    endLt: query.end_lt,
    ...names,
  }
}

/** Rows by their trace, whose id is in hex. */
function byTrace<T>(all: Iterable<T>, idOf: (one: T) => Uint8Array): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const one of all) {
    const trace = toHex(idOf(one))
    const known = found.get(trace)
    if (known === undefined) found.set(trace, [one])
    else known.push(one)
  }
  return found
}

/** Traces of a page: those that are shown whole, and those that are too large for this caller. */
interface Sorted {
  readonly whole: readonly TraceRow[]
  readonly large: readonly TraceRow[]
  /** Whose part of the large ones is shown; undefined for none. */
  readonly account: AccountKey | undefined
}

function sorted(rows: readonly TraceRow[], { max_transactions: most = MOST_OF_TRACE, account }: Query): Sorted {
  const isLarge = ({ nodes }: TraceRow): boolean => nodes > most
  return { whole: rows.filter((row) => !isLarge(row)), large: rows.filter(isLarge), account }
}

const idsOf = (rows: readonly TraceRow[]): readonly Uint8Array[] => rows.map(({ traceId }) => traceId)

/** Reads pages of complete traces, each written already. */
export class TracesPage {
  readonly #store: Sql
  readonly #side: SideObjects
  readonly #transactions: WrittenTransactions

  constructor(store: Sql, side: SideObjects, transactions = new WrittenTransactions(store)) {
    this.#store = store
    this.#side = side
    this.#transactions = transactions
  }

  async read(method: keyof Methods, query: Query, call: Call) {
    const filter = filterOf(query)
    const { ask, cursor } = openPage(method, query)
    const bounded = await boundedKept(this.#store, filter, call)
    const { rows, next } = await readPage(this.#store, tracesRead(bounded, ask, query.sort), call)
    // Where there is a trace the block it ended in is there too.
    if (query.mc_seqno !== undefined && rows.length === 0) await demandMaster(this.#store, query.mc_seqno, call)
    const all = sorted(rows, query.max_transactions === undefined ? { ...query, account: undefined } : query)
    const isWhole = (row: TraceRow): boolean => all.whole.includes(row)
    const parts = await this.#partsOf(all, call)
    const accounts = rows.flatMap(({ traceId }) => (parts.get(toHex(traceId)) ?? []).flatMap((one) => one.accounts))
    const isShown = all.whole.length > 0 || all.account !== undefined
    const actions = query.include_actions && isShown ? await this.#actionsOf(all, query, call) : null
    for (const action of [...(actions?.values() ?? [])].flat()) accounts.push(...accountsOfDetails(action.details))
    const changes = query.include_balance_changes ? await this.#changesOf(all.whole, call) : null
    const write = (row: TraceRow) => {
      const trace = toHex(row.traceId)
      const own = parts.get(trace) ?? []
      const extras = actions === null ? {} : { actions: actions.get(trace) ?? [] }
      if (!isWhole(row)) return writePartOfTrace(row, all.account === undefined ? null : own, extras)
      return writeTrace(row, own, {
        ...extras,
        ...(changes === null ? {} : { balance_changes: changes.get(trace) ?? {} }),
      })
    }
    const written = await inSlices(rows, write, call.caller)
    return { traces: written, cursor: cursor(next), ...(await sideObjectsFor(this.#side, accounts, call)) }
  }

  /** What is shown of the traces, by their ids. Throws ApiError for more than one answer should hold. */
  async #partsOf({ whole, large, account }: Sorted, call: Call): Promise<ReadonlyMap<string, readonly WrittenPart[]>> {
    const count = whole.reduce((sum, { nodes }) => sum + nodes, 0)
    if (count > MOST_TRANSACTIONS) {
      const text = `limit is not allowed: these ${whole.length} traces have ${count} transactions > ${MOST_TRANSACTIONS}`
      throw new ApiError('invalidParams', text, { param: 'limit', limit: MOST_TRANSACTIONS })
    }
    const reads = [
      ...(whole.length === 0 ? [] : [transactionsOfTracesRead(idsOf(whole))]),
      ...(large.length === 0 || account === undefined
        ? []
        : [transactionsOfAccountRead(idsOf(large), account, MOST_OF_ACCOUNT)]),
    ]
    const parts = await Promise.all(reads.map((read) => this.#transactions.ofTraces(read, call)))
    return byTrace(parts.flat(), ({ traceId }) => traceId)
  }

  async #actionsOf({ whole, large, account }: Sorted, query: Query, call: Call): Promise<Map<string, ActionOnWire[]>> {
    const hiddenWithin = typesOfCaller(query.supported_action_types, call)
    const wanted = { types: hiddenWithin, hiddenWithin }
    const reads = [
      ...(whole.length === 0 ? [] : [actionsOfTracesRead(idsOf(whole), wanted)]),
      ...(large.length === 0 || account === undefined
        ? []
        : [actionsOfAccountRead(idsOf(large), account, { ...wanted, most: MOST_OF_ACCOUNT })]),
    ]
    const rows = await Promise.all(reads.map((read) => readAll(this.#store, read, call)))
    const found = byTrace(rows.flat(), ({ traceId }) => traceId)
    return new Map([...found].map(([trace, own]) => [trace, own.map(toAction)]))
  }

  /** Gains and losses by trace. */
  async #changesOf(rows: readonly TraceRow[], call: Call) {
    const transactions = await readAll(this.#store, transactionsOfTracesRead(idsOf(rows)), call)
    const found = await readTransactionMessages(this.#store, transactions, call)
    const tokens = await readTokens(this.#store, found, call)
    const grouped = byTrace(found, ({ row }) => row.traceId)
    return new Map([...grouped].map(([trace, all]) => [trace, changesByAccount(changesOf(all, tokens))] as const))
  }
}

export const traceHandlers = (page: TracesPage): WritingHandlers<Methods> => ({
  async 'v3.traces'(query, call) {
    const { traces, ...extras } = await page.read('v3.traces', query, call)
    return writeObject<Result<Methods['v3.traces']>>({ traces: await writeList(traces, call.caller), ...extras })
  },

  async 'v3.events'(query, call) {
    const { traces, ...extras } = await page.read('v3.events', { ...query, include_actions: true }, call)
    return writeObject<Result<Methods['v3.events']>>({ events: await writeList(traces, call.caller), ...extras })
  },
})
