// The parts of the demo, in the order they are played. Domains come last, so that some are still sold when it is over. Two
// are played by nobody but a chain that begins: one takes a year, one has its validator elected.

import type { Part, StoryPart } from '../script.ts'
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

/** The same with what only a chain that begins can play. */
export const storyParts: readonly StoryPart[] = [
  lapse,
  ...demoParts.filter((part) => part !== domains),
  elections,
  domains,
  reelections,
]
