// A swap on swap.coffee: a vault takes what comes in and calls the pool, which calls the next one or has a vault pay.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_SWAP, legOf, type PeerSwap, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { PAYOUT_ORDER, payoutAfter, readAsset } from './asset.ts'

const SWAP = 0xc0ffee00
const SWAP_EXTRA = 0xc0ffee01
const SWAP_INTERNAL = 0xc0ffee20
const SWAPPED_LOG = 0xc0ffee30
const FAILED_LOG = 0xc0ffee31

const isInternal = isCall(SWAP_INTERNAL)

interface Log {
  readonly assetIn: string | null
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const readLog = (body: Slice): Log => ({
  assetIn: readAsset(body.skip(64)),
  amountIn: body.loadCoins(),
  amountOut: body.loadCoins(),
})

const readAmount = (body: Slice): bigint => body.skip(64).loadCoins()

function incomingOf(block: Block): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) return legOf(transfer)
  const from = envelopeOf(block)
  const amount = isCall(SWAP)(block) ? readBody(block, readAmount) : null
  if (from === undefined || !isCall(SWAP, SWAP_EXTRA)(block)) return null
  const { source, destination } = from
  return { asset: null, source, destination, sourceWallet: null, destinationWallet: null, amount }
}

interface Way {
  readonly logs: readonly Log[]
  readonly paid: SwapTransfer
  readonly failed: boolean
}

/** Follows the pools until one orders a payment; picked. */
function wayFrom(request: Block, picked: Picked): Way | null {
  const logs: Log[] = []
  let failed = false
  for (let call: Block | null = request; call !== null; call = picked.next(call, isInternal)) {
    picked.blocks.add(call)
    if (call !== request) picked.absorb(call)
    const found = picked.next(call, isCall(SWAPPED_LOG, FAILED_LOG))
    const log = found !== null && isCall(SWAPPED_LOG)(found) ? readBody(found, readLog) : null
    if (log === null) failed = true
    else logs.push(log)
    const order = picked.next(call, isCall(PAYOUT_ORDER))
    const paid = order === null ? null : payoutAfter(order, picked)
    if (paid !== null) return { logs, paid, failed }
  }
  return null
}

const peersOf = (logs: readonly Log[], assetOut: string | null): PeerSwap[] =>
  logs.length < 2
    ? []
    : logs.map((log, at) => {
        const next = logs[at + 1]
        return { assetOut: next === undefined ? assetOut : next.assetIn, ...log }
      })

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
      peers: peersOf(way.logs, way.paid.asset),
    })
    return { blocks: picked.blocks, content, failed: way.failed }
  },
}
