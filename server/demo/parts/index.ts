// The parts of the demo, in the order they are played. Domains come last, so that some auctions are open at the end. Only a
// new chain can play two of them: one takes a year, one elects its validator.

import type { ScriptPart, StoryPart } from '../script.ts'
import { badgesPart } from './badges.ts'
import { clockPart } from './clock.ts'
import { domainsPart } from './domains.ts'
import { electionsPart, reelectionsPart } from './elections.ts'
import { itemsPart } from './items.ts'
import { jettonsPart } from './jettons.ts'
import { lapsePart } from './lapse.ts'
import { multisigPart } from './multisig.ts'
import { offersPart } from './offers.ts'
import { stakingPart } from './staking.ts'
import { subscriptionPart } from './subscription.ts'
import { vestingPart } from './vesting.ts'
import { walletsPart } from './wallets.ts'

export const demoParts: readonly ScriptPart[] = [
  walletsPart,
  jettonsPart,
  itemsPart,
  offersPart,
  badgesPart,
  multisigPart,
  vestingPart,
  subscriptionPart,
  clockPart,
  stakingPart,
  domainsPart,
]

/** The same with the parts that only a new chain can play. */
export const storyParts: readonly StoryPart[] = [
  lapsePart,
  ...demoParts.filter((part) => part !== domainsPart),
  electionsPart,
  domainsPart,
  reelectionsPart,
]
