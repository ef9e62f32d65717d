// A swap on STON.fi v2: as in the first version, but a payment may be the next swap, of the same router or another one.

import { routerRequest, stonfi, stonfiV2 } from '../../../bodies/index.ts'
import { openCell } from '../../../cell/index.ts'
import { isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { callBehind, isUnpaidLeg, type Leg, legBefore, sentAfter } from '../exchanges/legs.ts'
import { hopsByOutput, JETTON_SWAP, MOST_STEPS, plainAsset } from '../exchanges/swap.ts'
import { type PayTo, readPayTo } from './payTo.ts'

const isSwap = isCall(stonfiV2.swap.opcode)
const SWAP_OK = stonfi.swapOk.opcode

interface SwapOrder {
  readonly amount: bigint
  /** The router's wallet of what is wanted. */
  readonly wanted: string | null
}

const readSwap = fieldsOf(stonfiV2.swap, 'amount0', 'amount1', 'payload')
const readRequest = fieldsOf(routerRequest, 'tokenWallet')

function orderOf(swap: Block): SwapOrder | null {
  return readBody(swap, (body) => {
    const { amount0, amount1, payload } = readSwap(body)
    return { amount: amount0 + amount1, wanted: readRequest(openCell(payload)).tokenWallet }
  })
}

/** One pool's part: the request and the payment it ordered. */
interface Step {
  readonly requested: SwapOrder
  readonly paid: PayTo
  /** What left the router; null where its next swap took it. */
  readonly leg: Leg | null
}

interface Payment {
  readonly order: Block
  readonly paid: PayTo
}

/** The one that pays the owner: what went well before what did not, then the most. */
function mainPayment(swap: Block): Payment | null {
  const payments = swap.next.filter(isCall(stonfiV2.payTo.opcode)).flatMap((order) => {
    const paid = readBody(order, readPayTo)
    return paid === null ? [] : [{ order, paid }]
  })
  const weight = ({ paid }: Payment): bigint => (paid.exitCode === SWAP_OK ? 1n << 128n : 0n) + paid.amount
  return payments.reduce<Payment | null>(
    (best, payment) => (best === null || weight(payment) > weight(best) ? payment : best),
    null,
  )
}

/** The swaps from `request` on, one behind the other, picked. */
function stepsFrom(request: Block, picked: Picked): Step[] {
  const steps: Step[] = []
  let path: readonly Block[] = [request]
  for (let swap: Block | undefined = request; swap && steps.length < MOST_STEPS; swap = path.at(-1)) {
    const requested = orderOf(swap)
    const payment = mainPayment(swap)
    if (requested === null || payment === null) break
    const { order, paid } = payment
    const next = order.next.find(isSwap)
    const leg = next === undefined ? sentAfter(order, picked) : null
    if (next === undefined && leg === null) break
    for (const block of path) picked.blocks.add(block)
    if (swap !== request) for (const block of path) picked.absorb(block)
    picked.add(order)
    steps.push({ requested, paid, leg })
    path = next !== undefined ? [next] : leg === null ? [] : callBehind(leg, isSwap)
  }
  return steps
}

const assetOf = (wallet: string | null, facts: Facts): string | null =>
  plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null)

const stepOf = ({ requested, paid, leg }: Step, facts: Facts) => ({
  amountIn: requested.amount,
  assetOut: leg === null ? assetOf(paid.wallet, facts) : leg.transfer.asset,
  amountOut: paid.amount,
})

export const stonfiSwapV2: Rule = {
  name: 'stonfi/swapV2',
  begins: isSwap,
  match(request, facts) {
    const picked = new Picked()
    const entry = legBefore(request, picked)
    if (entry === null) return null
    const steps = stepsFrom(request, picked)
    const last = steps.at(-1)
    if (last === undefined || last.leg === null) return null
    const failed = steps.some(({ paid }) => paid.exitCode !== SWAP_OK)
    const assetIn = entry.transfer.asset
    const outgoing = last.leg.transfer
    const content = JETTON_SWAP.content({
      dex: 'stonfi_v2',
      sender: entry.transfer.source,
      assetIn,
      // What came back says nothing of what was wanted.
      assetOut: failed ? assetOf(last.requested.wanted, facts) : outgoing.asset,
      incoming: entry.transfer,
      outgoing,
      hops: hopsByOutput(
        assetIn,
        steps.map((step) => stepOf(step, facts)),
      ),
    })
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
