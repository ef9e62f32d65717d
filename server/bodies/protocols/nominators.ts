// Pools of nominators, and those of one. Deposits and withdrawals of nominators are comments of one letter.

import { body } from '../bodyDefinition.ts'

export const nominators = {
  acceptCoins: body('_#00000001 query_id:uint64'),
  payRequested: body('_#00000002 query_id:uint64 limit:uint8'),
  payOne: body('_#00000003 query_id:uint64 nominator:bits256'),
  validatorDeposit: body('_#00000004 query_id:uint64'),
  validatorWithdrawal: body('_#00000005 query_id:uint64 amount:Coins'),
  noteValidatorSet: body('_#00000006 query_id:uint64'),
  forgetOldVotings: body('_#00000007 query_id:uint64'),
  // From the validator: how much of the pool to stake, then what the elector is sent.
  newStake: body(
    'nominator_pool_new_stake#4e73744b query_id:uint64 amount:Coins validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^[_:bits512]',
  ),
  singleWithdraw: body('_#00001000 query_id:uint64 coins:Coins'),
  singleChangeValidator: body('_#00001001 query_id:uint64 validator_address:MsgAddress'),
} as const
