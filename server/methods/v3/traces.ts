import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { tracesV3 } from '../../../shared/v3/traces.ts'
import { bytesText } from '../../cell/index.ts'
import { inPieces, inSlices, lightInSlices, SlicedWork } from '../../fairness/index.ts'
import {
  type AccountKey,
  actionSizes,
  actionsOfAccountRead,
  actionsOfTracesRead,
  groupBy,
  type PagedRead,
  type PageOfTraces,
  readListedActions,
  readPage,
  readTransactionMessages,
  readTransactionsOfTraces,
  type Sql,
  type TraceFilter,
  type TraceRow,
  tracesRead,
  transactionsOfAccountRead,
  withTimesOfLts,
} from '../../store/index.ts'
import { addingUpByAccount, namingChanges, readTokens } from '../balance/changes.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { charsOfKey } from '../keyOfAccount.ts'
import { openPage } from '../paging.ts'
import { MOST_OF_TRACE } from '../view/v3/traceTree.ts'
import { writeObject } from '../written.ts'
import { typesOfCaller } from './actions/filter.ts'
import { type ActionText, writeAction } from './actions/writtenActions.ts'
import { demandShortList, FEW, NO_NAMES } from './bounded/boundedLists.ts'
import { whileKept } from './kept/demandKept.ts'
import { demandMaster } from './kept/demandMaster.ts'
import { togetherTokens } from './names/metadata.ts'
import { namesOfList, namesRead, wishesOfList } from './names/namesOfList.ts'
import type { SideObjects } from './names/sideObjects.ts'
import { ofOneState } from './oneState.ts'
import { type TraceToWrite, writeTrace, writeTraces } from './written/writtenTraces.ts'
import { type WrittenTexts, WrittenTransactions } from './written/writtenTransactions.ts'

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

/** Traces of a page: those that are shown whole, and those that are too large for this caller. */
interface Sorted {
  readonly whole: readonly TraceRow[]
  readonly large: readonly TraceRow[]
  /** Whose part of the large ones is shown; undefined for none. */
  readonly account: AccountKey | undefined
}

const isLarge = ({ nodes }: TraceRow, { max_transactions: most = MOST_OF_TRACE }: Query): boolean => nodes > most

const sorted = (rows: readonly TraceRow[], query: Query): Sorted => ({
  whole: rows.filter((row) => !isLarge(row, query)),
  large: rows.filter((row) => isLarge(row, query)),
  account: query.max_transactions === undefined ? undefined : query.account,
})

const idsOf = (rows: readonly TraceRow[]): readonly Uint8Array[] => rows.map(({ traceId }) => traceId)

const countOf = (rows: readonly TraceRow[]): number => rows.reduce((sum, { nodes }) => sum + nodes, 0)

/** A text of as many characters as it has bytes. */
const nameOf = ({ traceId }: Pick<TraceRow, 'traceId'>): string => bytesText(traceId, 'latin1')

/** Throws ApiError for more than one answer should hold. */
function demandFew({ whole }: Sorted): void {
  const count = countOf(whole)
  if (count <= MOST_TRANSACTIONS) return
  const text = `limit is not allowed: these ${whole.length} traces have ${count} transactions > ${MOST_TRANSACTIONS}`
  throw new ApiError('invalidParams', text, { param: 'limit', limit: MOST_TRANSACTIONS })
}

/** Both, one behind the other. */
const joined = (a: WrittenTexts, b: WrittenTexts): WrittenTexts => ({
  parts: [...a.parts, ...b.parts],
  book: [...a.book, ...b.book],
  ...togetherTokens(a, b),
  unnamed: [...a.unnamed, ...b.unnamed],
})

interface TraceChanges {
  readonly found: NonNullable<TraceToWrite['changes']>
  /** Of how many transactions they are. */
  readonly count: number
}

