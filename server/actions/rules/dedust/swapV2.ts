// A swap on DeDust v2: the pool takes what comes in itself, and pays it or passes it on to the next pool.

import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { JETTON_SWAP, legOf, type PeerSwap, type SwapTransfer } from '../exchanges/swap.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { type PayoutV2, payoutV2After } from './payoutV2.ts'

const PAY_NATIVE = 0xa5a7cbf8
const PAY_JETTON = 0xcbc33949
const SWAP_PAYLOAD = 0xc442500f
const SWAP_LOG = 0x78e79ba4

/** What the payment is for: a reference of its own. */
const asksSwap = (payment: Slice): boolean => openCell(payment.loadRef()).loadUint(32) === SWAP_PAYLOAD

/** Whether a block brings a pool something to swap. */
function isCarrier(block: Block): boolean {
  if (isCall(PAY_NATIVE)(block)) return readBody(block, asksSwap) === true
  const payload = JETTON_TRANSFER.of(block)?.forwardPayload?.clone()
  if (payload === undefined) return false
  return orNull(() => payload.loadUint(32) === PAY_JETTON && asksSwap(payload)) === true
}

const readAmount = (body: Slice): bigint => body.skip(64).loadCoins()

function incomingOf(carrier: Block): SwapTransfer | null {
  const transfer = JETTON_TRANSFER.of(carrier)
  if (transfer !== undefined) return legOf(transfer)
  const from = envelopeOf(carrier)
  if (from === undefined) return null
  const { source, destination } = from
  const ends = { source, destination, sourceWallet: null, destinationWallet: null }
  return { asset: null, amount: readBody(carrier, readAmount), ...ends }
}

/** Behind which of both assets goes in. */
const readLog = (body: Slice) => ({ amountIn: body.skip(1).loadCoins(), amountOut: body.loadCoins() })

interface Hop {
  readonly assetIn: string | null
  readonly log: ReturnType<typeof readLog> | null
}

interface Way {
  readonly hops: readonly Hop[]
  readonly payout: PayoutV2
}

/** From pool to pool until one pays, picked. */
function wayFrom(first: Block, picked: Picked): Way | null {
  const hops: Hop[] = []
  for (let carrier: Block | null = first; carrier !== null; carrier = picked.next(carrier, isCarrier)) {
    const found = picked.next(carrier, isCall(SWAP_LOG))
    hops.push({
      assetIn: incomingOf(carrier)?.asset ?? null,
      log: found === null ? null : readBody(found, readLog),
    })
    if (carrier.next.some(isCarrier)) continue
    const payout = payoutV2After(carrier, picked)
    return payout === null ? null : { hops, payout }
  }
  return null
}

const peersOf = (hops: readonly Hop[], assetOut: string | null): PeerSwap[] =>
  hops.length < 2
    ? []
    : hops.map(({ assetIn, log }, at) => {
        const next = hops[at + 1]
        return {
          assetIn,
          amountIn: log?.amountIn ?? null,
          assetOut: next === undefined ? assetOut : next.assetIn,
          amountOut: log?.amountOut ?? null,
        }
      })

export const dedustSwapV2: Rule = {
  name: 'dedust/swapV2',
  begins: (block) => isCall(PAY_NATIVE)(block) || isTransfer(block),
  match(block) {
    const incoming = isCarrier(block) ? incomingOf(block) : null
    if (incoming === null) return null
    const picked = new Picked(block)
    const way = wayFrom(block, picked)
    if (way === null) return null
    const { hops, payout } = way
    const content = JETTON_SWAP.content({
      dex: 'dedust_v2',
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: payout.transfer.asset,
      incoming,
      outgoing: payout.transfer,
      peers: peersOf(hops, payout.transfer.asset),
    })
    const failed = hops.some(({ log }) => log === null) || (payout.exitCode ?? 0) !== 0
    return { blocks: picked.blocks, content, failed }
  },
}
