// A swap on DeDust v2: the pool takes what comes in itself, and pays it or passes it on to the next pool.

import { dedustV2 } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, either, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import { type Hop, hopsByInput, JETTON_SWAP, legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { type PayoutV2, payoutV2After } from './payoutV2.ts'

const { payNative, payJetton, swapPurpose, swapLog } = dedustV2

const readPayment = fieldsOf(payNative, 'amount', 'purpose')
const readJettonPurpose = fieldsOf(payJetton, 'purpose')
const readLog = fieldsOf(swapLog, 'amountIn', 'amountOut')

const isSwap = (purpose: Cell | undefined): boolean => purpose !== undefined && swapPurpose.begins(openCell(purpose))

/** Whether a block brings a pool something to swap. */
function isCarrier(block: ActionBlock): boolean {
  if (isCall(payNative.opcode)(block)) return orNull(() => isSwap(readBody(block, readPayment)?.purpose)) === true
  const payload = forwardedAs(block, payJetton)
  return payload !== null && orNull(() => isSwap(readJettonPurpose(payload).purpose)) === true
}

function incomingOf(carrier: ActionBlock): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(carrier)
  if (transfer !== undefined) return legOf(transfer)
  const from = envelopeOf(carrier)
  if (from === undefined) return null
  const amount = readBody(carrier, readPayment)?.amount
  return amount !== undefined && carries(carrier, amount) ? tonLeg(from, amount) : null
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
  for (let carrier: ActionBlock | null = first; carrier !== null; carrier = picked.next(carrier, isCarrier)) {
    const found = picked.next(carrier, isCall(swapLog.opcode))
    const log = found === null ? null : readBody(found, readLog)
    const { amountIn = null, amountOut = null } = log ?? {}
    steps.push({ assetIn: incomingOf(carrier)?.asset ?? null, amountIn, amountOut, failed: log === null })
    if (carrier.next.some(isCarrier)) continue
    const payout = payoutV2After(carrier, picked)
    return payout === null ? null : { steps, payout }
  }
  return null
}

/**
 * Invariant: a pool is brought an amount with the purpose to swap it, logs what it gave, and brings that to the next
 * pool or pays it.
 */
export const dedustSwapV2: Rule = {
  name: 'dedust/swapV2',
  begins: either(isCall(payNative.opcode), isTransfer),
  match(block) {
    const incoming = isCarrier(block) ? incomingOf(block) : null
    if (incoming === null) return null
    const picked = new Picked(block)
    const way = wayFrom(block, picked)
    if (way === null) return null
    const { steps, payout } = way
    const content = JETTON_SWAP.content({
      dex: 'dedust_v2',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: payout.transfer.asset,
      incoming,
      outgoing: payout.transfer,
      hops: hopsByInput(steps, payout.transfer.asset),
    })
    const failed = steps.some((step) => step.failed) || (payout.exitCode ?? 0) !== 0
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
