// What stakers do, the same for every staking protocol.

import { Kind } from '../../actionKind.ts'
import { digits, omitNulls } from '../../details.ts'

export interface StakeDeposit {
  readonly provider: string
  readonly holder: string | null
  /** Of what was given, when that was not TON. */
  readonly holderWallet?: string | null
  readonly pool: string | null
  readonly amount: bigint | null
  readonly minted: bigint | null
  readonly asset: string | null
  /** What was given, when that was not TON. */
  readonly sourceAsset?: string | null
}

export interface StakeWithdrawal {
  readonly provider: string
  readonly holder: string | null
  readonly holderWallet?: string | null
  readonly pool: string | null
  readonly amount: bigint | null
  readonly payoutNft: string | null
  readonly burnt: bigint | null
  readonly asset: string | null
}

export interface WithdrawalRequest {
  readonly provider: string
  readonly holder: string | null
  readonly holderWallet?: string | null
  readonly pool: string | null
  readonly payoutNft: string | null
  readonly asset: string | null
  readonly burnt: bigint | null
  readonly minted?: bigint | null
}

export const LIQUID = 'liquid_staking'
export const NOMINATOR = 'nominator'
export const ETHENA = 'ethena'

/** A deposit under an internal type of its own. */
export const stakeDepositKind = (type: string): Kind<StakeDeposit> =>
  new Kind({
    type,
    shownAs: 'stake_deposit',
    isFlat: true,
    describe: ({ provider, holder, holderWallet = null, pool, amount, minted, asset, sourceAsset = null }) => ({
      roles: { source: holder, sourceSecondary: holderWallet, destination: pool, asset, asset2: sourceAsset },
      details: {
        provider,
        stake_holder: holder,
        pool,
        amount: digits(amount),
        tokens_minted: digits(minted),
        asset,
        ...omitNulls({ source_asset: sourceAsset }),
      },
    }),
  })

export const stakeWithdrawalKind = (type: string): Kind<StakeWithdrawal> =>
  new Kind({
    type,
    shownAs: 'stake_withdrawal',
    isFlat: true,
    describe: ({ provider, holder, holderWallet, pool, amount, payoutNft, burnt, asset }) => ({
      roles: { source: holder, sourceSecondary: holderWallet, destination: pool, asset },
      details: {
        provider,
        stake_holder: holder,
        pool,
        amount: digits(amount),
        payout_nft: payoutNft,
        tokens_burnt: digits(burnt),
        asset,
      },
    }),
  })

export const withdrawalRequestKind = (type: string): Kind<WithdrawalRequest> =>
  new Kind({
    type,
    shownAs: 'stake_withdrawal_request',
    isFlat: true,
    describe: ({ provider, holder, holderWallet, pool, payoutNft, asset, burnt, minted }) => ({
      roles: { source: holder, sourceSecondary: holderWallet, destination: pool, asset },
      details: {
        provider,
        stake_holder: holder,
        pool,
        payout_nft: payoutNft,
        asset,
        tokens_burnt: digits(burnt),
        ...omitNulls({ tokens_minted: digits(minted) }),
      },
    }),
  })
