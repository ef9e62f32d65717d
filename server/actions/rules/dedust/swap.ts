// A swap on DeDust: a vault takes what comes in and calls the pool, which calls the next one or has another vault pay.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_SWAP, legOf, type PeerSwap, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { PAYOUT_FROM_POOL, payoutAfter, readAsset } from './asset.ts'
import { JETTON_SWAP_PAYLOAD, poolsOf, SWAP } from './steps.ts'

const SWAP_EXTERNAL = 0x61ee542d
const SWAP_PEER = 0x72aca8aa
const SWAP_LOG = 0x9c610de3

interface Entry {
  readonly transfer: SwapTransfer
  /** Pools on the way, in their order; as far as that can be read. */
  readonly pools: readonly string[]
}

const readNativeSwap = (body: Slice) => ({ amount: body.skip(64).loadCoins(), pools: poolsOf(body) })

function entryOf(block: Block | null): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = transfer.forwardPayload?.clone()
    const isSwap = payload !== undefined && payload.remainingBits >= 32 && payload.loadUint(32) === JETTON_SWAP_PAYLOAD
    return { transfer: legOf(transfer), pools: isSwap ? poolsOf(payload) : [] }
  }
  const from = envelopeOf(block)
  if (block === null || from === undefined || !isCall(SWAP)(block)) return null
  const requested = readBody(block, readNativeSwap)
  if (requested === null) return null
  const { source, destination } = from
  const ends = { source, destination, sourceWallet: null, destinationWallet: null }
  return { transfer: { asset: null, amount: requested.amount, ...ends }, pools: requested.pools }
}

const readLog = (body: Slice): PeerSwap => ({
  assetIn: readAsset(body),
  assetOut: readAsset(body),
  amountIn: body.loadCoins(),
  amountOut: body.loadCoins(),
})

interface Way {
  readonly peers: readonly PeerSwap[]
  readonly paid: SwapTransfer
  readonly failed: boolean
}

/** Follows the pools until one orders a payment; picked. */
function wayFrom(request: Block, picked: Picked): Way | null {
  const peers: PeerSwap[] = []
  let failed = false
  for (let call: Block | null = request; call !== null; call = picked.next(call, isCall(SWAP_PEER))) {
    picked.blocks.add(call)
    if (call !== request) picked.absorb(call)
    const log = picked.next(call, isCall(SWAP_LOG))
    const peer = log === null ? null : readBody(log, readLog)
    if (peer === null) failed = true
    else peers.push(peer)
    const order = picked.next(call, isCall(PAYOUT_FROM_POOL))
    if (order === null) continue
    const paid = payoutAfter(order, picked)
    return paid === null ? null : { peers, paid, failed }
  }
  return null
}

/** What the last of the pools gives for what the first is given; null when one of them is not known. */
function wantedAsset(assetIn: string | null, pools: readonly string[], facts: Facts): { asset: string | null } | null {
  let asset = assetIn
  for (const pool of pools) {
    const assets = facts.get(pool)?.dedustPool?.assets
    if (assets === undefined || !assets.includes(asset)) return null
    asset = assets.find((other) => other !== asset) ?? null
  }
  return pools.length === 0 ? null : { asset }
}

export const dedustSwap: Rule = {
  name: 'dedust/swap',
  begins: isCall(SWAP_EXTERNAL),
  match(request, facts) {
    const picked = new Picked()
    const entry = entryOf(request.previous)
    if (entry === null || request.previous === null) return null
    picked.add(request.previous)
    const way = wayFrom(request, picked)
    if (way === null) return null
    const { peers, paid, failed } = way
    const assetIn = entry.transfer.asset
    const wanted = failed ? wantedAsset(assetIn, entry.pools, facts) : null
    const content = JETTON_SWAP.content({
      dex: 'dedust',
      sender: entry.transfer.source,
      assetIn,
      assetOut: wanted === null ? paid.asset : wanted.asset,
      incoming: entry.transfer,
      outgoing: paid,
      peers: peers.length > 1 ? peers : [],
    })
    return { blocks: picked.blocks, content, failed }
  },
}
