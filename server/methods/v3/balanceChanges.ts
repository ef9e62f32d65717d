import { ApiError } from '../../../shared/errors.ts'
import type { balanceChangesV3 } from '../../../shared/v3/balanceChanges.ts'
import { inPieces } from '../../fairness/index.ts'
import {
  actionsRead,
  nodesOfTraceRead,
  readAll,
  readPage,
  readTransactionMessages,
  readTransactionsByHash,
  readTransactionsOfTraces,
  type Sql,
  type TransactionRow,
} from '../../store/index.ts'
import { addingUp, readTokens } from '../balance/changes.ts'
import type { Call, Handlers } from '../call.ts'
import { ofOneState } from './oneState.ts'

const ONE = 'exactly one of trace_id and action_id should be specified'
/** One of thousands of transactions is removed some of them at a time. */
const IN_PARTS = 'the index has only a part of the trace, which is being removed or has just grown: ask again'
/** What one call reads and adds up. */
const MOST_TRANSACTIONS = 20_000

/** Throws ApiError for more than one call adds up. */
function demandFew(count: number): void {
  if (count <= MOST_TRANSACTIONS) return
  const text = `the trace has ${count} transactions, of which ${MOST_TRANSACTIONS} at most are added up`
  throw new ApiError('replyTooLarge', text, { limit: MOST_TRANSACTIONS })
}

/** Transactions, and how many there are when none was removed meanwhile; null where all were. */
async function rowsOf(
  store: Sql,
  { trace_id: traceId, action_id: actionId }: { trace_id?: Uint8Array | undefined; action_id?: Uint8Array | undefined },
  call: Call,
): Promise<{ readonly rows: readonly TransactionRow[]; readonly count: number | null }> {
  if (traceId !== undefined) {
    const [trace] = await readAll(store, nodesOfTraceRead(traceId), call)
    const nodes = trace?.nodes ?? 0
    demandFew(nodes)
    return { rows: await readTransactionsOfTraces(store, [{ traceId, nodes }], call), count: trace?.nodes ?? null }
  }
  const page = { limit: 1, offset: 0, after: null }
  const filter = { actionIds: actionId === undefined ? [] : [actionId], hiddenWithin: [] }
  const found = await readPage(store, actionsRead(filter, page, 'desc'), call)
  // Of an action each of them comes once.
  const hashes = found.rows.flatMap(({ transactions }) => transactions)
  return { rows: await readTransactionsByHash(store, hashes, call), count: hashes.length }
}

export const balanceChangeHandlers = (store: Sql): Handlers<typeof balanceChangesV3> => ({
  async 'v3.balanceChanges'(query, call) {
    const names = [query.trace_id, query.action_id].filter((name) => name !== undefined)
    if (names.length !== 1) throw new ApiError('invalidParams', ONE)
    const isWhole = ({ found, count }: { readonly found: readonly unknown[]; readonly count: number | null }) =>
      found.length === count
    const all = await ofOneState(async () => {
      const { rows, count } = await rowsOf(store, query, call)
      if (rows.length === 0) throw new ApiError('notFound', query.trace_id ? 'trace not found' : 'action not found')
      demandFew(rows.length)
      const [tokens, found] = await Promise.all([
        readTokens(store, rows, call),
        readTransactionMessages(store, rows, call),
      ])
      return { found, tokens, count }
    }, isWhole)
    if (query.trace_id && !isWhole(all)) throw new ApiError('unavailable', IN_PARTS)
    return await inPieces(addingUp(all.found, all.tokens), call)
  },
})
