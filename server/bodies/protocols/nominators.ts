// Pools of nominators, and those of one.

import { body } from '../body.ts'

export const nominators = {
  singleWithdraw: body('_#00001000 query_id:uint64 coins:Coins'),
  singleChangeValidator: body('_#00001001 query_id:uint64 validator_address:MsgAddress'),
} as const
