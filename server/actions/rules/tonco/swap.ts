// A swap on TONCO: jettons or proxied TON go to the router, which calls the pool, which returns to the router whom to
// pay. What is paid may go into the next swap.

import { tonco } from '../../../bodies/index.ts'
import { isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { callBehind, isUnpaidLeg, type Leg, legAfter, legBefore } from '../exchanges/legs.ts'
import { hopsByOutput, JETTON_SWAP, MOST_STEPS, plainAsset } from '../exchanges/swap.ts'
import { readToncoPayTo, type ToncoPayTo } from './payTo.ts'

const isSwap = isCall(tonco.swap.opcode)
const GOOD_CODES: readonly number[] = [0, 200]

const readSwap = fieldsOf(tonco.swap, 'terms')

interface Step {
  readonly amountIn: bigint
  readonly minOut: bigint
  readonly paid: ToncoPayTo
  /** What left the router; null where its next swap took it. */
  readonly leg: Leg | null
}

/** The swaps from `request` on, one behind the other, picked. */
function stepsFrom(request: Block, picked: Picked): Step[] {
  const steps: Step[] = []
  let path: readonly Block[] = [request]
  for (let swap: Block | undefined = request; swap && steps.length < MOST_STEPS; swap = path.at(-1)) {
    const requested = readBody(swap, readSwap)?.terms
    const order = swap.next.find(isCall(tonco.payTo.opcode))
    const paid = order === undefined ? null : readBody(order, readToncoPayTo)
    if (requested === undefined || order === undefined || paid === null) break
    const next = order.next.find(isSwap)
    const leg = next === undefined ? legAfter(order, picked) : null
    if (next === undefined && leg === null) break
    for (const block of path) picked.blocks.add(block)
    if (swap !== request) for (const block of path) picked.absorb(block)
    picked.add(order)
    steps.push({ amountIn: requested.amountIn, minOut: requested.minOut, paid, leg })
    path = next !== undefined ? [next] : leg === null ? [] : callBehind(leg, isSwap)
  }
  return steps
}

const shareOf = ({ paid }: Step) => paid.shares.find(({ amount }) => amount > 0n)

const assetOf = (wallet: string | null, facts: Facts): string | null =>
  plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null)

function stepOf(step: Step, facts: Facts) {
  const share = shareOf(step)
  const assetOut = step.leg === null ? assetOf(share?.wallet ?? null, facts) : step.leg.transfer.asset
  return { amountIn: step.amountIn, assetOut, amountOut: share?.amount ?? null }
}

/** The side of the first pool that did not come in: the wanted asset of a single swap, even if another was paid. */
function otherSide(step: Step, assetIn: string | null, facts: Facts): string | null {
  const assets = step.paid.shares.map(({ wallet }) => assetOf(wallet, facts))
  return assets.find((asset) => asset !== assetIn) ?? null
}

export const toncoSwap: Rule = {
  name: 'tonco/swap',
  begins: isSwap,
  match(request, facts) {
    const picked = new Picked()
    const entry = legBefore(request, picked)
    if (entry === null) return null
    const steps = stepsFrom(request, picked)
    const [first] = steps
    const last = steps.at(-1)
    if (first === undefined || last === undefined || last.leg === null) return null
    const failed = steps.some(({ paid }) => !GOOD_CODES.includes(paid.exitCode))
    const assetIn = entry.transfer.asset
    const outgoing = last.leg.transfer
    const content = JETTON_SWAP.content({
      dex: 'tonco',
      sender: entry.transfer.source,
      assetIn,
      assetOut: failed && steps.length === 1 ? otherSide(first, assetIn, facts) : outgoing.asset,
      incoming: entry.transfer,
      outgoing,
      hops: hopsByOutput(
        assetIn,
        steps.map((step) => stepOf(step, facts)),
      ),
      // Clients know under this name what was paid; of a failed swap, which pays back what came in, the minimum.
      minOutAmount: failed ? last.minOut : (outgoing.amount ?? 0n),
    })
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
