// The parts of the demo, in the order they are played. Domains come last, so that some are still sold when it is over. One
// part stands alone, before all of them: it takes a year, and is played by nobody but a chain that begins.

import type { Part } from '../script.ts'
import { badges } from './badges.ts'
import { clock } from './clock.ts'
import { domains } from './domains.ts'
import { items } from './items.ts'
import { jettons } from './jettons.ts'
import { lapse } from './lapse.ts'
import { multisig } from './multisig.ts'
import { offers } from './offers.ts'
import { staking } from './staking.ts'
import { subscription } from './subscription.ts'
import { vesting } from './vesting.ts'
import { wallets } from './wallets.ts'

export { lapse }

export const demoParts: readonly Part[] = [
  wallets,
  jettons,
  items,
  offers,
  badges,
  multisig,
  vesting,
  subscription,
  clock,
  staking,
  domains,
]
