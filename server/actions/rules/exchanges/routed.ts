// Swaps through routers: what comes in makes a router call a pool, whose order makes the router pay, or call the next pool
// of the same router or of another one.

import type { ActionBlock } from '../../actionBlock.ts'
import type { AccountsFacts } from '../../input.ts'
import { Picked, type Rule, type Test } from '../../rule.ts'
import { callBehind, isUnpaidLeg, type Leg, legBefore } from './legs.ts'
import { type Hop, hopsByOutput, hopsUntil, JETTON_SWAP, MOST_STEPS, plainAsset, type SwapTransfer } from './swap.ts'

/** One pool's part: the request and the payment it ordered. */
export interface RoutedStep<Requested, Paid> {
  readonly requested: Requested
  readonly paid: Paid
  /** What left the router; null where its next swap took it. */
  readonly leg: Leg | null
}

type Step<Requested, Paid> = RoutedStep<Requested, Paid>

interface PaymentOrder<Paid> {
  readonly order: ActionBlock
  readonly paid: Paid
}

/** What went through the pools, from the first to the last. */
export interface Routed<Requested, Paid> {
  readonly first: Step<Requested, Paid>
  readonly last: Step<Requested, Paid>
  readonly incoming: SwapTransfer
  readonly outgoing: SwapTransfer
  readonly isSingle: boolean
  readonly failed: boolean
}

interface RoutedExchange<Requested, Paid> {
  readonly name: string
  readonly dex: string
  /** The call of a pool. */
  readonly isSwap: Test
  readonly requestOf: (swap: ActionBlock) => Requested | null
  /** The order of the pool that pays the owner. */
  readonly orderAfter: (swap: ActionBlock) => PaymentOrder<Paid> | null
  /** What the router pays on an order, picked. */
  readonly legAfter: (order: ActionBlock, picked: Picked, paid: Paid) => Leg | null
  readonly isDone: (paid: Paid) => boolean
  readonly amountsOf: (step: Step<Requested, Paid>) => Pick<Hop, 'amountIn' | 'amountOut'>
  /** The router's wallet of what a pool gave. */
  readonly walletOf: (paid: Paid) => string | null
  /** What was wanted, where what was paid is something else and this is known. */
  readonly wanted: (
    routed: Routed<Requested, Paid>,
    facts: AccountsFacts,
  ) => { readonly asset: string | null } | undefined
  /** Shown where it is known. */
  readonly minOutAmount?: (routed: Routed<Requested, Paid>, facts: AccountsFacts) => bigint
}

/** What a router's wallet holds; undefined for a wallet of an unknown jetton, which would look like TON. */
export function heldIn(wallet: string | null, facts: AccountsFacts): { readonly asset: string | null } | undefined {
  const held = facts.get(wallet ?? '')?.jettonWallet
  return held && { asset: plainAsset(held.jetton) }
}

/** The swaps from `request` on, one behind the other, picked. */
function stepsFrom<Requested, Paid>(
  request: ActionBlock,
  picked: Picked,
  { isSwap, requestOf, orderAfter, legAfter }: RoutedExchange<Requested, Paid>,
): Step<Requested, Paid>[] {
  const steps: Step<Requested, Paid>[] = []
  let path: readonly ActionBlock[] = [request]
  for (let swap: ActionBlock | undefined = request; swap && steps.length < MOST_STEPS; swap = path.at(-1)) {
    const requested = requestOf(swap)
    const payment = requested === null ? null : orderAfter(swap)
    if (requested === null || payment === null) break
    const { order, paid } = payment
    const next = order.next.find(isSwap)
    const leg = next === undefined ? legAfter(order, picked, paid) : null
    if (next === undefined && leg === null) break
    for (const block of path) picked.blocks.add(block)
    if (swap !== request) for (const block of path) picked.absorb(block)
    picked.add(order)
    steps.push({ requested, paid, leg })
    path = next !== undefined ? [next] : leg === null ? [] : callBehind(leg, isSwap)
  }
  return steps
}

/** Invariant: what came into a router makes it call a pool, whose order makes the router pay or call the next pool. */
export function routedSwap<Requested, Paid>(exchange: RoutedExchange<Requested, Paid>): Rule {
  const { name, dex, isSwap, isDone, amountsOf, walletOf, wanted, minOutAmount } = exchange
  return {
    name,
    begins: isSwap,
    match(request, facts) {
      const picked = new Picked()
      const entry = legBefore(request, picked)
      if (entry === null) return null
      const steps = stepsFrom(request, picked, exchange)
      const [first] = steps
      const last = steps.at(-1)
      if (first === undefined || last === undefined || last.leg === null) return null
      const incoming = entry.transfer
      const outgoing = last.leg.transfer
      const refused = steps.findIndex(({ paid }) => !isDone(paid))
      const failed = refused >= 0
      const routed = { first, last, incoming, outgoing, failed, isSingle: steps.length === 1 }
      const isKnown = steps.every(({ leg, paid }) => leg !== null || heldIn(walletOf(paid), facts) !== undefined)
      const hops = steps.map((step) => ({
        ...amountsOf(step),
        assetOut: (step.leg === null ? heldIn(walletOf(step.paid), facts)?.asset : step.leg.transfer.asset) ?? null,
      }))
      const content = JETTON_SWAP.content({
        dex,
        sender: incoming.source,
        assetIn: incoming.asset,
        assetOut: (wanted(routed, facts) ?? outgoing).asset,
        incoming,
        outgoing,
        hops: isKnown ? hopsUntil(refused, hopsByOutput(incoming.asset, hops)) : [],
        ...(minOutAmount !== undefined && { minOutAmount: minOutAmount(routed, facts) }),
      })
      return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
    },
  }
}
