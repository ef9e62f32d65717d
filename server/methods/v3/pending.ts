import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import type { pending } from '../../../shared/v3/pending.ts'
import type { AccountKey } from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import type { PendingTrace, PendingTraces } from '../pending/pendingTraces.ts'
import { endOf, toPendingTrace, toPendingTransaction } from '../view/v3/pending.ts'
import { accountsOfTransaction } from '../view/v3/transaction.ts'
import type { SideObjects } from './sideObjects.ts'
import { wishedSides } from './wishes.ts'

const ONE_NEEDED = 'account or ext_msg_hash should be specified'
const ACCOUNT_NEEDED = 'at least 1 account address required'
const NONE = 'emulated traces not found'

/** Whether bytes are among those. */
function among(names: readonly Uint8Array[]): (bytes: Uint8Array | null) => boolean {
  const known = new Set(names.map(toHex))
  return (bytes) => bytes !== null && known.has(toHex(bytes))
}

const touches = (trace: PendingTrace, isWanted: (account: AccountKey) => boolean): boolean =>
  trace.nodes.some(({ found }) => isWanted(found.row.account))

/** Newest end first, then by the hash they are known by. */
function byEnd(a: PendingTrace, b: PendingTrace): number {
  const [endA, endB] = [endOf(a), endOf(b)]
  return endA === endB ? Buffer.compare(a.hash, b.hash) : endA > endB ? -1 : 1
}

export const pendingHandlers = (traces: PendingTraces, side: SideObjects): Handlers<typeof pending> => ({
  async 'v3.pendingTraces'({ account, ext_msg_hash }, call) {
    if (account === undefined && ext_msg_hash === undefined) throw new ApiError('invalidParams', ONE_NEEDED)
    const isNamed = among(account === undefined ? (ext_msg_hash ?? []) : [account])
    const found = (await traces.all()).filter((trace) =>
      account === undefined ? isNamed(trace.hash) || isNamed(trace.hashNorm) : touches(trace, isNamed),
    )
    const accounts = found.flatMap(({ nodes }) => nodes.flatMap((node) => accountsOfTransaction(node.found)))
    return { traces: [...found].sort(byEnd).map(toPendingTrace), ...(await wishedSides(side, accounts, call)) }
  },

  async 'v3.pendingTransactions'({ account, trace_id }, call) {
    if (account === undefined && trace_id === undefined) throw new ApiError('invalidParams', ACCOUNT_NEEDED)
    const isAsked = among(account ?? [])
    const isNamed = among(trace_id ?? [])
    const found = (await traces.all()).filter(
      (trace) =>
        (account === undefined || touches(trace, isAsked)) &&
        (trace_id === undefined || [trace.hash, trace.hashNorm, trace.traceId].some(isNamed)),
    )
    if (found.length === 0) throw new ApiError('notFound', NONE)
    const nodes = found
      .flatMap((trace) => trace.nodes.map((node) => ({ trace, node, row: node.found.row })))
      .filter(({ node, row }) => node.emulated && (account === undefined || isAsked(row.account)))
      .sort((a, b) =>
        a.row.lt === b.row.lt ? Buffer.compare(a.row.account, b.row.account) : a.row.lt > b.row.lt ? -1 : 1,
      )
    const accounts = nodes.flatMap(({ node }) => accountsOfTransaction(node.found))
    return {
      transactions: nodes.map(({ trace, node }) => toPendingTransaction(trace, node)),
      address_book: await side.addressBook(accounts, call),
    }
  },
})
