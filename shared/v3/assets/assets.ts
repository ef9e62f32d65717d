// Methods for tokens, names, sales, and wallets that are shared or locked.

import { dns } from './dns.ts'
import { jettons } from './jettons.ts'
import { multisigs } from './multisigs.ts'
import { nfts } from './nfts.ts'
import { sales } from './sales.ts'
import { vesting } from './vesting.ts'

export const assetGroups = [jettons, nfts, sales, dns, multisigs, vesting] as const

export const assets = { ...jettons, ...nfts, ...sales, ...dns, ...multisigs, ...vesting }
