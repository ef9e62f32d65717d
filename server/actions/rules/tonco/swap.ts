// A swap on TONCO: jettons or proxied TON go to the router, which calls the pool, which returns to the router whom to
// pay. What is paid may go into the next swap.

import { tonco } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { type Leg, legAfter } from '../exchanges/legs.ts'
import { heldIn, type Routed, routedSwap } from '../exchanges/routed.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import type { PayShare } from '../stonfi/payTo.ts'
import { readToncoPayTo, type ToncoPayTo } from './payTo.ts'

const GOOD_CODES: readonly number[] = [0, 200]

const readSwap = fieldsOf(tonco.swap, 'terms')
const readSource = fieldsOf(tonco.swap, 'wallet')

type Terms = ReturnType<typeof readSwap>['terms']

interface Paid extends ToncoPayTo {
  /** What the pool gave; a swap that met its price limit also returns what is left of the asset that came in. */
  readonly given: PayShare | undefined
}

function orderAfter(swap: ActionBlock) {
  const order = swap.next.find(isCall(tonco.payTo.opcode))
  const paid = order === undefined ? null : readBody(order, readToncoPayTo)
  if (order === undefined || paid === null) return null
  const shares = paid.shares.filter(({ amount }) => amount > 0n)
  const source = readBody(swap, readSource)?.wallet
  const given = shares.find(({ wallet }) => wallet !== source) ?? shares[0]
  return { order, paid: { ...paid, given } }
}

/** What the router paid out of the wallet of what the pool gave; without such a payment, any. */
function paidAfter(order: ActionBlock, picked: Picked, { given }: Paid): Leg | null {
  const isGiven = (block: ActionBlock): boolean =>
    given !== undefined && JETTON_TRANSFER.of(block)?.senderWallet === given.wallet
  return legAfter(order, picked, order.next.some(isGiven) ? isGiven : undefined)
}

/** The side of a pool that did not come in: the wanted asset of a single swap that failed and paid back what came in. */
function wanted({ first, incoming, failed, isSingle }: Routed<Terms, Paid>, facts: AccountsFacts) {
  if (!failed || !isSingle) return undefined
  const sides = first.paid.shares.map(({ wallet }) => heldIn(wallet, facts))
  return sides.find((held) => held !== undefined && held.asset !== incoming.asset)
}

export const toncoSwap = routedSwap<Terms, Paid>({
  name: 'tonco/swap',
  dex: 'tonco',
  isSwap: isCall(tonco.swap.opcode),
  requestOf: (swap) => readBody(swap, readSwap)?.terms ?? null,
  orderAfter,
  legAfter: paidAfter,
  isDone: ({ exitCode }) => GOOD_CODES.includes(exitCode),
  amountsOf: ({ requested, paid }) => ({ amountIn: requested.amountIn, amountOut: paid.given?.amount ?? null }),
  walletOf: ({ given }) => given?.wallet ?? null,
  wanted,
  // Clients know under this name what was paid; of a failed swap, which pays back what came in, the minimum of what was wanted.
  minOutAmount(routed, facts) {
    const { failed, isSingle, last, outgoing } = routed
    const isMinimum = failed && (!isSingle || wanted(routed, facts) !== undefined)
    return isMinimum ? last.requested.minOut : (outgoing.amount ?? 0n)
  },
})
