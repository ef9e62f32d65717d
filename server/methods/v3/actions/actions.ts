import { ApiError } from '../../../../shared/errors.ts'
import { toHex } from '../../../../shared/hex.ts'
import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { inSlices } from '../../../fairness/index.ts'
import { type ActionRow, actionsRead, readPage, type Sql, type TransactionFound } from '../../../store/index.ts'
import { changesByAccount, changesOf, type KnownTokens, readTokens } from '../../balance/changes.ts'
import type { Handlers } from '../../call.ts'
import { type ActionOnWire, accountsOfAction, accountsOfDetails, toAction } from '../../view/v3/action.ts'
import { toIndexedTransaction } from '../../view/v3/transaction.ts'
import { boundedKept } from '../demandKept.ts'
import { demandMaster } from '../demandMaster.ts'
import { type SideObjects, sideObjectsFor } from '../sideObjects.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type ActionsQuery, filterOf } from './filter.ts'
import { transactionsOfActions } from './transactions.ts'

type Methods = Pick<typeof actionsV3, 'v3.actions'>

type ActionExtras = Pick<ActionsQuery, 'include_accounts' | 'include_transactions' | 'include_balance_changes'>

interface Found {
  /** By hash in hex; empty unless they were requested. */
  readonly transactions: ReadonlyMap<string, TransactionFound>
  readonly tokens: KnownTokens | null
}

/** The same with the side objects that were requested. */
function withExtras(row: ActionRow, { transactions, tokens }: Found, extras: ActionExtras): ActionOnWire {
  const full = row.transactions.flatMap((hash) => transactions.get(toHex(hash)) ?? [])
  return {
    ...toAction(row),
    ...(extras.include_accounts ? { accounts: accountsOfAction(row) } : {}),
    ...(tokens === null ? {} : { balance_changes: changesByAccount(changesOf(full, tokens)) }),
    ...(extras.include_transactions ? { transactions_full: full.map(toIndexedTransaction) } : {}),
  }
}

export const actionHandlers = (store: Sql, side: SideObjects): Handlers<Methods> => ({
  async 'v3.actions'(query, call) {
    const filter = filterOf(query, call)
    const { limit, offset, cursor, sort } = query
    const isByTime = filter.startUtime !== undefined || filter.endUtime !== undefined
    const order = { isByTime, isDescending: sort === 'desc' }
    if (cursor !== undefined && offset > 0)
      throw new ApiError('invalidParams', 'cursor and offset exclude each other', { param: 'offset' })
    const after = cursor === undefined ? null : readCursor(order, cursor)
    const bounded = await boundedKept(store, filter, call)
    const { rows, next } = await readPage(store, actionsRead(bounded, { limit, offset, after }, sort), call)
    // Where there is an action the block its trace ended in is there too.
    if (filter.mcSeqno !== undefined && rows.length === 0) await demandMaster(store, filter.mcSeqno, call)
    const isWithTransactions = query.include_transactions || query.include_balance_changes
    const transactions = isWithTransactions ? await transactionsOfActions(store, rows, call) : new Map()
    const tokens = query.include_balance_changes ? await readTokens(store, [...transactions.values()], call) : null
    const found: Found = { transactions, tokens }
    const written = await inSlices(rows, (row) => withExtras(row, found, query), call.caller)
    const named = await inSlices(written, ({ details }) => accountsOfDetails(details), call.caller)
    const nextCursor = writeCursor(order, next)
    return {
      actions: written,
      cursor: nextCursor,
      ...(await sideObjectsFor(side, named.flat(), call)),
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    }
  },
})
