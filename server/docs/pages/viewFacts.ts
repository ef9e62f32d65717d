// The facts of a page of the explorer for readers without scripts: browsers with scripts off, previews of chats, curl.

import { actionWords, computeWords, skippedWords } from '../../../shared/exitCodes.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { hexOf, type View } from '../../../shared/explorer/views.ts'
import { inTon } from '../../../shared/inTon.ts'
import type { Api } from '../../../shared/registry.ts'

export interface ViewFacts {
  /** What happened, in a few words; null when its subject was not found. */
  readonly headline: string | null
  /** With a path below the root of the service, a row leads there. */
  readonly rows: readonly (readonly [name: string, text: string, path?: string | null])[]
}

type Replies = ReadonlyMap<string, string>
type Result<M extends keyof Api> = Api[M]['result']
type Transaction = Result<'v3.transactions'>['transactions'][number]

const NOTHING: ViewFacts = { headline: null, rows: [] }

/** Keys of queries begin with their method. */
export function replyOf<M extends keyof Api>(method: M, replies: Replies): Result<M> | null {
  const [, json] = [...replies].find(([key]) => key.startsWith(`${method} `)) ?? []
  // The cast: a key begins with the method whose result it has.
  return json === undefined ? null : (JSON.parse(json) as Result<M>)
}

const time = (seconds: number | string): string =>
  `${new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').slice(0, 19)} UTC`

type Names = Result<'v3.traces'>['address_book']

/** An address as people know it. */
const friendly = (account: string, names: Names | undefined): string => names?.[account]?.user_friendly ?? account

/** Why a transaction failed; null for one that did not. A skipped one failed if its message was to be sent back. */
function failureOf(
  { account, orig_status, description: { compute_ph: compute, action, bounce } }: Transaction,
  names: Names,
): string | null {
  if (compute?.skipped === false && !compute.success)
    return `exit code ${compute.exit_code}: ${computeWords(compute.exit_code, names[account]?.interfaces).text}`
  if (action && !action.success) return `result code ${action.result_code}: ${actionWords(action.result_code).text}`
  return compute?.skipped && bounce ? `skipped: ${skippedWords(compute.reason, orig_status).text}` : null
}

function ofTrace(replies: Replies): ViewFacts {
  const found = replyOf('v3.traces', replies)
  const trace = found?.traces[0]
  if (trace === undefined) return NOTHING
  const names = found?.address_book ?? {}
  const order = trace.transactions_order ?? []
  const transactions = order.flatMap((hash) => trace.transactions?.[hash] ?? [])
  const [first] = transactions
  const failed = transactions.find((one) => failureOf(one, names) !== null)
  const failure = failed === undefined ? null : failureOf(failed, names)
  const isWell = failed === undefined && (trace.actions ?? []).every(({ success }) => success)
  const outcome = isWell ? 'Success' : failed !== undefined && failed === first ? 'Failed' : 'Partly failed'
  const size = ['Transactions', String(trace.trace_info.transactions)] as const
  const begins = ['Time', time(trace.start_utime)] as const
  // One that is too large came without them.
  if (first === undefined)
    return { headline: counted(trace.trace_info.transactions, 'transaction'), rows: [size, begins] }
  const rows: ViewFacts['rows'] = [
    ['Outcome', outcome],
    ...(failed === undefined || failure === null
      ? []
      : ([['Why', `${friendly(failed.account, names)} ${failure}`]] as const)),
    size,
    begins,
    ['Accounts', [...new Set(transactions.map(({ account }) => friendly(account, names)))].slice(0, 10).join(', ')],
  ]
  return { headline: failure === null ? outcome : `${outcome}: ${failure}`, rows }
}

function ofAccount(replies: Replies): ViewFacts {
  const found = replyOf('v3.accountStates', replies)
  const state = found?.accounts[0]
  if (state === undefined) return NOTHING
  const balance = `${inTon(BigInt(state.balance ?? '0'))} TON`
  return {
    headline: `${balance}, ${state.status}`,
    rows: [
      ['Address', friendly(state.address, found?.address_book)],
      ['Balance', balance],
      ['Status', state.status],
      ...(state.interfaces.length > 0 ? ([['Kind', state.interfaces.join(', ')]] as const) : []),
      ...(state.code_hash ? ([['Code', state.code_hash]] as const) : []),
    ],
  }
}

function ofBlock(replies: Replies): ViewFacts {
  const block = replyOf('v3.blocks', replies)?.blocks[0]
  if (block === undefined) return NOTHING
  return {
    headline: counted(block.tx_count, 'transaction'),
    rows: [
      ['Block', `${block.workchain}:${block.shard}:${block.seqno}`],
      ['Time', time(block.gen_utime)],
      ['Transactions', String(block.tx_count)],
      ['Root hash', block.root_hash],
      ['File hash', block.file_hash],
    ],
  }
}

/** Text by strangers: without characters that turn or hide what is around them, and short. */
const foreign = (text: string): string => text.slice(0, 200).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')

type Hit = Result<'v3.search'>['results'][number]

function pathOf({ type, account, hash, block }: Hit): string | null {
  if (block !== null) return `block/${block.workchain}:${block.shard}:${block.seqno}`
  if (account !== null) return `address/${account}`
  return hash === null || type === 'code' ? null : `${type === 'transaction' ? 'tx' : 'trace'}/${hexOf(hash)}`
}

function ofSearch(replies: Replies): ViewFacts {
  const { results = [], note = null } = replyOf('v3.search', replies) ?? {}
  const rows = results.map((hit) => {
    const path = pathOf(hit)
    const names = [hit.name, hit.symbol, path ?? hit.opcode ?? hit.hash].flatMap((name) => (name ? foreign(name) : []))
    return [hit.type, names.join(' · '), path] as const
  })
  // The account that the service itself calls so.
  const states = replyOf('v3.accountStates', replies)
  const named = states?.accounts[0]?.address
  if (named !== undefined)
    return { headline: null, rows: [['account', friendly(named, states?.address_book), `address/${named}`], ...rows] }
  return { headline: null, rows: note === null ? rows : [['Note', foreign(note)], ...rows] }
}

const MOST_ACTIVE = 20

function ofHome(replies: Replies): ViewFacts {
  const rows = replyOf('v3.actions', replies)
    ?.actions.slice(0, MOST_ACTIVE)
    .map(({ type, trace_id, end_utime }) => {
      const hex = hexOf(trace_id ?? '')
      return [type, end_utime === null ? 'now' : time(end_utime), hex && `trace/${hex}`] as const
    })
  return { headline: null, rows: rows ?? [] }
}

const FACTS: Readonly<Partial<Record<View['page'], typeof ofTrace>>> = {
  transaction: ofTrace,
  trace: ofTrace,
  account: ofAccount,
  block: ofBlock,
  search: ofSearch,
  home: ofHome,
}

/** Whether pages of this kind have facts, where their subject is found. */
export const hasFacts = ({ page }: View): boolean => FACTS[page] !== undefined

export const viewFacts = (view: View, replies: Replies): ViewFacts => FACTS[view.page]?.(replies) ?? NOTHING
