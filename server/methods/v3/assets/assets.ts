// Methods for tokens, names, sales, and wallets that are shared or locked, gathered.

import type { assets } from '../../../../shared/v3/assets/assets.ts'
import type { Sql } from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import type { SideObjects } from '../names/sideObjects.ts'
import { dnsListHandlers } from './dns.ts'
import { jettonHandlers } from './jettons.ts'
import { multisigHandlers } from './multisigs.ts'
import { nftHandlers } from './nfts.ts'
import { saleHandlers } from './sales.ts'
import { vestingHandlers } from './vesting.ts'

export const assetHandlers = (store: Sql, side: SideObjects): WritingHandlers<typeof assets> => ({
  ...jettonHandlers(store, side),
  ...nftHandlers(store, side),
  ...saleHandlers(store, side),
  ...dnsListHandlers(store, side),
  ...multisigHandlers(store, side),
  ...vestingHandlers(store, side),
})
