import { ApiError } from '../../../../shared/errors.ts'
import type { Params, Result } from '../../../../shared/registry.ts'
import type { nftsV3 } from '../../../../shared/v3/assets/nfts.ts'
import {
  eventPages,
  type NftItemFilter,
  type NftTransferFilter,
  nftCollectionsRead,
  nftItemsRead,
  nftTransfersRead,
  type PageRequest,
  readItemPage,
  readNamedPage,
  type Sql,
} from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { accountsOfItemTransfer, addItemTransfer } from '../../view/v3/assets/eventText.ts'
import { toNftCollection, toNftItem } from '../../view/v3/assets/nft.ts'
import { writeObject } from '../../written.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { type SideObjects, sidesBeside, wishesOf } from '../names/sideObjects.ts'
import { type AddMember, writePage } from '../texts/writePage.ts'
import { addValues } from '../texts/writeRows.ts'
import { ownersOf, timesOf } from './eventFilter.ts'
import { eventPage } from './eventPages.ts'

type Methods = typeof nftsV3
type Collections = Result<Methods['v3.nft.collections']>
type Items = Result<Methods['v3.nft.items']>

const ONE_OWNER = 'exact one owner_address required for multiple collection_address'
const NO_COLLECTION = 'index parameter is not allowed without the collection_address'

function itemFilter(params: Params<Methods['v3.nft.items']>): NftItemFilter {
  const { owner_address: owners, collection_address: collections, index: indexes, sort } = params
  if (indexes !== undefined && collections === undefined) {
    throw new ApiError('invalidParams', NO_COLLECTION, { param: 'index' })
  }
  if (collections !== undefined && collections.length > 1 && owners?.length !== 1) {
    throw new ApiError('invalidParams', ONE_OWNER, { param: 'collection_address' })
  }
  const byLt = sort ?? (params.sort_by_last_transaction_lt ? 'desc' : undefined)
  return { accounts: params.address, owners, collections, indexes, withSales: params.include_on_sale, byLt }
}

const TRANSFERS = { readPage: eventPages.nftTransfers, add: addItemTransfer, accountsOf: accountsOfItemTransfer }

export const nftHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.nft.collections'(params, call) {
    const { ask, cursor } = openPage('v3.nft.collections', params)
    const filter = { accounts: params.collection_address, owners: params.owner_address }
    const { rows, next, sides } = await readBounded(ask, FEW, {
      readOf: (of) => nftCollectionsRead(filter, of),
      demand: (list) => demandShortList(store, list, wishesOf(call), call),
      read: (list) => readNamedPage(store, list, wishesOf(call), call),
    })
    const collections: AddMember = (to) => addValues(rows, toNftCollection, to)
    const page = { nft_collections: collections, cursor: cursor(next), ...sidesBeside(side, sides) }
    return await writePage<Collections>(page, call)
  },

  async 'v3.nft.items'(params, call) {
    const filter = itemFilter(params)
    const { ask, cursor } = openPage('v3.nft.items', params)
    const { rows, next, sides } = await readBounded(ask, FEW, {
      readOf: (of) => nftItemsRead(filter, of),
      demand: (list) => demandShortList(store, list, wishesOf(call), call),
      read: (list) => readItemPage(store, list, wishesOf(call), call),
    })
    const items: AddMember = (to) => addValues(rows, toNftItem, to)
    const page = { nft_items: items, cursor: cursor(next), ...sidesBeside(side, sides) }
    return await writePage<Items>(page, call)
  },

  async 'v3.nft.transfers'(params, call) {
    const { item_address: items, collection_address: collection, direction = null, sort } = params
    const filter = { owners: ownersOf(params), direction, items, collection, ...timesOf(params) }
    const readOf = (of: NftTransferFilter, ask: PageRequest) => nftTransfersRead(of, ask, sort)
    const query = { method: 'v3.nft.transfers', params, filter }
    const { text, ends } = await eventPage({ store, side, call }, { ...TRANSFERS, readOf }, query)
    return writeObject<Result<Methods['v3.nft.transfers']>>({ nft_transfers: text, ...ends })
  },
})
