import { z } from 'zod'
import { RawAddress } from '../values.ts'
import { account, amount, queryId, text } from './fields.ts'

const ends = { source: account('Account that owns it.'), vesting: account('Vesting contract.') }

const Send = z
  .object({
    ...queryId,
    ...ends,
    message_boc: text('Message, base64 BoC.'),
    destination: account('Recipient of the message.'),
    amount: amount('Amount in nanotons.'),
  })
  .meta({ id: 'VestingSendMessageDetails' })

const Whitelist = z
  .object({ ...queryId, ...ends, accounts_added: z.array(RawAddress).describe('Accounts added to the whitelist.') })
  .meta({ id: 'VestingAddWhitelistDetails' })

export const vesting = { vesting_send_message: Send, vesting_add_whitelist: Whitelist }
