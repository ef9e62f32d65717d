// A swap, whichever exchange made it: what went in, what came out, and the steps between when there were several.

import { Kind } from '../../actionKind.ts'
import { digits } from '../../details.ts'
import { isProxyTon } from '../jettons/proxyTon.ts'
import type { JettonTransferFacts } from '../jettons/transfer.ts'

/** Pools one behind the other: routers take a few. Without a bound, each swap of a long chain looks at all behind it. */
export const MOST_STEPS = 32

/** What went into an exchange, or came out of it. TON is null. */
export interface SwapTransfer {
  readonly asset: string | null
  readonly source: string | null
  readonly destination: string | null
  readonly sourceWallet: string | null
  readonly destinationWallet: string | null
  readonly amount: bigint | null
}

/** One pool's part of a swap. */
export interface Hop {
  readonly assetIn: string | null
  readonly amountIn: bigint | null
  readonly assetOut: string | null
  readonly amountOut: bigint | null
}

export interface Swap {
  readonly dex: string
  readonly sender: string | null
  /** What was to be swapped for what; a swap that failed gave something else. */
  readonly assetIn: string | null
  readonly assetOut: string | null
  readonly incoming: SwapTransfer
  readonly outgoing: SwapTransfer
  /** Shown when there are several. */
  readonly hops: readonly Hop[]
  /** Minimum amount out, for exchanges whose requests have one; null when it cannot be read. */
  readonly minOutAmount?: bigint | null
  /** The wallet the action lists where the one that received has no part in it. */
  readonly listedWallet?: string | null
}

const transferDetails = (transfer: SwapTransfer) => ({
  asset: transfer.asset,
  source: transfer.source,
  destination: transfer.destination,
  source_jetton_wallet: transfer.sourceWallet,
  destination_jetton_wallet: transfer.destinationWallet,
  amount: digits(transfer.amount),
})

const isAtMost = (amount: bigint | null, most: bigint | null): boolean => amount === null || amount <= (most ?? amount)

/** Whether pools report no more than what came in, what the one before gave, and what was paid in the end. */
function hangTogether(hops: readonly Hop[], { incoming, outgoing }: Pick<Swap, 'incoming' | 'outgoing'>): boolean {
  const given = [incoming.amount, ...hops.map(({ amountOut }) => amountOut)]
  return (
    hops.every(({ amountIn }, at) => isAtMost(amountIn, given[at] ?? null)) &&
    isAtMost(hops.at(-1)?.amountOut ?? null, outgoing.amount)
  )
}

export const JETTON_SWAP = new Kind<Swap>({
  type: 'jetton_swap',
  describe: ({ dex, sender, assetIn, assetOut, incoming, outgoing, hops, minOutAmount, listedWallet }) => ({
    roles: {
      source: incoming.source,
      sourceSecondary: incoming.sourceWallet,
      destination: outgoing.destination,
      destinationSecondary: listedWallet === undefined ? outgoing.destinationWallet : listedWallet,
      asset: assetIn,
      asset2: assetOut,
    },
    details: {
      dex,
      sender,
      asset_in: assetIn,
      asset_out: assetOut,
      dex_incoming_transfer: transferDetails(incoming),
      dex_outgoing_transfer: transferDetails(outgoing),
      peer_swaps: (hops.length > 1 && hangTogether(hops, { incoming, outgoing }) ? hops : []).map((hop) => ({
        asset_in: hop.assetIn,
        amount_in: digits(hop.amountIn),
        asset_out: hop.assetOut,
        amount_out: digits(hop.amountOut),
      })),
      ...(minOutAmount !== undefined && { min_out_amount: digits(minOutAmount) }),
    },
  }),
})

/** Those before the first pool that refused: it paid back what it was brought. */
export function hopsUntil(refused: number, hops: readonly Hop[]): readonly Hop[] {
  return refused < 0 ? hops : hops.slice(0, refused)
}

/** Hops of which each says what it gave: that is what the next one took. */
export function hopsByOutput(assetIn: string | null, steps: readonly Omit<Hop, 'assetIn'>[]): Hop[] {
  const hops: Hop[] = []
  for (const step of steps)
    hops.push({ assetIn: hops.length === 0 ? assetIn : (hops.at(-1)?.assetOut ?? null), ...step })
  return hops
}

/** Hops of which each says what it took: that is what the one before gave. */
export const hopsByInput = (steps: readonly Omit<Hop, 'assetOut'>[], assetOut: string | null): Hop[] =>
  steps.map((step, at) => {
    const next = steps[at + 1]
    return { ...step, assetOut: next === undefined ? assetOut : next.assetIn }
  })

/** A jetton as a swap names it: proxied TON counts as TON. */
export const plainAsset = (asset: string | null): string | null => (isProxyTon(asset) ? null : asset)

/** TON that a message brings, as a leg of a swap. */
export const tonLeg = (
  { source, destination }: Pick<SwapTransfer, 'source' | 'destination'>,
  amount: bigint | null,
): SwapTransfer => ({ asset: null, source, destination, sourceWallet: null, destinationWallet: null, amount })

/** A transfer of jettons as a leg of a swap. */
export const legOf = (transfer: JettonTransferFacts): SwapTransfer => ({
  asset: plainAsset(transfer.asset),
  source: transfer.sender,
  destination: transfer.receiver,
  sourceWallet: transfer.senderWallet,
  destinationWallet: transfer.receiverWallet,
  amount: transfer.amount,
})
