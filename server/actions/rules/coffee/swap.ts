// A swap on swap.coffee: a vault takes what comes in and calls the pool, which calls the next one or has a vault pay.

import { coffee } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import { type Hop, hopsByInput, JETTON_SWAP, legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { coffeePayoutAfter } from './payout.ts'

const isInternal = isCall(coffee.swapInternal.opcode)

const readLog = fieldsOf(coffee.swapLog, 'assetIn', 'amountIn', 'amountOut')
const readRequest = fieldsOf(coffee.swap, 'amount')

function incomingOf(block: ActionBlock): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) return legOf(transfer)
  const from = envelopeOf(block)
  const amount = isCall(coffee.swap.opcode)(block) ? (readBody(block, readRequest)?.amount ?? null) : null
  if (from === undefined || !isCall(coffee.swap.opcode, coffee.swapExtra.opcode)(block)) return null
  if (amount !== null && !carries(block, amount)) return null
  return tonLeg(from, amount)
}

type Log = Omit<Hop, 'assetOut'>

const isSwapped = isCall(coffee.swapLog.opcode)

interface Way {
  /** None where one names another currency: it would look like TON. */
  readonly logs: readonly Log[]
  readonly paid: SwapTransfer
  readonly failed: boolean
}

/** Follows the pools until one orders a payment; picked. */
function wayFrom(request: ActionBlock, picked: Picked): Way | null {
  const logs: (Log | null)[] = []
  let failed = false
  for (let call: ActionBlock | null = request; call !== null; call = picked.next(call, isInternal)) {
    picked.blocks.add(call)
    if (call !== request) picked.absorb(call)
    const log = picked.next(call, isCall(coffee.swapLog.opcode, coffee.swapFailedLog.opcode))
    if (log === null || !isSwapped(log)) failed = true
    else logs.push(readBody(log, readLog))
    const order = picked.next(call, isCall(coffee.payoutOrder.opcode))
    const paid = order === null ? null : coffeePayoutAfter(order, picked)
    if (paid === null) continue
    const read = logs.filter((one) => one !== null)
    return { logs: read.length === logs.length ? read : [], paid, failed }
  }
  return null
}

/**
 * Invariant: what came into a vault makes it call a pool; each pool logs what it gave and calls the next or orders a
 * vault to pay, which pays.
 */
export const coffeeSwap: Rule = {
  name: 'coffee/swap',
  begins: isInternal,
  match(request) {
    const { previous } = request
    const incoming = previous === null ? null : incomingOf(previous)
    if (previous === null || incoming === null) return null
    const picked = new Picked()
    picked.add(previous)
    const way = wayFrom(request, picked)
    if (way === null) return null
    const content = JETTON_SWAP.content({
      dex: 'coffee',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: way.paid.asset,
      incoming,
      outgoing: way.paid,
      hops: hopsByInput(way.logs, way.paid.asset),
    })
    return { blocks: picked.blocks, content, failed: way.failed || isUnpaidLeg(picked) }
  },
}
