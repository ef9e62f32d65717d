// NFT items next to the rows of another list.

import { type AccountKey, itemsRead, readAll, readItemParts, type Sql } from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { demandShortList, FEW, NO_NAMES } from '../bounded/boundedLists.ts'

type Item = Awaited<ReturnType<typeof readItemParts>>[number]

/** Those among the accounts, by raw address. Throws ApiError `replyTooLarge`. */
export async function itemsBeside(
  store: Sql,
  accounts: readonly AccountKey[],
  call: Call,
): Promise<ReadonlyMap<string, Item>> {
  const read = itemsRead(accounts)
  if (accounts.length > FEW) await demandShortList(store, read, NO_NAMES, call)
  const found = accounts.length === 0 ? [] : await readItemParts(store, await readAll(store, read, call), call)
  return new Map(found.map((item) => [rawOfKey(item.row.account), item]))
}
