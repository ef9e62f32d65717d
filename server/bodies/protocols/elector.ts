// The elector, which takes stakes of validators.

import { body } from '../bodyDefinition.ts'

export const elector = {
  newStake: body(
    'elector_new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^[_:bits512]',
  ),
  newStakeConfirmation: body('elector_new_stake_confirmation#f374484c query_id:uint64'),
  recoverStake: body('elector_recover_stake_request#47657424 query_id:uint64'),
  recoverStakeResponse: body('elector_recover_stake_response#f96f7324 query_id:uint64'),
  stakeRejected: body('elector_new_stake_error#ee6f454c query_id:uint64 reason:uint32'),
  recoverFailed: body('_#fffffffe query_id:uint64'),
} as const
