import { ApiError } from '../../../../shared/errors.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { jettonsV3 } from '../../../../shared/v3/assets/jettons.ts'
import {
  eventPages,
  type JettonBurnFilter,
  type JettonTransferFilter,
  jettonBurnsRead,
  jettonMastersRead,
  jettonTransfersRead,
  jettonWalletsRead,
  type PageRequest,
  readNamedPage,
  readOwed,
  type Sql,
} from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { accountsOfBurn, accountsOfTransfer, addBurn, addTransfer } from '../../view/v3/assets/eventText.ts'
import { toJettonMaster, toJettonWallet } from '../../view/v3/assets/jetton.ts'
import { writeObject } from '../../written.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { type SideObjects, sidesBeside, wishesOf } from '../names/sideObjects.ts'
import { type AddMember, writePage } from '../texts/writePage.ts'
import { addValues } from '../texts/writeRows.ts'
import { ownersOf, timesOf } from './eventFilter.ts'
import { eventPage } from './eventPages.ts'

type Methods = typeof jettonsV3
type Masters = Result<Methods['v3.jetton.masters']>
type Wallets = Result<Methods['v3.jetton.wallets']>

const ONE_OWNER = 'exact one owner_address required for multiple jetton_address'

const TRANSFERS = { readPage: eventPages.jettonTransfers, add: addTransfer, accountsOf: accountsOfTransfer }
const BURNS = { readPage: eventPages.jettonBurns, add: addBurn, accountsOf: accountsOfBurn }

export const jettonHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.jetton.masters'(params, call) {
    const { ask, cursor } = openPage('v3.jetton.masters', params)
    const filter = { accounts: params.address, admins: params.admin_address }
    const { rows, next, sides } = await readBounded(ask, FEW, {
      readOf: (of) => jettonMastersRead(filter, of),
      demand: (list) => demandShortList(store, list, wishesOf(call), call),
      read: (list) => readNamedPage(store, list, wishesOf(call), call),
    })
    const masters: AddMember = (to) => addValues(rows, toJettonMaster, to)
    const page = { jetton_masters: masters, cursor: cursor(next), ...sidesBeside(side, sides) }
    return await writePage<Masters>(page, call)
  },

  async 'v3.jetton.wallets'(params, call) {
    const { address, owner_address: owners, jetton_address: masters, exclude_zero_balance: excludeZero, sort } = params
    if (masters !== undefined && masters.length > 1 && owners?.length !== 1) {
      throw new ApiError('invalidParams', ONE_OWNER, { param: 'jetton_address' })
    }
    const { ask, cursor } = openPage('v3.jetton.wallets', params)
    const filter = { accounts: address, owners, jettons: masters, excludeZero }
    const { rows, next, sides } = await readBounded(ask, FEW, {
      readOf: (of) => jettonWalletsRead(filter, of, sort),
      demand: (list) => demandShortList(store, list, wishesOf(call), call),
      read: (list) => readNamedPage(store, list, wishesOf(call), call),
    })
    const unclaimed = rows.filter(({ claimed }) => claimed === false).map(({ account }) => account)
    const owed = await readOwed(store, unclaimed, call)
    const wallets: AddMember = (to) => addValues(rows, (row) => toJettonWallet(row, owed(row.account)), to)
    const page = { jetton_wallets: wallets, cursor: cursor(next), ...sidesBeside(side, sides) }
    return await writePage<Wallets>(page, call)
  },

  async 'v3.jetton.transfers'(params, call) {
    const { jetton_wallet: wallets, jetton_master: jetton, direction = null, sort } = params
    const filter = { owners: ownersOf(params), direction, wallets, jetton, ...timesOf(params) }
    const readOf = (of: JettonTransferFilter, ask: PageRequest) => jettonTransfersRead(of, ask, sort)
    const query = { method: 'v3.jetton.transfers', params, filter }
    const { text, ends } = await eventPage({ store, side, call }, { ...TRANSFERS, readOf }, query)
    return writeObject<Result<Methods['v3.jetton.transfers']>>({ jetton_transfers: text, ...ends })
  },

  async 'v3.jetton.burns'(params, call) {
    const { jetton_wallet: wallets, jetton_master: jetton, sort } = params
    const filter = { owners: ownersOf(params), wallets, jetton, ...timesOf(params) }
    const readOf = (of: JettonBurnFilter, ask: PageRequest) => jettonBurnsRead(of, ask, sort)
    const query = { method: 'v3.jetton.burns', params, filter }
    const { text, ends } = await eventPage({ store, side, call }, { ...BURNS, readOf }, query)
    return writeObject<Result<Methods['v3.jetton.burns']>>({ jetton_burns: text, ...ends })
  },
})
