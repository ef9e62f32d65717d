// A swap on STON.fi v2: as in the first version, but a payment may be the next swap, of the same router or another one.

import { type Cell, openCell, type Slice } from '../../../cell/index.ts'
import { isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { callBehind, type Leg, legBefore, sentAfter } from '../exchanges/legs.ts'
import { JETTON_SWAP, type PeerSwap, plainAsset } from '../exchanges/swap.ts'
import { PAY_TO_V2, type PayTo, readPayTo, SWAP_OK } from './payTo.ts'

const SWAP = 0x6664de2a
const isSwap = isCall(SWAP)

interface SwapOrder {
  readonly amount: bigint
  /** The router's wallet of what is wanted. */
  readonly wanted: string | null
}

const readSwap = (body: Slice): SwapOrder => {
  readAddress(body.skip(64))
  const amount = body.loadVarUint(16) + body.loadVarUint(16)
  return { amount, wanted: readWanted(body.loadRef()) }
}

const readWanted = (payload: Cell): string | null => readAddress(openCell(payload).skip(32))

/** One pool's part: the request and the payment it ordered. */
interface Hop {
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
  const payments = swap.next.filter(isCall(PAY_TO_V2)).flatMap((order) => {
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
function hopsFrom(request: Block, picked: Picked): Hop[] {
  const hops: Hop[] = []
  let path: readonly Block[] = [request]
  for (let swap: Block | undefined = request; swap !== undefined; swap = path.at(-1)) {
    const requested = readBody(swap, readSwap)
    const payment = mainPayment(swap)
    if (requested === null || payment === null) break
    const { order, paid } = payment
    const next = order.next.find(isSwap)
    const leg = next === undefined ? sentAfter(order, picked) : null
    if (next === undefined && leg === null) break
    for (const block of path) picked.blocks.add(block)
    if (swap !== request) for (const block of path) picked.absorb(block)
    picked.add(order)
    hops.push({ requested, paid, leg })
    path = next !== undefined ? [next] : leg === null ? [] : callBehind(leg, isSwap)
  }
  return hops
}

const assetOf = (wallet: string | null, facts: Facts): string | null =>
  plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null)

function peersOf(hops: readonly Hop[], assetIn: string | null, facts: Facts): PeerSwap[] {
  const peers: PeerSwap[] = []
  for (const { requested, paid, leg } of hops) {
    const assetOut = leg === null ? assetOf(paid.wallet, facts) : leg.transfer.asset
    const before = peers.at(-1)
    peers.push({
      assetIn: before === undefined ? assetIn : before.assetOut,
      amountIn: requested.amount,
      assetOut,
      amountOut: paid.amount,
    })
  }
  return peers.length > 1 ? peers : []
}

export const stonfiSwapV2: Rule = {
  name: 'stonfi/swapV2',
  begins: isSwap,
  match(request, facts) {
    const picked = new Picked()
    const entry = legBefore(request, picked)
    const hops = hopsFrom(request, picked)
    const last = hops.at(-1)
    if (entry === null || last === undefined || last.leg === null) return null
    const failed = hops.some(({ paid }) => paid.exitCode !== SWAP_OK)
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
      peers: peersOf(hops, assetIn, facts),
    })
    return { blocks: picked.blocks, content, failed }
  },
}
