// A swap on DeDust v2: the pool takes what comes in itself, and pays it or passes it on to the next pool.

import { dedustStepV2, dedustV2 } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { either, isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import {
  type Hop,
  hopsByInput,
  hopsUntil,
  JETTON_SWAP,
  MOST_STEPS,
  type SwapTransfer,
  tonLeg,
} from '../exchanges/swap.ts'
import { broughtBy, openPurpose } from './broughtV2.ts'
import { type PayoutV2, payoutV2After } from './payoutV2.ts'
import { wantedAsset } from './steps.ts'

const { payNative, swapPurpose, swapLog } = dedustV2

const readPurpose = fieldsOf(swapPurpose)
const readStep = fieldsOf(dedustStepV2, 'pool', 'minimalAmount', 'next')
const readLog = fieldsOf(swapLog, 'amountIn', 'amountOut')

/** Whether a block brings a pool something to swap. */
const isCarrier = (block: ActionBlock): boolean => openPurpose(block, swapPurpose) !== null

interface Order {
  /** Pools after the first one. */
  readonly pools: readonly string[]
  /** Minimum amount of the asset that the last pool pays. */
  readonly minOutAmount: bigint | null
}

function readOrder(purpose: Slice): Order {
  const { minimalAmount, next: first } = readPurpose(purpose)
  const pools: string[] = []
  let minOutAmount: bigint | null = minimalAmount
  let next = first
  while (next !== null && pools.length < MOST_STEPS) {
    const step = readStep(openCell(next))
    pools.push(step.pool ?? '')
    minOutAmount = step.minimalAmount
    next = step.next
  }
  return next === null ? { pools, minOutAmount } : UNKNOWN_ORDER
}

const UNKNOWN_ORDER: Order = { pools: [], minOutAmount: null }

function orderOf(carrier: ActionBlock): Order {
  const purpose = openPurpose(carrier, swapPurpose)
  return (purpose === null ? null : orNull(() => readOrder(purpose))) ?? UNKNOWN_ORDER
}

interface Step extends Omit<Hop, 'assetOut'> {
  readonly failed: boolean
}

interface Way {
  readonly steps: readonly Step[]
  readonly payout: PayoutV2
}

/** From pool to pool until one pays, picked. */
function wayFrom(first: ActionBlock, picked: Picked): Way | null {
  const steps: Step[] = []
  let carrier: ActionBlock | null = first
  for (; carrier !== null && steps.length < MOST_STEPS; carrier = picked.next(carrier, isCarrier)) {
    const found = picked.next(carrier, isCall(swapLog.opcode))
    const log = found === null ? null : readBody(found, readLog)
    const { amountIn = null, amountOut = null } = log ?? {}
    const brought = broughtBy(carrier)
    steps.push({ assetIn: brought?.asset ?? null, amountIn, amountOut, failed: log === null })
    if (carrier.next.some(isCarrier)) continue
    const payout = payoutV2After(carrier, brought?.destination ?? null, picked, amountOut)
    return payout === null ? null : { steps, payout }
  }
  return null
}

/** Whether the first pool returned the payment. */
const isReturned = ({ steps, payout: { transfer } }: Way, incoming: SwapTransfer): boolean =>
  steps.length === 1 &&
  steps[0]?.failed === true &&
  transfer.asset === incoming.asset &&
  transfer.destination === incoming.source

/** The outgoing transfer of a refused swap: amount 0 of the wanted asset. */
function nothingOf(incoming: SwapTransfer, pools: readonly string[], facts: AccountsFacts): SwapTransfer {
  const { source, destination } = incoming
  const wanted = destination === null ? null : wantedAsset(incoming.asset, [destination, ...pools], facts)
  return { ...tonLeg({ source: destination, destination: source }, 0n), asset: wanted?.asset ?? null }
}

/**
 * Invariant: a pool is brought an amount with the purpose to swap it, logs what it gave, and brings that to the next
 * pool or pays it.
 */
export const dedustSwapV2: Rule = {
  name: 'dedust/swapV2',
  begins: either(isCall(payNative.opcode), isTransfer),
  match(block, facts) {
    const incoming = isCarrier(block) ? broughtBy(block) : null
    if (incoming === null) return null
    const picked = new Picked()
    picked.add(block)
    const way = wayFrom(block, picked)
    if (way === null) return null
    const { steps, payout } = way
    const { pools, minOutAmount } = orderOf(block)
    const outgoing = isReturned(way, incoming) ? nothingOf(incoming, pools, facts) : payout.transfer
    const refused = steps.findIndex((step) => step.failed)
    const content = JETTON_SWAP.content({
      dex: 'dedust_v2',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: outgoing.asset,
      incoming,
      outgoing,
      hops: hopsUntil(refused, hopsByInput(steps, outgoing.asset)),
      minOutAmount,
    })
    const failed = refused >= 0 || (payout.exitCode ?? 0) !== 0
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
