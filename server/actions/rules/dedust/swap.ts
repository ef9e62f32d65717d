// A swap on DeDust: a vault takes what comes in and calls the pool, which calls the next one or has another vault pay.

import { dedust } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isUnpaidLeg } from '../exchanges/legs.ts'
import { type Hop, JETTON_SWAP, legOf, type SwapTransfer, tonLeg } from '../exchanges/swap.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { dedustPayoutAfter } from './payout.ts'
import { poolsOf, wantedAsset } from './steps.ts'

interface Entry {
  readonly transfer: SwapTransfer
  /** Pools on the way, in their order; as far as that can be read. */
  readonly pools: readonly string[]
}

const readSwap = fieldsOf(dedust.swap, 'amount', 'step')
const readLog = fieldsOf(dedust.swapLog)

function entryOf(block: ActionBlock | null): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const step = forwardedAs(block, dedust.jettonSwap)
    return { transfer: legOf(transfer), pools: step === null ? [] : poolsOf(step) }
  }
  const from = envelopeOf(block)
  if (block === null || from === undefined || !isCall(dedust.swap.opcode)(block)) return null
  const requested = readBody(block, readSwap)
  if (requested === null || !carries(block, requested.amount)) return null
  return { transfer: tonLeg(from, requested.amount), pools: poolsOf(requested.step) }
}

interface Way {
  readonly hops: readonly Hop[]
  readonly paid: SwapTransfer
  readonly failed: boolean
}

/** Follows the pools until one orders a payment; picked. */
function wayFrom(request: ActionBlock, picked: Picked): Way | null {
  const hops: Hop[] = []
  let failed = false
  for (
    let call: ActionBlock | null = request;
    call !== null;
    call = picked.next(call, isCall(dedust.swapPeer.opcode))
  ) {
    picked.blocks.add(call)
    if (call !== request) picked.absorb(call)
    const log = picked.next(call, isCall(dedust.swapLog.opcode))
    const hop = log === null ? null : readBody(log, readLog)
    if (hop === null) failed = true
    else hops.push(hop)
    const order = picked.next(call, isCall(dedust.payoutFromPool.opcode))
    if (order === null) continue
    const paid = dedustPayoutAfter(order, picked)
    return paid === null ? null : { hops, paid, failed }
  }
  return null
}

/**
 * Invariant: what came into a vault makes it call a pool; each pool logs what it gave and calls the next or orders a
 * vault to pay, which pays.
 */
export const dedustSwap: Rule = {
  name: 'dedust/swap',
  begins: isCall(dedust.swapExternal.opcode),
  match(request, facts) {
    const picked = new Picked()
    const entry = entryOf(request.previous)
    if (entry === null || request.previous === null) return null
    picked.add(request.previous)
    const way = wayFrom(request, picked)
    if (way === null) return null
    const { hops, paid, failed } = way
    const assetIn = entry.transfer.asset
    const wanted = failed ? wantedAsset(assetIn, entry.pools, facts) : null
    const content = JETTON_SWAP.content({
      dex: 'dedust',
      sender: entry.transfer.source,
      assetIn,
      assetOut: wanted === null ? paid.asset : wanted.asset,
      incoming: entry.transfer,
      outgoing: paid,
      hops,
    })
    return { blocks: picked.blocks, content, failed: failed || isUnpaidLeg(picked) }
  },
}
