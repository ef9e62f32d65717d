// The owner of an NFT item before and after a block, for those who named the item, one of these owners or the collection.

import { rawOfKey, toLiveNft } from '../../methods/index.ts'
import type { NftOwnersRow } from '../../store/index.ts'
import type { Routes } from '../streamRoutes.ts'
import type { AccountChange, NotificationType } from './notification.ts'

const accountsOf = ({ account, collection, oldOwner, newOwner }: NftOwnersRow) =>
  [account, collection, oldOwner, newOwner].filter((one) => one !== null)

export const nftsChange: NotificationType<AccountChange> = {
  name: 'nfts_change',
  place: 2,
  finality: ({ finality }) => finality,
  audience: ({ nft }, routes) => routes.ofParts(nft === null ? [] : [accountsOf(nft).map(rawOfKey)]),
  selector: ({ nft, last }) => ({
    key: () => (nft === null || last === null ? null : ''),
    write: () => ({ members: { nft: nft && last && toLiveNft(nft, last) }, accounts: nft && accountsOf(nft) }),
  }),
}

/** Owners are read for a block only where there is a subscriber to them. */
export const wantsOwners = (routes: Pick<Routes, 'ofType'>): boolean => routes.ofType(nftsChange.name).size > 0
