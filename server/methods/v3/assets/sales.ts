import type { salesV3 } from '../../../../shared/v3/assets/sales.ts'
import { nftSalesRead, readAll, type Sql } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { accountsOfItem, accountsOfSale, toNftSale } from '../../view/v3/assets/nft.ts'
import { type SideObjects, sideObjectsFor } from '../names/sideObjects.ts'
import { itemsBeside } from './itemsBeside.ts'

export const saleHandlers = (store: Sql, side: SideObjects): Handlers<typeof salesV3> => ({
  async 'v3.nft.sales'({ address }, call) {
    const rows = await readAll(store, nftSalesRead(address), call)
    const sold = rows.flatMap(({ kind, nft }) => (kind === 'telemint' ? [] : [nft]))
    const items = await itemsBeside(store, sold, call)
    const named = [...rows.flatMap(accountsOfSale), ...[...items.values()].flatMap(accountsOfItem)]
    return {
      nft_sales: rows.map((row) => toNftSale(row, items.get(rawOfKey(row.nft)))),
      ...(await sideObjectsFor(side, named, call)),
    }
  },
})
