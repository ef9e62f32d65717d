// Methods for tokens, names, sales, and wallets that are shared or locked.

import { dnsV3 } from './dns.ts'
import { jettonsV3 } from './jettons.ts'
import { multisigsV3 } from './multisigs.ts'
import { nftsV3 } from './nfts.ts'
import { salesV3 } from './sales.ts'
import { vestingV3 } from './vesting.ts'

export const assetGroups = [jettonsV3, nftsV3, salesV3, dnsV3, multisigsV3, vestingV3] as const

export const assets = { ...jettonsV3, ...nftsV3, ...salesV3, ...dnsV3, ...multisigsV3, ...vestingV3 }
