// The contracts of the demo: location of the sources and of the compiled file.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Contracts compiled from the `.tolk` file of this path; all other files are imported by these. */
export const demoSources = [
  'jetton/master',
  'jetton/wallet',
  'nft/collection',
  'nft/item',
  'nft/soulbound',
  'dns/root',
  'dns/collection',
  'dns/item',
  'sale/fixedPrice',
  'sale/fixedPriceV4',
  'sale/auction',
  'sale/auctionV4',
  'sale/nameItem',
  'sale/marketplace',
  'multisig/multisig',
  'multisig/order',
  'vesting/wallet',
  'subscription/plugin',
  'clock/wages',
  'staking/pool',
] as const

export type DemoContract = (typeof demoSources)[number]

// The package root, because compiled code and sources run from different depths.
const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

/** Where the Tolk sources are; absent from an installed package. */
export const demoSourceFolder = join(root, 'server/demo/contracts')
export const demoCompiledPath = join(root, '.build/server/demo/contracts/compiled.json')
