// Liquidity taken out of a pool, whichever exchange it is of.

import type { Description } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { digits } from '../../details.ts'
import type { Position } from './deposit.ts'
import type { SwapTransfer } from './swap.ts'

export interface Withdrawal {
  readonly dex: string
  readonly sender: string | null
  readonly senderWallet?: string | null
  readonly pool: string | null
  /** What came out of the pool; one may be missing. */
  readonly taken: readonly SwapTransfer[]
  readonly lpBurnt: bigint | null
  /** Whether an incomplete deposit was returned, where that is known. */
  readonly isRefund?: boolean
  /** Whether liquidity of this pool is not a jetton. */
  readonly hasNoJetton?: boolean
  /** Of the item that was burnt. */
  readonly position?: Position
}

/** Whether all of it came to the one who gave the liquidity up: the action has no field for anybody else. */
export const isPaidTo = (owner: string | null, taken: readonly SwapTransfer[]): boolean =>
  taken.every(({ destination }) => destination === owner)

const WITHDRAWAL = 'dex_withdraw_liquidity'

export function describeWithdrawal(withdrawal: Withdrawal): Description {
  const { dex, sender, senderWallet = null, pool, taken, lpBurnt, isRefund = null, position } = withdrawal
  const [first, second] = taken
  // The pool is the master of its liquidity jetton, unless the position is an NFT or a contract.
  const hasJetton = position === undefined && withdrawal.hasNoJetton !== true
  return {
    roles: { source: sender, sourceSecondary: senderWallet, destination: pool, asset: hasJetton ? pool : null },
    details: {
      dex,
      amount_1: digits(first?.amount),
      amount_2: digits(second?.amount),
      asset_1: first?.asset ?? null,
      asset_2: second?.asset ?? null,
      user_jetton_wallet_1: first?.destinationWallet ?? null,
      user_jetton_wallet_2: second?.destinationWallet ?? null,
      lp_tokens_burnt: digits(lpBurnt),
      is_refund: isRefund,
      source: sender,
      pool,
      destination_liquidity: pool,
      burnt_nft_index: digits(position?.nftIndex),
      burnt_nft_address: position?.nftAddress ?? null,
      tick_lower: digits(position?.tickLower),
      tick_upper: digits(position?.tickUpper),
    },
  }
}

export const withdrawalKind = (type: string): Kind<Withdrawal> =>
  new Kind({ type, shownAs: WITHDRAWAL, isFlat: true, describe: describeWithdrawal })

export const DEX_WITHDRAWAL = withdrawalKind(WITHDRAWAL)
