// A swap on TONCO: jettons or proxied TON go to the router, which calls the pool, which returns to the router whom to
// pay. What is paid may go into the next swap.

import { openCell, type Slice } from '../../../cell/index.ts'
import { isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { callBehind, type Leg, legAfter, legBefore } from '../exchanges/legs.ts'
import { JETTON_SWAP, type PeerSwap, plainAsset } from '../exchanges/swap.ts'
import { PAY_TO, type PayTo, readPayTo } from './payTo.ts'

const SWAP = 0xa7fb58f8
const isSwap = isCall(SWAP)
const GOOD_CODES: readonly number[] = [0, 200]

interface Request {
  readonly amountIn: bigint
  readonly leastOut: bigint
}

const PRICE_BITS = 160

const readSwap = (body: Slice): Request => {
  readAddress(body.skip(64))
  readAddress(body)
  const terms = openCell(body.loadRef())
  return { amountIn: terms.loadVarUint(16), leastOut: terms.skip(PRICE_BITS).loadVarUint(16) }
}

interface Hop extends Request {
  readonly paid: PayTo
  /** What left the router; null where its next swap took it. */
  readonly leg: Leg | null
}

/** The swaps from `request` on, one behind the other, picked. */
function hopsFrom(request: Block, picked: Picked): Hop[] {
  const hops: Hop[] = []
  let path: readonly Block[] = [request]
  for (let swap: Block | undefined = request; swap !== undefined; swap = path.at(-1)) {
    const requested = readBody(swap, readSwap)
    const order = swap.next.find(isCall(PAY_TO))
    const paid = order === undefined ? null : readBody(order, readPayTo)
    if (requested === null || order === undefined || paid === null) break
    const next = order.next.find(isSwap)
    const leg = next === undefined ? legAfter(order, picked) : null
    if (next === undefined && leg === null) break
    for (const block of path) picked.blocks.add(block)
    if (swap !== request) for (const block of path) picked.absorb(block)
    picked.add(order)
    hops.push({ ...requested, paid, leg })
    path = next !== undefined ? [next] : leg === null ? [] : callBehind(leg, isSwap)
  }
  return hops
}

const shareOf = ({ paid }: Hop) => paid.shares.find(({ amount }) => amount > 0n)

function peersOf(hops: readonly Hop[], assetIn: string | null, facts: Facts): PeerSwap[] {
  const peers: PeerSwap[] = []
  for (const hop of hops) {
    const share = shareOf(hop)
    const jetton = facts.get(share?.wallet ?? '')?.jettonWallet?.jetton ?? null
    const before = peers.at(-1)
    peers.push({
      assetIn: before === undefined ? assetIn : before.assetOut,
      amountIn: hop.amountIn,
      assetOut: hop.leg === null ? plainAsset(jetton) : hop.leg.transfer.asset,
      amountOut: share?.amount ?? null,
    })
  }
  return peers.length > 1 ? peers : []
}

/** The side of the first pool that did not come in: the wanted asset of a single swap, even if another was paid. */
function otherSide(hop: Hop, assetIn: string | null, facts: Facts): string | null {
  const assets = hop.paid.shares.map(({ wallet }) => plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null))
  return assets.find((asset) => asset !== assetIn) ?? null
}

export const toncoSwap: Rule = {
  name: 'tonco/swap',
  begins: isSwap,
  match(request, facts) {
    const picked = new Picked()
    const entry = legBefore(request, picked)
    const hops = hopsFrom(request, picked)
    const [first] = hops
    const last = hops.at(-1)
    if (entry === null || first === undefined || last === undefined || last.leg === null) return null
    const failed = hops.some(({ paid }) => !GOOD_CODES.includes(paid.exitCode))
    const assetIn = entry.transfer.asset
    const outgoing = last.leg.transfer
    const content = JETTON_SWAP.content({
      dex: 'tonco',
      sender: entry.transfer.source,
      assetIn,
      assetOut: failed && hops.length === 1 ? otherSide(first, assetIn, facts) : outgoing.asset,
      incoming: entry.transfer,
      outgoing,
      peers: peersOf(hops, assetIn, facts),
      // Clients know under this name what the pool paid; of a failed swap, which pays back what came in, the minimum.
      minOutAmount: failed ? last.leastOut : (shareOf(last)?.amount ?? outgoing.amount ?? 0n),
    })
    return { blocks: picked.blocks, content, failed }
  },
}
