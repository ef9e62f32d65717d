// Notes in the results of the methods that move the chain's clock: how far it is from the computer's, and what that means for
// wallets.

import { clocksApart } from '../../node/index.ts'
import type { DevClocks } from './devControl.ts'

/** Below that, messages of wallets still live long enough. */
const SHORT = 5

const WAITING =
  ' Messages that wait for the next block may be too late for it now: dev.mine before the clock is moved, or send them again.'

/** `pending`: how many messages wait for a block. */
export function noteOn(clocks: DevClocks, pending = 0): string {
  const ahead = clocks.chain - clocks.computer
  const where = clocksApart(clocks)
  if (Math.abs(ahead) < SHORT) return 'The clocks of the chain and of this computer agree.'
  if (ahead < 0) return `${where}: messages signed by this computer's clock are good for so much longer.`
  return (
    `${where}: messages that wallets sign by the computer's clock expire ${ahead} s earlier, those that are good for less ` +
    'than that are refused. dev.revert to an earlier snapshot goes back at once; after dev.resetTime blocks keep the ' +
    `newest one's time until the computer's clock has caught up.${pending === 0 ? '' : WAITING}`
  )
}

export function resetNoteOn({ chain, computer }: DevClocks): string {
  if (chain - computer < SHORT) return noteOn({ chain, computer })
  return (
    `The clocks agree again in ${chain - computer} s: until then blocks keep the time ${chain}, and messages signed by this ` +
    "computer's clock for less than that are refused. dev.revert to an earlier snapshot goes back at once."
  )
}
