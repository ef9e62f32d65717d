import { ApiError } from '../../../../shared/errors.ts'
import type { multisigsV3 } from '../../../../shared/v3/assets/multisigs.ts'
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
} from '../../../store/index.ts'
import type { Call, Handlers } from '../../call.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { openPage } from '../../paging.ts'
import { toMultisig, toMultisigOrder } from '../../view/v3/assets/multisig.ts'
import { accountsOfActions, orderActions } from '../../view/v3/assets/orderActions.ts'
import { addressBookFor, type SideObjects } from '../sideObjects.ts'

const NO_WALLET = 'At least one of address or wallet_address should be specified'
const NO_MULTISIG = 'At least one of address or multisig_address should be specified'

/** Orders in one answer about their wallets. */
const MOST_ORDERS = 10_000
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
  const orders = await readAll(store, read, call)
  if (orders.length > MOST_ORDERS) {
    const text = `limit is not allowed: these ${rows.length} multisigs have more than ${MOST_ORDERS} orders`
    throw new ApiError('invalidParams', `${text}; set include_orders to false`, {
      param: 'include_orders',
      limit: MOST_ORDERS,
    })
  }
  for (const order of orders) byWallet.get(rawOfKey(order.multisig))?.push(order)
  return byWallet
}

export function multisigHandlers(store: Sql, side: SideObjects): Handlers<typeof multisigsV3> {
  return {
    async 'v3.multisig.wallets'(params, call) {
      const { address, wallet_address: members, sort } = params
      if (address === undefined && members === undefined) throw new ApiError('invalidParams', NO_WALLET)
      const { ask, cursor } = openPage('v3.multisig.wallets', params)
      const { rows, next } = await readPage(store, multisigsRead({ accounts: address, members }, ask, sort), call)
      const orders = await ordersOf(store, params.include_orders ? rows : [], call)
      const named = [...rows.flatMap(accountsOfMultisig), ...[...orders.values()].flat().flatMap(accountsOfOrder)]
      return {
        multisigs: rows.map((row) => toMultisig(row, orders.get(rawOfKey(row.account)) ?? [])),
        cursor: cursor(next),
        ...(await addressBookFor(side, named, call)),
      }
    },

    async 'v3.multisig.orders'(params, call) {
      const { address, multisig_address: wallets, sort } = params
      if (address === undefined && wallets === undefined) throw new ApiError('invalidParams', NO_MULTISIG)
      const { ask, cursor } = openPage('v3.multisig.orders', params)
      const { rows, next } = await readPage(
        store,
        ordersRead({ accounts: address, multisigs: wallets }, ask, sort),
        call,
      )
      let text = 0
      const orders = rows.map((row) => {
        const parsed = params.parse_actions ? orderActions(row.order) : null
        text += parsed?.text ?? 0
        if (text > MOST_TEXT) {
          const words = `limit is not allowed: the actions of these ${rows.length} orders are too large for one answer`
          throw new ApiError('invalidParams', words, { param: 'limit' })
        }
        return toMultisigOrder(row, parsed?.actions ?? null)
      })
      const acted = orders.flatMap(({ actions }) => accountsOfActions(actions ?? []))
      const named = [...rows.flatMap(accountsOfOrder), ...acted]
      return { orders, cursor: cursor(next), ...(await addressBookFor(side, named, call)) }
    },
  }
}
