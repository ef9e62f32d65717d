// A pool of nominators: deposits, withdrawals, and one it cannot pay yet.

import { type Deployment, type WellKnownAccount, walletOfKind } from '../../devchain/index.ts'
import {
  nominatorPool,
  poolAcceptCoinsBody,
  poolDepositBody,
  poolValidatorDepositBody,
  poolWithdrawBody,
} from '../contracts/index.ts'
import { type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

/** The validator of a pool lives in the masterchain, and so does its wallet. */
export const poolValidator = ({ cast, round }: Scene): WellKnownAccount =>
  walletOfKind(cast.wallet(6), 'v3r2', { globalId: cast.globalId, number: round, workchain: -1 })

export const demoPoolOf = (scene: Scene): Deployment =>
  nominatorPool({
    validator: poolValidator(scene).address,
    validatorShare: 4000,
    maxNominators: 40,
    minValidatorStake: scriptCoins(100),
    minNominatorStake: scriptCoins(20),
  })

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const validator = poolValidator(scene)
  const pool = demoPoolOf(scene)
  const deposit = (number: number, amount: number) => ({
    by: wallet(number),
    sends: [{ to: pool.address, value: scriptCoins(amount), body: poolDepositBody() }],
  })
  const withdraw = (number: number) => ({
    by: wallet(number),
    sends: [{ to: pool.address, value: scriptCoins(1), body: poolWithdrawBody() }],
  })
  return [
    {
      acts: [
        { by: wallet(4), sends: [{ to: pool, value: scriptCoins(2), body: poolAcceptCoinsBody(110n) }] },
        { by: wallet(6), sends: [{ to: validator.address, value: scriptCoins(200), bounce: false }] },
      ],
    },
    // The last one is below the pool's minimum.
    { acts: [deposit(1, 61), deposit(2, 31), deposit(3, 41), deposit(8, 11)] },
    // It can pay the first; then its balance is below that payment plus its reserve.
    { acts: [withdraw(2)] },
    { acts: [withdraw(1)] },
    { acts: [withdraw(3)] },
    {
      acts: [
        {
          by: validator,
          sends: [{ to: pool.address, value: scriptCoins(121), body: poolValidatorDepositBody(111n) }],
        },
      ],
    },
    { acts: [withdraw(3), deposit(2, 51)] },
  ]
}

export const stakingPart: ScriptPart = {
  name: 'staking',
  title: PART_TITLES.staking,
  mark: (scene) => demoPoolOf(scene).address,
  steps,
}
