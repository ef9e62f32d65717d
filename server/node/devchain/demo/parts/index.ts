// The parts of the demo, in the order they are played. Domains come last, so that some are still sold when it is over.

import type { Part } from '../script.ts'
import { badges } from './badges.ts'
import { domains } from './domains.ts'
import { items } from './items.ts'
import { jettons } from './jettons.ts'
import { multisig } from './multisig.ts'
import { offers } from './offers.ts'
import { subscription } from './subscription.ts'
import { vesting } from './vesting.ts'
import { wallets } from './wallets.ts'

export const demoParts: readonly Part[] = [
  wallets,
  jettons,
  items,
  offers,
  badges,
  multisig,
  vesting,
  subscription,
  domains,
]
