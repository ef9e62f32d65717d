import { ApiError } from '../../../shared/errors.ts'
import type { Result } from '../../../shared/registry.ts'
import type { balanceChanges } from '../../../shared/v3/balanceChanges.ts'
import {
  actionsRead,
  heldJettonsRead,
  itemsRead,
  readAll,
  readPage,
  readTransactionParts,
  type Sql,
  type TransactionFound,
  type TransactionRow,
  transactionsByHashRead,
  transactionsOfTracesRead,
} from '../../store/index.ts'
import { rawOfKey } from '../accountKey.ts'
import { itemMoved, jettonsMoved } from '../balance/moves.ts'
import type { Call, Handlers } from '../call.ts'
import { toDigits } from '../view/digits.ts'

type Changes = Result<(typeof balanceChanges)['v3.balanceChanges']>

const ONE = 'exactly one of trace_id and action_id should be specified'
/** What one call reads and adds up. */
const MOST_TRANSACTIONS = 20_000

async function rowsOf(
  store: Sql,
  { trace_id: traceId, action_id: actionId }: { trace_id?: Uint8Array | undefined; action_id?: Uint8Array | undefined },
  call: Call,
): Promise<readonly TransactionRow[]> {
  if (traceId !== undefined) return readAll(store, transactionsOfTracesRead([traceId]), call)
  const page = { limit: 1, offset: 0, after: null }
  const filter = { actionIds: actionId === undefined ? [] : [actionId], hiddenWithin: [] }
  const { rows } = await readPage(store, actionsRead(filter, page, 'desc'), call)
  return readAll(store, transactionsByHashRead(rows.flatMap(({ transactions }) => transactions)), call)
}

/** Sums by name. */
class Sums {
  readonly #sums = new Map<string, bigint>()

  add(name: string, amount: bigint): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + amount)
  }

  toObject(keepsZero: boolean): Record<string, `${bigint}`> {
    const entries = [...this.#sums].filter(([, sum]) => keepsZero || sum !== 0n)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, toDigits(sum)]))
  }
}

/** Balance after less balance before, by what came and what left: states are not kept for every transaction. */
function tonOf({ row, inMessage, outMessages }: TransactionFound): { readonly ton: bigint; readonly fees: bigint } {
  const came = (inMessage?.value ?? 0n) + (inMessage?.ihrFee ?? 0n)
  const fees = outMessages.reduce((sum, { fwdFee }) => sum + (fwdFee ?? 0n), row.totalFees)
  const left = outMessages.reduce((sum, { value, ihrFee }) => sum + (value ?? 0n) + (ihrFee ?? 0n), fees)
  return { ton: came - left, fees }
}

async function changesOf(store: Sql, all: readonly TransactionFound[], call: Call): Promise<Changes> {
  const accounts = all.map(({ row }) => row.account)
  const [held, items] = await Promise.all([
    readAll(store, heldJettonsRead(accounts), call),
    readAll(store, itemsRead(accounts), call),
  ])
  const wallets = new Map(held.map((one) => [rawOfKey(one.account), one]))
  const known = new Set(items.map(({ account }) => rawOfKey(account)))
  const [ton, fees] = [new Sums(), new Sums()]
  const jettons = new Map<string, Sums>()
  const nfts = new Map<string, Changes['nfts'][string]>()
  const note = (owner: string, move: Changes['nfts'][string][number]): void => {
    const known = nfts.get(owner)
    if (known === undefined) nfts.set(owner, [move])
    else known.push(move)
  }
  for (const found of all) {
    const name = rawOfKey(found.row.account)
    const moved = tonOf(found)
    ton.add(name, moved.ton)
    fees.add(name, moved.fees)
    const wallet = wallets.get(name)
    if (wallet !== undefined) {
      const owner = rawOfKey(wallet.owner)
      const sums = jettons.get(owner) ?? new Sums()
      jettons.set(owner, sums)
      sums.add(rawOfKey(wallet.jetton), jettonsMoved(found))
    }
    const move = known.has(name) ? itemMoved(found) : null
    if (move === null) continue
    if (move.from !== null) note(rawOfKey(move.from), { address: name, gained: false })
    note(rawOfKey(move.to), { address: name, gained: true })
  }
  const byOwner = [...jettons].map(([owner, sums]) => [owner, sums.toObject(false)] as const)
  return {
    changes: ton.toObject(true),
    fees: fees.toObject(true),
    jettons: Object.fromEntries(byOwner.filter(([, sums]) => Object.keys(sums).length > 0)),
    nfts: Object.fromEntries(nfts),
  }
}

export const balanceChangeHandlers = (store: Sql): Handlers<typeof balanceChanges> => ({
  async 'v3.balanceChanges'(query, call) {
    const names = [query.trace_id, query.action_id].filter((name) => name !== undefined)
    if (names.length !== 1) throw new ApiError('invalidParams', ONE)
    const rows = await rowsOf(store, query, call)
    if (rows.length === 0) throw new ApiError('notFound', query.trace_id ? 'trace not found' : 'action not found')
    if (rows.length > MOST_TRANSACTIONS) {
      const text = `the trace has ${rows.length} transactions, of which ${MOST_TRANSACTIONS} at most are added up`
      throw new ApiError('replyTooLarge', text, { limit: MOST_TRANSACTIONS })
    }
    return changesOf(store, await readTransactionParts(store, rows, call), call)
  },
})
