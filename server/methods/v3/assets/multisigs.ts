import { ApiError } from '../../../../shared/errors.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { multisigsV3 } from '../../../../shared/v3/assets/multisigs.ts'
import { inPieces, inSlices, SlicedWork } from '../../../fairness/index.ts'
import {
  type AccountKey,
  type MultisigOrderRow,
  type MultisigRow,
  multisigsRead,
  ordersOfRead,
  ordersRead,
  readAll,
  readPage,
  type Sql,
  type UnpackedText,
} from '../../../store/index.ts'
import type { Call, WritingHandlers } from '../../call.ts'
import { charsOfKey, rawOfKey } from '../../keyOfAccount.ts'
import { openPage } from '../../paging.ts'
import { toMultisig, toMultisigOrder } from '../../view/v3/assets/multisig.ts'
import { accountsOfActions, type OrderActions, orderActions } from '../../view/v3/assets/orderActions.ts'
import { Written, writeInSlices } from '../../written.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { addressBookFor, namesOnly, type SideObjects } from '../names/sideObjects.ts'
import { addArray } from '../texts/addArray.ts'
import { textInSlices } from '../texts/textInSlices.ts'
import { addValues, writeRows } from '../texts/writeRows.ts'

const NO_WALLET = 'At least one of address or wallet_address should be specified'
const NO_MULTISIG = 'At least one of address or multisig_address should be specified'

/** Orders in one answer about their wallets. */
const MOST_ORDERS = 10_000
/** Orders that are read without a query for their size: one has up to megabytes. */
const FEW_ORDERS = 8
/** Characters of bodies of all actions in one answer. */
const MOST_TEXT = 1 << 24

const accountsOfOrder = ({ account, multisig, signers }: MultisigOrderRow): AccountKey[] => [
  account,
  multisig,
  ...signers,
]

const accountsOfMultisig = ({ account, signers, proposers }: MultisigRow): AccountKey[] => [
  account,
  ...signers,
  ...proposers,
]

/** By the raw address of their wallet, by their seqnos. */
async function ordersOf(
  store: Sql,
  rows: readonly MultisigRow[],
  call: Call,
): Promise<Map<string, MultisigOrderRow[]>> {
  const byWallet = new Map<string, MultisigOrderRow[]>(rows.map(({ account }) => [rawOfKey(account), []]))
  if (rows.length === 0) return byWallet
  const read = ordersOfRead(
    rows.map(({ account }) => account),
    MOST_ORDERS + 1,
  )
  await demandShortList(store, read, namesOnly(call), call)
  const orders = await readAll(store, read, call)
  if (orders.length > MOST_ORDERS) {
    const text = `limit is not allowed: these ${rows.length} multisigs have more than ${MOST_ORDERS} orders`
    throw new ApiError('invalidParams', `${text}; set include_orders to false`, {
      param: 'include_orders',
      limit: MOST_ORDERS,
    })
  }
  await inSlices(orders, (order) => void byWallet.get(rawOfKey(order.multisig))?.push(order), call)
  return byWallet
}

/** Each account once: the orders of a multisig mostly name the same signers. */
async function accountsIn<T>(
  rows: readonly T[],
  accountsOf: (row: T) => readonly AccountKey[],
  call: Call,
): Promise<AccountKey[]> {
  const known = new Map<string, AccountKey>()
  const note = (row: T): void => {
    for (const account of accountsOf(row)) known.set(charsOfKey(account), account)
  }
  await inSlices(rows, note, call)
  return [...known.values()]
}

type Methods = typeof multisigsV3
type Wallets = Result<Methods['v3.multisig.wallets']>
type Orders = Result<Methods['v3.multisig.orders']>

const NO_ORDERS = '"orders":[]'

/** Adds a wallet, order by order: it may have thousands. */
function* addMultisig(row: MultisigRow, orders: readonly MultisigOrderRow[], to: UnpackedText): Generator<boolean> {
  const [head = '', tail = ''] = JSON.stringify(toMultisig(row, [])).split(NO_ORDERS)
  to.string(`${head}"orders":`)
  yield* addValues(orders, (order) => toMultisigOrder(order, null), to)
  to.string(tail)
}

/** What the orders are to do. Throws ApiError for more than one answer should hold. */
async function actionsOf(
  rows: readonly MultisigOrderRow[],
  { signal }: Call,
): Promise<readonly (OrderActions | null)[]> {
  // By its signal: a thousand orders can take minutes, which a call that is over must not.
  const slices = new SlicedWork({ signal })
  const found: (OrderActions | null)[] = []
  let text = 0
  for (const { order } of rows) {
    const actions = await inPieces(orderActions(order), slices)
    text += actions?.text ?? 0
    if (text > MOST_TEXT) {
      const words = `limit is not allowed: the actions of these ${rows.length} orders are too large for one answer`
      throw new ApiError('invalidParams', words, { param: 'limit' })
    }
    found.push(actions)
  }
  return found
}

export const multisigHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.multisig.wallets'(params, call) {
    const { address, wallet_address: members, sort } = params
    if (address === undefined && members === undefined) throw new ApiError('invalidParams', NO_WALLET)
    const { ask, cursor } = openPage('v3.multisig.wallets', params)
    const { rows, next } = await readBounded(ask, FEW, {
      readOf: (of) => multisigsRead({ accounts: address, members }, of, sort),
      demand: (list) => demandShortList(store, list, namesOnly(call), call),
      read: (list) => readPage(store, list, call),
    })
    const orders = await ordersOf(store, params.include_orders ? rows : [], call)
    const ofWallets = await accountsIn(rows, accountsOfMultisig, call)
    const ofOrders = await accountsIn([...orders.values()].flat(), accountsOfOrder, call)
    const names = await addressBookFor(side, [...ofWallets, ...ofOrders], call)
    const text = await textInSlices(
      (to) => addArray(rows, to, (row) => addMultisig(row, orders.get(rawOfKey(row.account)) ?? [], to)),
      call,
    )
    const multisigs = new Written<Wallets['multisigs']>(text)
    return await writeInSlices<Wallets>({ multisigs, cursor: cursor(next), ...names }, call)
  },

  async 'v3.multisig.orders'(params, call) {
    const { address, multisig_address: wallets, sort } = params
    if (address === undefined && wallets === undefined) throw new ApiError('invalidParams', NO_MULTISIG)
    const { ask, cursor } = openPage('v3.multisig.orders', params)
    const { rows, next } = await readBounded(ask, FEW_ORDERS, {
      readOf: (of) => ordersRead({ accounts: address, multisigs: wallets }, of, sort),
      demand: (list) => demandShortList(store, list, namesOnly(call), call),
      read: (list) => readPage(store, list, call),
    })
    const parsed = params.parse_actions ? await actionsOf(rows, call) : []
    const acted = parsed.flatMap((one) => accountsOfActions(one?.actions ?? []))
    const named = await accountsIn(rows, accountsOfOrder, call)
    const names = await addressBookFor(side, [...named, ...acted], call)
    const shown = rows.map((row, i) => ({ row, actions: parsed[i]?.actions ?? null }))
    const orders = await writeRows<(typeof shown)[number], Orders['orders'][number]>(
      shown,
      ({ row, actions }, to) => to.string(JSON.stringify(toMultisigOrder(row, actions))),
      call,
    )
    return await writeInSlices<Orders>({ orders, cursor: cursor(next), ...names }, call)
  },
})
