// The parts of the demo, in the order they are played. Domains come last, so that some auctions are open at the end. Only a
// new chain can play two of them: one takes a year, one elects its validator.

import type { ScriptPart, StoryPart } from '../script.ts'
import { badges } from './badges.ts'
import { clock } from './clock.ts'
import { domains } from './domains.ts'
import { elections, reelections } from './elections.ts'
import { items } from './items.ts'
import { jettons } from './jettons.ts'
import { lapse } from './lapse.ts'
import { multisig } from './multisig.ts'
import { offers } from './offers.ts'
import { staking } from './staking.ts'
import { subscription } from './subscription.ts'
import { vesting } from './vesting.ts'
import { wallets } from './wallets.ts'

export const demoParts: readonly ScriptPart[] = [
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

/** The same with the parts that only a new chain can play. */
export const storyParts: readonly StoryPart[] = [
  lapse,
  ...demoParts.filter((part) => part !== domains),
  elections,
  domains,
  reelections,
]