/** What several statements find. */
interface PageParts {
  readonly page: WrittenTexts & Pick<PageOfTraces, 'rows' | 'next'>
  readonly all: Sorted
  readonly texts: WrittenTexts
  /** Transactions by their traces. */
  readonly parts: ReadonlyMap<string, readonly WrittenTexts['parts'][number][]>
  readonly actions: ReadonlyMap<string, readonly ActionText[]> | null
  readonly changes: ReadonlyMap<string, TraceChanges> | null
}

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
    const { traces, ...extras } = await this.#read(method, query, call)
    return { traces: await writeTraces(traces, call), ...extras }
  }

  /** The first that is found; null for none. */
  async one(query: Query, call: Call) {
    const { traces, cursor: _, ...extras } = await this.#read('v3.traces', query, call)
    const [first] = traces
    return { trace: first === undefined ? null : await writeTrace(first, call), ...extras }
  }

  async #read(method: keyof Methods, query: Query, call: Call) {
    const filter = filterOf(query)
    const { ask, cursor } = openPage(method, query)
    const found = await whileKept(this.#store, filter, async () => {
      const bounded = await withTimesOfLts(this.#store, filter, call)
      return await ofOneState(
        () => this.#whole(tracesRead(bounded, ask, query.sort), query, call),
        ({ half }) => half.size === 0,
      )
    })
    const { all, parts, actions, changes, half, names } = found
    const { rows, next } = found.page
    // What is removed while it is read, again and again, is as good as gone.
    const there = rows.filter((row) => !half.has(nameOf(row)))
    const traces = there.map((row): TraceToWrite => {
      const trace = nameOf(row)
      const own = parts.get(trace) ?? []
      const shown = { row, actions: actions === null ? undefined : (actions.get(trace) ?? []).map(({ text }) => text) }
      if (isLarge(row, query)) return { ...shown, isWhole: false, parts: all.account === undefined ? null : own }
      return {
        ...shown,
        isWhole: true,
        parts: own,
        changes: changes === null ? undefined : (changes.get(trace)?.found ?? {}),
      }
    })
    return { traces, cursor: cursor(next), ...names }
  }

  /** A page, which of it is only half there, and names: both are looked up at once. */
  async #whole(read: PagedRead<TraceRow>, query: Query, call: Call) {
    const found = await this.#parts(read, query, call)
    const [half, names] = await Promise.all([this.#halfOf(found, call), this.#names(found, call)])
    return { ...found, half, names }
  }

  /** Most pages have those that came with them. */
  async #names({ page, texts, actions, changes }: PageParts, call: Call) {
    if (texts === page && texts.unnamed.length === 0 && actions === null && changes === null)
      return await namesRead(this.#side, texts, call)
    const accounts = new Set(texts.book.map(({ chars }) => chars))
    await lightInSlices(texts.unnamed, (key) => accounts.add(charsOfKey(key)), call)
    for (const own of actions?.values() ?? [])
      for (const { names } of own) for (const chars of names) accounts.add(chars)
    const slices = new SlicedWork(call)
    for (const { found } of changes?.values() ?? []) await inPieces(namingChanges(found, accounts), slices)
    return await namesOfList({ store: this.#store, side: this.#side, known: texts, accounts }, call)
  }

  /** A page, and what goes with it. */
  async #parts(read: PagedRead<TraceRow>, query: Query, call: Call): Promise<PageParts> {
    const names = wishesOfList(call)
    const most = { ofTrace: query.max_transactions ?? MOST_OF_TRACE, ofPage: MOST_TRANSACTIONS }
    const page = await this.#transactions.tracePage(read, { ...names, most }, call)
    const { rows } = page
    // Where there is a trace the block it ended in is there too.
    if (query.mc_seqno !== undefined && rows.length === 0) await demandMaster(this.#store, query.mc_seqno, call)
    const all = sorted(rows, query)
    demandFew(all)
    const { large, account } = all
    const isShown = all.whole.length > 0 || account !== undefined
    const [ofLarge, actions, changes] = await Promise.all([
      large.length === 0 || account === undefined
        ? null
        : this.#transactions.ofTraces(transactionsOfAccountRead(idsOf(large), account, MOST_OF_ACCOUNT), names, call),
      query.include_actions && isShown ? this.#actionsOf(all, query, call) : null,
      query.include_balance_changes ? this.#changesOf(all.whole, call) : null,
    ])
    const texts = ofLarge === null ? page : joined(page, ofLarge)
    return { all, page, texts, parts: groupBy(texts.parts, ({ trace }) => trace), actions, changes }
  }

  /** Traces of which only a part was found: the rest was removed, or is no part of the chain any more. */
  async #halfOf({ all, parts, actions, changes }: PageParts, call: Call): Promise<ReadonlySet<string>> {
    const { whole, large, account } = all
    const isHalf = (row: TraceRow): boolean =>
      (parts.get(nameOf(row))?.length ?? 0) !== row.nodes ||
      (changes !== null && (changes.get(nameOf(row))?.count ?? 0) !== row.nodes)
    const half = new Set(whole.filter(isHalf).map(nameOf))
    const withActions = actions === null ? [] : account === undefined ? whole : [...whole, ...large]
    // Actions go together with their trace.
    const bare = withActions.filter((row) => row.classification === 'ok' && !actions?.has(nameOf(row)))
    const unsure = account === undefined ? bare : [...bare, ...large]
    if (unsure.length === 0) return half
    const page = { limit: unsure.length, offset: 0, after: null }
    const { rows: there } = await readPage(this.#store, tracesRead({ traceIds: idsOf(unsure) }, page, 'desc'), call)
    const ends = new Map(there.map((row) => [nameOf(row), row.endLt]))
    for (const row of unsure) if (ends.get(nameOf(row)) !== row.endLt) half.add(nameOf(row))
    return half
  }

  async #actionsOf({ whole, large, account }: Sorted, query: Query, call: Call): Promise<Map<string, ActionText[]>> {
    const hiddenWithin = typesOfCaller(query.supported_action_types, call)
    const wanted = { types: hiddenWithin, hiddenWithin }
    const reads = [
      ...(whole.length === 0 ? [] : [actionsOfTracesRead(idsOf(whole), wanted)]),
      ...(large.length === 0 || account === undefined
        ? []
        : [actionsOfAccountRead(idsOf(large), account, { ...wanted, most: MOST_OF_ACCOUNT })]),
    ]
    // There are rarely more of them than transactions.
    if (countOf(whole) > FEW)
      for (const read of reads) await demandShortList(this.#store, actionSizes(read), NO_NAMES, call)
    const rows = await Promise.all(reads.map((read) => readListedActions(this.#store, read, call)))
    const written = await inSlices(rows.flat(), writeAction, call)
    return groupBy(written, nameOf)
  }

  /** Gains and losses. */
  async #changesOf(rows: readonly TraceRow[], call: Call): Promise<Map<string, TraceChanges>> {
    const transactions = await readTransactionsOfTraces(this.#store, rows, call)
    const [tokens, found] = await Promise.all([
      readTokens(this.#store, transactions, call),
      readTransactionMessages(this.#store, transactions, call),
    ])
    const grouped = groupBy(found, ({ row }) => nameOf(row))
    const slices = new SlicedWork(call)
    const changes = new Map<string, TraceChanges>()
    for (const [trace, all] of grouped)
      changes.set(trace, { count: all.length, found: await inPieces(addingUpByAccount(all, tokens), slices) })
    return changes
  }
}

export const traceHandlers = (page: TracesPage): WritingHandlers<Methods> => ({
  async 'v3.traces'(query, call) {
    return writeObject<Result<Methods['v3.traces']>>(await page.read('v3.traces', query, call))
  },

  async 'v3.events'(query, call) {
    const { traces, ...extras } = await page.read('v3.events', { ...query, include_actions: true }, call)
    return writeObject<Result<Methods['v3.events']>>({ events: traces, ...extras })
  },
})
