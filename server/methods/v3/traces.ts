import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { traces } from '../../../shared/v3/traces.ts'
import { inSlices } from '../../fairness/index.ts'
import {
  actionsOfTracesRead,
  readAll,
  readPage,
  readTransactionMessages,
  type Sql,
  type TraceFilter,
  type TraceRow,
  tracesRead,
  transactionsOfTracesRead,
} from '../../store/index.ts'
import { byAccount, changesOf, readTokens } from '../balance/changes.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { type ActionOnWire, accountsOfDetails, toAction } from '../view/v3/action.ts'
import { isTooLarge, writeTrace } from '../view/v3/trace.ts'
import { writeList, writeObject } from '../written.ts'
import { typesOfCaller } from './actions/filter.ts'
import { demandKept } from './demandKept.ts'
import { demandMaster } from './demandMaster.ts'
import { type SideObjects, sideObjectsFor } from './sideObjects.ts'
import { type WrittenPart, WrittenTransactions } from './writtenTransactions.ts'

type Methods = typeof traces
type Query = Params<Methods['v3.traces']>

const ONE_NAME = 'only one of account, trace_id, tx_hash, msg_hash should be specified'

/** Transactions of one page: what is read and written at once. */
const MOST_TRANSACTIONS = 20_000

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

export type TracesPage = ReturnType<typeof createTracePage>

/** Reads a page of complete traces, each written already. */
export function createTracePage(store: Sql, side: SideObjects, transactions = new WrittenTransactions(store)) {
  /** All that is in the traces, by their ids. Throws ApiError for more than one answer should hold. */
  async function partsOf(rows: readonly TraceRow[], call: Call): Promise<ReadonlyMap<string, readonly WrittenPart[]>> {
    const shown = rows.filter((row) => !isTooLarge(row))
    const count = shown.reduce((sum, { nodes }) => sum + nodes, 0)
    if (count > MOST_TRANSACTIONS) {
      const text = `limit is not allowed: these ${rows.length} traces have ${count} transactions > ${MOST_TRANSACTIONS}`
      throw new ApiError('invalidParams', text, { param: 'limit', limit: MOST_TRANSACTIONS })
    }
    const byTrace = new Map(rows.map(({ traceId }) => [toHex(traceId), [] as WrittenPart[]]))
    if (shown.length === 0) return byTrace
    const traceIds = shown.map(({ traceId }) => traceId)
    for (const part of await transactions.ofTraces(traceIds, call)) byTrace.get(toHex(part.traceId))?.push(part)
    return byTrace
  }

  /** By trace. */
  async function actionsOf(rows: readonly TraceRow[], query: Query, call: Call): Promise<Map<string, ActionOnWire[]>> {
    const hiddenWithin = typesOfCaller(query.supported_action_types, call)
    const ids = rows.filter((row) => !isTooLarge(row)).map(({ traceId }) => traceId)
    const byTrace = new Map<string, ActionOnWire[]>()
    for (const row of await readAll(store, actionsOfTracesRead(ids, { types: hiddenWithin, hiddenWithin }), call)) {
      const trace = toHex(row.traceId)
      const list = byTrace.get(trace)
      if (list === undefined) byTrace.set(trace, [toAction(row)])
      else list.push(toAction(row))
    }
    return byTrace
  }

  /** Gains and losses by trace. */
  async function changesByTrace(rows: readonly TraceRow[], call: Call) {
    const ids = rows.filter((row) => !isTooLarge(row)).map(({ traceId }) => traceId)
    const found = await readTransactionMessages(store, await readAll(store, transactionsOfTracesRead(ids), call), call)
    const tokens = await readTokens(store, found, call)
    const byTrace = new Map<string, (typeof found)[number][]>()
    for (const one of found) {
      const trace = toHex(one.row.traceId)
      const known = byTrace.get(trace)
      if (known === undefined) byTrace.set(trace, [one])
      else known.push(one)
    }
    return new Map([...byTrace].map(([trace, all]) => [trace, byAccount(changesOf(all, tokens))] as const))
  }

  return async (method: keyof Methods, query: Query, call: Call) => {
    const filter = filterOf(query)
    const { ask, cursor } = openPage(method, query)
    await demandKept(store, filter, call)
    const { rows, next } = await readPage(store, tracesRead(filter, ask, query.sort), call)
    // Where there is a trace the block it ended in is there too.
    if (query.mc_seqno !== undefined && rows.length === 0) await demandMaster(store, query.mc_seqno, call)
    const parts = await partsOf(rows, call)
    const accounts = [...parts.values()].flatMap((found) => found.flatMap((one) => one.accounts))
    const actions = query.include_actions && !rows.every(isTooLarge) ? await actionsOf(rows, query, call) : null
    for (const action of [...(actions?.values() ?? [])].flat()) accounts.push(...accountsOfDetails(action.details))
    const changes = query.include_balance_changes ? await changesByTrace(rows, call) : null
    const written = await inSlices(
      rows,
      (row) => {
        const trace = toHex(row.traceId)
        return writeTrace(row, parts.get(trace) ?? [], {
          ...(actions === null ? {} : { actions: actions.get(trace) ?? [] }),
          ...(changes === null || isTooLarge(row) ? {} : { balance_changes: changes.get(trace) ?? {} }),
        })
      },
      call.caller,
    )
    return { traces: written, cursor: cursor(next), ...(await sideObjectsFor(side, accounts, call)) }
  }
}

export const traceHandlers = (page: TracesPage): WritingHandlers<Methods> => ({
  async 'v3.traces'(query, call) {
    const { traces, ...extras } = await page('v3.traces', query, call)
    return writeObject<Result<Methods['v3.traces']>>({ traces: await writeList(traces, call.caller), ...extras })
  },

  async 'v3.events'(query, call) {
    const { traces, ...extras } = await page('v3.events', { ...query, include_actions: true }, call)
    return writeObject<Result<Methods['v3.events']>>({ events: await writeList(traces, call.caller), ...extras })
  },
})
