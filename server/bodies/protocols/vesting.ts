// The vesting wallet.

import { body } from '../bodyDefinition.ts'

export const vesting = {
  sendMessage: body('vesting_send_message#a7733acd query_id:uint64 send_mode:uint8 message:^Message'),
  sendMessageResponse: body('vesting_send_message_response#f7733acd query_id:uint64'),
  addWhitelist: body('vesting_add_white_list#7258a69b query_id:uint64 addresses:Any'),
  addWhitelistResponse: body('vesting_add_white_list_response#f258a69b query_id:uint64'),
} as const
