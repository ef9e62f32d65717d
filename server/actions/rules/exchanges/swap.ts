// A swap, whichever exchange made it: what went in, what came out, and the steps between when there were several.

import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { isProxyTon } from '../jettons/proxyTon.ts'
import type { JettonTransfer } from '../jettons/transfer.ts'

/** What went into an exchange, or came out of it. TON is null. */
export interface SwapTransfer {
  readonly asset: string | null
  readonly source: string | null
  readonly destination: string | null
  readonly sourceWallet: string | null
  readonly destinationWallet: string | null
  readonly amount: bigint | null
}

/** One step of several. */
export interface PeerSwap {
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
  /** None when there was one step. */
  readonly peers: readonly PeerSwap[]
  /** Shown where it is known. */
  readonly minOutAmount?: bigint
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

export const JETTON_SWAP = new Kind<Swap>({
  type: 'jetton_swap',
  describe: ({ dex, sender, assetIn, assetOut, incoming, outgoing, peers, minOutAmount, listedWallet }) => ({
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
      peer_swaps: peers.map((peer) => ({
        asset_in: peer.assetIn,
        amount_in: digits(peer.amountIn),
        asset_out: peer.assetOut,
        amount_out: digits(peer.amountOut),
      })),
      ...(minOutAmount !== undefined && { min_out_amount: digits(minOutAmount) }),
    },
  }),
})

/** A jetton as a swap names it: proxied TON counts as TON. */
export const plainAsset = (asset: string | null): string | null => (isProxyTon(asset) ? null : asset)

/** A transfer of jettons as a leg of a swap. */
export const legOf = (transfer: JettonTransfer): SwapTransfer => ({
  asset: plainAsset(transfer.asset),
  source: transfer.sender,
  destination: transfer.receiver,
  sourceWallet: transfer.senderWallet,
  destinationWallet: transfer.receiverWallet,
  amount: transfer.amount,
})
