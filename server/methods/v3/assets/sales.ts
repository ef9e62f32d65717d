import type { salesV3 } from '../../../../shared/v3/assets/sales.ts'
import { itemsRead, nftSalesRead, readAll, readItemParts, type Sql } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { accountsOfItem, accountsOfSale, toNftSale } from '../../view/v3/assets/nft.ts'
import { demandShortList, FEW, NO_NAMES } from '../bounded/boundedLists.ts'
import { type SideObjects, sideObjectsFor } from '../names/sideObjects.ts'

export const saleHandlers = (store: Sql, side: SideObjects): Handlers<typeof salesV3> => ({
  async 'v3.nft.sales'({ address }, call) {
    const rows = await readAll(store, nftSalesRead(address), call)
    const sold = rows.flatMap(({ kind, nft }) => (kind === 'telemint' ? [] : [nft]))
    const items = itemsRead(sold)
    if (sold.length > FEW) await demandShortList(store, items, NO_NAMES, call)
    const found = sold.length === 0 ? [] : await readItemParts(store, await readAll(store, items, call), call)
    const byKey = new Map(found.map((item) => [rawOfKey(item.row.account), item]))
    const extras = await sideObjectsFor(side, [...rows.flatMap(accountsOfSale), ...found.flatMap(accountsOfItem)], call)
    return { nft_sales: rows.map((row) => toNftSale(row, byKey.get(rawOfKey(row.nft)))), ...extras }
  },
})
