// Liquidity given to a pool, whichever exchange it is of.

import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { carries, sourceOf } from '../../base.ts'
import { digits } from '../../details.ts'
import type { JettonTransferFacts } from '../jettons/transfer.ts'

export interface DepositedAsset {
  readonly asset: string | null
  /** Null when nothing of it was given here. */
  readonly amount: bigint | null
  readonly wallet: string | null
}

/** What a depositor sent. */
export interface Sent {
  readonly sender: string | null
  readonly given: DepositedAsset
}

export const sentJettons = ({ asset, amount, sender, senderWallet }: JettonTransferFacts): Sent => ({
  sender,
  given: { asset, amount, wallet: senderWallet },
})

/** Null for a message that brought less TON than it says. */
export const sentTon = (block: ActionBlock, amount: bigint): Sent | null =>
  carries(block, amount) ? { sender: sourceOf(block), given: { asset: null, amount, wallet: null } } : null

export const NOTHING_DEPOSITED: DepositedAsset = { asset: null, amount: null, wallet: null }

export interface AssetAmount {
  readonly asset: string | null
  readonly amount: bigint | null
}

/** A position between two prices, represented by an item. */
export interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly nftIndex: bigint | null
  readonly nftAddress: string | null
}

export interface Deposit {
  readonly dex: string
  readonly sender: string | null
  readonly pool: string | null
  /** The contract that collects both sides for the pool, where there is one. */
  readonly collector?: string | null
  /** Whether the action says that the liquidity went there, not to the pool. */
  readonly goesToCollector?: boolean
  readonly given: readonly [DepositedAsset, DepositedAsset]
  /** Both sides of what was to be given in all, where that was said. */
  readonly targets?: readonly [AssetAmount, AssetAmount]
  /** Null while only one side is there. */
  readonly lpMinted: bigint | null
  readonly excesses?: readonly AssetAmount[]
  readonly position?: Position
}

export const depositKind = <T extends Deposit = Deposit>(type: string): Kind<T> =>
  new Kind({
    type,
    shownAs: 'dex_deposit_liquidity',
    isFlat: true,
    describe: ({ dex, sender, pool, collector = null, given, targets, lpMinted, excesses = [], position, ...more }) => {
      const [first, second] = given
      const [target1, target2] = targets ?? []
      return {
        roles: {
          source: sender,
          sourceSecondary: first.wallet ?? second.wallet,
          destination: pool,
          destinationSecondary: collector,
          asset: first.asset,
          asset2: second.asset,
        },
        details: {
          dex,
          amount_1: digits(first.amount),
          amount_2: digits(second.amount),
          asset_1: first.asset,
          asset_2: second.asset,
          user_jetton_wallet_1: first.wallet,
          user_jetton_wallet_2: second.wallet,
          source: sender,
          pool,
          destination_liquidity: more.goesToCollector === true ? collector : pool,
          lp_tokens_minted: digits(lpMinted),
          target_asset_1: target1?.asset ?? null,
          target_asset_2: target2?.asset ?? null,
          target_amount_1: digits(target1?.amount),
          target_amount_2: digits(target2?.amount),
          vault_excesses: excesses.map(({ asset, amount }) => ({ asset, amount: digits(amount) })),
          tick_lower: digits(position?.tickLower),
          tick_upper: digits(position?.tickUpper),
          nft_index: digits(position?.nftIndex),
          nft_address: position?.nftAddress ?? null,
        },
      }
    },
  })

export const DEX_DEPOSIT = depositKind('dex_deposit_liquidity')
