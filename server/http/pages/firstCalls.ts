// What the first view of each page shows: the service calls it while it writes the page, which then needs no call.

import {
  balanceOf,
  holdersOf,
  multisigAt,
  orderAt,
  ordersOf,
  vestingAt,
} from '../../../shared/explorer/accountPartQueries.ts'
import {
  accountActions,
  accountTraces,
  areSmall,
  domainsOf,
  firstTransactions,
  itemsOf,
  itemsOfCollection,
  jettonsOf,
  pendingOfAccount,
  saleAt,
  salesOf,
  tokenAt,
} from '../../../shared/explorer/accountQueries.ts'
import { blockAt, shardsOfBlock, signersOfBlock, transactionsOfBlock } from '../../../shared/explorer/blockQueries.ts'
import { CHAIN_HEAD } from '../../../shared/explorer/chainHead.ts'
import { CHAIN_NAMES } from '../../../shared/explorer/chainNames.ts'
import { classifyText, searchedText } from '../../../shared/explorer/classifyText.ts'
import {
  accountState,
  activity,
  LAST_HOUR,
  NAMES,
  NEWEST_BLOCKS,
  STATE,
  transactionsByHash,
} from '../../../shared/explorer/explorerQueries.ts'
import type { Query } from '../../../shared/explorer/explorerQuery.ts'
import { formExampleOf } from '../../../shared/explorer/formExamples.ts'
import { isGetMethod, methodNameOf, readsOf, runOf } from '../../../shared/explorer/getMethods.ts'
import { orderIn, timesIn } from '../../../shared/explorer/historyDays.ts'
import { isActionGroup, TYPES_OF_KIND } from '../../../shared/explorer/historyKinds.ts'
import { METHOD_LIST_PATH, methodPath } from '../../../shared/explorer/methodList.ts'
import { isSecret, REFUSED, SECRET_REFUSED } from '../../../shared/explorer/secretText.ts'
import { NEWEST_STAKES, poolQueries, VALIDATORS } from '../../../shared/explorer/stakingQueries.ts'
import {
  CONFIGURATION,
  decodedBody,
  LONGEST_SEARCH,
  nearestTo,
  ofOpcode,
  SNAPSHOTS,
  searchFor,
  stateOfWallets,
} from '../../../shared/explorer/toolQueries.ts'
import {
  movesOf,
  pendingTraceOf,
  replayOf,
  traceById,
  traceOfMessage,
  traceOfTransaction,
} from '../../../shared/explorer/traceQueries.ts'
import { hexOf, type PageName, parseBlockPlace, rawOf, type View } from '../../../shared/explorer/views.ts'
import type { Api } from '../../../shared/registry.ts'
import { FAILURES_PATH } from '../paths/keysPaths.ts'

/** The result of a query that was made; undefined when there is none. */
export type ResultOf = <M extends keyof Api>(query: Query<M>) => Api[M]['result'] | undefined

