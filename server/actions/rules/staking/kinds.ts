// What stakers do, the same for every staking protocol.

import { Kind } from '../../actionKind.ts'
import { digits, omitNulls } from '../../details.ts'

interface Stake {
  readonly provider: string
  readonly holder: string | null
  /** Of what was given, when that was not TON. */
  readonly holderWallet?: string | null
  readonly pool: string | null
  readonly asset: string | null
}

export interface StakeDeposit extends Stake {
  readonly amount: bigint | null
  readonly minted: bigint | null
  /** What was given, when that was not TON. */
  readonly sourceAsset?: string | null
}

export interface StakeWithdrawal extends Stake {
  readonly amount: bigint | null
  readonly payoutNft: string | null
  readonly burnt: bigint | null
}

export interface WithdrawalRequest extends Stake {
  readonly payoutNft: string | null
  readonly burnt: bigint | null
  readonly minted?: bigint | null
}

export const LIQUID = 'liquid_staking'
export const NOMINATOR = 'nominator'
export const ETHENA = 'ethena'

const rolesOf = ({ holder, holderWallet, pool, asset }: Stake) => ({
  source: holder,
  sourceSecondary: holderWallet,
  destination: pool,
  asset,
})

/** What details say first. */
const stakeDetails = ({ provider, holder, pool }: Stake) => ({ provider, stake_holder: holder, pool })

/** A deposit under an internal type of its own. */
export const stakeDepositKind = (type: string): Kind<StakeDeposit> =>
  new Kind({
    type,
    shownAs: 'stake_deposit',
    isFlat: true,
    describe: (deposit) => ({
      roles: { ...rolesOf(deposit), asset2: deposit.sourceAsset },
      details: {
        ...stakeDetails(deposit),
        amount: digits(deposit.amount),
        tokens_minted: digits(deposit.minted),
        asset: deposit.asset,
        ...omitNulls({ source_asset: deposit.sourceAsset ?? null }),
      },
    }),
  })

export const stakeWithdrawalKind = (type: string): Kind<StakeWithdrawal> =>
  new Kind({
    type,
    shownAs: 'stake_withdrawal',
    isFlat: true,
    describe: (withdrawal) => ({
      roles: rolesOf(withdrawal),
      details: {
        ...stakeDetails(withdrawal),
        amount: digits(withdrawal.amount),
        payout_nft: withdrawal.payoutNft,
        tokens_burnt: digits(withdrawal.burnt),
        asset: withdrawal.asset,
      },
    }),
  })

export const withdrawalRequestKind = (type: string): Kind<WithdrawalRequest> =>
  new Kind({
    type,
    shownAs: 'stake_withdrawal_request',
    isFlat: true,
    describe: (request) => ({
      roles: rolesOf(request),
      details: {
        ...stakeDetails(request),
        payout_nft: request.payoutNft,
        asset: request.asset,
        tokens_burnt: digits(request.burnt),
        ...omitNulls({ tokens_minted: digits(request.minted) }),
      },
    }),
  })
