// A contract of the masterchain that pays wages by itself: the configuration lets it run in every block for a while.

import { accountListCell, CONFIG_ACCOUNT, type Deployment, ELECTOR_ACCOUNT } from '../../devchain/index.ts'
import { wagesPayer } from '../contracts/index.ts'
import { type Act, type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

const WOKEN_PARAMETER = 31
const PERIOD = 60

const payerOf = ({ cast, round }: Scene): Deployment =>
  wagesPayer({ beneficiary: cast.wallet(9).address, amount: scriptCoins(4), period: PERIOD, id: round })

/** Adds these to the contracts that run in every block. */
const waking = (more: readonly Uint8Array[]): Act => ({
  by: 'config',
  change: {
    kind: 'parameter',
    index: WOKEN_PARAMETER,
    value: accountListCell([CONFIG_ACCOUNT, ELECTOR_ACCOUNT, ...more]),
  },
})

export const clockPart: ScriptPart = {
  name: 'clock',
  title: PART_TITLES.clock,
  mark: (scene) => payerOf(scene).address,
  steps(scene): ScriptStep[] {
    const payer = payerOf(scene)
    const { wallet } = scene.cast
    return [
      { acts: [{ by: wallet(4), sends: [{ to: payer, value: scriptCoins(6), bounce: false }] }] },
      { acts: [waking([payer.address.hash])] },
      // The contract runs in every block from here on, including the last: a block runs the contracts listed before it.
      { acts: [{ by: wallet(4), sends: [{ to: payer.address, value: scriptCoins(4) }] }] },
      { wait: PERIOD, acts: [waking([])] },
    ]
  },
}