export interface FirstCalls {
  readonly queries?: readonly Query[]
  /** Paths of documents that are no calls. */
  readonly documents?: readonly string[]
  /** Queries that need results of the first ones. */
  readonly next?: (resultOf: ResultOf) => readonly Query[]
  /** Whether what the path names does not exist, as the results say. */
  readonly isMissing?: (resultOf: ResultOf) => boolean
  /** Why nothing is read, for readers without scripts. */
  readonly refusal?: string
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

function historyOf(raw: string, search: URLSearchParams): Query {
  const kind = search.get('kind') ?? ''
  const times = timesIn(search)
  const order = orderIn(search)
  return isActionGroup(kind)
    ? accountActions(raw, TYPES_OF_KIND[kind], undefined, times, order)
    : accountTraces(raw, undefined, times, order)
}

const transactionsIn = (raw: string, size: 'few' | 'usual', search: URLSearchParams) =>
  firstTransactions(raw, size, timesIn(search), orderIn(search))

/** By the tab that is open. */
const TABS = new Map<string, (raw: string, search: URLSearchParams) => readonly Query[]>([
  ['history', (raw, search) => [historyOf(raw, search), pendingOfAccount(raw)]],
  ['transactions', (raw, search) => [transactionsIn(raw, 'few', search)]],
  ['tokens', (raw) => [jettonsOf(raw)]],
  ['nfts', (raw) => [itemsOf(raw), domainsOf(raw)]],
  ['holders', (raw) => [holdersOf(raw)]],
  ['items', (raw) => [itemsOfCollection(raw)]],
  ['contract', (raw) => [accountState(raw, true)]],
  ['balance', (raw) => [balanceOf(raw)]],
  ['orders', (raw) => [multisigAt(raw), ordersOf(raw)]],
  ['order', (raw) => [orderAt(raw)]],
  ['vesting', (raw) => [vestingAt(raw)]],
  ['sale', (raw) => [saleAt(raw)]],
])

/** What the first items on sale cost; the page asks for the others. */
const firstPrices = (found: Api['v3.nft.items']['result'] | undefined): readonly Query[] =>
  salesOf(found?.nft_items ?? []).slice(0, 1)

/** The usual number of transactions, where there are more than few, and these are small. */
function moreOf(resultOf: ResultOf, raw: string, search: URLSearchParams): readonly Query[] {
  const { transactions, cursor } = resultOf(transactionsIn(raw, 'few', search)) ?? { transactions: [], cursor: null }
  return cursor !== null && areSmall(transactions) ? [transactionsIn(raw, 'usual', search)] : []
}

/** The methods the page runs at once. */
function runsIn(resultOf: ResultOf, raw: string): readonly Query[] {
  const ids = resultOf(accountState(raw))?.accounts[0]?.contract_methods ?? []
  return readsOf(ids.filter(isGetMethod).map(methodNameOf)).map((name) => runOf(raw, name))
}

/** The account that a name leads to: one of every chain or of this one, one the service was given, or a domain. */
function accountNamed(text: string, resultOf: ResultOf): string | null {
  const isIt = (name: string): boolean => name.toLowerCase() === text.toLowerCase()
  const own = resultOf(STATE)?.accounts.find(({ name }) => isIt(name))?.address
  const names = Object.entries({ ...CHAIN_NAMES, ...resultOf(NAMES)?.names })
  const [given] = names.find(([, name]) => isIt(name)) ?? []
  const hits = resultOf(nearestTo(text))?.results ?? []
  const domain = hits.find(({ type, match, name }) => type === 'account' && match === 'exact' && isIt(name ?? ''))
  return rawOf(own ?? given ?? domain?.account ?? '')
}

/** For readers without scripts, the account of a name. */
const accountOfName = (text: string) => (resultOf: ResultOf) => {
  const raw = accountNamed(text, resultOf)
  return raw === null ? [] : [accountState(raw)]
}

/** Of a text that is no address: what is nearest to it, and the account of that name. */
const nameOfAccount = (text: string): FirstCalls => ({ queries: [nearestTo(text)], next: accountOfName(text) })

function account(text: string, search: URLSearchParams): FirstCalls {
  const raw = rawOf(text)
  if (raw === null) return nameOfAccount(text)
  const tab = search.get('tab') ?? 'history'
  const state = accountState(raw)
  const isFiltered = ['kind', 'from', 'until', 'order'].some((name) => search.has(name))
  // When it was last active; the newest rows of these two say so themselves.
  const saysWhen = (tab === 'transactions' || tab === 'history') && !isFiltered
  const next = (resultOf: ResultOf) => {
    const found = resultOf(state)?.accounts ?? []
    return [
      ...found.flatMap(({ interfaces }) => tokenAt(raw, interfaces)),
      ...(saysWhen ? [] : transactionsByHash(found.flatMap((one) => one.last_transaction_hash ?? []))),
      ...(tab === 'transactions' ? moreOf(resultOf, raw, search) : []),
      ...(tab === 'methods' ? runsIn(resultOf, raw) : []),
      ...(tab === 'nfts' ? firstPrices(resultOf(itemsOf(raw))) : []),
      ...(tab === 'items' ? firstPrices(resultOf(itemsOfCollection(raw))) : []),
    ]
  }
  return { queries: [state, ...(TABS.get(tab)?.(raw, search) ?? [])], next }
}

function trace(text: string, search: URLSearchParams, queryOf: typeof traceById): FirstCalls {
  const hash = hexOf(text)
  if (hash === null) return { queries: [nearestTo(text)] }
  const query = queryOf(hash)
  const isMissing = (resultOf: ResultOf) => resultOf(query)?.traces.length === 0
  const next = (resultOf: ResultOf): readonly Query[] => {
    if (isMissing(resultOf))
      return [traceOfMessage(hash), ...transactionsByHash([hash]), pendingTraceOf(hash), nearestTo(hash)]
    const [found] = resultOf(query)?.traces ?? []
    const again = Object.keys(found?.transactions ?? {}).find((one) => hexOf(one) === hash)
    return [
      ...(search.get('as') === 'flow' && found?.trace_id ? [movesOf(found.trace_id)] : []),
      ...(search.get('view') === 'again' && again !== undefined ? [replayOf(again)] : []),
    ]
  }
  return { queries: [query], next, isMissing }
}

function block(text: string): FirstCalls {
  const place = parseBlockPlace(text)
  if (place === null) return {}
  const own = [blockAt(place), transactionsOfBlock(place)]
  if (place.workchain !== -1) return { queries: own }
  const next = (resultOf: ResultOf) => {
    const [found] = resultOf(blockAt(place))?.blocks ?? []
    return found === undefined ? [] : signersOfBlock(found.seqno, found.gen_utime)
  }
  return { queries: [...own, shardsOfBlock(place.seqno)], next }
}

function search(given: string): FirstCalls {
  if (isSecret(given)) return { refusal: SECRET_REFUSED }
  const text = searchedText(given)
  const found = classifyText(text)
  if (found.kind === 'opcode') return { queries: ofOpcode(found.opcode) }
  if (found.kind === 'empty' || text.length > LONGEST_SEARCH) return {}
  const queries = [searchFor(text)]
  // A text may be the name of a method, or of an account.
  return found.kind === 'text' ? { queries, documents: [METHOD_LIST_PATH], next: accountOfName(text) } : { queries }
}

function cell(text: string): FirstCalls {
  const found = classifyText(text)
  return found.kind === 'boc' ? { queries: [decodedBody(found.boc)] } : {}
}

function call(method: string): FirstCalls {
  const example = formExampleOf(method)
  return {
    ...(example === undefined ? {} : { queries: [example.query] }),
    documents: [METHOD_LIST_PATH, methodPath(method)],
  }
}

const PAGES: Readonly<Record<PageName, (subject: string, search: URLSearchParams) => FirstCalls>> = {
  home: () => ({ queries: [NEWEST, LAST_HOUR, NEWEST_BLOCKS, CHAIN_HEAD], next: failuresIn }),
  account,
  transaction: (hash, given) => trace(hash, given, traceOfTransaction),
  trace: (hash, given) => trace(hash, given, traceById),
  block,
  search: (_subject, given) =>
    given.has(REFUSED) ? { refusal: SECRET_REFUSED } : search((given.get('q') ?? '').trim()),
  status: () => ({ documents: ['/readyz', '/metrics', FAILURES_PATH] }),
  wallets: () => ({ next: walletsIn }),
  lab: () => ({ queries: [SNAPSHOTS] }),
  console: () => ({ documents: [METHOD_LIST_PATH] }),
  call,
  cell: (_subject, given) => cell(given.get('boc') ?? ''),
  config: () => ({ queries: [CONFIGURATION] }),
  validators: () => ({ queries: VALIDATORS }),
  pools: () => ({ queries: [NEWEST_STAKES] }),
  pool: (pool) => ({ queries: poolQueries(pool) }),
}

export const firstCalls = ({ page, subject }: View, search: URLSearchParams): FirstCalls => PAGES[page](subject, search)
