// What the first view of each page shows: the service calls it while it writes the page, which then needs no call.

import { classify } from '../../shared/explorer/classifyText.ts'
import {
  accountState,
  accountTraces,
  accountTransactions,
  activity,
  blockAt,
  CONFIGURATION,
  decodedBody,
  holdersOf,
  itemsOf,
  itemsOfCollection,
  jettonsOf,
  LAST_HOUR,
  LONGEST_SEARCH,
  NEWEST_BLOCKS,
  NEWEST_STAKES,
  ofOpcode,
  pendingOfAccount,
  poolQueries,
  SNAPSHOTS,
  STATE,
  searchFor,
  shardsOfBlock,
  signersOfBlock,
  stateOfWallets,
  traceById,
  traceOfTransaction,
  transactionsByHash,
  transactionsOfBlock,
  VALIDATORS,
} from '../../shared/explorer/explorerQueries.ts'
import type { Query } from '../../shared/explorer/explorerQuery.ts'
import { METHOD_LIST_PATH, methodPath } from '../../shared/explorer/methodList.ts'
import { hexOf, type PageName, placeOf, rawOf, type View } from '../../shared/explorer/views.ts'
import type { Api } from '../../shared/registry.ts'
import { FAILURES_PATH } from './keysPaths.ts'

/** The result of a query that was made; undefined when there is none. */
export type ResultOf = <M extends keyof Api>(query: Query<M>) => Api[M]['result'] | undefined

export interface FirstCalls {
  readonly queries?: readonly Query[]
  /** Paths of documents that are no calls. */
  readonly documents?: readonly string[]
  /** Queries that need results of the first ones. */
  readonly next?: (resultOf: ResultOf) => readonly Query[]
}

const NEWEST = activity(true)

function failuresIn(resultOf: ResultOf): readonly Query[] {
  const failed = resultOf(NEWEST)?.actions.filter(({ success }) => !success) ?? []
  return transactionsByHash(failed.flatMap(({ transactions }) => transactions))
}

function walletsIn(resultOf: ResultOf): readonly Query[] {
  const accounts = resultOf(STATE)?.accounts ?? []
  return accounts.length === 0 ? [] : stateOfWallets(accounts.map(({ address }) => address))
}

/** By the tab that is open. */
const TABS = new Map<string, (raw: string) => readonly Query[]>([
  ['history', (raw) => [accountTraces(raw), pendingOfAccount(raw)]],
  ['transactions', (raw) => [accountTransactions(raw)]],
  ['tokens', (raw) => [jettonsOf(raw)]],
  ['nfts', (raw) => [itemsOf(raw)]],
  ['holders', (raw) => [holdersOf(raw)]],
  ['items', (raw) => [itemsOfCollection(raw)]],
  ['contract', (raw) => [accountState(raw, true)]],
])

function account(text: string, search: URLSearchParams): FirstCalls {
  const raw = rawOf(text)
  if (raw === null) return {}
  const tab = search.get('tab') ?? 'history'
  const state = accountState(raw)
  // When it was last active; the rows of these two say so themselves.
  const next = (resultOf: ResultOf) =>
    ['history', 'transactions'].includes(tab)
      ? []
      : transactionsByHash((resultOf(state)?.accounts ?? []).flatMap((one) => one.last_transaction_hash ?? []))
  return { queries: [state, ...(TABS.get(tab)?.(raw) ?? [])], next }
}

const trace = (text: string, query: typeof traceById): FirstCalls => {
  const hash = hexOf(text)
  return hash === null ? {} : { queries: [query(hash)] }
}

function block(text: string): FirstCalls {
  const place = placeOf(text)
  if (place === null) return {}
  const own = [blockAt(place), transactionsOfBlock(place)]
  if (place.workchain !== -1) return { queries: own }
  const next = (resultOf: ResultOf) => {
    const [found] = resultOf(blockAt(place))?.blocks ?? []
    return found === undefined ? [] : signersOfBlock(found.seqno, found.gen_utime)
  }
  return { queries: [...own, shardsOfBlock(place.seqno)], next }
}

function search(text: string): FirstCalls {
  const found = classify(text)
  if (found.kind === 'opcode') return { queries: ofOpcode(found.opcode) }
  if (found.kind === 'empty' || text.length > LONGEST_SEARCH) return {}
  // A text may be the name of a method.
  return { queries: [searchFor(text)], documents: found.kind === 'text' ? [METHOD_LIST_PATH] : [] }
}

function cell(text: string): FirstCalls {
  const found = classify(text)
  return found.kind === 'boc' ? { queries: [decodedBody(found.boc)] } : {}
}

const PAGES: Readonly<Record<PageName, (subject: string, search: URLSearchParams) => FirstCalls>> = {
  home: () => ({ queries: [NEWEST, LAST_HOUR, NEWEST_BLOCKS], next: failuresIn }),
  account,
  transaction: (hash) => trace(hash, traceOfTransaction),
  trace: (hash) => trace(hash, traceById),
  block,
  search: (_subject, given) => search((given.get('q') ?? '').trim()),
  status: () => ({ documents: ['/readyz', '/metrics', FAILURES_PATH] }),
  wallets: () => ({ next: walletsIn }),
  lab: () => ({ queries: [SNAPSHOTS] }),
  console: () => ({ documents: [METHOD_LIST_PATH] }),
  call: (method) => ({ documents: [METHOD_LIST_PATH, methodPath(method)] }),
  cell: (_subject, given) => cell(given.get('boc') ?? ''),
  config: () => ({ queries: [CONFIGURATION] }),
  validators: () => ({ queries: VALIDATORS }),
  pools: () => ({ queries: [NEWEST_STAKES] }),
  pool: (pool) => ({ queries: poolQueries(pool) }),
}

export const firstCalls = ({ page, subject }: View, search: URLSearchParams): FirstCalls => PAGES[page](subject, search)
