// A swap on TONCO: jettons or proxied TON go to the router, which calls the pool, which returns to the router whom to
// pay. What is paid may go into the next swap.

import { tonco } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { legAfter } from '../exchanges/legs.ts'
import { heldIn, type Routed, routedSwap } from '../exchanges/routed.ts'
import { readToncoPayTo, type ToncoPayTo } from './payTo.ts'

const GOOD_CODES: readonly number[] = [0, 200]

const readSwap = fieldsOf(tonco.swap, 'terms')

type Terms = ReturnType<typeof readSwap>['terms']

function orderAfter(swap: ActionBlock) {
  const order = swap.next.find(isCall(tonco.payTo.opcode))
  const paid = order === undefined ? null : readBody(order, readToncoPayTo)
  return order === undefined || paid === null ? null : { order, paid }
}

const shareOf = ({ shares }: ToncoPayTo) => shares.find(({ amount }) => amount > 0n)

/** The side of a pool that did not come in: the wanted asset of a single swap that failed and paid back what came in. */
function wanted({ first, incoming, failed, isSingle }: Routed<Terms, ToncoPayTo>, facts: AccountsFacts) {
  if (!failed || !isSingle) return undefined
  const sides = first.paid.shares.map(({ wallet }) => heldIn(wallet, facts))
  return sides.find((held) => held !== undefined && held.asset !== incoming.asset)
}

export const toncoSwap = routedSwap<Terms, ToncoPayTo>({
  name: 'tonco/swap',
  dex: 'tonco',
  isSwap: isCall(tonco.swap.opcode),
  requestOf: (swap) => readBody(swap, readSwap)?.terms ?? null,
  orderAfter,
  legAfter,
  isDone: ({ exitCode }) => GOOD_CODES.includes(exitCode),
  amountsOf: ({ requested, paid }) => ({ amountIn: requested.amountIn, amountOut: shareOf(paid)?.amount ?? null }),
  walletOf: (paid) => shareOf(paid)?.wallet ?? null,
  wanted,
  // Clients know under this name what was paid; of a failed swap, which pays back what came in, the minimum of what was wanted.
  minOutAmount(routed, facts) {
    const { failed, isSingle, last, outgoing } = routed
    const isMinimum = failed && (!isSingle || wanted(routed, facts) !== undefined)
    return isMinimum ? last.requested.minOut : (outgoing.amount ?? 0n)
  },
})
