// The validator of the chain is elected for another term, with the coins of the pool: the term it has is cut short, and
// rules are set for the time being that an election goes by of some minutes and few coins. Another one stakes as well, but
// there is one place.

import type { Cell } from '../../cell/index.ts'
import {
  createSigner,
  ELECTOR_ADDRESS,
  electionParams,
  electorRecoverBody,
  electorStakeBody,
  type StoryValidator,
  signedStake,
  TERM,
  usualElections,
  validatorSet,
  WEIGHT,
  walletOfKind,
} from '../../devchain/index.ts'
import {
  poolDepositBody,
  poolNoteValidatorSetBody,
  poolStakeBody,
  poolValidatorDepositBody,
  poolWithdrawBody,
} from '../contracts/index.ts'
import { type Act, coins, type Scene, type Step, type StoryPart, USUAL_WAIT } from '../script.ts'
import { poolOf, poolValidator } from './staking.ts'

const CURRENT_SET = 34
const START_BEFORE = 300
const END_BEFORE = 120
const NO_ADNL = new Uint8Array(32)

/** Who is elected by these is so for longer than any chain here will live. */
const [shortTimes, onePlace, fewCoins] = electionParams({
  times: [TERM, START_BEFORE, END_BEFORE, 180],
  counts: [1, 1, 1],
  stakes: { min: coins(500), max: coins(10_000_000), minTotal: coins(1000) },
})
const [usualTimes, usualCounts, usualStakes] = electionParams(usualElections)

const setting = ([index, value]: readonly [number, Cell]): Act => ({
  by: 'config',
  change: { kind: 'parameter', index, value },
})

function steps(scene: Scene, [validator]: readonly StoryValidator[]): Step[] {
  if (validator === undefined) return []
  const { wallet, globalId } = scene.cast
  const pool = poolOf(scene).address
  const ownWallet = poolValidator(scene)
  const other = walletOfKind(wallet(5), 'v4r2', { globalId, workchain: -1 })
  const announced = scene.start + 5 * USUAL_WAIT
  const electAt = announced + START_BEFORE
  const offer = { electAt, maxFactor: 3, adnl: NO_ADNL }
  const chosen = signedStake({ ...offer, ...validator, holder: pool })
  const { address, publicKey, seed } = other
  const spare = signedStake({ ...offer, holder: address, publicKey, sign: createSigner(seed) })
  const term = validatorSet(scene.start, electAt, [
    { publicKey: validator.publicKey, weight: WEIGHT, adnlAddress: NO_ADNL },
  ])
  return [
    {
      acts: [
        setting(shortTimes),
        { by: wallet(6), sends: [{ to: ownWallet.address, value: coins(1200), bounce: false }] },
        { by: wallet(5), sends: [{ to: other.address, value: coins(700), bounce: false }] },
      ],
    },
    {
      acts: [
        setting(onePlace),
        { by: ownWallet, sends: [{ to: pool, value: coins(1101), body: poolValidatorDepositBody(120n) }] },
      ],
    },
    { acts: [setting(fewCoins)] },
    { acts: [setting([CURRENT_SET, term])] },
    // With this block the election is announced.
    { acts: [{ by: wallet(1), sends: [{ to: pool, value: coins(31), body: poolDepositBody() }] }] },
    {
      acts: [
        { by: ownWallet, sends: [{ to: pool, value: coins(1), body: poolStakeBody(121n, coins(1101), chosen) }] },
        { by: other, sends: [{ to: ELECTOR_ADDRESS, value: coins(601), body: electorStakeBody(122n, spare) }] },
      ],
    },
    // The coins of the pool are at work: who wants theirs must wait, and so must who brings more.
    {
      acts: [
        { by: wallet(2), sends: [{ to: pool, value: coins(1), body: poolWithdrawBody() }] },
        { by: wallet(3), sends: [{ to: pool, value: coins(41), body: poolDepositBody() }] },
      ],
    },
    { wait: START_BEFORE - END_BEFORE, acts: [setting(usualTimes)] },
    {
      acts: [
        setting(usualCounts),
        { by: other, sends: [{ to: ELECTOR_ADDRESS, value: coins(1), body: electorRecoverBody(123n) }] },
      ],
    },
    { acts: [setting(usualStakes)] },
    {
      wait: END_BEFORE,
      acts: [{ by: ownWallet, sends: [{ to: pool, value: coins(1), body: poolNoteValidatorSetBody(124n) }] }],
    },
  ]
}

export const elections: StoryPart = { name: 'elections', title: 'the validator is elected anew', steps }
