// The validators of the demo chain with the accounts that stake for them, and the rules their elections go by.

import {
  type AccountId,
  ELECTOR_ADDRESS,
  electionParams,
  electorStakeBody,
  type StoryValidator,
  signedStake,
  usualElections,
  type WellKnownAccount,
  walletOfKind,
} from '../../devchain/index.ts'
import { poolStakeBody } from '../contracts/index.ts'
import { type Cast, type ScriptSending, scriptCoins } from '../script.ts'
import { demoPoolOf, poolValidator } from './staking.ts'

export interface CrewMember {
  readonly validator: StoryValidator
  /** In the masterchain. That of the first is the owner of the pool's stake, too. */
  readonly wallet: WellKnownAccount
}

/** Seconds: short terms, so that rounds end while a developer watches. A set is elected in the second half of a term. */
export const TERMS = { electedFor: 1200, startBefore: 600, endBefore: 180, heldFor: 180 } as const
/** Nanotons each validator stakes, and a little more from the pool, whose validator thereby is the first of the set. */
export const STAKE = scriptCoins(1000)
export const POOL_STAKE = scriptCoins(1100)
/** What a stake costs in addition: it is confirmed with as much. */
export const STAKE_FEE = scriptCoins(1)
const MAX_FACTOR = 3

/** Parameters of these elections, each with its number. Below the stakes of all validators there is no new set. */
export const electionRules = (crew: readonly CrewMember[]) =>
  electionParams({
    times: [TERMS.electedFor, TERMS.startBefore, TERMS.endBefore, TERMS.heldFor],
    counts: usualElections.counts,
    stakes: { min: scriptCoins(500), max: scriptCoins(10_000_000), minTotal: STAKE * BigInt(crew.length) },
  })

export const createCrew = (cast: Cast, validators: readonly StoryValidator[]): readonly CrewMember[] =>
  validators.map((validator, number) => ({
    validator,
    wallet:
      number === 0
        ? poolValidator({ cast, round: 0, start: 0 })
        : walletOfKind(cast.wallet(5), 'v4r2', { globalId: cast.globalId, workchain: -1, number }),
  }))

export const demoPool = (cast: Cast) => demoPoolOf({ cast, round: 0, start: 0 })

const offerOf = ({ validator }: CrewMember, electAt: number, holder: AccountId) =>
  signedStake({ electAt, maxFactor: MAX_FACTOR, holder, ...validator, adnl: validator.adnlAddress })

/** A stake out of a member's own wallet. */
export const stakeOf = (member: CrewMember, electAt: number, queryId: bigint): ScriptSending => ({
  to: ELECTOR_ADDRESS,
  value: STAKE + STAKE_FEE,
  body: electorStakeBody(queryId, offerOf(member, electAt, member.wallet.address)),
})

/** The same out of the pool. */
export function poolStakeOf(cast: Cast, member: CrewMember, electAt: number, queryId: bigint): ScriptSending {
  const { address } = demoPool(cast)
  const body = poolStakeBody(queryId, POOL_STAKE + STAKE_FEE, offerOf(member, electAt, address))
  return { to: address, value: scriptCoins(1), body }
}
