import { ApiError } from '../../../../shared/errors.ts'
import { toHex } from '../../../../shared/hex.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { lightInSlices } from '../../../fairness/index.ts'
import {
  type AccountKey,
  actionSizes,
  actionsRead,
  type ListedAction,
  readActionPage,
  type Sql,
  type TransactionFound,
  withTimesOfLts,
} from '../../../store/index.ts'
import { addingUpByAccount, type KnownTokens, namingChanges } from '../../balance/changes.ts'
import type { Call, WritingHandlers } from '../../call.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import {
  accountsOfTransaction,
  isLargeTransaction,
  LargeText,
  writeIndexedTransaction,
} from '../../view/v3/transaction.ts'
import { writeObject } from '../../written.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { whileKept } from '../kept/demandKept.ts'
import { demandMaster } from '../kept/demandMaster.ts'
import { namesOfList, wishesOfList } from '../names/namesOfList.ts'
import { type SideObjects, wishesOf } from '../names/sideObjects.ts'
import { ofOneState } from '../oneState.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type ActionsQuery, filterOf } from './filter.ts'
import { transactionsOfActions } from './transactions.ts'
import { type ActionExtras, writeActionList } from './writtenActions.ts'

type Methods = Pick<typeof actionsV3, 'v3.actions'>

interface ActionsWithExtras {
  readonly extras: ActionExtras
  /** Accounts in the extras, by their keys; those of changes are added when the changes are. */
  readonly names: Set<string>
  /** Whether none of their transactions was removed meanwhile. */
  readonly isWhole: boolean
}

const textOf = (one: TransactionFound): LargeText | string =>
  isLargeTransaction(one) ? new LargeText(one) : writeIndexedTransaction(one).json

function* textsOf(transactions: readonly TransactionFound[]): Generator<LargeText | string> {
  for (const one of transactions) yield textOf(one)
}

/** Reads what goes with actions. */
async function extrasOf(
  store: Sql,
  rows: readonly ListedAction[],
  { query, call }: { readonly query: ActionsQuery; readonly call: Call },
): Promise<ActionsWithExtras> {
  const { include_accounts: accounts, include_transactions: isFull, include_balance_changes: withTokens } = query
  const names = new Set<string>()
  const nameAll = (keys: Iterable<AccountKey>) => {
    for (const key of keys) names.add(charsOfKey(key))
  }
  if (accounts) await lightInSlices(rows, ({ parties }) => nameAll(parties), call)
  if (!isFull && !withTokens)
    return { extras: { accounts, changesOf: null, transactionsOf: null }, names, isWhole: true }
  const { found, tokens, isWhole } = await transactionsOfActions(store, { rows, withTokens }, call)
  if (isFull) await lightInSlices([...found.values()], (one) => nameAll(accountsOfTransaction(one)), call)
  const of = (row: ListedAction): TransactionFound[] => row.transactions.flatMap((hash) => found.get(toHex(hash)) ?? [])
  const texts = (row: ListedAction) => textsOf(of(row))
  const changesIn = (known: KnownTokens) =>
    function* (row: ListedAction) {
      const changes = yield* addingUpByAccount(of(row), known)
      yield* namingChanges(changes, names)
      return changes
    }
  const changesOf = tokens === null ? null : changesIn(tokens)
  return { extras: { accounts, changesOf, transactionsOf: isFull ? texts : null }, names, isWhole }
}

export const actionHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.actions'(query, call) {
    const filter = filterOf(query, call)
    const { limit, offset, cursor, sort } = query
    const isByTime = filter.startUtime !== undefined || filter.endUtime !== undefined
    const order = { isByTime, isDescending: sort === 'desc' }
    if (cursor !== undefined && offset > 0)
      throw new ApiError('invalidParams', 'cursor and offset exclude each other', { param: 'offset' })
    const after = cursor === undefined ? null : readCursor(order, cursor)
    const read = async (bounded: typeof filter) => {
      const page = await readBounded({ limit, offset, after }, FEW, {
        readOf: (of) => actionsRead(bounded, of, sort),
        demand: (list) => demandShortList(store, actionSizes(list), wishesOf(call), call),
        read: (list) => readActionPage(store, list, wishesOfList(call), call),
      })
      return { page, ...(await extrasOf(store, page.rows, { query, call })) }
    }
    const { page, extras, names } = await whileKept(store, filter, async () => {
      const bounded = await withTimesOfLts(store, filter, call)
      return await ofOneState(
        () => read(bounded),
        ({ isWhole }) => isWhole,
      )
    })
    const { rows, next, ...known } = page
    // Where there is an action the block its trace ended in is there too.
    if (filter.mcSeqno !== undefined && rows.length === 0) await demandMaster(store, filter.mcSeqno, call)
    const written = await writeActionList(rows, extras, call)
    for (const chars of written.names) names.add(chars)
    const nextCursor = writeCursor(order, next)
    return writeObject<Result<Methods['v3.actions']>>({
      actions: written.text,
      cursor: nextCursor,
      ...(await namesOfList({ store, side, known, accounts: names }, call)),
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    })
  },
})
