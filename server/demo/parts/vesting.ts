// A vesting wallet unlocks TON month by month; unlocked TON is spent, and locked TON goes to an allowed address.

import { commentBody, type Deployment, outgoingMessage } from '../../devchain/index.ts'
import { vestingSendBody, vestingWallet, vestingWhitelistBody } from '../contracts/index.ts'
import { type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

const MONTH = 30 * 86_400
/** The same on every chain: the address of the wallet follows from it. */
const BEGAN = 1_750_000_000
const TOTAL = scriptCoins(1200)
/** Ignore errors, pay fees separately: the only mode that a vesting wallet allows for locked TON. */
const FREE = 3

const vestingOf = ({ cast, round }: Scene): Deployment =>
  vestingWallet({
    subwalletId: 700 + round,
    publicKey: cast.wallet(6).publicKey,
    start: BEGAN,
    totalDuration: 120 * MONTH,
    unlockPeriod: MONTH,
    cliffDuration: 2 * MONTH,
    totalAmount: TOTAL,
    sender: cast.wallet(5).address,
    owner: cast.wallet(6).address,
  })

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const vesting = vestingOf(scene)
  const listed = [wallet(7).address, wallet(9).address]
  const paid = outgoingMessage({
    to: wallet(10).address,
    value: scriptCoins(5),
    bounce: false,
    body: commentBody('Unlocked and spent'),
  })
  const staked = outgoingMessage({ to: wallet(7).address, value: scriptCoins(25) })
  const ask = (queryId: bigint, message: typeof paid) => ({
    to: vesting.address,
    value: scriptCoins(0.2),
    body: vestingSendBody(queryId, FREE, message),
  })
  return [
    { acts: [{ by: wallet(5), sends: [{ to: vesting, value: TOTAL, bounce: false }] }] },
    {
      acts: [
        {
          by: wallet(5),
          sends: [{ to: vesting.address, value: scriptCoins(0.2), body: vestingWhitelistBody(70n, listed) }],
        },
      ],
    },
    { acts: [{ by: wallet(6), sends: [ask(71n, paid), ask(72n, staked)] }] },
  ]
}

export const vestingPart: ScriptPart = {
  name: 'vesting',
  title: PART_TITLES.vesting,
  mark: (scene) => vestingOf(scene).address,
  steps,
}
